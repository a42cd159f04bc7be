use parallax_codec::primitives::ConsumerKind;
use parallax_codec::{Reply, Request};

use super::Behaviour;
use crate::standin::model::{Asked, Model, Refusal};

/// A group's offset is looked up among those of single consumers: what was stored
/// a moment ago is not found (case B2).
pub(super) struct OffsetLost;

impl Behaviour for OffsetLost {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        match &asked.request {
            Request::GetConsumerOffset(get) if get.consumer.kind == ConsumerKind::Group => {
                Ok(Reply::Empty)
            }
            _ => model.answer_soundly(asked),
        }
    }
}
