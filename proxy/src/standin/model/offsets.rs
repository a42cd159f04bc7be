//! Offsets that consumers and groups have stored.

use parallax_codec::Dialect;
use parallax_codec::commands::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, StoreConsumerOffset,
};
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};

use super::Model;
use super::refusal::Refusal;
use super::topology::{Partition, Reader, Topic};
use crate::limits::STANDIN_OFFSETS_PER_PARTITION;

impl Model {
    /// What is stored; `None` for nothing, and for everything else that stands in
    /// the way: the server does not tell them apart here.
    ///
    /// # Errors
    /// No such partition, in the VSR dialect alone.
    pub(super) fn offset(
        &mut self,
        client: u32,
        get: &GetConsumerOffset,
    ) -> Result<Option<ConsumerOffset>, Refusal> {
        let partition = get.partition_id.unwrap_or(0);
        let topic = self.streams.topic(&get.stream, &get.topic);
        let is_beyond = topic.is_some_and(|(_, topic)| partition >= topic.partitions_count());
        if is_beyond && self.dialect == Dialect::Vsr {
            return Err(Refusal::partition_not_found(
                partition,
                &get.topic,
                &get.stream,
            ));
        }
        Ok(self.stored_offset(client, get))
    }

    fn stored_offset(&mut self, client: u32, get: &GetConsumerOffset) -> Option<ConsumerOffset> {
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
    pub(super) fn store_offset(
        &mut self,
        client: u32,
        request: &StoreConsumerOffset,
        now: u64,
    ) -> Result<(), Refusal> {
        let dialect = self.dialect;
        let names = (&request.stream, &request.topic);
        let (topic, reader, partition) =
            self.committer(client, &request.consumer, names, request.partition_id)?;
        let partition = partition_of(topic, partition)?;
        if partition.log.has_no_offset() || request.offset > partition.log.current_offset {
            // The VSR dialect loses the number on its way, over HTTP too.
            return Err(Refusal::invalid_offset(match dialect {
                Dialect::Classic => request.offset,
                Dialect::Vsr => 0,
            }));
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
    pub(super) fn delete_offset(
        &mut self,
        client: u32,
        request: &DeleteConsumerOffset,
    ) -> Result<(), Refusal> {
        let dialect = self.dialect;
        let names = (&request.stream, &request.topic);
        let (topic, reader, partition) =
            self.committer(client, &request.consumer, names, request.partition_id)?;
        let partition = partition_of(topic, partition)?;
        let (offsets, number) = partition.offsets_of(reader);
        if offsets.remove(&number).is_some() {
            return Ok(());
        }
        Err(Refusal::offset_not_found(match dialect {
            Dialect::Classic => number,
            Dialect::Vsr => 0,
        }))
    }

    /// Whose offset is stored or deleted, and where.
    fn committer(
        &mut self,
        client: u32,
        consumer: &Consumer,
        (stream_id, topic_id): (&Identifier, &Identifier),
        partition: Option<u32>,
    ) -> Result<(&mut Topic, Reader, u32), Refusal> {
        if self.dialect == Dialect::Vsr {
            return self.fence_commit(client, consumer, (stream_id, topic_id), partition);
        }
        let (place, topic) = self.streams.topic_mut(stream_id, topic_id)?;
        let (reader, partition) = topic
            .reader(place, consumer, client, partition, false)?
            .ok_or_else(|| Refusal::consumer_not_resolved(&consumer.id))?;
        topic.partition_mut(place, partition)?;
        Ok((topic, reader, partition))
    }
}

/// A partition that was found before.
fn partition_of(topic: &mut Topic, partition: u32) -> Result<&mut Partition, Refusal> {
    let found = topic.partitions.get_mut(partition as usize);
    found.ok_or_else(|| Refusal::resource_not_found(""))
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
