//! A partition's life as JSON.

use parallax_codec::ErrorCode;
use parallax_codec::primitives::Consumer;
use serde_json::{Value, json};

use super::life::{Break, End, Life, Moment, Send, Unknown};
use super::reader::{Delivery, Failure, Reader, Stored};
use super::trouble::{Gap, Replay, Stall};
use crate::journal::{PartitionFigures, PartitionPlace};
use crate::json::{identifier, number, time};

/// `readers`, `sends`, `ends`, `breaks`, `unknown`, `exchanges`, `left_out`. Every
/// entry has the `exchange` that tells it and its `time`.
pub fn life(life: &Life) -> Value {
    json!({
        "readers": all(&life.readers, reader),
        "sends": all(&life.sends, send),
        "ends": all(&life.ends, end),
        "breaks": all(&life.breaks, break_),
        "unknown": all(&life.unknown, unknown),
        "exchanges": life.exchanges,
        "left_out": life.left_out,
    })
}

/// Figures of a partition; `partition_id` is null for what failed without naming one.
pub fn tally((stream, topic, id): &PartitionPlace, figures: &PartitionFigures) -> Value {
    json!({
        "stream": identifier(stream),
        "topic": identifier(topic),
        "partition_id": id,
        "exchanges": figures.exchanges,
        "polls": figures.polls,
        "messages": number(figures.messages),
        "errors": figures.errors,
        "diverging": figures.diverging,
        "with_findings": figures.with_findings,
        "named_by_http": figures.named_by_http,
        "last": figures.last,
    })
}

fn all<T>(values: &[T], each: fn(&T) -> Value) -> Vec<Value> {
    values.iter().map(each).collect()
}

fn reader(reader: &Reader) -> Value {
    json!({
        "consumer": consumer(&reader.consumer),
        "deliveries": all(&reader.deliveries, delivery),
        "stored": all(&reader.stored, stored),
        "failures": all(&reader.failures, failure),
        "empty_polls": reader.empties.iter().map(|one| one.n).collect::<Vec<_>>(),
        "gaps": all(&reader.gaps, gap),
        "replays": all(&reader.replays, replay),
        "stalls": all(&reader.stalls, stall),
        "troubles_left_out": reader.troubles_left_out,
    })
}

fn consumer(consumer: &Consumer) -> Value {
    json!({ "kind": consumer.kind.name(), "id": identifier(&consumer.id) })
}

/// With what every entry has.
fn at(moment: &Moment, mut value: Value) -> Value {
    value["exchange"] = moment.n.into();
    value["time"] = time(moment.to).into();
    value["conn"] = moment.conn.0.into();
    value
}

fn delivery(one: &Delivery) -> Value {
    let codes: Vec<_> = one
        .moment
        .findings
        .iter()
        .map(ToString::to_string)
        .collect();
    let value = json!({
        "first": number(one.first),
        "last": number(one.last),
        "strategy": one.strategy.name(),
        "auto_commit": one.auto_commit,
        "findings": codes,
        "diverges": one.moment.diverges,
    });
    at(&one.moment, value)
}

fn stored(one: &Stored) -> Value {
    let value = json!({ "offset": one.offset.map(number), "how": one.how.name() });
    at(&one.moment, value)
}

fn failure(one: &Failure) -> Value {
    let value = json!({
        "command": one.command,
        "error": one.error.map(code),
        "offset": one.at.map(number),
    });
    at(&one.moment, value)
}

fn gap(one: &Gap) -> Value {
    let value = json!({
        "from": number(one.from),
        "to": number(one.to),
        "offsets": number(one.offsets()),
        "cause": one.cause.name(),
        "after_exchange": one.since.as_ref().map(|since| since.n),
    });
    at(&one.moment, value)
}

fn replay(one: &Replay) -> Value {
    let value = json!({
        "first": number(one.first),
        "last": number(one.last),
        "times": one.times,
        "cause": one.cause.name(),
        "after_exchange": one.before.n,
        "last_exchange": one.until.n,
    });
    at(&one.moment, value)
}

fn stall(one: &Stall) -> Value {
    let value = json!({
        "at": number(one.at),
        "end": number(one.end),
        "polls": one.polls,
        "last_exchange": one.until.n,
        "until": time(one.until.to),
    });
    at(&one.moment, value)
}

fn send(one: &Send) -> Value {
    let value = json!({
        "messages": one.messages,
        "failed": one.failed.is_some(),
        "error": one.failed.flatten().map(code),
    });
    at(&one.moment, value)
}

fn end(one: &End) -> Value {
    at(&one.moment, json!({ "offset": number(one.offset) }))
}

fn break_(one: &Break) -> Value {
    at(&one.moment, json!({ "kind": one.kind.name() }))
}

fn unknown(one: &Unknown) -> Value {
    let value = json!({
        "consumer": consumer(&one.consumer),
        "command": one.command,
        "error": one.error.map(code),
        "http": one.http,
        "http_fails_too": one.http_fails_too,
    });
    at(&one.moment, value)
}

fn code(code: ErrorCode) -> String {
    code.to_string()
}
