use parallax_codec::primitives::ConsumerKind;
use parallax_codec::{Reply, Request};

use super::Behaviour;
use crate::standin::model::{Asked, Model, RESYNC, Refusal, nothing_polled};

/// After its first poll the server has forgotten that a client is a member: each
/// further poll is told to ask for its assignment anew, and who does is told that
/// there is none (case B5).
#[derive(Default)]
pub(super) struct Fenced {
    pub(super) polls: u32,
}

impl Behaviour for Fenced {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        match &asked.request {
            Request::PollMessages(poll) if poll.consumer.kind == ConsumerKind::Group => {
                self.polls += 1;
                if self.polls == 1 {
                    return model.answer_soundly(asked);
                }
                let nothing = nothing_polled(model.dialect(), RESYNC, 0);
                Ok(Reply::PolledMessages(nothing))
            }
            Request::SyncConsumerGroup(_) if self.polls > 1 => Ok(Reply::Empty),
            _ => model.answer_soundly(asked),
        }
    }
}
