//! Creating, joining, leaving, showing and deleting consumer groups.

use parallax_codec::Dialect;
use parallax_codec::commands::{
    ConsumerGroup, ConsumerGroupDetails, ConsumerGroupMember, CreateConsumerGroup, GroupMembership,
    GroupRef,
};
use parallax_codec::primitives::Identifier;

use super::Model;
use super::group::Group;
use super::refusal::Refusal;
use super::slots::Named as _;
use super::topology::{Place, Topic};
use crate::limits::STANDIN_GROUPS_PER_TOPIC;

impl Model {
    pub(super) fn create_group(
        &mut self,
        request: CreateConsumerGroup,
    ) -> Result<ConsumerGroupDetails, Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        if topic.groups.find_name(&request.name).is_some() {
            return Err(Refusal::group_exists(&request.name, place.topic));
        }
        if topic.groups.len() >= STANDIN_GROUPS_PER_TOPIC {
            return Err(Refusal::feature_unavailable());
        }
        let group = Group::new(request.name, topic.partitions_count());
        let mut reply = details(0, &group);
        reply.group.id = topic.groups.insert(group);
        Ok(reply)
    }

    pub(super) fn delete_group(&mut self, request: &GroupRef) -> Result<(), Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let (number, _) = topic.group_mut(place, &request.group)?;
        match self.dialect {
            Dialect::Classic => topic.groups.remove(number),
            Dialect::Vsr => topic.groups.retire(number),
        };
        for partition in &mut topic.partitions {
            partition.group_offsets.remove(&number);
            partition.polled.remove(&number);
        }
        let gone = membership(place, number);
        self.clients.forget_groups(|membership| *membership == gone);
        Ok(())
    }

    pub(super) fn join_group(
        &mut self,
        client: u32,
        request: &GroupRef,
        now: u64,
    ) -> Result<(), Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let (number, group) = topic.group_mut(place, &request.group)?;
        group.join(client, self.dialect, now);
        topic.settle(number, now);
        self.clients.join(client, membership(place, number));
        Ok(())
    }

    pub(super) fn leave_group(&mut self, client: u32, request: &GroupRef) -> Result<(), Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let (number, _) = topic.group_mut(place, &request.group)?;
        if !topic.leave(number, client) {
            let group = Identifier::Numeric(number);
            return Err(Refusal::not_a_member(client, &group, place.topic));
        }
        self.clients.leave(client, &membership(place, number));
        Ok(())
    }

    /// Takes a client out of all its groups.
    pub(super) fn leave_all_groups(&mut self, client: u32) {
        for joined in self.clients.take_groups(client) {
            let stream = self.streams.get_mut(joined.stream_id);
            let topic = stream.and_then(|stream| stream.topics.get_mut(joined.topic_id));
            if let Some(topic) = topic {
                topic.leave(joined.group_id, client);
            }
        }
    }

    /// A group and its members, if there is one.
    ///
    /// # Errors
    /// No such stream or topic, on server 0.9.0-edge.5 alone.
    pub(super) fn group(
        &self,
        request: &GroupRef,
    ) -> Result<Option<ConsumerGroupDetails>, Refusal> {
        let topic = self.topic_of_groups(&request.stream, &request.topic)?;
        let group = topic.and_then(|topic| {
            let number = topic.groups.find(&request.group)?;
            Some(details(number, topic.groups.get(number)?))
        });
        Ok(group)
    }

    /// A topic's groups.
    ///
    /// # Errors
    /// No such stream or topic, on server 0.9.0-edge.5 alone.
    pub(super) fn groups(
        &self,
        stream: &Identifier,
        topic: &Identifier,
    ) -> Result<Vec<ConsumerGroup>, Refusal> {
        let topic = self.topic_of_groups(stream, topic)?;
        let groups = topic.into_iter().flat_map(|topic| topic.groups.iter());
        Ok(groups.map(|(number, group)| reply(number, group)).collect())
    }

    fn topic_of_groups(
        &self,
        stream_id: &Identifier,
        topic_id: &Identifier,
    ) -> Result<Option<&Topic>, Refusal> {
        let found = self.streams.topic(stream_id, topic_id);
        match (self.dialect, found) {
            (_, Some((_, topic))) => Ok(Some(topic)),
            (Dialect::Classic, None) => Ok(None),
            (Dialect::Vsr, None) if self.streams.find(stream_id).is_none() => {
                Err(Refusal::stream_not_found(stream_id))
            }
            (Dialect::Vsr, None) => {
                Err(Refusal::topic_not_found(self.dialect, stream_id, topic_id))
            }
        }
    }
}

fn membership(place: Place, group_id: u32) -> GroupMembership {
    GroupMembership {
        stream_id: place.stream,
        topic_id: place.topic,
        group_id,
    }
}

fn details(number: u32, group: &Group) -> ConsumerGroupDetails {
    let members = group.members.iter();
    ConsumerGroupDetails {
        group: reply(number, group),
        members: members
            .map(|(_, member)| ConsumerGroupMember {
                id: member.id,
                partitions: member.partitions.clone(),
            })
            .collect(),
    }
}

fn reply(id: u32, group: &Group) -> ConsumerGroup {
    ConsumerGroup {
        id,
        partitions_count: group.partitions_count,
        members_count: u32::try_from(group.members.len()).unwrap_or(u32::MAX),
        name: group.name().to_owned(),
    }
}
