use utoipa::ToSchema;

use super::finding::Rows;
use super::gap::Gap;
use super::value::Number;

/// What is known of a connection.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Connection {
    /// Its number, from 1; never used twice.
    conn: u64,
    /// The route that it came by; `null` where there are none with names.
    #[schema(required)]
    route: Option<String>,
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
    /// What the server said of itself, at login or in its statistics.
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
    /// Where these are, the latest.
    gaps: Vec<Gap>,
    /// How many earlier ones are not kept.
    gaps_dropped: u64,
    /// TLS of each side, where parallax speaks it.
    tls: TlsSides,
    /// Its exchanges that are kept.
    kept: Rows,
    /// Requests without a reply.
    #[schema(required)]
    waiting: Option<Waiting>,
    /// What the server says of itself on another connection to it, where it says nothing on
    /// this one.
    #[schema(required)]
    server_elsewhere: Option<ServerElsewhere>,
    /// The gravest finding that names one of its latest exchanges.
    #[schema(required, pattern = "^PX[0-9]{3}$")]
    worst: Option<String>,
    /// Whether its client gets on: `nothing_found` says otherwise; it is `stuck`; it
    /// `was_stuck`; a request waits long, so that it is `not_known`.
    #[schema(pattern = "^(nothing_found|stuck|was_stuck|not_known)$")]
    progress: String,
    /// What its client does not, or did not, get past.
    #[schema(required)]
    hindrance: Option<Hindrance>,
}

/// TLS of both sides; a side that is plain, or was not seen, has `null`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct TlsSides {
    /// With the client.
    #[schema(required)]
    client: Option<TlsSession>,
    /// With the server.
    #[schema(required)]
    server: Option<TlsSession>,
}

/// What was agreed on in a TLS handshake.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct TlsSession {
    /// `TLS 1.3` or `TLS 1.2`.
    version: String,
    /// The name that IANA gives the cipher suite.
    cipher_suite: String,
    /// The server's name that the client of the two asked for.
    #[schema(required)]
    server_name: Option<String>,
    /// The other end's certificate: it showed `none`, as none was asked for; it is right
    /// (`checked`); it was not looked at, as was asked for (`unchecked`).
    #[schema(pattern = "^(none|checked|unchecked)$")]
    peer_certificate: String,
}

/// Requests without a reply.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Waiting {
    /// How many there are.
    requests: u64,
    /// Since when the oldest waits.
    #[schema(format = DateTime)]
    since: String,
}

/// What a server says of itself on another connection.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct ServerElsewhere {
    /// That connection.
    conn: u64,
    /// What it says.
    server_version: String,
}

/// What a client does not get past.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Hindrance {
    /// The finding that says so.
    #[schema(pattern = "^PX[0-9]{3}$")]
    code: String,
    /// Its place.
    place: String,
    /// What happens to the client, in a few words.
    what: String,
    /// How often it was seen, on whichever connection.
    count: u64,
    /// When it was first seen.
    #[schema(format = DateTime)]
    first: String,
    /// When it was last seen.
    #[schema(format = DateTime)]
    last: String,
    /// The latest exchange on this connection that shows it.
    exchange: u64,
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
