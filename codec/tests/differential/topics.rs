use iggy_binary_protocol::requests::topics::{
    CreateTopicRequest, DeleteTopicRequest, GetTopicRequest, GetTopicsRequest, PurgeTopicRequest,
    UpdateTopicRequest,
};
use iggy_binary_protocol::responses::streams::TopicHeader;
use iggy_binary_protocol::responses::topics::{
    GetTopicResponse, GetTopicsResponse, PartitionResponse,
};
use parallax_codec::commands::{
    CreateTopic, Partition, StreamRef, Topic, TopicDetails, TopicRef, UpdateTopic,
};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{
    assert_same_reply, assert_same_request, identifier, name, wire_identifier, wire_name,
};

pub(crate) fn topic() -> impl Strategy<Value = Topic> {
    (any::<(u32, u64, u32, u64, u8, u64, u8, u64, u64)>(), name()).prop_map(|(numbers, name)| {
        Topic {
            id: numbers.0,
            created_at: numbers.1,
            partitions_count: numbers.2,
            message_expiry: numbers.3,
            compression_algorithm: numbers.4,
            max_topic_size: numbers.5,
            replication_factor: Some(numbers.6),
            size_bytes: numbers.7,
            messages_count: numbers.8,
            name,
            options: None,
        }
    })
}

pub(crate) fn wire_topic(topic: &Topic) -> TopicHeader {
    TopicHeader {
        id: topic.id,
        created_at: topic.created_at,
        partitions_count: topic.partitions_count,
        message_expiry: topic.message_expiry,
        compression_algorithm: topic.compression_algorithm,
        max_topic_size: topic.max_topic_size,
        replication_factor: topic.replication_factor.unwrap(),
        size_bytes: topic.size_bytes,
        messages_count: topic.messages_count,
        name: wire_name(&topic.name),
    }
}

fn partition() -> impl Strategy<Value = Partition> {
    any::<(u32, u64, u32, u64, u64, u64)>().prop_map(|numbers| Partition {
        id: numbers.0,
        created_at: numbers.1,
        segments_count: numbers.2,
        current_offset: numbers.3,
        size_bytes: numbers.4,
        messages_count: numbers.5,
    })
}

fn wire_partition(partition: &Partition) -> PartitionResponse {
    PartitionResponse {
        id: partition.id,
        created_at: partition.created_at,
        segments_count: partition.segments_count,
        current_offset: partition.current_offset,
        size_bytes: partition.size_bytes,
        messages_count: partition.messages_count,
    }
}

proptest! {
    #[test]
    fn requests_that_name_a_topic_are_theirs(stream in identifier(), topic in identifier()) {
        let stream_id = wire_identifier(&stream);
        let topic_id = wire_identifier(&topic);
        let named = TopicRef { stream: stream.clone(), topic };
        assert_same_request(
            code::GET_TOPIC,
            &GetTopicRequest { stream_id: stream_id.clone(), topic_id: topic_id.clone() },
            &Request::GetTopic(named.clone()),
        );
        assert_same_request(
            code::DELETE_TOPIC,
            &DeleteTopicRequest { stream_id: stream_id.clone(), topic_id: topic_id.clone() },
            &Request::DeleteTopic(named.clone()),
        );
        assert_same_request(
            code::PURGE_TOPIC,
            &PurgeTopicRequest { stream_id: stream_id.clone(), topic_id },
            &Request::PurgeTopic(named),
        );
        assert_same_request(
            code::GET_TOPICS,
            &GetTopicsRequest { stream_id },
            &Request::GetTopics(StreamRef { stream }),
        );
    }

    #[test]
    fn requests_that_make_or_change_a_topic_are_theirs(
        stream in identifier(),
        topic in identifier(),
        numbers in any::<(u32, u8, u64, u64, u8)>(),
        name in name(),
    ) {
        let (partitions_count, compression_algorithm, message_expiry, max_topic_size, replication_factor) = numbers;
        assert_same_request(
            code::CREATE_TOPIC,
            &CreateTopicRequest {
                stream_id: wire_identifier(&stream),
                partitions_count,
                compression_algorithm,
                message_expiry,
                max_topic_size,
                replication_factor,
                name: wire_name(&name),
            },
            &Request::CreateTopic(CreateTopic {
                stream: stream.clone(),
                partitions_count,
                compression_algorithm,
                message_expiry,
                max_topic_size,
                replication_factor,
                name: name.clone(),
            }),
        );
        assert_same_request(
            code::UPDATE_TOPIC,
            &UpdateTopicRequest {
                stream_id: wire_identifier(&stream),
                topic_id: wire_identifier(&topic),
                compression_algorithm,
                message_expiry,
                max_topic_size,
                replication_factor,
                name: wire_name(&name),
            },
            &Request::UpdateTopic(UpdateTopic {
                stream,
                topic,
                compression_algorithm,
                message_expiry,
                max_topic_size,
                replication_factor,
                name,
            }),
        );
    }

    #[test]
    fn a_topics_details_are_theirs(topic in topic(), partitions in vec(partition(), 0..5)) {
        let topic = Topic { partitions_count: u32::try_from(partitions.len()).unwrap(), ..topic };
        let theirs = GetTopicResponse {
            topic: wire_topic(&topic),
            partitions: partitions.iter().map(wire_partition).collect(),
        };
        let ours = Reply::Topic(TopicDetails { topic, partitions });
        assert_same_reply(&[code::GET_TOPIC, code::CREATE_TOPIC], &theirs, &ours);
    }

    #[test]
    fn a_list_of_topics_is_theirs(topics in vec(topic(), 0..4)) {
        let theirs = GetTopicsResponse { topics: topics.iter().map(wire_topic).collect() };
        assert_same_reply(&[code::GET_TOPICS], &theirs, &Reply::Topics(topics));
    }
}
