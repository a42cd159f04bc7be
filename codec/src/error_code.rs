//! Error codes by number and name.

/// A reply's status other than 0.
///
/// On the wire an error is this number and nothing else: no text, no argument
/// (`core/common/src/sender/mod.rs` of server 0.8.0). A client that prints
/// `InvalidOffset(0)` prints the default value of a field that it could not have
/// received (recording `server-0.8.0_sdk-0.10.0/empty.pcap`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(pub u32);

impl ErrorCode {
    /// The command is malformed or not known to the server.
    pub const INVALID_COMMAND: Self = Self(3);
    /// The server has evicted the client, for it was silent for too long.
    pub const STALE_CLIENT: Self = Self(30);
    /// Not logged in.
    pub const UNAUTHENTICATED: Self = Self(40);
    /// Wrong user name or password.
    pub const INVALID_CREDENTIALS: Self = Self(42);
    /// Not committed for now: the client is to send the same again.
    pub const TRANSIENT_NOT_COMMITTED: Self = Self(57);
    /// Not accepted for now: the client is to send the same again.
    pub const TRANSIENT_NOT_ACCEPTED: Self = Self(58);
    /// No such stream.
    pub const STREAM_ID_NOT_FOUND: Self = Self(1009);
    /// No such topic.
    pub const TOPIC_ID_NOT_FOUND: Self = Self(2010);
    /// No such partition.
    pub const PARTITION_NOT_FOUND: Self = Self(3007);
    /// A poll or send of no message.
    pub const INVALID_MESSAGES_COUNT: Self = Self(4009);
    /// An offset that the partition does not have.
    pub const INVALID_OFFSET: Self = Self(4100);
    /// The client's protocol version is outside what the server accepts.
    pub const INCOMPATIBLE_PROTOCOL_VERSION: Self = Self(14003);
    /// No group with this number.
    pub const CONSUMER_GROUP_ID_NOT_FOUND: Self = Self(5000);
    /// No group with this name.
    pub const CONSUMER_GROUP_NAME_NOT_FOUND: Self = Self(5003);
    /// The client is no member of the group.
    pub const CONSUMER_GROUP_MEMBER_NOT_FOUND: Self = Self(5006);

    /// The name that the crates and HTTP give it, in `snake_case`; `None` where
    /// no known version has the number.
    pub fn name(self) -> Option<&'static str> {
        self.entry().map(|entry| entry.name)
    }

    /// Whether the SDK's error has an argument, which it fills with a default
    /// since the wire does not carry it.
    pub fn has_argument(self) -> bool {
        self.entry().is_some_and(|entry| entry.argument)
    }

    /// How the Rust SDK names its variant: `InvalidOffset`.
    pub fn variant_name(self) -> Option<String> {
        let words = self.name()?.split('_');
        Some(words.map(capitalised).collect())
    }

    /// The number of the error that is called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        let entry = TABLE.iter().find(|entry| entry.name == name)?;
        Some(Self(entry.number))
    }

    /// Every known code.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|entry| Self(entry.number))
    }

    fn entry(self) -> Option<&'static Entry> {
        let index = TABLE.binary_search_by_key(&self.0, |entry| entry.number);
        index.ok().map(|index| &TABLE[index])
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} {name}", self.0),
            None => write!(f, "{} (0x{:x}, unknown)", self.0, self.0),
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_ascii_uppercase())
        .into_iter()
        .chain(letters)
        .collect()
}

struct Entry {
    number: u32,
    name: &'static str,
    argument: bool,
}

const fn entry(number: u32, name: &'static str, argument: bool) -> Entry {
    Entry {
        number,
        name,
        argument,
    }
}

/// From `iggy_common` 0.10.0 and 0.11.0, `error/iggy_error.rs`: number, name,
/// whether the variant has an argument. Sorted by number.
const TABLE: &[Entry] = &[
    entry(1, "error", false),
    entry(2, "invalid_configuration", false),
    entry(3, "invalid_command", false),
    entry(4, "invalid_format", false),
    entry(5, "feature_unavailable", false),
    entry(6, "invalid_identifier", false),
    entry(7, "invalid_version", true),
    entry(8, "disconnected", false),
    entry(9, "cannot_establish_connection", false),
    entry(10, "cannot_create_base_directory", true),
    entry(11, "cannot_create_runtime_directory", true),
    entry(12, "cannot_remove_runtime_directory", true),
    entry(13, "cannot_create_state_directory", true),
    entry(14, "state_file_not_found", false),
    entry(15, "state_file_corrupted", false),
    entry(16, "invalid_state_entry_checksum", true),
    entry(19, "cannot_open_database", true),
    entry(20, "resource_not_found", true),
    entry(21, "cannot_close_web_socket_connection", true),
    entry(30, "stale_client", false),
    entry(31, "tcp_error", false),
    entry(32, "quic_error", false),
    entry(33, "invalid_server_address", false),
    entry(34, "invalid_client_address", false),
    entry(35, "invalid_ip_address", true),
    entry(36, "http_error", true),
    entry(37, "invalid_api_url", true),
    entry(40, "unauthenticated", false),
    entry(41, "unauthorized", false),
    entry(42, "invalid_credentials", false),
    entry(43, "invalid_username", false),
    entry(44, "invalid_password", false),
    entry(45, "invalid_user_status", false),
    entry(46, "user_already_exists", false),
    entry(47, "user_inactive", false),
    entry(48, "cannot_delete_user", true),
    entry(49, "cannot_change_permissions", true),
    entry(50, "invalid_personal_access_token_name", false),
    entry(51, "personal_access_token_already_exists", true),
    entry(52, "personal_access_tokens_limit_reached", true),
    entry(53, "invalid_personal_access_token", false),
    entry(54, "personal_access_token_expired", true),
    entry(55, "users_limit_reached", false),
    entry(56, "invalid_personal_access_token_expiry", false),
    entry(57, "transient_not_committed", false),
    entry(58, "transient_not_accepted", false),
    entry(59, "request_already_applied", false),
    entry(61, "not_connected", false),
    entry(63, "client_shutdown", false),
    entry(64, "invalid_tls_domain", false),
    entry(65, "invalid_tls_certificate_path", false),
    entry(66, "invalid_tls_certificate", false),
    entry(67, "failed_to_add_certificate", false),
    entry(70, "invalid_encryption_key", false),
    entry(71, "cannot_encrypt_data", false),
    entry(72, "cannot_decrypt_data", false),
    entry(73, "invalid_jwt_algorithm", true),
    entry(74, "invalid_jwt_secret", false),
    entry(75, "jwt_missing", false),
    entry(76, "cannot_generate_jwt", false),
    entry(77, "access_token_missing", false),
    entry(78, "invalid_access_token", false),
    entry(79, "cannot_fetch_jwks", true),
    entry(80, "invalid_size_bytes", false),
    entry(81, "invalid_utf8", false),
    entry(82, "invalid_number_encoding", false),
    entry(83, "invalid_boolean_value", false),
    entry(84, "invalid_number_value", false),
    entry(100, "client_not_found", true),
    entry(101, "invalid_client_id", false),
    entry(206, "connection_closed", false),
    entry(209, "cannot_parse_header_kind", true),
    entry(300, "http_response_error", true),
    entry(301, "invalid_http_request", false),
    entry(302, "invalid_json_response", false),
    entry(303, "invalid_bytes_response", false),
    entry(304, "empty_response", false),
    entry(305, "cannot_create_endpoint", false),
    entry(306, "cannot_parse_url", false),
    entry(400, "web_socket_error", false),
    entry(401, "web_socket_connection_error", false),
    entry(402, "web_socket_close_error", false),
    entry(403, "web_socket_receive_error", false),
    entry(404, "web_socket_send_error", false),
    entry(1000, "cannot_create_streams_directory", true),
    entry(1001, "cannot_create_stream_directory", true),
    entry(1002, "cannot_create_stream_info", true),
    entry(1003, "cannot_update_stream_info", true),
    entry(1004, "cannot_open_stream_info", true),
    entry(1005, "cannot_read_stream_info", true),
    entry(1006, "cannot_create_stream", true),
    entry(1007, "cannot_delete_stream", true),
    entry(1008, "cannot_delete_stream_directory", true),
    entry(1009, "stream_id_not_found", true),
    entry(1010, "stream_name_not_found", true),
    entry(1011, "stream_directory_not_found", true),
    entry(1012, "stream_name_already_exists", true),
    entry(1013, "invalid_stream_name", false),
    entry(1014, "invalid_stream_id", false),
    entry(1015, "cannot_read_streams", false),
    entry(1019, "invalid_topic_size", true),
    entry(1020, "too_many_streams", false),
    entry(2000, "cannot_create_topics_directory", true),
    entry(2001, "cannot_create_topic_directory", true),
    entry(2002, "cannot_create_topic_info", true),
    entry(2003, "cannot_update_topic_info", true),
    entry(2004, "cannot_open_topic_info", true),
    entry(2005, "cannot_read_topic_info", true),
    entry(2006, "cannot_create_topic", true),
    entry(2007, "cannot_delete_topic", true),
    entry(2008, "cannot_delete_topic_directory", true),
    entry(2009, "cannot_poll_topic", false),
    entry(2010, "topic_id_not_found", true),
    entry(2011, "topic_name_not_found", true),
    entry(2013, "topic_name_already_exists", true),
    entry(2014, "invalid_topic_name", false),
    entry(2015, "too_many_partitions", false),
    entry(2016, "invalid_topic_id", false),
    entry(2017, "cannot_read_topics", true),
    entry(2018, "invalid_replication_factor", false),
    entry(2019, "invalid_partitions_count", false),
    entry(2020, "topic_directory_not_found", true),
    entry(2021, "too_many_topics", false),
    entry(3000, "cannot_create_partition", true),
    entry(3001, "cannot_create_partitions_directory", true),
    entry(3002, "cannot_create_partition_directory", true),
    entry(3003, "cannot_open_partition_log_file", false),
    entry(3004, "cannot_read_partitions", false),
    entry(3005, "cannot_delete_partition", true),
    entry(3006, "cannot_delete_partition_directory", true),
    entry(3007, "partition_not_found", true),
    entry(3008, "no_partitions", true),
    entry(3009, "topic_full", true),
    entry(3010, "cannot_delete_consumer_offsets_directory", true),
    entry(3011, "cannot_delete_consumer_offset_file", true),
    entry(3012, "cannot_create_consumer_offsets_directory", true),
    entry(3013, "partition_id_space_exhausted", false),
    entry(3020, "cannot_read_consumer_offsets", true),
    entry(3021, "consumer_offset_not_found", true),
    entry(3022, "not_resolved_consumer", true),
    entry(3023, "cannot_open_consumer_offsets_file", true),
    entry(3024, "too_many_consumer_offsets", false),
    entry(4000, "segment_not_found", false),
    entry(4001, "segment_closed", true),
    entry(4002, "invalid_segment_size", true),
    entry(4003, "cannot_create_segment_log_file", true),
    entry(4004, "cannot_create_segment_index_file", true),
    entry(4005, "cannot_create_segment_time_index_file", true),
    entry(4006, "cannot_save_messages_to_segment", false),
    entry(4007, "cannot_save_index_to_segment", false),
    entry(4008, "cannot_save_time_index_to_segment", false),
    entry(4009, "invalid_messages_count", false),
    entry(4010, "cannot_append_message", false),
    entry(4011, "cannot_read_message", false),
    entry(4012, "cannot_read_message_id", false),
    entry(4013, "cannot_read_message_state", false),
    entry(4014, "cannot_read_message_timestamp", false),
    entry(4015, "cannot_read_headers_length", false),
    entry(4016, "cannot_read_headers_payload", false),
    entry(4017, "too_big_user_headers", false),
    entry(4018, "invalid_header_key", false),
    entry(4019, "invalid_header_value", false),
    entry(4020, "cannot_read_message_length", false),
    entry(4021, "cannot_read_message_payload", false),
    entry(4022, "too_big_message_payload", false),
    entry(4023, "too_many_messages", false),
    entry(4024, "empty_message_payload", false),
    entry(4025, "invalid_message_payload_length", false),
    entry(4026, "cannot_read_message_checksum", false),
    entry(4027, "invalid_message_checksum", true),
    entry(4028, "invalid_key_value_length", false),
    entry(4029, "command_length_error", true),
    entry(4030, "invalid_segments_count", true),
    entry(4031, "non_zero_offset", true),
    entry(4032, "non_zero_timestamp", true),
    entry(4033, "missing_index", true),
    entry(4034, "invalid_indexes_byte_size", true),
    entry(4035, "invalid_indexes_count", true),
    entry(4036, "invalid_messages_size", true),
    entry(4037, "too_small_message", true),
    entry(4038, "invalid_message_timestamp_delta", true),
    entry(4039, "invalid_batch_checksum", true),
    entry(4040, "invalid_header_kind", true),
    entry(4041, "unsupported_option_key", true),
    entry(4042, "invalid_option_value", true),
    entry(4043, "options_block_too_large", true),
    entry(
        4050,
        "cannot_send_messages_due_to_client_disconnection",
        false,
    ),
    entry(4051, "background_send_error", false),
    entry(4052, "background_send_timeout", false),
    entry(4053, "background_send_buffer_full", false),
    entry(4054, "background_worker_disconnected", false),
    entry(4055, "background_send_buffer_overflow", false),
    entry(4056, "producer_send_failed", true),
    entry(4057, "producer_closed", false),
    entry(4100, "invalid_offset", true),
    entry(4101, "invalid_reserved_field", true),
    entry(4102, "segment_size_mismatch_at_open", true),
    entry(5000, "consumer_group_id_not_found", true),
    entry(5002, "invalid_consumer_group_id", false),
    entry(5003, "consumer_group_name_not_found", true),
    entry(5004, "consumer_group_name_already_exists", true),
    entry(5005, "invalid_consumer_group_name", false),
    entry(5006, "consumer_group_member_not_found", true),
    entry(5007, "cannot_create_consumer_group_info", true),
    entry(5008, "cannot_delete_consumer_group_info", true),
    entry(5009, "consumer_group_partition_not_owned", true),
    entry(6000, "missing_base_offset_retained_message_batch", false),
    entry(
        6001,
        "missing_last_offset_delta_retained_message_batch",
        false,
    ),
    entry(6002, "missing_max_timestamp_retained_message_batch", false),
    entry(6003, "missing_length_retained_message_batch", false),
    entry(6004, "missing_payload_retained_message_batch", false),
    entry(7000, "cannot_read_batch_base_offset", false),
    entry(7001, "cannot_read_batch_length", false),
    entry(7002, "cannot_read_last_offset_delta", false),
    entry(7003, "cannot_read_max_timestamp", false),
    entry(7004, "cannot_read_batch_payload", false),
    entry(8000, "invalid_connection_string", false),
    entry(9000, "snapshot_file_completion_failed", false),
    entry(10000, "cannot_serialize_resource", false),
    entry(10001, "cannot_deserialize_resource", false),
    entry(10002, "cannot_read_file", false),
    entry(10003, "cannot_read_file_metadata", false),
    entry(10004, "cannot_seek_file", false),
    entry(10005, "cannot_append_to_file", false),
    entry(10006, "cannot_write_to_file", false),
    entry(10007, "cannot_overwrite_file", false),
    entry(10008, "cannot_delete_file", false),
    entry(10009, "cannot_sync_file", false),
    entry(10010, "cannot_read_index_offset", false),
    entry(10011, "cannot_read_index_position", false),
    entry(10012, "cannot_read_index_timestamp", false),
    entry(10013, "timestamp_out_of_range", true),
    entry(11000, "shard_not_found", true),
    entry(11001, "shard_communication_error", false),
    entry(12000, "cannot_bind_to_socket", true),
    entry(12001, "task_timeout", false),
    entry(13000, "io_error", true),
    entry(14000, "already_authenticated", false),
    entry(14001, "invalid_session", true),
    entry(14003, "incompatible_protocol_version", true),
];
