//! By what latencies are told apart.

use parallax_codec::primitives::{Identifier, PollingKind};

use crate::connection::ConnectionId;

/// By what, beside command and side, latencies are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// By the command alone.
    Command,
    /// By the polling strategy: polls, and what HTTP was asked for them.
    Strategy,
    /// By the stream, as the client named it: by number and by name are two.
    Stream,
    /// By the client's connection.
    Connection,
}

impl Dimension {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::Command,
        Self::Strategy,
        Self::Stream,
        Self::Connection,
    ];

    /// `command`, `strategy`, `stream`, `connection`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Strategy => "strategy",
            Self::Stream => "stream",
            Self::Connection => "connection",
        }
    }
}

/// Where in a dimension a latency belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// By command: there is nothing else.
    All,
    /// The strategy that the client polled with.
    Strategy(PollingKind),
    /// The stream.
    Stream(Identifier),
    /// The connection.
    Connection(ConnectionId),
}

impl Label {
    /// Whose it is.
    pub const fn dimension(&self) -> Dimension {
        match self {
            Self::All => Dimension::Command,
            Self::Strategy(_) => Dimension::Strategy,
            Self::Stream(_) => Dimension::Stream,
            Self::Connection(_) => Dimension::Connection,
        }
    }
}
