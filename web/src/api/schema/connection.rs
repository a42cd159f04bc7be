use utoipa::ToSchema;

use super::finding::Rows;
use super::value::Number;

/// What is known of a connection.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Connection {
    /// Its number, from 1; never used twice.
    conn: u64,
    /// The client's address.
    client: String,
    /// The server's address.
    server: String,
    /// When its first byte or its handshake was seen.
    #[schema(format = DateTime)]
    opened: String,
    /// When it ended; `null` while it is open.
    #[schema(required, format = DateTime)]
    closed: Option<String>,
    /// Why it ended.
    #[schema(required)]
    closed_because: Option<String>,
    /// Whether the client never reached the server.
    unserved: bool,
    /// `classic`, `vsr` or `http`; `null` until there are enough bytes to tell.
    #[schema(required, pattern = "^(classic|vsr|http)$")]
    dialect: Option<String>,
    /// The body layouts that its frames have shown.
    layouts: Layouts,
    /// What of them contradicts itself.
    #[schema(required)]
    layout_contradiction: Option<String>,
    /// The user whose login succeeded on it.
    #[schema(required)]
    user: Option<String>,
    /// What the client said of itself at login.
    #[schema(required)]
    client_version: Option<String>,
    /// What the server said of itself at login.
    #[schema(required)]
    server_version: Option<String>,
    /// Exchanges completed on it.
    exchanges: u64,
    /// Why its bytes cannot be decoded from some byte on, and which.
    #[schema(required)]
    undecoded: Option<String>,
    /// Bytes from the client.
    bytes_to_server: Number,
    /// Bytes to the client.
    bytes_to_client: Number,
    /// Bytes that went through but could not be looked at.
    bytes_unobserved: Number,
    /// Its exchanges that are kept.
    kept: Rows,
}

/// What a connection has shown: each list is empty where nothing is known, and has more than
/// one entry where its frames contradict each other.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Layouts {
    /// How messages are sent: `headers_56`, `headers_64` or `batches`.
    messages_sent: Vec<String>,
    /// How messages are polled.
    messages_polled: Vec<String>,
    /// How a partition is named: `flagged` or `plain`.
    partition: Vec<String>,
    /// Where a reply has its status: `at_216`, `at_224` or `nowhere`.
    status: Vec<String>,
}
