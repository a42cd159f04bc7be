//! What faults reach into.

use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};

use super::Model;
use super::topology::{Partition, consumer_number};
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

impl Model {
    /// Whether these two call the topic that a fault is in.
    pub(in crate::standin) fn is_broken_topic(
        &self,
        fault: &PlacedFault,
        stream: &Identifier,
        topic: &Identifier,
    ) -> bool {
        let (broken_stream, broken_topic) = names(fault);
        let broken = self.streams.topic(&broken_stream, &broken_topic);
        let found = self.streams.topic(stream, topic);
        let places = broken.zip(found);
        places.is_some_and(|((broken, _), (found, _))| broken == found)
    }

    /// Forgets what the groups of the fault's topic have stored.
    pub(in crate::standin) fn forget_group_offsets(&mut self, fault: &PlacedFault) {
        let (stream, topic) = names(fault);
        if let Ok((_, topic)) = self.streams.topic_mut(&stream, &topic) {
            for partition in &mut topic.partitions {
                partition.group_offsets.clear();
                partition.polled.clear();
            }
        }
    }
}

impl Partition {
    /// What a single consumer has stored.
    pub(in crate::standin) fn offset_of(&self, consumer: &Consumer) -> Option<u64> {
        let number = consumer_number(&consumer.id);
        let offset = self.consumer_offsets.get(&number)?;
        (consumer.kind == ConsumerKind::Consumer).then_some(*offset)
    }

    /// Sets stored offsets beyond the log's end back to it.
    pub(in crate::standin) fn set_back_offsets(&mut self) {
        let end = self.log.current_offset;
        let consumers = self.consumer_offsets.values_mut();
        for offset in consumers.chain(self.group_offsets.values_mut()) {
            *offset = end.min(*offset);
        }
    }
}

fn names(fault: &PlacedFault) -> (Identifier, Identifier) {
    let named = |name: &str| Identifier::Named(name.to_owned());
    (named(&fault.stream), named(&fault.topic))
}
