//! The VSR dialect: servers from 0.9, SDK 0.11.
//!
//! Every frame is a header of 256 bytes and a body; all numbers are
//! little-endian. The first 128 bytes are the same in every frame, the other
//! 128 belong to its command:
//!
//! ```text
//!   0 checksum        u128  0 in what clients send and receive
//!  16 checksum_body   u128  0 in what clients send and receive
//!  32 cluster         u128
//!  48 size            u32   of header and body, at least 256
//!  52 view            u32
//!  56 release         u32   0
//!  60 command         u8    5 request, 8 reply, 13 eviction ([`Command`])
//!  61 replica         u8
//!  62 reserved        66    0
//! 128 ...             128   by the command
//! ```
//! From `iggy_binary_protocol` 0.11.0, `consensus/header.rs`; the recordings of
//! server 0.9.0-edge.5 agree. Replies carry the number of their request, but an
//! [eviction](EvictionHeader) comes unasked and belongs to none (case E1), and a
//! client sends all its reads under one number, so that those are told apart by
//! their order alone.

mod command;
mod eviction;
pub(crate) mod framer;
mod operation;
mod pairing;
mod plausible;
mod prelude;
mod reply;
mod request;
mod restamp;
mod result_section;
mod status;
mod version;
mod with_body;

pub use command::Command;
pub use eviction::{EvictionHeader, EvictionReason};
pub use framer::{Frame, Framer, HEADER_SIZE, encode_frame};
pub use operation::Operation;
pub use pairing::answers;
pub use plausible::{looks_like_frame, looks_like_reply, looks_like_request};
pub use prelude::Prelude;
pub use reply::ReplyHeader;
pub use request::{LoginForm, RequestHeader};
pub use restamp::restamped;
pub use result_section::{ResultEntry, ResultSection};
pub use status::{Status, StatusLayout};
pub use version::ProtocolVersion;
pub use with_body::with_body;

pub use crate::framing::{Body, Direction};
