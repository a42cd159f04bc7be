//! What can be broken on purpose: a catalog of faults by name, and the few places
//! at which one comes between a sound server and its client.
//!
//! A fault stands before the state: it is asked first, and answers itself, asks
//! the sound state, or changes what that says ([`Behaviour::answer`]). What only
//! the bytes of a reply can show, it does to them ([`Behaviour::deliver`]).

mod catalog;
mod commit_refused;
mod different_code;
mod empty_first;
mod eviction;
mod false_first_offset;
mod fenced;
mod group_replay;
mod leader_elsewhere;
mod masked_error;
mod offset_jump;
mod offset_lost;
mod pat_refused;
mod reply_lost;
mod restart;
mod retention_gap;
mod retries;
mod skip_after_purge;
mod sound;
mod status_moved;
mod transient_empty;
mod truncated_body;

use bytes::Bytes;
use parallax_codec::commands::PollMessages;
use parallax_codec::{Reply, Request};

use super::model::{Asked, Model, Refusal};

pub use catalog::{Description, Fault, PlacedFault};

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

impl PlacedFault {
    /// The poll that is asked, where it is one of the fault's partition.
    fn poll_of<'a>(&self, model: &Model, asked: &'a Asked) -> Option<&'a PollMessages> {
        let Request::PollMessages(poll) = &asked.request else {
            return None;
        };
        let is_here = poll.partition_id == Some(self.partition_id)
            && model.is_broken_topic(self, &poll.stream, &poll.topic);
        is_here.then_some(poll)
    }
}
