use parallax_codec::primitives::{PollingKind, PollingStrategy};
use parallax_codec::{Reply, Request};

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal, Via};

/// Messages that are passed over.
const SKIPPED: u64 = 10;

/// Once, Next goes on ten messages further than it should; they can be read all
/// the while (case A3).
pub(super) struct OffsetJump {
    pub(super) place: PlacedFault,
    pub(super) done: bool,
}

impl Behaviour for OffsetJump {
    fn answer(&mut self, model: &mut Model, mut asked: Asked) -> Result<Reply, Refusal> {
        let next = self.place.poll_of(model, &asked).filter(|poll| {
            let is_next = poll.strategy.kind == PollingKind::Next;
            is_next && !self.done && matches!(asked.via, Via::Tcp(_))
        });
        let consumer = next.map(|poll| poll.consumer.clone());
        let stored = consumer.and_then(|consumer| {
            let partition = model.broken_partition(&self.place)?;
            partition.offset_of(&consumer)
        });
        if let (Some(stored), Request::PollMessages(poll)) = (stored, &mut asked.request) {
            self.done = true;
            poll.strategy = PollingStrategy {
                kind: PollingKind::Offset,
                value: stored + 1 + SKIPPED,
            };
        }
        model.answer_soundly(asked)
    }
}
