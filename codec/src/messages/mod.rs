//! Messages and their headers, as they stand in poll replies and send requests.

mod batch;
mod layout;
mod message;
mod user_headers;
mod view;

pub use batch::{BATCH_HEADER_SIZE, Batch, BatchHeader, FRAME_HEADER_SIZE};
pub use layout::{HeaderLayout, MessageLayout};
pub(crate) use layout::{read_polled, read_sent, write_messages};
pub use message::{MESSAGE_HEADER_SIZE, Message, MessageHeader};
pub use user_headers::{
    HeaderField, HeaderKind, UserHeader, parse_user_headers, write_user_headers,
};
pub use view::{MessageView, MessageViews};
