//! Messages and their headers, as they stand in poll replies and send requests.

mod message;
mod user_headers;

pub use message::{MESSAGE_HEADER_SIZE, Message, MessageHeader};
pub(crate) use message::{parse_messages, write_messages};
pub use user_headers::{
    HeaderField, HeaderKind, UserHeader, parse_user_headers, write_user_headers,
};
