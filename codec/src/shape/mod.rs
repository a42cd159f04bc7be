//! Bodies and headers without a value: which fields there are, and what tells where
//! the next one begins. What is made for other programs, such as a dissector, is made
//! from this.
//!
//! A type of this crate describes the value that it has ([`Encode`](crate::Encode)); a
//! shape says what may stand there. The names of kinds are asked of the types. That the
//! two say the same is tested: read by its shape, a body has the fields that
//! [`Request::fields`](crate::Request::fields) and
//! [`Reply::fields`](crate::Reply::fields) give, with the same ranges and values, and
//! what the one refuses the other refuses too.

mod clients;
mod consumer_groups;
mod consumer_offsets;
mod headers;
mod messages;
mod part;
mod primitives;
mod reply;
mod request;
mod streams;
mod system;
mod topics;
mod users;
mod with_id;

pub use headers::{
    EVICTION_HEADER, NAMESPACE, OTHER_HEADER, REPLY_HEADER, REQUEST_HEADER,
    REQUEST_HEADER_WITH_NAMESPACE, RESULT_SECTION, STATUS, STATUS_BEHIND_NAMESPACE,
    STATUS_OR_NAMESPACE,
};
pub use messages::{polled_messages, sent_messages};
pub use part::{Case, Content, Part, Parts, Times, Truth, Width};
pub use reply::reply;
pub use request::request;
