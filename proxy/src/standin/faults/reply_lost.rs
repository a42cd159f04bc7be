use bytes::Bytes;
use parallax_codec::code;

use super::{Behaviour, Delivery};

/// The connection dies after messages were appended and before the reply: a client
/// that sends them once more has sent them twice (case E8).
#[derive(Default)]
pub(super) struct ReplyLost {
    done: bool,
}

impl Behaviour for ReplyLost {
    fn deliver(&mut self, code: u32, reply: Bytes) -> Delivery {
        if self.done || code != code::SEND_MESSAGES {
            return Delivery::of(reply);
        }
        self.done = true;
        Delivery {
            frames: Vec::new(),
            closes: true,
        }
    }
}
