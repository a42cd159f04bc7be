//! One file per command or small family: request, reply, layout.

mod consumer_offset;
mod poll_messages;
mod send_messages;

pub use consumer_offset::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, StoreConsumerOffset,
};
pub use poll_messages::{PollMessages, PolledMessages};
pub use send_messages::SendMessages;
