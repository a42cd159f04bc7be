//! What the index holds of an exchange.

use parallax_codec::primitives::{ConsumerKind, Identifier};
use parallax_codec::{ErrorCode, Request};
use rusqlite::types::Value;

use crate::exchange::{Content, Exchange};

/// The columns, in the order of [`values`]; without the places in files.
pub(super) const COLUMNS: &str = "conn, dialect, command, code, status, refusal, error, \
    latency_us, stream, topic, partition_id, consumer_kind, consumer, strategy, verdict, \
    verdict_muted, failed, empty, muted, unexplained";

/// How many [`COLUMNS`] there are.
pub(super) const COUNT: usize = 20;

/// What stands in each column.
pub(super) fn values(exchange: &Exchange) -> [Value; COUNT] {
    let asked = Asked::of(exchange);
    let verdict = exchange.verdict.as_ref();
    let muted = verdict.is_some_and(|verdict| verdict.muted.is_some());
    let error = exchange.error();
    [
        whole(exchange.conn.0),
        text(exchange.dialect.name()),
        text(exchange.command()),
        exchange.code().into(),
        exchange.status().into(),
        error.map(|code| code.0).into(),
        error.map(error_name).into(),
        exchange.latency().map_or(Value::Null, |latency| {
            whole(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX))
        }),
        asked.stream.map_or(Value::Null, |one| identifier(&one)),
        asked.topic.map_or(Value::Null, |one| identifier(&one)),
        asked.partition_id.into(),
        asked
            .consumer_kind
            .map_or(Value::Null, |kind| text(kind.name())),
        asked.consumer.map_or(Value::Null, |one| identifier(&one)),
        asked.strategy.map_or(Value::Null, text),
        verdict.map_or(Value::Null, |verdict| text(verdict.kind.name())),
        muted.into(),
        exchange.failed().into(),
        exchange.is_empty_poll().into(),
        exchange.is_muted().into(),
        exchange.is_unexplained().into(),
    ]
}

/// What a request names.
#[derive(Default)]
struct Asked {
    stream: Option<Identifier>,
    topic: Option<Identifier>,
    partition_id: Option<u32>,
    consumer_kind: Option<ConsumerKind>,
    consumer: Option<Identifier>,
    strategy: Option<&'static str>,
}

impl Asked {
    fn of(exchange: &Exchange) -> Self {
        if let Some(poll) = exchange.poll() {
            return Self {
                stream: Some(poll.stream),
                topic: Some(poll.topic),
                partition_id: poll.partition_id,
                consumer_kind: Some(poll.consumer_kind),
                consumer: Some(poll.consumer),
                strategy: Some(poll.strategy.name()),
            };
        }
        let Content::Binary(content) = &exchange.content else {
            return Self::default();
        };
        let consumer = |consumer: &parallax_codec::primitives::Consumer| {
            (Some(consumer.kind), Some(consumer.id.clone()))
        };
        let (stream, topic, partition_id, (consumer_kind, consumer)) = match &content.request {
            Some(Request::StoreConsumerOffset(r)) => {
                (&r.stream, &r.topic, r.partition_id, consumer(&r.consumer))
            }
            Some(Request::GetConsumerOffset(r)) => {
                (&r.stream, &r.topic, r.partition_id, consumer(&r.consumer))
            }
            Some(Request::DeleteConsumerOffset(r)) => {
                (&r.stream, &r.topic, r.partition_id, consumer(&r.consumer))
            }
            Some(Request::SendMessages(r)) => {
                let partition = match r.partitioning {
                    parallax_codec::primitives::Partitioning::PartitionId(id) => Some(id),
                    _ => None,
                };
                (&r.stream, &r.topic, partition, (None, None))
            }
            _ => return Self::default(),
        };
        Self {
            stream: Some(stream.clone()),
            topic: Some(topic.clone()),
            partition_id,
            consumer_kind,
            consumer,
            strategy: None,
        }
    }
}

/// A number stays a number, a name a name, as in JSON.
fn identifier(identifier: &Identifier) -> Value {
    match identifier {
        Identifier::Numeric(number) => whole(u64::from(*number)),
        Identifier::Named(name) => text(name.as_str()),
    }
}

fn error_name(code: ErrorCode) -> String {
    code.name()
        .map_or_else(|| format!("unknown_{}", code.0), str::to_owned)
}

fn text(value: impl Into<String>) -> Value {
    Value::Text(value.into())
}

/// `SQLite` has 63 bits for a number; what does not fit is larger than any.
pub(super) fn whole(value: u64) -> Value {
    Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}
