use parallax_codec::Reply;
use parallax_codec::primitives::PollingKind;

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Partition, Refusal, nothing_polled};

/// First is taken literally, as offset 0, when the oldest segment is gone: it finds
/// nothing, and so does a consumer's very first Next (case A2). TCP and HTTP agree.
pub(super) struct EmptyFirst(pub(super) PlacedFault);

impl Behaviour for EmptyFirst {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let dialect = model.dialect();
        let Some(poll) = self.0.poll_of(model, &asked) else {
            return model.answer_soundly(asked);
        };
        let (kind, consumer) = (poll.strategy.kind, poll.consumer.clone());
        let partition = model.broken_partition(&self.0);
        let begins = |partition: &Partition| match kind {
            PollingKind::First => true,
            PollingKind::Next => partition.offset_of(&consumer).is_none(),
            _ => false,
        };
        match partition {
            Some(partition) if begins(partition) => {
                let current = partition.log.current_offset;
                let nothing = nothing_polled(dialect, self.0.partition_id, current);
                Ok(Reply::PolledMessages(nothing))
            }
            _ => model.answer_soundly(asked),
        }
    }
}
