use bytes::Bytes;
use parallax_codec::code;
use parallax_codec::vsr::{EvictionReason, HEADER_SIZE, ReplyHeader};

use super::{Behaviour, Delivery};
use crate::standin::vsr;

/// Before the reply to a second poll the server ends the session, unasked, and then
/// answers all the same: a client that takes the next frame for the next reply is
/// one behind from then on (case E1).
#[derive(Default)]
pub(super) struct Eviction {
    polls: u32,
}

impl Behaviour for Eviction {
    fn deliver(&mut self, code: u32, reply: Bytes) -> Delivery {
        if code != code::POLL_MESSAGES {
            return Delivery::of(reply);
        }
        self.polls += 1;
        let header = reply.first_chunk::<HEADER_SIZE>();
        match header.filter(|_| self.polls == 2) {
            None => Delivery::of(reply),
            Some(header) => {
                let client = ReplyHeader::of(header).client;
                let eviction = vsr::eviction(client, EvictionReason::STALE_CLIENT);
                Delivery {
                    frames: vec![eviction, reply],
                    closes: false,
                }
            }
        }
    }
}
