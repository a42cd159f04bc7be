//! The one place where the relay looks at frames before it passes them on, and may do
//! something else with them. Off unless an [`Interceptor`] is configured: a connection
//! without one is pumped as if this were not here.
//!
//! ```text
//! bytes -> cutter -> conversation (asks interceptors, pairs replies) -> steps -> pump
//! ```
//! `Conversation` is pure: bytes of either direction go in,
//! steps come out. The pump carries them out. Of a frame nothing is held but its header
//! and what somebody asked to see of its body, up to
//! [`IN_PATH_GATHERED`](crate::limits::IN_PATH_GATHERED); the rest streams. Bytes that are
//! no frames pass unchanged.
//!
//! The tap sees what the client sent and what the client got, and a [`Note`] where that is
//! not what the server got or sent.

mod conversation;
mod cutter;
mod frames;
mod interceptor;
mod note;
mod open;
mod pump;
mod replies;
mod requests;
mod steps;
#[cfg(test)]
mod tests;

pub use frames::{ReplyFrame, RequestFrame};
pub use interceptor::{
    Decision, Interceptor, Interest, MakeReply, Rewrite, Rewritten, ToClient, ToServer,
};
pub use note::{Mark, MarkKind, Note};
pub(super) use pump::{CutOnPurpose, InPath, pump};
