use parallax_codec::Reply;

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal, Via};

/// The same failure has one number on TCP, 20, and another over HTTP, 3007 (case
/// E4).
pub(super) struct DifferentCode(pub(super) PlacedFault);

impl Behaviour for DifferentCode {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let Some(poll) = self.0.poll_of(model, &asked) else {
            return model.answer_soundly(asked);
        };
        let (partition, topic, stream) = (self.0.partition_id, &poll.topic, &poll.stream);
        match asked.via {
            Via::Tcp(_) => Err(Refusal::resource_not_found("")),
            Via::Http => Err(Refusal::partition_not_found(partition, topic, stream)),
        }
    }
}
