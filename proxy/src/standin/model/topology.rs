//! Streams, topics and partitions, and how they are found.

use std::collections::BTreeMap;

use parallax_codec::Dialect;
use parallax_codec::messages::UserHeader;
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};
use twox_hash::XxHash32;

use super::group::{Group, Member};
use super::log::Log;
use super::refusal::Refusal;
use super::slots::{Named, Slots};

/// A stream.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) name: String,
    pub(super) created_at: u64,
    pub(super) topics: Slots<Topic>,
}

/// A topic.
#[derive(Debug)]
pub(super) struct Topic {
    pub(super) name: String,
    pub(super) created_at: u64,
    pub(super) message_expiry: u64,
    pub(super) compression_algorithm: u8,
    pub(super) max_topic_size: u64,
    pub(super) replication_factor: u8,
    /// The options that a VSR client asked for, as it wrote them.
    pub(super) asked: Vec<UserHeader>,
    pub(super) partitions: Vec<Partition>,
    pub(super) groups: Slots<Group>,
    /// The partition that the next balanced batch goes to.
    pub(super) balanced: usize,
}

/// A partition.
#[derive(Debug)]
pub(in crate::standin) struct Partition {
    pub(in crate::standin) created_at: u64,
    pub(in crate::standin) log: Log,
    /// The last offsets consumed, by consumer.
    pub(in crate::standin) consumer_offsets: BTreeMap<u32, u64>,
    /// The last offsets consumed, by group.
    pub(in crate::standin) group_offsets: BTreeMap<u32, u64>,
    /// The last offset that a member of a group was given, by group.
    pub(in crate::standin) polled: BTreeMap<u32, u64>,
}

/// Where a topic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) stream: u32,
    pub(super) topic: u32,
}

/// Whose offsets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    Consumer(u32),
    Group(u32),
}

impl Named for Stream {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Topic {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Slots<Stream> {
    /// The stream, or why not.
    pub(super) fn stream_mut(&mut self, id: &Identifier) -> Result<(u32, &mut Stream), Refusal> {
        let number = self.find(id);
        number
            .and_then(|number| Some((number, self.get_mut(number)?)))
            .ok_or_else(|| Refusal::stream_not_found(id))
    }

    /// The topic, or why not.
    pub(super) fn topic_mut(
        &mut self,
        stream_id: &Identifier,
        topic_id: &Identifier,
    ) -> Result<(Place, &mut Topic), Refusal> {
        let (stream, found) = self.stream_mut(stream_id)?;
        let number = found.topics.find(topic_id);
        number
            .and_then(|topic| Some((Place { stream, topic }, found.topics.get_mut(topic)?)))
            .ok_or_else(|| Refusal::topic_not_found(Dialect::Classic, stream_id, topic_id))
    }

    /// The topic, if there is one.
    pub(super) fn topic(
        &self,
        stream_id: &Identifier,
        topic_id: &Identifier,
    ) -> Option<(Place, &Topic)> {
        let stream = self.find(stream_id)?;
        let topics = &self.get(stream)?.topics;
        let topic = topics.find(topic_id)?;
        Some((Place { stream, topic }, topics.get(topic)?))
    }
}

impl Topic {
    /// The partition, or why not.
    pub(super) fn partition_mut(
        &mut self,
        place: Place,
        partition: u32,
    ) -> Result<&mut Partition, Refusal> {
        self.partitions
            .get_mut(partition as usize)
            .ok_or_else(|| Refusal::partition_not_found(partition, place.topic, place.stream))
    }

    /// Who reads, and which partition. `None`: a member without a partition, or
    /// one that names another member's. `advance` moves a member's turn on.
    ///
    /// # Errors
    /// No such group, or the client is no member of it.
    pub(super) fn reader(
        &mut self,
        place: Place,
        consumer: &Consumer,
        client: u32,
        partition: Option<u32>,
        advance: bool,
    ) -> Result<Option<(Reader, u32)>, Refusal> {
        if consumer.kind == ConsumerKind::Consumer {
            let reader = Reader::Consumer(consumer_number(&consumer.id));
            return Ok(Some((reader, partition.unwrap_or(0))));
        }
        let (number, group) = self.group_mut(place, &consumer.id)?;
        let Some(member) = group.member_of(client) else {
            return Err(Refusal::not_a_member(client, &consumer.id, place.topic));
        };
        let partition = match partition {
            Some(named) => member.has(named).then_some(named),
            None => member.turn(advance),
        };
        Ok(partition.map(|partition| (Reader::Group(number), partition)))
    }

    /// The number of a group, and the member of it that this client is.
    pub(super) fn member(
        &mut self,
        place: Place,
        group: &Identifier,
        client: u32,
    ) -> Option<(u32, &mut Member)> {
        let (number, group) = self.group_mut(place, group).ok()?;
        Some((number, group.member_of(client)?))
    }

    /// The group, or why not.
    pub(super) fn group_mut(
        &mut self,
        place: Place,
        id: &Identifier,
    ) -> Result<(u32, &mut Group), Refusal> {
        let number = self.groups.find(id);
        number
            .and_then(|number| Some((number, self.groups.get_mut(number)?)))
            .ok_or_else(|| Refusal::group_not_found(id, place.topic))
    }

    /// Hands partitions over that wait for nothing any more.
    pub(super) fn settle(&mut self, group_number: u32, now: u64) {
        let partitions = &self.partitions;
        let settled = |partition: u32| {
            let Some(partition) = partitions.get(partition as usize) else {
                return true;
            };
            let stored = partition.group_offsets.get(&group_number);
            partition
                .polled
                .get(&group_number)
                .is_none_or(|polled| stored.is_some_and(|stored| stored >= polled))
        };
        if let Some(group) = self.groups.get_mut(group_number) {
            group.settle(now, settled);
        }
    }

    /// Takes a client out of a group, if it is in.
    pub(super) fn leave(&mut self, group_number: u32, client: u32) -> bool {
        let group = self.groups.get_mut(group_number);
        let Some(given_up) = group.and_then(|group| group.leave(client)) else {
            return false;
        };
        for partition in given_up {
            if let Some(partition) = self.partitions.get_mut(partition as usize) {
                partition.polled.remove(&group_number);
            }
        }
        true
    }
}

impl Partition {
    /// The last offset that the reader has consumed.
    pub(super) fn stored(&self, reader: Reader) -> Option<u64> {
        match reader {
            Reader::Consumer(number) => self.consumer_offsets.get(&number).copied(),
            Reader::Group(number) => self.group_offsets.get(&number).copied(),
        }
    }

    /// The offsets of the reader's kind, and the reader's number.
    pub(super) fn offsets_of(&mut self, reader: Reader) -> (&mut BTreeMap<u32, u64>, u32) {
        match reader {
            Reader::Consumer(number) => (&mut self.consumer_offsets, number),
            Reader::Group(number) => (&mut self.group_offsets, number),
        }
    }
}

/// A consumer's number: itself, or its name's XXH32 with seed 0
/// (`iggy_common` 0.10.0, `utils/hash.rs`).
pub(super) fn consumer_number(id: &Identifier) -> u32 {
    match id {
        Identifier::Numeric(number) => *number,
        Identifier::Named(name) => XxHash32::oneshot(0, name.as_bytes()),
    }
}
