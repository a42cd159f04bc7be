//! The VSR dialect around the state, as server 0.9.0-edge.5 speaks it: recordings
//! `server-0.9-edge_sdk-0.11-edge`, and questions put to a real one.
//!
//! A client of the classic dialect is not answered: its frames are shorter than a
//! header, and the server waits for the rest (case E3).

mod connection;
mod positions;
mod replies;
mod session;

use parallax_codec::vsr::ProtocolVersion;

pub(super) use connection::converse;
pub(super) use positions::Positions;
pub(super) use replies::eviction;

/// The one protocol that the server speaks, 0.11.0.
pub(crate) const PROTOCOL: ProtocolVersion = ProtocolVersion(11 << 10);

/// The server's version.
pub(crate) const SERVER_VERSION: &str = "0.9.0-edge.5";

/// The number of the stand-in's cluster; every cluster has one of its own.
const CLUSTER: u128 = 0x7061_7261_6c6c_6178;
