//! Offsets that consumers and groups have stored.

use parallax_codec::commands::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, StoreConsumerOffset,
};
use parallax_codec::primitives::ConsumerKind;

use super::Model;
use super::refusal::Refusal;
use super::topology::{Partition, Reader};
use crate::limits::STANDIN_OFFSETS_PER_PARTITION;

impl Model {
    /// What is stored; `None` for nothing, and for everything else that stands in
    /// the way: the server does not tell them apart here.
    pub(crate) fn offset(
        &mut self,
        client: u32,
        get: &GetConsumerOffset,
    ) -> Option<ConsumerOffset> {
        let (place, topic) = self.streams.topic_mut(&get.stream, &get.topic).ok()?;
        // Any client may ask for a group's offset, member or not.
        let (reader, partition_id) = if get.consumer.kind == ConsumerKind::Group {
            let group = topic.groups.find(&get.consumer.id)?;
            (Reader::Group(group), get.partition_id.unwrap_or(0))
        } else {
            let (consumer, partition) = (&get.consumer, get.partition_id);
            let reader = topic.reader(place, consumer, client, partition, false);
            reader.ok()??
        };
        let partition = topic.partition_mut(place, partition_id).ok()?;
        partition
            .stored(reader)
            .map(|stored_offset| ConsumerOffset {
                partition_id,
                current_offset: partition.log.current_offset,
                stored_offset,
            })
    }

    /// Stores an offset.
    ///
    /// # Errors
    /// 4100 for an offset beyond the last, and for any offset of an empty
    /// partition (recording `empty`); no such stream, topic, partition or group;
    /// no member of the group, or a partition that is not the member's.
    pub(crate) fn store_offset(
        &mut self,
        client: u32,
        request: &StoreConsumerOffset,
        now: u64,
    ) -> Result<(), Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let (consumer, partition) = (&request.consumer, request.partition_id);
        let (reader, partition) = topic
            .reader(place, consumer, client, partition, false)?
            .ok_or_else(|| Refusal::consumer_not_resolved(&consumer.id))?;
        let partition = topic.partition_mut(place, partition)?;
        if partition.log.has_no_offset() || request.offset > partition.log.current_offset {
            return Err(Refusal::invalid_offset(request.offset));
        }
        store(partition, reader, request.offset)?;
        if let Reader::Group(group) = reader {
            topic.settle(group, now);
        }
        Ok(())
    }

    /// Forgets an offset.
    ///
    /// # Errors
    /// Nothing is stored; and as for storing.
    pub(crate) fn delete_offset(
        &mut self,
        client: u32,
        request: &DeleteConsumerOffset,
    ) -> Result<(), Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let (consumer, partition) = (&request.consumer, request.partition_id);
        let (reader, partition) = topic
            .reader(place, consumer, client, partition, false)?
            .ok_or_else(|| Refusal::consumer_not_resolved(&consumer.id))?;
        let partition = topic.partition_mut(place, partition)?;
        let (offsets, number) = partition.offsets_of(reader);
        let removed = offsets.remove(&number);
        removed.map_or_else(|| Err(Refusal::offset_not_found(number)), |_| Ok(()))
    }
}

/// Stores an offset without a check of its range, as `auto_commit` does.
pub(super) fn store(partition: &mut Partition, reader: Reader, offset: u64) -> Result<(), Refusal> {
    let (offsets, number) = partition.offsets_of(reader);
    if offsets.len() >= STANDIN_OFFSETS_PER_PARTITION && !offsets.contains_key(&number) {
        return Err(Refusal::too_many_offsets());
    }
    offsets.insert(number, offset);
    Ok(())
}
