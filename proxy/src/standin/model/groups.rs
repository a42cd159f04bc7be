//! Creating, joining, leaving, showing and deleting consumer groups.

use parallax_codec::commands::{
    ConsumerGroup, ConsumerGroupDetails, ConsumerGroupMember, CreateConsumerGroup, GroupMembership,
    GroupRef,
};
use parallax_codec::primitives::Identifier;

use super::Model;
use super::group::Group;
use super::refusal::Refusal;
use super::slots::Named as _;
use super::topology::Place;
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
        topic.groups.remove(number);
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
        group.join(client, now);
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

    /// A group and its members.
    pub(super) fn group(&self, request: &GroupRef) -> Option<ConsumerGroupDetails> {
        let (_, topic) = self.streams.topic(&request.stream, &request.topic)?;
        let number = topic.groups.find(&request.group)?;
        Some(details(number, topic.groups.get(number)?))
    }

    /// A topic's groups; `None` where there is no such topic.
    pub(crate) fn groups(
        &self,
        stream: &Identifier,
        topic: &Identifier,
    ) -> Option<Vec<ConsumerGroup>> {
        let (_, topic) = self.streams.topic(stream, topic)?;
        let groups = topic.groups.iter();
        Some(groups.map(|(number, group)| reply(number, group)).collect())
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
