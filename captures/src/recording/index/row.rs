//! What the index holds of an exchange.

use parallax_codec::ErrorCode;
use rusqlite::types::Value;

use crate::exchange::Exchange;
use crate::filter::{Indexed, indexed};
use crate::journal::{Scalar, is_named_wrong, messages_of};
use crate::partition::{Concern, id_named_by_http};

/// How many [`COLUMNS`] there are.
pub(super) const COUNT: usize = 27;

/// The columns, in the order of [`values`], without the places in files; and what of
/// each is in the table [`seen`](super::seen). Their order is part of an index.
pub(super) const COLUMNS: [(&str, Kept); COUNT] = [
    ("conn", Kept::Each),
    ("dialect", Kept::Nothing),
    ("command", Kept::Each),
    ("code", Kept::Nothing),
    ("status", Kept::Nothing),
    ("refusal", Kept::Each),
    ("error", Kept::Nothing),
    ("latency_us", Kept::Most),
    ("stream", Kept::Each),
    ("topic", Kept::Each),
    ("partition_id", Kept::Each),
    ("consumer_kind", Kept::Nothing),
    ("consumer", Kept::Each),
    ("strategy", Kept::Each),
    ("verdict", Kept::Each),
    ("verdict_muted", Kept::Nothing),
    ("failed", Kept::Set),
    ("empty", Kept::Set),
    ("muted", Kept::Set),
    ("unexplained", Kept::Set),
    ("partition", Kept::Each),
    ("meant", Kept::Nothing),
    ("messages", Kept::Nothing),
    ("wrong", Kept::Nothing),
    ("bytes", Kept::Most),
    ("marked", Kept::Set),
    ("injected", Kept::Nothing),
];

/// What is kept of a column's values in a run of exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    /// Each that is not null.
    Each,
    /// The largest.
    Most,
    /// Whether it is true of any.
    Set,
}

/// What stands in each column.
pub(super) fn values(exchange: &Exchange) -> [Value; COUNT] {
    let verdict = exchange.verdict.as_ref();
    let muted = verdict.is_some_and(|verdict| verdict.muted.is_some());
    let error = exchange.error();
    let [
        stream,
        topic,
        partition_id,
        consumer_kind,
        consumer,
        strategy,
    ] = indexed(exchange).map(asked);
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
        stream,
        topic,
        partition_id,
        consumer_kind,
        consumer,
        strategy,
        verdict.map_or(Value::Null, |verdict| text(verdict.kind.name())),
        muted.into(),
        exchange.failed().into(),
        exchange.is_empty_poll().into(),
        exchange.is_muted().into(),
        exchange.is_unexplained().into(),
        Concern::of(exchange).map(|concern| concern.key()).into(),
        id_named_by_http(exchange).into(),
        whole(messages_of(exchange)),
        is_named_wrong(exchange).into(),
        whole(exchange.bytes() as u64),
        exchange.annotation.marked.into(),
        exchange.injected().is_some().into(),
    ]
}

/// What the request has there: a number stays a number, a name a name.
fn asked(value: Option<Indexed>) -> Value {
    match value {
        None => Value::Null,
        Some(Indexed::Scalar(Scalar::Number(number))) => whole(number),
        Some(Indexed::Scalar(Scalar::Text(name))) => Value::Text(name),
        Some(Indexed::Scalar(Scalar::Flag(flag))) => flag.into(),
        Some(Indexed::Other) => Value::Blob(Vec::new()),
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
