//! What faults reach into.

use parallax_codec::primitives::Identifier;

use super::Model;
use super::topology::Partition;
use crate::standin::faults::PlacedFault;

impl Model {
    /// The partition that a fault is in, once it exists.
    pub(in crate::standin) fn broken_partition(
        &mut self,
        fault: &PlacedFault,
    ) -> Option<&mut Partition> {
        let (stream, topic) = names(fault);
        let (_, topic) = self.streams.topic_mut(&stream, &topic).ok()?;
        topic.partitions.get_mut(fault.partition_id as usize)
    }
}

fn names(fault: &PlacedFault) -> (Identifier, Identifier) {
    let named = |name: &str| Identifier::Named(name.to_owned());
    (named(&fault.stream), named(&fault.topic))
}
