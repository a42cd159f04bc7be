//! What can be broken on purpose: a catalog of faults by name, and the few places
//! at which one comes between a sound server and its client.
//!
//! A fault stands before the state: it is asked first, and answers itself, asks
//! the sound state, or changes what that says ([`Behaviour::answer`]). What only
//! the bytes of a reply can show, it does to them ([`Behaviour::deliver`]).

mod catalog;
mod false_first_offset;

use bytes::Bytes;
use parallax_codec::Reply;

use super::model::{Asked, Model, Refusal};

pub use catalog::{Fault, PlacedFault};

/// What a broken server does differently.
pub(super) trait Behaviour: Send {
    /// Answers a question.
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        model.answer_soundly(asked)
    }

    /// Puts a reply to the command with this code on a TCP connection.
    fn deliver(&mut self, _code: u32, reply: Bytes) -> Delivery {
        Delivery::of(reply)
    }
}

/// What is written to a connection.
#[derive(Debug)]
pub(super) struct Delivery {
    /// The frames, one after the other.
    pub(super) frames: Vec<Bytes>,
    /// Whether the connection is closed then.
    pub(super) closes: bool,
}

impl Delivery {
    /// A reply and nothing else.
    pub(super) fn of(reply: Bytes) -> Self {
        Self {
            frames: vec![reply],
            closes: false,
        }
    }
}
