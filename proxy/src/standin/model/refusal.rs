//! What a server says no with.

use parallax_codec::primitives::Identifier;
use parallax_codec::{Dialect, ErrorCode};

/// A refused command. TCP carries the code alone; HTTP the text and the field
/// too, and that is how the two come to differ.
///
/// Codes, texts and fields are those of server 0.8.0: `iggy_common` 0.10.0,
/// `error/iggy_error.rs`, and recording `http_server-0.8.0/http.out`; in the VSR
/// dialect those of 0.9.0-edge.5, recording `http_server-0.9-edge/http.out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The number on the wire.
    pub code: ErrorCode,
    /// HTTP's `reason`.
    pub reason: String,
    /// HTTP's `field`.
    pub field: Option<&'static str>,
}

impl Refusal {
    fn new(code: u32, reason: impl Into<String>, field: Option<&'static str>) -> Self {
        Self {
            code: ErrorCode(code),
            reason: reason.into(),
            field,
        }
    }

    /// 3: malformed, or not known.
    pub fn invalid_command() -> Self {
        Self::new(3, "Invalid command", None)
    }

    /// 4: the body is not what its checksum says; server 0.9.0-edge.5 alone.
    pub fn invalid_format() -> Self {
        Self::new(4, "Invalid format", None)
    }

    /// 5: Iggy knows the command, the stand-in does not do it.
    pub fn feature_unavailable() -> Self {
        Self::new(5, "Feature is unavailable", None)
    }

    /// 6: a stream or topic that cannot be called so.
    pub fn invalid_identifier() -> Self {
        Self::new(6, "Invalid identifier", None)
    }

    /// 20: no such token; in the VSR dialect, with an empty key, nothing of what a
    /// message or an offset was to go to.
    pub fn resource_not_found(key: &str) -> Self {
        Self::new(20, format!("Resource with key: {key} was not found."), None)
    }

    /// 40: log in first.
    pub fn unauthenticated() -> Self {
        Self::new(40, "Unauthenticated", None)
    }

    /// 42: wrong name or password.
    pub fn invalid_credentials() -> Self {
        Self::new(42, "Invalid credentials", None)
    }

    /// 43: no user can be called so.
    pub fn invalid_username() -> Self {
        Self::new(43, "Invalid username", None)
    }

    /// 44: no password can be that.
    pub fn invalid_password() -> Self {
        Self::new(44, "Invalid password", None)
    }

    /// 51: a token's name is taken.
    pub fn token_exists(name: &str, user: u32) -> Self {
        let reason =
            format!("Personal access token: {name} for user with ID: {user} already exists.");
        Self::new(51, reason, Some("name"))
    }

    /// 52: too many tokens.
    pub fn too_many_tokens(user: u32, limit: usize) -> Self {
        let reason = format!(
            "User with ID: {user} has reached the maximum number of personal access tokens: {limit}."
        );
        Self::new(52, reason, None)
    }

    /// 53: no such token, or not any more; server 0.9.0-edge.5 alone.
    pub fn invalid_token() -> Self {
        Self::new(53, "Invalid personal access token", None)
    }

    /// 54: the token was good once.
    pub fn token_expired(name: &str, user: u32) -> Self {
        let reason = format!("Personal access token: {name} for user with ID: {user} has expired.");
        Self::new(54, reason, None)
    }

    /// 57: not now, ask again; server 0.9.0-edge.5 alone.
    pub fn transient_not_committed() -> Self {
        Self::new(57, "Transient: not committed", None)
    }

    /// 58: not here, ask another node; server 0.9.0-edge.5 alone.
    pub fn transient_not_accepted() -> Self {
        Self::new(58, "Transient: not accepted", None)
    }

    /// 77: HTTP was asked without an access token; server 0.9.0-edge.5 alone.
    pub fn access_token_missing() -> Self {
        Self::new(77, "Access token is missing", None)
    }

    /// 100: no such client.
    pub fn client_not_found(client: u32) -> Self {
        Self::new(
            100,
            format!("Client with ID: {client} was not found."),
            Some("client_id"),
        )
    }

    /// 504: a partition was not read in time. HTTP alone has this number; TCP has
    /// none for it (case C2).
    pub fn partition_read_timeout() -> Self {
        Self::new(504, "The partition was not read in time", None)
    }

    /// 1009: no such stream.
    pub fn stream_not_found(stream: &Identifier) -> Self {
        Self::new(
            1009,
            format!("Stream with ID: {stream} was not found."),
            Some("stream_id"),
        )
    }

    /// 1012: a stream's name is taken.
    pub fn stream_exists(name: &str) -> Self {
        Self::new(
            1012,
            format!("Stream with name: {name} already exists."),
            Some("name"),
        )
    }

    /// 1020: the stand-in's limit.
    pub fn too_many_streams() -> Self {
        Self::new(1020, "Too many streams", None)
    }

    /// 2010: no such topic. Server 0.8.0 puts the stream where the text speaks of
    /// the topic, and the topic where it speaks of the stream.
    pub fn topic_not_found(dialect: Dialect, stream: &Identifier, topic: &Identifier) -> Self {
        let (topic, stream) = match dialect {
            Dialect::Classic => (stream, topic),
            Dialect::Vsr => (topic, stream),
        };
        let reason = format!("Topic with ID: {topic} for stream with ID: {stream} was not found.");
        Self::new(2010, reason, Some("topic_id"))
    }

    /// 2013: a topic's name is taken.
    pub fn topic_exists(name: &str, stream: u32) -> Self {
        let reason =
            format!("Topic with name: {name} for stream with ID: {stream} already exists.");
        Self::new(2013, reason, Some("name"))
    }

    /// 2015: more than a topic may have.
    pub fn too_many_partitions() -> Self {
        Self::new(2015, "Too many partitions", None)
    }

    /// 2019: fewer than are to go.
    pub fn invalid_partitions_count() -> Self {
        Self::new(2019, "Invalid partitions count", None)
    }

    /// 2021: the stand-in's limit.
    pub fn too_many_topics() -> Self {
        Self::new(2021, "Too many topics", None)
    }

    /// 3007: no such partition. Server 0.8.0 tells the numbers of topic and stream,
    /// 0.9.0-edge.5 what it was asked for.
    pub fn partition_not_found(
        partition: u32,
        topic: impl std::fmt::Display,
        stream: impl std::fmt::Display,
    ) -> Self {
        let reason = format!(
            "Partition with ID: {partition} for topic with ID: {topic} for stream with ID: \
             {stream} was not found."
        );
        Self::new(3007, reason, Some("partition_id"))
    }

    /// 3021: nothing is stored.
    pub fn offset_not_found(consumer: u32) -> Self {
        Self::new(
            3021,
            format!("Consumer offset for consumer with ID: {consumer} was not found."),
            None,
        )
    }

    /// 3022: no member of the group may do this on that partition.
    pub fn consumer_not_resolved(consumer: &Identifier) -> Self {
        Self::new(
            3022,
            format!("Failed to resolve consumer with ID: {consumer}"),
            None,
        )
    }

    /// 3024: the stand-in's limit.
    pub fn too_many_offsets() -> Self {
        Self::new(3024, "Too many consumer offsets", None)
    }

    /// 4009: a batch without a message.
    pub fn no_messages() -> Self {
        Self::new(4009, "Invalid messages count", None)
    }

    /// 4100: an offset that the partition does not have, or that a message should
    /// not have.
    pub fn invalid_offset(offset: u64) -> Self {
        Self::new(4100, format!("Invalid offset: {offset}"), Some("offset"))
    }

    /// 5000: no such group.
    pub fn group_not_found(group: &Identifier, topic: u32) -> Self {
        let reason =
            format!("Consumer group with ID: {group} for topic with ID: {topic} was not found.");
        Self::new(5000, reason, None)
    }

    /// 5004: a group's name is taken.
    pub fn group_exists(name: &str, topic: u32) -> Self {
        let reason =
            format!("Consumer group with name: {name} for topic with ID: {topic} already exists.");
        Self::new(5004, reason, Some("name"))
    }

    /// 5006: join first.
    pub fn not_a_member(client: u32, group: &Identifier, topic: u32) -> Self {
        let reason = format!(
            "Consumer group member with client ID: {client} for group with ID: {group} for topic \
             with ID: {topic} was not found."
        );
        Self::new(5006, reason, None)
    }
}
