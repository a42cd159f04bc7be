use parallax_codec::{Reply, Request};

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal};

/// What the first message claims, as in recording `group-next-4100`.
const CLAIMED: u64 = 24;

/// The first message of the partition claims another offset than 0, as when a byte
/// range of its segment file was changed: reads that meet it are refused with 4100
/// and the offset it claims.
pub(super) struct FalseFirstOffset(pub(super) PlacedFault);

impl Behaviour for FalseFirstOffset {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let creates = matches!(asked.request, Request::CreateTopic(_));
        let reply = model.answer_soundly(asked)?;
        if creates && let Some(partition) = model.broken_partition(&self.0) {
            partition.log.claim_first_offset(CLAIMED);
        }
        Ok(reply)
    }
}
