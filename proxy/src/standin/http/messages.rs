//! Polls and offsets.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parallax_codec::commands::{
    DeleteConsumerOffset, GetConsumerOffset, PollMessages, StoreConsumerOffset,
};
use parallax_codec::messages::{HeaderField, Message, parse_user_headers};
use parallax_codec::primitives::{PollingKind, PollingStrategy};
use parallax_codec::{Dialect, Reply, Request};
use serde::{Deserialize, Serialize};

use super::answers::{Answer, Failure, done, json};
use super::questions::{
    ConsumerId, JsonBody, Parameters, consumer, identifier, parameter, strategy,
};
use crate::standin::server::{Shared, now};

type Ids = Path<(String, String)>;

#[derive(Serialize)]
struct Polled {
    partition_id: u32,
    current_offset: u64,
    count: u32,
    messages: Vec<MessageJson>,
}

#[derive(Serialize)]
struct MessageJson {
    header: HeaderJson,
    payload: String,
    user_headers: Vec<UserHeaderJson>,
}

#[derive(Serialize)]
struct HeaderJson {
    checksum: u64,
    id: u128,
    offset: u64,
    timestamp: u64,
    origin_timestamp: u64,
    user_headers_length: u32,
    payload_length: u32,
    reserved: u64,
}

#[derive(Serialize)]
struct UserHeaderJson {
    key: FieldJson,
    value: FieldJson,
}

#[derive(Serialize)]
struct FieldJson {
    kind: &'static str,
    value: String,
}

#[derive(Serialize)]
struct OffsetJson {
    partition_id: u32,
    current_offset: u64,
    stored_offset: u64,
}

#[derive(Deserialize)]
pub(super) struct Store {
    consumer_id: ConsumerId,
    partition_id: Option<u32>,
    offset: u64,
}

pub(super) async fn poll(
    State(shared): State<Arc<Shared>>,
    Path((stream, topic)): Ids,
    Query(query): Query<Parameters>,
) -> Answer {
    let kind = query.get("kind").map(|name| strategy(name)).transpose()?;
    let poll = PollMessages {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: consumer(query.get("consumer_id").map(String::as_str))?,
        stream: identifier(&stream)?,
        topic: identifier(&topic)?,
        partition_id: Some(parameter(&query, "partition_id")?.unwrap_or(0)),
        strategy: PollingStrategy {
            kind: kind.unwrap_or(PollingKind::Offset),
            value: parameter(&query, "value")?.unwrap_or(0),
        },
        count: parameter(&query, "count")?.unwrap_or(10),
        auto_commit: parameter(&query, "auto_commit")?.unwrap_or(false),
    };
    let count = poll.count;
    let mut model = shared.model();
    let reply = model.answer_over_http(Request::PollMessages(poll), now());
    let reply = reply.map_err(|refusal| match (model.dialect(), refusal.code.0) {
        // Server 0.9.0-edge.5 says no more than that there is nothing.
        (Dialect::Vsr, 1009 | 2010) => Failure::NotFound,
        _ => refusal.into(),
    })?;
    let Reply::PolledMessages(mut polled) = reply else {
        return Err(Failure::NotFound);
    };
    if count == 0 && model.dialect() == Dialect::Classic {
        // The one answer that TCP gives differently: there it is the last offset.
        polled.current_offset = 0;
    }
    Ok(json(&Polled {
        partition_id: polled.partition_id,
        current_offset: polled.current_offset,
        count: polled.count,
        messages: polled.messages.iter().map(MessageJson::from).collect(),
    }))
}

pub(super) async fn offset(
    State(shared): State<Arc<Shared>>,
    Path((stream, topic)): Ids,
    Query(query): Query<Parameters>,
) -> Answer {
    let get = GetConsumerOffset {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: consumer(query.get("consumer_id").map(String::as_str))?,
        stream: identifier(&stream)?,
        topic: identifier(&topic)?,
        partition_id: parameter(&query, "partition_id")?,
    };
    let mut model = shared.model();
    if model.dialect() == Dialect::Classic {
        model.require_topic(&get.stream, &get.topic)?;
    }
    let reply = model.answer_over_http(Request::GetConsumerOffset(get), now());
    let Ok(Reply::ConsumerOffset(offset)) = reply else {
        return Err(Failure::NotFound);
    };
    Ok(json(&OffsetJson {
        partition_id: offset.partition_id,
        current_offset: offset.current_offset,
        stored_offset: offset.stored_offset,
    }))
}

pub(super) async fn store_offset(
    State(shared): State<Arc<Shared>>,
    Path((stream, topic)): Ids,
    JsonBody(store): JsonBody<Store>,
) -> Answer {
    let request = StoreConsumerOffset {
        ack: None,
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: store.consumer_id.consumer()?,
        stream: identifier(&stream)?,
        topic: identifier(&topic)?,
        partition_id: store.partition_id,
        offset: store.offset,
    };
    let request = Request::StoreConsumerOffset(request);
    shared.model().answer_over_http(request, now())?;
    Ok(done())
}

pub(super) async fn delete_offset(
    State(shared): State<Arc<Shared>>,
    Path((stream, topic, name)): Path<(String, String, String)>,
    Query(query): Query<Parameters>,
) -> Answer {
    let request = DeleteConsumerOffset {
        ack: None,
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: consumer(Some(&name))?,
        stream: identifier(&stream)?,
        topic: identifier(&topic)?,
        partition_id: parameter(&query, "partition_id")?,
    };
    let request = Request::DeleteConsumerOffset(request);
    shared.model().answer_over_http(request, now())?;
    Ok(done())
}

impl From<&Message> for MessageJson {
    fn from(message: &Message) -> Self {
        let header = &message.header;
        // Bytes that are no headers are shown as none.
        let user_headers = parse_user_headers(&message.user_headers).unwrap_or_default();
        Self {
            header: HeaderJson {
                checksum: header.checksum,
                id: header.id,
                offset: header.offset,
                timestamp: header.timestamp,
                origin_timestamp: header.origin_timestamp,
                user_headers_length: header.user_headers_length,
                payload_length: header.payload_length,
                reserved: header.reserved,
            },
            payload: STANDARD.encode(&message.payload),
            user_headers: user_headers
                .iter()
                .map(|header| UserHeaderJson {
                    key: FieldJson::from(&header.key),
                    value: FieldJson::from(&header.value),
                })
                .collect(),
        }
    }
}

impl From<&HeaderField> for FieldJson {
    fn from(field: &HeaderField) -> Self {
        Self {
            kind: field.kind.name(),
            value: STANDARD.encode(&field.bytes),
        }
    }
}
