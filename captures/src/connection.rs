//! A client's connection, as parallax saw it.

use std::net::SocketAddr;

use jiff::Timestamp;

use crate::exchange::Exchange;
use crate::gap::Gaps;
use crate::layouts::Layouts;
use crate::limits::CONNECTION_TEXT_BYTES;
use crate::route::RouteName;
use crate::text::cut;
use crate::tls::TlsSides;

/// A connection's number: 1 for the first one seen, never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

impl std::fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// How a connection frames its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 8-byte headers: servers up to 0.8.
    Classic,
    /// 256-byte headers: servers from 0.9.
    Vsr,
    /// HTTP/1.1, found in a packet capture beside the binary protocol.
    Http,
}

impl Dialect {
    /// The name in JSON: `classic`, `vsr` or `http`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Vsr => "vsr",
            Self::Http => "http",
        }
    }
}

/// What is known of a connection.
#[derive(Debug, Clone)]
pub struct Connection {
    /// Its number.
    pub id: ConnectionId,
    /// The route that it came by, where there are routes with names.
    pub route: Option<RouteName>,
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// When its first byte or its handshake was seen.
    pub opened: Timestamp,
    /// When and why it ended; `None` while it is open.
    pub closed: Option<(Timestamp, String)>,
    /// Whether the client never reached the server: it was turned away, or the
    /// server could not be reached. `closed` says why.
    pub unserved: bool,
    /// Recognised from its bytes; `None` until there are enough of them.
    pub dialect: Option<Dialect>,
    /// The body layouts that its frames have shown.
    pub layouts: Layouts,
    /// The user whose login succeeded on it.
    pub user: Option<String>,
    /// What the client said of itself at login: version and context, as sent.
    pub client_version: Option<String>,
    /// What the server said of itself: at login, which in the classic dialect it does
    /// not, or in its statistics.
    pub server_version: Option<String>,
    /// Why its bytes cannot be decoded from some byte on, and which.
    pub undecoded: Option<Undecoded>,
    /// Exchanges completed on it.
    pub exchanges: u64,
    /// Requests without a reply so far, and since when the oldest of them waits.
    pub waiting: Option<(u64, Timestamp)>,
    /// Bytes from the client.
    pub bytes_to_server: u64,
    /// Bytes to the client.
    pub bytes_to_client: u64,
    /// Bytes that went through but could not be looked at.
    pub bytes_unobserved: u64,
    /// Where these are, as far as a live connection told.
    pub gaps: Gaps,
    /// TLS of each side, where parallax speaks it; `None` where both are plain.
    pub tls: Option<Box<TlsSides>>,
}

impl Connection {
    /// A connection of which nothing but its ends is known.
    pub fn opened(
        id: ConnectionId,
        client: SocketAddr,
        server: SocketAddr,
        time: Timestamp,
    ) -> Self {
        Self {
            id,
            route: None,
            client,
            server,
            opened: time,
            closed: None,
            unserved: false,
            dialect: None,
            layouts: Layouts::default(),
            user: None,
            client_version: None,
            server_version: None,
            undecoded: None,
            exchanges: 0,
            waiting: None,
            bytes_to_server: 0,
            bytes_to_client: 0,
            bytes_unobserved: 0,
            gaps: Gaps::default(),
            tls: None,
        }
    }

    /// Learns from an exchange on it what the server says of itself, where that is not
    /// known.
    pub fn learn_server(&mut self, exchange: &Exchange) {
        if self.server_version.is_none() {
            let version = exchange.server_version();
            self.server_version = version.map(|version| cut(version, CONNECTION_TEXT_BYTES));
        }
    }

    /// Cuts what the two ends say of themselves to
    /// [`CONNECTION_TEXT_BYTES`].
    pub(crate) fn cut_texts(&mut self) {
        let texts = [
            &mut self.user,
            &mut self.client_version,
            &mut self.server_version,
        ];
        for text in texts.into_iter().flatten() {
            *text = cut(std::mem::take(text), CONNECTION_TEXT_BYTES);
        }
        if let Some(tls) = &mut self.tls {
            tls.cut_texts();
        }
    }
}

/// Why bytes were not decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecoded {
    /// A sentence: what was found there and what it may be.
    pub why: String,
    /// Where in the direction's stream, in bytes from its start.
    pub at: u64,
    /// Whether these were the client's bytes or the server's.
    pub direction: parallax_codec::classic::Direction,
}

impl std::fmt::Display for Undecoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = match self.direction {
            parallax_codec::classic::Direction::ToServer => "the client",
            parallax_codec::classic::Direction::ToClient => "the server",
        };
        write!(f, "{} (byte {} from {side})", self.why, self.at)
    }
}
