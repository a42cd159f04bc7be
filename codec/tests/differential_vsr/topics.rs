use iggy_binary_protocol::requests::topics::{
    CreateTopicRequest, DeleteTopicRequest, GetTopicRequest, GetTopicsRequest, PurgeTopicRequest,
    UpdateTopicRequest,
};
use iggy_binary_protocol::responses::streams::get_stream::TopicHeader;
use iggy_binary_protocol::responses::topics::{
    GetTopicResponse, GetTopicsResponse, PartitionResponse,
};
use parallax_codec::commands::{
    CreateTopicWithOptions, Partition, StreamRef, Topic, TopicDetails, TopicOptions, TopicRef,
    UpdateTopicWithOptions,
};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::options::{options, wire_options};
use crate::support::{
    assert_same_reply, assert_same_request, identifier, name, wire_identifier, wire_name,
};

pub(crate) fn topic() -> impl Strategy<Value = Topic> {
    // With a count beyond those of the largest topics there are, a body may be of two
    // layouts, and is said to be undetermined.
    let messages_count = 0..1_u64 << 48;
    let numbers = (any::<(u32, u64, u32, u64, u8, u64, u64)>(), messages_count);
    let numbers = numbers.prop_map(|(n, count)| (n.0, n.1, n.2, n.3, n.4, n.5, n.6, count));
    (numbers, name(), options(), options()).prop_map(|(numbers, name, explicit, derived)| Topic {
        id: numbers.0,
        created_at: numbers.1,
        partitions_count: numbers.2,
        message_expiry: numbers.3,
        compression_algorithm: numbers.4,
        max_topic_size: numbers.5,
        replication_factor: None,
        size_bytes: numbers.6,
        messages_count: numbers.7,
        name,
        options: Some(TopicOptions { explicit, derived }),
    })
}

pub(crate) fn wire_topic(topic: &Topic) -> TopicHeader {
    let options = topic.options.as_ref().unwrap();
    TopicHeader {
        id: topic.id,
        created_at: topic.created_at,
        partitions_count: topic.partitions_count,
        message_expiry: topic.message_expiry,
        compression_algorithm: topic.compression_algorithm,
        max_topic_size: topic.max_topic_size,
        size_bytes: topic.size_bytes,
        messages_count: topic.messages_count,
        name: wire_name(&topic.name),
        options: wire_options(&options.explicit),
        derived_options: wire_options(&options.derived),
    }
}

proptest! {
    #[test]
    fn requests_about_topics_are_theirs(
        stream in identifier(),
        topic in identifier(),
        partitions_count: u32,
        name in name(),
        options in options(),
    ) {
        let stream_id = wire_identifier(&stream);
        let topic_id = wire_identifier(&topic);
        let named = TopicRef { stream: stream.clone(), topic: topic.clone() };
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
            &PurgeTopicRequest { stream_id: stream_id.clone(), topic_id: topic_id.clone() },
            &Request::PurgeTopic(named),
        );
        assert_same_request(
            code::GET_TOPICS,
            &GetTopicsRequest { stream_id: stream_id.clone() },
            &Request::GetTopics(StreamRef { stream: stream.clone() }),
        );
        let theirs = wire_options(&options);
        assert_same_request(
            code::CREATE_TOPIC,
            &CreateTopicRequest {
                stream_id: stream_id.clone(),
                partitions_count,
                name: wire_name(&name),
                options: theirs.clone(),
            },
            &Request::CreateTopicWithOptions(CreateTopicWithOptions {
                stream: stream.clone(),
                partitions_count,
                name: name.clone(),
                options: options.clone(),
            }),
        );
        assert_same_request(
            code::UPDATE_TOPIC,
            &UpdateTopicRequest { stream_id, topic_id, name: wire_name(&name), options: theirs },
            &Request::UpdateTopicWithOptions(UpdateTopicWithOptions {
                stream,
                topic,
                name,
                options,
            }),
        );
    }

    #[test]
    fn a_topic_and_its_partitions_are_theirs(
        topic in topic(),
        numbers in vec(any::<(u32, u64, u32, u64, u64, u64)>(), 0..4),
    ) {
        let topic = Topic { partitions_count: u32::try_from(numbers.len()).unwrap(), ..topic };
        let theirs = GetTopicResponse {
            topic: wire_topic(&topic),
            partitions: numbers
                .iter()
                .map(|numbers| PartitionResponse {
                    id: numbers.0,
                    created_at: numbers.1,
                    segments_count: numbers.2,
                    current_offset: numbers.3,
                    size_bytes: numbers.4,
                    messages_count: numbers.5,
                })
                .collect(),
        };
        let partitions = numbers
            .iter()
            .map(|numbers| Partition {
                id: numbers.0,
                created_at: numbers.1,
                segments_count: numbers.2,
                current_offset: numbers.3,
                size_bytes: numbers.4,
                messages_count: numbers.5,
            })
            .collect();
        let ours = Reply::Topic(TopicDetails { topic, partitions });
        assert_same_reply(&[code::GET_TOPIC, code::CREATE_TOPIC], &theirs, &ours);
    }

    #[test]
    fn a_list_of_topics_is_theirs(topics in vec(topic(), 0..4)) {
        let theirs = GetTopicsResponse { topics: topics.iter().map(wire_topic).collect() };
        assert_same_reply(&[code::GET_TOPICS], &theirs, &Reply::CountedTopics(topics));
    }
}
