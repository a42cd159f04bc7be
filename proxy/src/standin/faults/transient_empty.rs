use parallax_codec::Reply;
use parallax_codec::primitives::PollingKind;

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal, Via, nothing_polled};

/// One poll meets the moment in which messages are in memory no more and on disk
/// not yet: it is empty, and the next one is full (case A5).
pub(super) struct TransientEmpty {
    pub(super) place: PlacedFault,
    pub(super) polls: u32,
}

impl Behaviour for TransientEmpty {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let poll = self.place.poll_of(model, &asked);
        let is_next = poll.is_some_and(|poll| poll.strategy.kind == PollingKind::Next);
        if is_next && matches!(asked.via, Via::Tcp(_)) {
            self.polls += 1;
        }
        let dialect = model.dialect();
        match model.broken_partition(&self.place) {
            Some(partition) if is_next && self.polls == 2 && asked.via != Via::Http => {
                let current = partition.log.current_offset;
                let nothing = nothing_polled(dialect, self.place.partition_id, current);
                Ok(Reply::PolledMessages(nothing))
            }
            _ => model.answer_soundly(asked),
        }
    }
}
