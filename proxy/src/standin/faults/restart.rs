use parallax_codec::{Reply, Request};

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal};

/// What a restart does to the partition.
#[derive(Clone, Copy)]
pub(super) enum Loss {
    /// The last messages are gone, and offsets that were stored beyond them are set
    /// back: new messages get the offsets of others (case A4).
    OffsetsReused,
    /// The last messages are gone, and stored offsets stay: Next stays empty (case
    /// A4).
    StoredAhead,
}

/// Messages that the restart loses.
const LOST: u64 = 5;

/// A server that loses the end of a log when it restarts, which it does before the
/// first login after a consumer has read all of it.
pub(super) struct Restart {
    pub(super) place: PlacedFault,
    pub(super) loss: Loss,
    pub(super) done: bool,
}

impl Behaviour for Restart {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let is_login = matches!(
            asked.request,
            Request::LoginUser(_) | Request::LoginRegister(_)
        );
        if is_login
            && !self.done
            && let Some(partition) = model.broken_partition(&self.place)
        {
            let end = partition.log.current_offset;
            let mut stored = partition.consumer_offsets.values();
            if end > LOST && stored.any(|offset| *offset == end) {
                self.done = true;
                partition.log.forget_last(LOST);
                if let Loss::OffsetsReused = self.loss {
                    partition.set_back_offsets();
                }
            }
        }
        model.answer_soundly(asked)
    }
}
