//! Creating, changing, showing and deleting topics and their partitions.

use std::collections::BTreeMap;

use parallax_codec::Dialect;
use parallax_codec::commands::{
    ChangePartitions, Partition as PartitionReply, Topic as TopicReply, TopicDetails,
};
use parallax_codec::primitives::Identifier;

use super::Model;
use super::log::Log;
use super::options;
use super::refusal::Refusal;
use super::settings::{ChangedTopic, NewTopic};
use super::slots::Slots;
use super::topology::{Partition, Topic};
use crate::limits::{STANDIN_PARTITIONS_PER_TOPIC, STANDIN_TOPICS_PER_STREAM};

impl Model {
    pub(super) fn create_topic(
        &mut self,
        request: NewTopic,
        now: u64,
    ) -> Result<TopicDetails, Refusal> {
        let (stream_number, stream) = self.streams.stream_mut(&request.stream)?;
        if stream.topics.find_name(&request.name).is_some() {
            return Err(Refusal::topic_exists(&request.name, stream_number));
        }
        if stream.topics.len() >= STANDIN_TOPICS_PER_STREAM {
            return Err(Refusal::too_many_topics());
        }
        let mut topic = Topic {
            name: request.name,
            created_at: now,
            message_expiry: u64::MAX,
            compression_algorithm: 1,
            max_topic_size: u64::MAX,
            replication_factor: 1,
            asked: Vec::new(),
            partitions: Vec::new(),
            groups: Slots::default(),
            balanced: 0,
        };
        topic.set(request.settings);
        topic.add_partitions(request.partitions_count, now)?;
        let mut reply = details(self.dialect, 0, &topic);
        // The server answers before it counts the first segments (recordings `setup`).
        let partitions = reply.partitions.iter_mut();
        partitions.for_each(|partition| partition.segments_count = 0);
        reply.topic.id = stream.topics.insert(topic);
        Ok(reply)
    }

    pub(super) fn update_topic(&mut self, request: ChangedTopic) -> Result<(), Refusal> {
        let place = self.streams.topic_mut(&request.stream, &request.topic)?.0;
        let (_, stream) = self.streams.stream_mut(&request.stream)?;
        let taken = stream.topics.find_name(&request.name);
        if taken.is_some_and(|taken| taken != place.topic) {
            return Err(Refusal::topic_exists(&request.name, place.stream));
        }
        let (_, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        topic.name = request.name;
        topic.set(request.settings);
        Ok(())
    }

    pub(super) fn delete_topic(
        &mut self,
        stream_id: &Identifier,
        topic_id: &Identifier,
    ) -> Result<(), Refusal> {
        let (place, _) = self.streams.topic_mut(stream_id, topic_id)?;
        let (_, stream) = self.streams.stream_mut(stream_id)?;
        stream.topics.remove(place.topic);
        self.clients.forget_groups(|membership| {
            membership.stream_id == place.stream && membership.topic_id == place.topic
        });
        Ok(())
    }

    pub(super) fn purge_topic(
        &mut self,
        stream: &Identifier,
        topic: &Identifier,
    ) -> Result<(), Refusal> {
        let dialect = self.dialect;
        self.streams.topic_mut(stream, topic)?.1.purge(dialect);
        Ok(())
    }

    pub(super) fn create_partitions(
        &mut self,
        request: &ChangePartitions,
        now: u64,
    ) -> Result<(), Refusal> {
        let (_, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        topic.add_partitions(request.partitions_count, now)?;
        topic.resize_groups();
        Ok(())
    }

    pub(super) fn delete_partitions(&mut self, request: &ChangePartitions) -> Result<(), Refusal> {
        let (_, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let left = topic
            .partitions
            .len()
            .checked_sub(request.partitions_count as usize)
            .ok_or_else(Refusal::invalid_partitions_count)?;
        topic.partitions.truncate(left);
        topic.resize_groups();
        Ok(())
    }

    /// Nothing, where there is such a topic.
    ///
    /// # Errors
    /// No such stream or topic, as commands say it.
    pub(crate) fn require_topic(
        &mut self,
        stream: &Identifier,
        topic: &Identifier,
    ) -> Result<(), Refusal> {
        self.streams.topic_mut(stream, topic).map(|_| ())
    }

    /// A topic and its partitions.
    pub(crate) fn topic(&self, stream: &Identifier, topic: &Identifier) -> Option<TopicDetails> {
        let (place, topic) = self.streams.topic(stream, topic)?;
        Some(details(self.dialect, place.topic, topic))
    }

    /// A stream's topics; none where there is no such stream.
    pub(crate) fn topics(&self, stream: &Identifier) -> Vec<TopicReply> {
        let number = self.streams.find(stream);
        let stream = number.and_then(|number| self.streams.get(number));
        let topics = stream.into_iter().flat_map(|stream| stream.topics.iter());
        topics
            .map(|(number, topic)| topic_reply(self.dialect, number, topic))
            .collect()
    }
}

impl Topic {
    fn add_partitions(&mut self, count: u32, now: u64) -> Result<(), Refusal> {
        let first = self.partitions.len();
        if count as usize > STANDIN_PARTITIONS_PER_TOPIC.saturating_sub(first) {
            return Err(Refusal::too_many_partitions());
        }
        for _ in 0..count {
            self.partitions.push(Partition {
                created_at: now,
                log: Log::default(),
                consumer_offsets: BTreeMap::new(),
                group_offsets: BTreeMap::new(),
                polled: BTreeMap::new(),
            });
        }
        Ok(())
    }

    fn resize_groups(&mut self) {
        let count = self.partitions_count();
        for (_, group) in self.groups.iter_mut() {
            group.resize(count);
        }
    }

    /// Forgets messages, as far as a server does, and offsets. Server 0.9.0-edge.5
    /// forgets those in memory too (recordings `purge`).
    pub(super) fn purge(&mut self, dialect: Dialect) {
        for partition in &mut self.partitions {
            if dialect == Dialect::Vsr {
                partition.log.save();
            }
            partition.log.purge();
            partition.consumer_offsets.clear();
            partition.group_offsets.clear();
        }
    }

    pub(super) fn partitions_count(&self) -> u32 {
        u32::try_from(self.partitions.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn size_bytes(&self) -> u64 {
        self.partitions.iter().map(|p| p.log.size_bytes).sum()
    }

    pub(super) fn messages_count(&self) -> u64 {
        self.partitions.iter().map(|p| p.log.messages_count).sum()
    }
}

fn details(dialect: Dialect, number: u32, topic: &Topic) -> TopicDetails {
    let partitions = (0..).zip(&topic.partitions);
    TopicDetails {
        topic: topic_reply(dialect, number, topic),
        partitions: partitions
            .map(|(id, partition)| PartitionReply {
                id,
                created_at: partition.created_at,
                segments_count: 1,
                current_offset: partition.log.current_offset,
                size_bytes: partition.log.size_bytes,
                messages_count: partition.log.messages_count,
            })
            .collect(),
    }
}

/// A topic as replies show it.
pub(super) fn topic_reply(dialect: Dialect, id: u32, topic: &Topic) -> TopicReply {
    TopicReply {
        options: (dialect == Dialect::Vsr).then(|| options::told(&topic.asked)),
        id,
        created_at: topic.created_at,
        partitions_count: topic.partitions_count(),
        message_expiry: topic.message_expiry,
        compression_algorithm: topic.compression_algorithm,
        max_topic_size: topic.max_topic_size,
        replication_factor: (dialect == Dialect::Classic).then_some(topic.replication_factor),
        size_bytes: topic.size_bytes(),
        messages_count: topic.messages_count(),
        name: topic.name.clone(),
    }
}
