//! Streams, topics, groups.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use parallax_codec::commands::{
    ConsumerGroup, Partition, Stream, StreamDetails, Topic, TopicDetails, TopicOptions, TopicRef,
};
use parallax_codec::primitives::Options;
use parallax_codec::{Dialect, Reply, Request};
use serde::Serialize;

use super::answers::{Answer, Failure, json, json_or_not_found};
use super::byte_size::byte_size;
use super::questions::identifier;
use crate::standin::server::{Shared, now};

#[derive(Serialize)]
struct StreamJson {
    id: u32,
    created_at: u64,
    name: String,
    size: String,
    messages_count: u64,
    topics_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    topics: Option<Vec<TopicJson>>,
    /// Of server 0.9.0-edge.5 alone, which knows no option of a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<OptionsJson>,
}

type OptionsJson = BTreeMap<String, OptionJson>;

#[derive(Serialize)]
struct OptionJson {
    value: String,
    explicit: bool,
}

#[derive(Serialize)]
struct TopicJson {
    id: u32,
    created_at: u64,
    name: String,
    size: String,
    message_expiry: u64,
    compression_algorithm: &'static str,
    max_topic_size: u64,
    /// Of server 0.8.0 alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    replication_factor: Option<u8>,
    messages_count: u64,
    partitions_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    partitions: Option<Vec<PartitionJson>>,
    /// Of server 0.9.0-edge.5 alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<OptionsJson>,
}

#[derive(Serialize)]
struct PartitionJson {
    id: u32,
    created_at: u64,
    segments_count: u32,
    current_offset: u64,
    size: String,
    messages_count: u64,
}

#[derive(Serialize)]
struct GroupJson {
    id: u32,
    name: String,
    partitions_count: u32,
    members_count: u32,
}

pub(super) async fn streams(State(shared): State<Arc<Shared>>) -> Answer {
    let streams = shared.model().streams();
    let streams: Vec<_> = streams.into_iter().map(StreamJson::from).collect();
    Ok(json(&streams))
}

pub(super) async fn stream(
    State(shared): State<Arc<Shared>>,
    Path(stream): Path<String>,
) -> Answer {
    let found = shared.model().stream(&identifier(&stream)?);
    json_or_not_found(found.map(StreamJson::from))
}

pub(super) async fn topics(
    State(shared): State<Arc<Shared>>,
    Path(stream): Path<String>,
) -> Answer {
    let stream = identifier(&stream)?;
    let model = shared.model();
    if model.stream(&stream).is_none() && model.dialect() == Dialect::Classic {
        return Err(Failure::NotFound);
    }
    let topics: Vec<_> = model
        .topics(&stream)
        .into_iter()
        .map(TopicJson::from)
        .collect();
    Ok(json(&topics))
}

pub(super) async fn topic(
    State(shared): State<Arc<Shared>>,
    Path((stream, topic)): Path<(String, String)>,
) -> Answer {
    let found = shared
        .model()
        .topic(&identifier(&stream)?, &identifier(&topic)?);
    json_or_not_found(found.map(TopicJson::from))
}

pub(super) async fn groups(
    State(shared): State<Arc<Shared>>,
    Path((stream, topic)): Path<(String, String)>,
) -> Answer {
    let (stream, topic) = (identifier(&stream)?, identifier(&topic)?);
    let mut model = shared.model();
    if model.dialect() == Dialect::Classic {
        model.require_topic(&stream, &topic)?;
    }
    let request = Request::GetConsumerGroups(TopicRef { stream, topic });
    let Reply::ConsumerGroups(groups) = model.answer_over_http(request, now())? else {
        return Err(Failure::NotFound);
    };
    let groups: Vec<_> = groups.into_iter().map(GroupJson::from).collect();
    Ok(json(&groups))
}

fn options_json(options: TopicOptions) -> OptionsJson {
    let each = |options: Options, explicit| {
        options.0.into_iter().map(move |option| {
            let value = option.value.to_string();
            (option.key.to_string(), OptionJson { value, explicit })
        })
    };
    let explicit = each(options.explicit, true);
    explicit.chain(each(options.derived, false)).collect()
}

impl From<Stream> for StreamJson {
    fn from(stream: Stream) -> Self {
        Self {
            id: stream.id,
            created_at: stream.created_at,
            name: stream.name,
            size: byte_size(stream.size_bytes),
            messages_count: stream.messages_count,
            topics_count: stream.topics_count,
            topics: None,
            options: stream.options.map(|_| OptionsJson::new()),
        }
    }
}

impl From<StreamDetails> for StreamJson {
    fn from(details: StreamDetails) -> Self {
        let topics = details.topics.into_iter().map(TopicJson::from);
        Self {
            topics: Some(topics.collect()),
            ..Self::from(details.stream)
        }
    }
}

impl From<Topic> for TopicJson {
    fn from(topic: Topic) -> Self {
        Self {
            id: topic.id,
            created_at: topic.created_at,
            name: topic.name,
            size: byte_size(topic.size_bytes),
            message_expiry: topic.message_expiry,
            compression_algorithm: match topic.compression_algorithm {
                2 => "gzip",
                _ => "none",
            },
            max_topic_size: topic.max_topic_size,
            replication_factor: topic.replication_factor,
            messages_count: topic.messages_count,
            partitions_count: topic.partitions_count,
            partitions: None,
            options: topic.options.map(options_json),
        }
    }
}

impl From<TopicDetails> for TopicJson {
    fn from(details: TopicDetails) -> Self {
        let partitions = details.partitions.into_iter().map(PartitionJson::from);
        Self {
            partitions: Some(partitions.collect()),
            ..Self::from(details.topic)
        }
    }
}

impl From<Partition> for PartitionJson {
    fn from(partition: Partition) -> Self {
        Self {
            id: partition.id,
            created_at: partition.created_at,
            segments_count: partition.segments_count,
            current_offset: partition.current_offset,
            size: byte_size(partition.size_bytes),
            messages_count: partition.messages_count,
        }
    }
}

impl From<ConsumerGroup> for GroupJson {
    fn from(group: ConsumerGroup) -> Self {
        Self {
            id: group.id,
            name: group.name,
            partitions_count: group.partitions_count,
            members_count: group.members_count,
        }
    }
}
