use iggy_binary_protocol::requests::consumer_groups::{
    CreateConsumerGroupRequest, DeleteConsumerGroupRequest, GetConsumerGroupRequest,
    GetConsumerGroupsRequest, JoinConsumerGroupRequest, LeaveConsumerGroupRequest,
};
use iggy_binary_protocol::responses::consumer_groups::{
    ConsumerGroupDetailsResponse, ConsumerGroupMemberResponse, ConsumerGroupResponse,
    GetConsumerGroupsResponse,
};
use parallax_codec::commands::{
    ConsumerGroup, ConsumerGroupDetails, ConsumerGroupMember, CreateConsumerGroup, GroupRef,
    TopicRef,
};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{
    assert_same_reply, assert_same_request, identifier, name, wire_identifier, wire_name,
};

fn group() -> impl Strategy<Value = ConsumerGroup> {
    (any::<(u32, u32, u32)>(), name()).prop_map(|(numbers, name)| ConsumerGroup {
        id: numbers.0,
        partitions_count: numbers.1,
        members_count: numbers.2,
        name,
    })
}

fn wire_group(group: &ConsumerGroup) -> ConsumerGroupResponse {
    ConsumerGroupResponse {
        id: group.id,
        partitions_count: group.partitions_count,
        members_count: group.members_count,
        name: wire_name(&group.name),
    }
}

fn member() -> impl Strategy<Value = ConsumerGroupMember> {
    (any::<u32>(), vec(any::<u32>(), 0..5))
        .prop_map(|(id, partitions)| ConsumerGroupMember { id, partitions })
}

fn wire_member(member: &ConsumerGroupMember) -> ConsumerGroupMemberResponse {
    ConsumerGroupMemberResponse {
        id: member.id,
        partitions_count: u32::try_from(member.partitions.len()).unwrap(),
        partitions: member.partitions.clone(),
    }
}

proptest! {
    #[test]
    fn requests_about_groups_are_theirs(
        stream in identifier(),
        topic in identifier(),
        group in identifier(),
        name in name(),
    ) {
        let stream_id = wire_identifier(&stream);
        let topic_id = wire_identifier(&topic);
        let group_id = wire_identifier(&group);
        let named = GroupRef { stream: stream.clone(), topic: topic.clone(), group };
        assert_same_request(
            code::GET_CONSUMER_GROUP,
            &GetConsumerGroupRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                group_id: group_id.clone(),
            },
            &Request::GetConsumerGroup(named.clone()),
        );
        assert_same_request(
            code::DELETE_CONSUMER_GROUP,
            &DeleteConsumerGroupRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                group_id: group_id.clone(),
            },
            &Request::DeleteConsumerGroup(named.clone()),
        );
        assert_same_request(
            code::JOIN_CONSUMER_GROUP,
            &JoinConsumerGroupRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                group_id: group_id.clone(),
            },
            &Request::JoinConsumerGroup(named.clone()),
        );
        assert_same_request(
            code::LEAVE_CONSUMER_GROUP,
            &LeaveConsumerGroupRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                group_id,
            },
            &Request::LeaveConsumerGroup(named),
        );
        assert_same_request(
            code::GET_CONSUMER_GROUPS,
            &GetConsumerGroupsRequest { stream_id: stream_id.clone(), topic_id: topic_id.clone() },
            &Request::GetConsumerGroups(TopicRef { stream: stream.clone(), topic: topic.clone() }),
        );
        assert_same_request(
            code::CREATE_CONSUMER_GROUP,
            &CreateConsumerGroupRequest { stream_id, topic_id, name: wire_name(&name) },
            &Request::CreateConsumerGroup(CreateConsumerGroup { stream, topic, name }),
        );
    }

    #[test]
    fn a_groups_details_are_theirs(group in group(), members in vec(member(), 0..4)) {
        let group = ConsumerGroup { members_count: u32::try_from(members.len()).unwrap(), ..group };
        let theirs = ConsumerGroupDetailsResponse {
            group: wire_group(&group),
            members: members.iter().map(wire_member).collect(),
        };
        let ours = Reply::ConsumerGroup(ConsumerGroupDetails { group, members });
        let codes = [code::GET_CONSUMER_GROUP, code::CREATE_CONSUMER_GROUP];
        assert_same_reply(&codes, &theirs, &ours);
    }

    #[test]
    fn a_list_of_groups_is_theirs(groups in vec(group(), 0..5)) {
        let theirs = GetConsumerGroupsResponse { groups: groups.iter().map(wire_group).collect() };
        assert_same_reply(&[code::GET_CONSUMER_GROUPS], &theirs, &Reply::ConsumerGroups(groups));
    }
}
