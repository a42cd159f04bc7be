use std::collections::BTreeSet;

use parallax_codec::{Reply, Request};

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal};

/// A group's offsets are stored under the number of the member that stored them:
/// the next member finds none and begins at the start (case B1).
pub(super) struct GroupReplay {
    pub(super) place: PlacedFault,
    pub(super) members: BTreeSet<u32>,
}

impl Behaviour for GroupReplay {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        if let Request::JoinConsumerGroup(_) = asked.request
            && self.members.insert(asked.via.client())
        {
            model.forget_group_offsets(&self.place);
        }
        model.answer_soundly(asked)
    }
}
