//! The classic dialect: servers up to 0.8.
//!
//! ```text
//! request  [length u32][code u32][body]      length counts code and body
//! reply    [status u32][length u32][body]    status 0: well; length counts the body
//! ```
//! From `iggy_binary_protocol` 0.10.0, `framing.rs`. Replies carry no number of
//! the request: they come in the order of the requests, and an error reply has
//! no body, so it says neither what was wrong nor where.

pub(crate) mod framer;
mod plausible;

pub use crate::framing::{Body, Direction};
pub use framer::{FRAME_HEADER_SIZE, Frame, Framer, encode_reply, encode_request};
pub use plausible::{looks_like_reply, looks_like_request};
