//! What happens to connections, as values.

use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::ConnectionId;

use crate::credentials::TokenMark;

/// Something that happened to a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionEvent {
    /// Which.
    pub conn: ConnectionId,
    /// When.
    pub time: Timestamp,
    /// What.
    pub what: Happening,
}

/// What can happen to a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// A client has connected.
    Opened {
        /// Its address.
        client: SocketAddr,
        /// The address that it has connected to: parallax's, or in a packet capture
        /// the server's. Its IP is unspecified where parallax listens on every
        /// address.
        reached: SocketAddr,
    },
    /// The server sends nothing more: it has closed, or reset the connection.
    ServerEnded {
        /// Requests without a reply at that time.
        waiting: u64,
    },
    /// A login by token, asked at this time, was answered. Its exchange is the
    /// connection's last that was told.
    TokenTried {
        /// Which token.
        token: TokenMark,
        /// Whether it was taken; otherwise it was refused as no valid token.
        accepted: bool,
    },
    /// It is over, and everything that passed on it has been told.
    Closed {
        /// Whether the client was the first to close or reset it.
        by_client: bool,
    },
}

impl Happening {
    /// Of what has one time in a capture: an opening comes before exchanges, all
    /// else after.
    pub(crate) const fn is_opening(&self) -> bool {
        matches!(self, Self::Opened { .. })
    }
}
