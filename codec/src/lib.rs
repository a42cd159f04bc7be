//! The Apache Iggy binary protocol: bytes to typed frames and back.
//!
//! No sockets, no clock, no panic on any input. The whole wire is on one page:
//! [`wire`]. Framing comes first ([`classic::Framer`], [`vsr::Framer`]), then the
//! body of a frame by its command ([`Request::decode`], [`Reply::decode`]), so that
//! a body which cannot be read does not cost the frame after it.
//!
//! Every type that can be read can be written ([`Encode`]), and the same
//! description yields its fields with their byte ranges ([`fields_of`]).

mod checksum;
mod command;
mod decode;
mod dialect;
mod effect;
mod empty;
mod error;
mod error_code;
mod field;
mod framing;
mod opaque;
mod reader;
mod reply;
mod request;
mod secrets;
mod writer;

pub mod classic;
pub mod commands;
pub mod limits;
pub mod messages;
pub mod primitives;
pub mod recognise;
pub mod shape;
pub mod vsr;
pub mod wire;

pub use checksum::Checksum;
pub use command::{COMMANDS, Command, Release, Versions, code};
pub use decode::Decode;
pub use dialect::{DecodeIn, Dialect};
pub use effect::Effect;
pub use empty::empty_reply_meaning;
pub use error::{DecodeError, Failure, Fault};
pub use error_code::ErrorCode;
pub use field::{Field, Value, fields_of, secret_ranges};
pub use framing::{Body, Direction};
pub use opaque::Opaque;
pub use reader::Parsed;
pub use reply::Reply;
pub use request::Request;
pub use secrets::{reply_may_carry_secrets, request_may_carry_secrets};
pub use writer::{Encode, Writer};
