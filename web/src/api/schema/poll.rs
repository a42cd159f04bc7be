use std::borrow::Cow;

use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::value::{Identifier, Number, PartitionAnswered};

/// What a poll asked.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Poll {
    /// `consumer` or `group`.
    #[schema(pattern = "^(consumer|group)$")]
    consumer_kind: String,
    /// Who.
    consumer: Identifier,
    /// Of which stream.
    stream: Identifier,
    /// Of which topic.
    topic: Identifier,
    /// Of which partition; `null` where the server is to choose.
    #[schema(required)]
    partition_id: Option<u32>,
    /// From where: `offset`, `timestamp`, `first`, `last` or `next`.
    #[schema(pattern = "^(offset|timestamp|first|last|next)$")]
    strategy: String,
    /// The offset or the time; 0 where the strategy has none.
    value: Number,
    /// How many messages at most.
    count: u32,
    /// Whether the server is to store the offset.
    auto_commit: bool,
    /// The method, over HTTP.
    #[schema(nullable = false)]
    method: Option<String>,
    /// The path and query, over HTTP.
    #[schema(nullable = false)]
    target: Option<String>,
}

/// What a poll was answered.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct PollAnswer {
    /// Of which partition.
    partition_id: PartitionAnswered,
    /// The partition's last offset.
    current_offset: Number,
    /// How many messages.
    count: u32,
    /// The messages.
    messages: Vec<Message>,
    /// In a list: how many messages are not in it for their number.
    #[schema(nullable = false)]
    messages_left_out: Option<u64>,
    /// The HTTP status, over HTTP.
    #[schema(nullable = false)]
    http_status: Option<u16>,
}

/// A message, without its payload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Message {
    /// Its offset.
    offset: Number,
    /// Its id, 128 bits.
    #[schema(pattern = "^[0-9]+$")]
    id: String,
    /// When the server stored it, in microseconds since 1970.
    timestamp: Number,
    /// When the producer made it, in microseconds since 1970.
    origin_timestamp: Number,
    /// Its checksum, 64 bits.
    #[schema(pattern = "^[0-9]+$")]
    checksum: String,
    /// Bytes of its payload.
    payload_length: u64,
    /// Its user headers.
    user_headers: UserHeaders,
}

/// One user header.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct UserHeader {
    /// Its key.
    key: String,
    /// What the key is, like `string`.
    key_kind: String,
    /// Its value, as text.
    value: String,
    /// What the value is, like `uint64`.
    value_kind: String,
}

/// User headers, or how long they are where they cannot be decoded.
struct UserHeaders;

impl PartialSchema for UserHeaders {
    fn schema() -> RefOr<Schema> {
        let each = Ref::from_schema_name(UserHeader::name());
        let length = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0));
        let opaque = ObjectBuilder::new()
            .property("undecodable_length", length)
            .required("undecodable_length");
        let either = OneOfBuilder::new()
            .item(ArrayBuilder::new().items(each))
            .item(opaque);
        let what = "Each header; or of how many bytes they are where they cannot be decoded.";
        either.description(Some(what)).into()
    }
}

impl ToSchema for UserHeaders {
    fn name() -> Cow<'static, str> {
        "UserHeaders".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((UserHeader::name().into(), UserHeader::schema()));
    }
}
