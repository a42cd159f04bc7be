//! What the relay tells its tap.

use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::TlsSession;
use parallax_codec::classic::Direction;

use super::{DialFault, InFlight, Note};
use crate::tls::TlsFault;

/// One thing that happened, most on one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// Number of the client's connection, from 1, never used again by this relay.
    pub connection: u64,
    /// When the relay saw it: for bytes, when they were read.
    pub time: Timestamp,
    /// What happened.
    pub event: Event,
}

impl Observation {
    /// Observed bytes that it holds.
    pub fn bytes(&self) -> usize {
        match &self.event {
            Event::Bytes { bytes, .. } => bytes.len(),
            _ => 0,
        }
    }
}

/// What happened. A connection's events come in this order: `Opened`,
/// `Connected`, with a `Secured` for each end that speaks TLS, any number of `Bytes`, `Lost` and `HalfClosed`, `Closed`;
/// or `Refused` alone. `NotAccepted` is of no connection, and has the number 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A client was accepted; the upstream server is being dialled.
    Opened {
        /// The way that it came by, see [`RelayConfig::route`](super::RelayConfig::route).
        route: usize,
        /// The client's address.
        client: SocketAddr,
        /// The upstream server as configured, `host:port`.
        upstream: Arc<str>,
        /// Where to tell whether a request is in flight, so that an orderly end
        /// waits for its reply.
        in_flight: InFlight,
    },
    /// The upstream server took the connection.
    Connected {
        /// The server's address, as its name was resolved.
        upstream: SocketAddr,
        /// The relay's own address on that connection.
        local: SocketAddr,
    },
    /// A TLS handshake with one of the ends is done: with the client before, with the server
    /// after `Connected`.
    Secured {
        /// With whom.
        side: Side,
        /// What was agreed on.
        session: Box<TlsSession>,
    },
    /// Bytes that have been passed on.
    Bytes {
        /// Which way they went.
        direction: Direction,
        /// The bytes, at least one, as one read returned them.
        bytes: Bytes,
    },
    /// Bytes that have been passed on, but for which the tap had no room: there
    /// is a gap in this direction before whatever comes next.
    Lost {
        /// Which way they went.
        direction: Direction,
        /// How many.
        bytes: u64,
        /// Observations that they would have been.
        observations: u64,
        /// When the first of them were read; the last were at the observation's time.
        since: Timestamp,
    },
    /// What parallax did to an exchange in its path, told before the bytes that it is about.
    InPath {
        /// The direction in which it was done.
        direction: Direction,
        /// What was done.
        note: Note,
    },
    /// The sending end of a direction has no more to send, and the other end was
    /// told so. The other direction goes on.
    HalfClosed {
        /// The direction that has ended.
        direction: Direction,
    },
    /// The connection is over, at both ends.
    Closed {
        /// Why.
        reason: CloseReason,
        /// Bytes passed on to the server in all, seen or lost.
        to_server: u64,
        /// Bytes passed on to the client in all, seen or lost.
        to_client: u64,
    },
    /// A client was turned away, because as many were connected as may be.
    Refused {
        /// The way that it came by, as of those that are opened.
        route: usize,
        /// The client's address.
        client: SocketAddr,
        /// The limit that was reached, in connections.
        limit: usize,
    },
    /// The system gave no client where one had come; said once in
    /// [`ACCEPT_TOLD_EVERY`](crate::limits::ACCEPT_TOLD_EVERY) at most.
    NotAccepted {
        /// The way by which it came.
        route: usize,
        /// What the system says.
        error: String,
    },
}

/// One of the two ends of a relayed connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The end that connected to parallax.
    Client,
    /// The end that parallax connected to.
    Server,
}

impl Side {
    /// The end that sends in a direction.
    pub(super) const fn sending(direction: Direction) -> Self {
        match direction {
            Direction::ToServer => Self::Client,
            Direction::ToClient => Self::Server,
        }
    }

    /// The end that receives in a direction.
    pub(super) const fn receiving(direction: Direction) -> Self {
        match direction {
            Direction::ToServer => Self::Server,
            Direction::ToClient => Self::Client,
        }
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client => "client",
            Self::Server => "server",
        })
    }
}

/// Why a connection is over. `Display` gives a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloseReason {
    /// Both ends closed, the client first.
    ClientClosed,
    /// Both ends closed; the one that was first did not say so as TLS has it
    /// (`close_notify`), so that what it sent may have been cut short.
    CutOff {
        /// The end that closed first.
        by: Side,
    },
    /// A fault was to be injected that cuts the connection: both ends were closed.
    CutOnPurpose,
    /// Shutdown was asked for and no request seemed to be in flight.
    Drained,
    /// An end's connection failed otherwise than by a reset, which is what a
    /// vanished peer looks like. The other end was reset.
    Failed {
        /// The end whose connection failed.
        by: Side,
        /// What the system says.
        error: String,
    },
    /// Shutdown was asked for a second time, or the time to drain had passed.
    Halted,
    /// One end had closed its half and nothing moved any more.
    Reaped,
    /// One end reset the connection, so the other one was reset.
    Reset {
        /// The end that did it.
        by: Side,
    },
    /// Both ends closed, the server first.
    ServerClosed,
    /// TLS with one end failed, in the handshake or later.
    Tls {
        /// The end with which.
        by: Side,
        /// What kind of failure, for a program to read.
        fault: TlsFault,
        /// Cause and what to do, for a person to read.
        message: String,
    },
    /// No connection to the upstream server could be made.
    UpstreamUnavailable {
        /// What kind of failure, for a program to read.
        fault: DialFault,
        /// Address, cause and what to check, for a person to read.
        message: String,
    },
}

impl CloseReason {
    /// The name that it is counted by.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ClientClosed => "client_closed",
            Self::ServerClosed => "server_closed",
            Self::Reset { by: Side::Client } => "client_reset",
            Self::Reset { by: Side::Server } => "server_reset",
            Self::Failed {
                by: Side::Client, ..
            } => "client_failed",
            Self::Failed {
                by: Side::Server, ..
            } => "server_failed",
            Self::CutOff { by: Side::Client } => "client_cut_off",
            Self::CutOff { by: Side::Server } => "server_cut_off",
            Self::Tls {
                by: Side::Client, ..
            } => "client_tls",
            Self::Tls {
                by: Side::Server, ..
            } => "server_tls",
            Self::UpstreamUnavailable { .. } => "upstream_unavailable",
            Self::Drained => "drained",
            Self::Halted => "halted",
            Self::Reaped => "reaped",
            Self::CutOnPurpose => "cut_on_purpose",
        }
    }
}

impl Display for CloseReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClientClosed => f.write_str("the client closed the connection"),
            Self::CutOff { by } => write!(
                f,
                "the {by} closed the connection without saying so in TLS (no close_notify): \
                 whether all that it sent arrived is not known"
            ),
            Self::CutOnPurpose => {
                f.write_str("parallax cut the connection: a fault that it was asked to inject")
            }
            Self::Drained => f.write_str("closed at shutdown, with no request in flight"),
            Self::Failed { by, error } => write!(f, "the connection to the {by} failed: {error}"),
            Self::Halted => f.write_str("cut off at shutdown"),
            Self::Reaped => f.write_str("one end had closed its half and nothing moved any more"),
            Self::Reset { by } => write!(f, "the {by} reset the connection"),
            Self::ServerClosed => f.write_str("the server closed the connection"),
            Self::Tls { by, message, .. } => write!(f, "TLS with the {by} failed: {message}"),
            Self::UpstreamUnavailable { message, .. } => f.write_str(message),
        }
    }
}
