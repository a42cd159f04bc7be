use parallax_codec::Reply;
use parallax_codec::primitives::PollingKind;

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal};

/// Up to here the log is deleted.
const DELETED_BEFORE: u64 = 15;

/// Retention deletes the oldest messages while a consumer reads them: its Next
/// jumps over what is no longer there. No bug at all (case A3).
pub(super) struct RetentionGap(pub(super) PlacedFault);

impl Behaviour for RetentionGap {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let next = self.0.poll_of(model, &asked);
        let next = next.filter(|poll| poll.strategy.kind == PollingKind::Next);
        let consumer = next.map(|poll| poll.consumer.clone());
        let partition = model.broken_partition(&self.0);
        if let (Some(consumer), Some(partition)) = (consumer, partition)
            && partition.offset_of(&consumer).is_some()
        {
            // Retention deletes files.
            partition.log.save();
            partition.log.forget_before(DELETED_BEFORE);
        }
        model.answer_soundly(asked)
    }
}
