//! Names that fields within a request, a response or a comparison may have,
//! beyond those that are listed.

/// Every name, in the order of the alphabet. A test holds it against the
/// recordings and against the codec.
#[rustfmt::skip]
pub(super) static NAMES: &[&str] = &[
    "accepts_protocol_from", "accepts_protocol_to", "ack", "address", "another_follows", "answers",
    "archive", "asked_again", "auto_commit", "available_memory", "base_offset", "basis", "body",
    "bytes", "cache_metrics", "cache_metrics_count", "checksum", "client_id", "clients",
    "clients_count", "code", "comparison", "compression", "compression_algorithm", "confirmations",
    "confirmations_count", "consumer", "consumer_groups", "consumer_groups_count", "consumer_kind",
    "consumer_session", "context", "count", "cpu_usage", "created_at", "current_offset",
    "current_password", "default", "derived_options", "description", "differences", "end", "error",
    "eviction", "exchange", "expiry", "expiry_at", "failed", "field", "first", "frame_length",
    "free_disk_space", "fsync", "generation", "group", "group_id", "groups", "hit_ratio", "hits",
    "hostname", "http", "http_port", "http_status", "id", "iggy_server_semver",
    "iggy_server_version", "index", "ip", "kernel_version", "key", "key_kind", "kind", "known",
    "last", "latency_us", "left_over", "manage_servers", "manage_stream", "manage_streams",
    "manage_topic", "manage_topics", "manage_users", "max_topic_size", "member", "members",
    "members_count", "membership", "memory_usage", "message_expiry", "messages", "messages_count",
    "messages_key", "messages_polled", "messages_sent", "messages_size_bytes", "metadata_watermark",
    "method", "misses", "muted_by", "name", "new_password", "node", "nodes", "nodes_count",
    "offset", "option", "options", "options_count", "origin_timestamp", "os_name", "os_version",
    "partition", "partition_given", "partition_id", "partitioning", "partitions",
    "partitions_count", "password", "payload_length", "permissions", "permissions_given",
    "poll_messages", "primary", "process_id", "protocol_version", "quic_port", "read_bytes",
    "read_servers", "read_stream", "read_streams", "read_topic", "read_topics", "read_users",
    "reason", "replication_factor", "request", "response", "role", "run_time", "scope", "sdk_name",
    "sdk_version", "segments_count", "send_messages", "server_protocol_version", "server_version",
    "session", "size_bytes", "start_time", "status", "status_given", "stored_offset", "strategy",
    "stream", "stream_id", "streams", "streams_count", "streams_follow", "target", "tcp",
    "tcp_after", "tcp_before", "tcp_port", "threads_count", "timestamp", "token", "tokens", "topic",
    "topic_id", "topics", "topics_count", "topics_follow", "total_cpu_usage", "total_disk_space",
    "total_memory", "transport", "type", "types", "types_count", "undecodable_length", "undecoded",
    "user", "user_headers", "user_id", "username", "username_given", "users", "value", "value_kind",
    "verdict", "version", "versions", "websocket_port", "what", "written_bytes", "zero",
];
