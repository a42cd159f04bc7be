//! Packet captures (tcpdump, Wireshark): packets to TCP segments
//! ([`packets`]), segments to streams ([`reassembly`]), and the HTTP exchanges
//! on a stream ([`http`]).
//!
//! Only [`packets`] touches a file; the other two are functions of what they
//! are handed.

mod error;
pub mod http;
pub mod packets;
pub mod reassembly;

pub use error::ImportError;
