use parallax_codec::{Reply, Request};

use super::Behaviour;
use crate::standin::model::{Asked, Model, Refusal};

/// The table of offsets is full: no offset is stored any more, and messages keep
/// coming (case B11).
pub(super) struct CommitRefused;

impl Behaviour for CommitRefused {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        match asked.request {
            Request::StoreConsumerOffset(_) => Err(Refusal::too_many_offsets()),
            _ => model.answer_soundly(asked),
        }
    }
}
