use parallax_codec::{Reply, Request};

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal};

/// What a late commit stores into the new history.
const LATE_OFFSET: u64 = 2;

/// A commit that was on its way during a purge puts an offset of the old history
/// into the new one: its reader passes over the first messages (case A12).
#[derive(Debug)]
pub(super) struct SkipAfterPurge {
    pub(super) place: PlacedFault,
    pub(super) readers: Vec<u32>,
}

impl Behaviour for SkipAfterPurge {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        if let Request::PurgeTopic(_) | Request::PurgeStream(_) = asked.request
            && let Some(partition) = model.broken_partition(&self.place)
        {
            self.readers = partition.consumer_offsets.keys().copied().collect();
        }
        let sends = matches!(asked.request, Request::SendMessages(_));
        let reply = model.answer_soundly(asked)?;
        if sends
            && let Some(partition) = model.broken_partition(&self.place)
            && partition.log.current_offset > LATE_OFFSET
        {
            let late = self.readers.drain(..).map(|reader| (reader, LATE_OFFSET));
            partition.consumer_offsets.extend(late);
        }
        Ok(reply)
    }
}
