//! Exchanges and findings as JSON: the fields that others rely on.
//!
//! Numbers that JavaScript would round are strings: ids and checksums always,
//! other numbers beyond 2^53 - 1.

use jiff::Timestamp;
use parallax_codec::primitives::{Consumer, Identifier, Partitioning, partition_meaning};
use parallax_codec::vsr::EvictionHeader;
use parallax_codec::{Direction, Field, Reply, Request, Value as FieldValue};
use serde_json::{Map, Value, json};

use crate::activity::{Activity, Moment, Occurrences};
use crate::connection::Connection;
use crate::exchange::{Content, Exchange, HttpContent};
use crate::finding::{Finding, FindingCode};
use crate::gap::Gap;
use crate::known::KnownDifference;
use crate::layouts::{
    Layout, Layouts, Shown, message_layout_name, partition_layout_name, status_layout_name,
};
use crate::poll::{Poll, PollAnswer, PolledMessage, UserHeaders};
use crate::route::RouteName;
use crate::tls::TlsSession;
use crate::verdict::{
    AskedAgain, AskedBy, Difference, MirrorAnswer, MirrorOutcome, StoredOffset, TcpAnswer,
    TcpOutcome, Verdict, VerdictKind,
};

/// The largest integer that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A number, or a string where JavaScript would round it.
pub fn number(value: u64) -> Value {
    if value <= MAX_SAFE_INTEGER {
        value.into()
    } else {
        value.to_string().into()
    }
}

/// A numeric identifier as a number, a name as a string: the name "7" and the
/// number 7 are two things.
pub fn identifier(identifier: &Identifier) -> Value {
    match identifier {
        Identifier::Numeric(number) => (*number).into(),
        Identifier::Named(name) => name.as_str().into(),
    }
}

/// An exchange, with its verdict.
pub fn exchange(exchange: &Exchange) -> Value {
    json!({
        "n": exchange.n,
        "conn": exchange.conn.0,
        "route": exchange.route.as_ref().map(RouteName::as_str),
        "time": time(exchange.times.request_first),
        "dialect": exchange.dialect.name(),
        "layout": layout(Layout::of(exchange)),
        "command": exchange.command(),
        "code": exchange.code(),
        "status": exchange.status(),
        "error": exchange.error().map(error_name),
        "latency_us": exchange.latency().map(micros),
        "request": request(exchange),
        "response": response(exchange),
        "verdict": exchange.verdict.as_ref().map(|verdict| verdict.kind.name()),
        "verdict_muted": exchange.verdict.as_ref().is_some_and(|verdict| verdict.muted.is_some()),
        "comparison": exchange.verdict.as_ref().map(comparison),
        "findings": codes(&exchange.findings),
        "muted_findings": codes(&exchange.muted_findings),
        "undecoded": exchange.undecoded.as_ref().map(ToString::to_string),
        "bytes": exchange.bytes(),
        "injected": exchange.injected(),
        "rewritten": exchange.rewritten(),
        "server_status": exchange.server_answer().and_then(|answer| answer.status),
        "server_length": exchange.server_answer().map(|answer| number(answer.body_length)),
        "marked": exchange.annotation.marked,
        "comment": exchange.annotation.comment(),
    })
}

fn codes(codes: &[FindingCode]) -> Vec<String> {
    codes.iter().map(ToString::to_string).collect()
}

/// A finding.
pub fn finding(finding: &Finding) -> Value {
    let description = finding.description();
    json!({
        "code": finding.code.to_string(),
        "title": description.title,
        "severity": description.severity.name(),
        "place": finding.place,
        "count": finding.count,
        "first": time(finding.first),
        "last": time(finding.last),
        "exchanges": finding.exchanges,
        "evidence": finding.evidence,
        "muted": finding.muted.is_some(),
        "muted_by": finding.muted.as_deref(),
    })
}

/// What passed over time: slots of equal length, those in which nothing did left out.
pub fn activity(activity: &Activity) -> Value {
    let slots = activity
        .iter()
        .filter(|(_, moment)| moment.exchanges > 0 || moment.judged() > 0);
    let slot = |(begin, moment): (Timestamp, Moment)| {
        let mut value = json!({
            "begin": time(begin),
            "exchanges": moment.exchanges,
            "failed": moment.failed,
        });
        for kind in VerdictKind::ALL {
            value[kind.name()] = moment.with_verdict(kind).into();
        }
        value
    };
    json!({ "slot_ms": millis(activity.width()), "slots": slots.map(slot).collect::<Vec<_>>() })
}

/// How often a finding was seen over time, likewise.
pub fn occurrences(occurrences: &Occurrences) -> Value {
    let slots = occurrences.iter().filter(|(_, count)| *count > 0);
    let slots = slots.map(|(begin, count)| json!({ "begin": time(begin), "count": count }));
    json!({ "slot_ms": millis(occurrences.width()), "slots": slots.collect::<Vec<_>>() })
}

fn millis(width: std::time::Duration) -> u64 {
    u64::try_from(width.as_millis()).unwrap_or(u64::MAX)
}

/// A connection.
pub fn connection(connection: &Connection) -> Value {
    json!({
        "conn": connection.id.0,
        "route": connection.route.as_ref().map(RouteName::as_str),
        "client": connection.client.to_string(),
        "server": connection.server.to_string(),
        "opened": time(connection.opened),
        "closed": connection.closed.as_ref().map(|(at, _)| time(*at)),
        "closed_because": connection.closed.as_ref().map(|(_, why)| why),
        "unserved": connection.unserved,
        "dialect": connection.dialect.map(super::connection::Dialect::name),
        "layouts": layouts(&connection.layouts),
        "layout_contradiction": connection.layouts.contradiction(),
        "user": connection.user,
        "client_version": connection.client_version,
        "server_version": connection.server_version,
        "exchanges": connection.exchanges,
        "undecoded": connection.undecoded.as_ref().map(ToString::to_string),
        "bytes_to_server": number(connection.bytes_to_server),
        "bytes_to_client": number(connection.bytes_to_client),
        "bytes_unobserved": number(connection.bytes_unobserved),
        "gaps": connection.gaps.iter().map(gap).collect::<Vec<_>>(),
        "gaps_dropped": connection.gaps.dropped(),
        "tls": {
            "client": connection.tls.as_ref().and_then(|tls| tls.client.as_ref()).map(tls),
            "server": connection.tls.as_ref().and_then(|tls| tls.server.as_ref()).map(tls),
        },
    })
}

/// TLS of one side.
fn tls(session: &TlsSession) -> Value {
    json!({
        "version": session.version,
        "cipher_suite": session.cipher_suite,
        "server_name": session.server_name,
        "peer_certificate": session.peer_certificate.name(),
    })
}

/// Where something was not looked at.
pub fn gap(gap: &Gap) -> Value {
    json!({
        "direction": match gap.direction {
            Direction::ToServer => "to_server",
            Direction::ToClient => "to_client",
        },
        "at": number(gap.at),
        "bytes": number(gap.bytes),
        "observations": gap.observations,
        "since": time(gap.since),
        "until": time(gap.until),
        "after": gap.after,
    })
}

/// What the frames of one exchange show; `null` where they do not tell.
pub(crate) fn layout(layout: Layout) -> Value {
    json!({
        "messages_sent": layout.messages_sent.map(message_layout_name),
        "messages_polled": layout.messages_polled.map(message_layout_name),
        "partition": layout.partition.map(partition_layout_name),
        "status": layout.status.map(status_layout_name),
    })
}

/// What a connection has shown: each list is empty where nothing is known, and
/// has more than one entry where its frames contradict each other.
fn layouts(layouts: &Layouts) -> Value {
    json!({
        "messages_sent": names(&layouts.messages_sent, message_layout_name),
        "messages_polled": names(&layouts.messages_polled, message_layout_name),
        "partition": names(&layouts.partition, partition_layout_name),
        "status": names(&layouts.status, status_layout_name),
    })
}

fn names<T: Copy + PartialEq>(shown: &Shown<T>, name: fn(T) -> &'static str) -> Vec<&'static str> {
    shown.all().iter().map(|layout| name(*layout)).collect()
}

/// A time as RFC 3339, to the nanosecond where it is known.
pub fn time(time: Timestamp) -> String {
    time.to_string()
}

pub(crate) fn micros(latency: std::time::Duration) -> u64 {
    u64::try_from(latency.as_micros()).unwrap_or(u64::MAX)
}

fn error_name(code: parallax_codec::ErrorCode) -> Value {
    code.name()
        .map_or_else(|| format!("unknown_{}", code.0).into(), Value::from)
}

/// What was asked.
pub(crate) fn request(exchange: &Exchange) -> Value {
    match &exchange.content {
        Content::Binary(content) => match &content.request {
            Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
                poll(&Poll::from(r))
            }
            Some(request) => command_request(request),
            None => Value::Null,
        },
        Content::Http(content) => http_request(content),
        Content::Unsolicited(_) => Value::Null,
    }
}

/// What was answered.
pub(crate) fn response(exchange: &Exchange) -> Value {
    if let Some(eviction) = exchange.eviction() {
        return evicted(eviction);
    }
    match &exchange.content {
        Content::Binary(content) => match &content.reply {
            Some(Reply::PolledMessages(reply)) => poll_answer(&PollAnswer::from(reply)),
            Some(Reply::Empty) | None => Value::Null,
            Some(reply) => fields(&reply.fields(0)),
        },
        Content::Http(content) => http_response(content),
        Content::Unsolicited(content) => json!({ "frame_length": content.frame.len() }),
    }
}

fn evicted(eviction: &EvictionHeader) -> Value {
    let accepted = eviction.accepted_versions();
    json!({
        "eviction": eviction.reason.name(),
        "reason": eviction.reason.0,
        "accepts_protocol_from": accepted.map(|(oldest, _)| oldest.to_string()),
        "accepts_protocol_to": accepted.map(|(_, newest)| newest.to_string()),
    })
}

fn poll(poll: &Poll) -> Value {
    json!({
        "consumer_kind": poll.consumer_kind.name(),
        "consumer": identifier(&poll.consumer),
        "stream": identifier(&poll.stream),
        "topic": identifier(&poll.topic),
        "partition_id": poll.partition_id,
        "strategy": poll.strategy.name(),
        "value": number(poll.value),
        "count": poll.count,
        "auto_commit": poll.auto_commit,
    })
}

fn poll_answer(answer: &PollAnswer) -> Value {
    json!({
        "partition_id": partition(answer.partition_id),
        "current_offset": number(answer.current_offset),
        "count": answer.count,
        "messages": answer.messages.iter().map(message).collect::<Vec<_>>(),
    })
}

/// A partition's number; what stands in the place of one by its meaning.
fn partition(id: u32) -> Value {
    partition_meaning(id).map_or_else(|| id.into(), Value::from)
}

/// A message without its payload, of which there is the length.
pub fn message(message: &PolledMessage) -> Value {
    json!({
        "offset": number(message.offset),
        "id": message.id.to_string(),
        "timestamp": number(message.timestamp),
        "origin_timestamp": number(message.origin_timestamp),
        "checksum": message.checksum.to_string(),
        "payload_length": message.payload_length(),
        "user_headers": user_headers(&message.user_headers),
    })
}

/// User headers.
pub fn user_headers(headers: &UserHeaders) -> Value {
    match headers {
        UserHeaders::Decoded(headers) => headers
            .iter()
            .map(|header| {
                json!({
                    "key": header.key.to_string(),
                    "key_kind": header.key.kind.name(),
                    "value": header.value.to_string(),
                    "value_kind": header.value.kind.name(),
                })
            })
            .collect(),
        UserHeaders::Opaque(bytes) => json!({ "undecodable_length": bytes.len() }),
    }
}

fn command_request(request: &Request) -> Value {
    match request {
        Request::GetConsumerOffset(r) => key(&r.consumer, &r.stream, &r.topic, r.partition_id),
        Request::DeleteConsumerOffset(r) => key(&r.consumer, &r.stream, &r.topic, r.partition_id),
        Request::StoreConsumerOffset(r) => {
            let mut value = key(&r.consumer, &r.stream, &r.topic, r.partition_id);
            value["offset"] = number(r.offset);
            value
        }
        Request::SendMessages(r) => {
            let (partitioning, partition_id) = match &r.partitioning {
                Partitioning::Balanced => ("balanced", None),
                Partitioning::PartitionId(id) => ("partition_id", Some(*id)),
                Partitioning::MessagesKey(_) => ("messages_key", None),
            };
            let messages: Vec<_> = r.messages.iter().map(PolledMessage::from).collect();
            json!({
                "stream": identifier(&r.stream),
                "topic": identifier(&r.topic),
                "partitioning": partitioning,
                "partition_id": partition_id,
                "count": messages.len(),
                "messages": messages.iter().map(message).collect::<Vec<_>>(),
            })
        }
        other => fields(&other.fields(0)),
    }
}

fn key(
    consumer: &Consumer,
    stream: &Identifier,
    topic: &Identifier,
    partition_id: Option<u32>,
) -> Value {
    json!({
        "consumer_kind": consumer.kind.name(),
        "consumer": identifier(&consumer.id),
        "stream": identifier(stream),
        "topic": identifier(topic),
        "partition_id": partition_id,
    })
}

/// Any body, from its fields: lengths are left out, identifiers are their
/// values, secrets are not shown.
pub fn fields(fields: &[Field]) -> Value {
    fields_with(fields, &|field| json!({ "bytes": field.range.len() }))
}

/// The same, with what stands for bytes without further structure.
pub(crate) fn fields_with(fields: &[Field], bytes: &dyn Fn(&Field) -> Value) -> Value {
    let mut object = Map::new();
    for field in fields {
        if field.name == "length" || field.name.ends_with("_length") {
            continue;
        }
        object.insert(field.name.to_owned(), field_value(field, bytes));
    }
    object.into()
}

fn field_value(field: &Field, bytes: &dyn Fn(&Field) -> Value) -> Value {
    match &field.value {
        FieldValue::Group(inner) => match inner.as_slice() {
            [kind, length, value] if is_identifier(kind, length, value) => {
                field_value(value, bytes)
            }
            _ => fields_with(inner, bytes),
        },
        FieldValue::List(items) => items.iter().map(|item| field_value(item, bytes)).collect(),
        FieldValue::Number(value) => number(*value),
        FieldValue::Wide(value) => value.to_string().into(),
        FieldValue::Float(value) => (*value).into(),
        FieldValue::Kind { meaning, .. } => (*meaning).into(),
        FieldValue::Flag(value) => (*value).into(),
        FieldValue::Text(text) => text.as_str().into(),
        FieldValue::Bytes(_) => bytes(field),
        FieldValue::Secret(_) => "***".into(),
    }
}

fn is_identifier(kind: &Field, length: &Field, value: &Field) -> bool {
    (kind.name, length.name, value.name) == ("kind", "length", "value")
}

fn http_request(content: &HttpContent) -> Value {
    let mut value = content.poll.as_ref().map_or_else(|| json!({}), poll);
    value["method"] = content.method.as_str().into();
    value["target"] = content.target.as_str().into();
    value
}

fn http_response(content: &HttpContent) -> Value {
    let mut value = match &content.answer {
        Some(Ok(answer)) => poll_answer(answer),
        Some(Err(refusal)) => json!({ "reason": refusal.reason }),
        None => json!({}),
    };
    value["http_status"] = content.http_status.into();
    value
}

pub(crate) fn comparison(verdict: &Verdict) -> Value {
    json!({
        "reason": verdict.reason,
        "basis": verdict.basis,
        "differences": verdict.differences.iter().map(difference).collect::<Vec<_>>(),
        "answers": verdict.answers.iter().map(mirror_answer).collect::<Vec<_>>(),
        "asked_again": verdict.asked_again.as_deref().map(asked_again),
        "known": verdict.known.iter().map(|known| known_difference(known)).collect::<Vec<_>>(),
        "muted_by": verdict.muted.as_deref(),
    })
}

fn asked_again(again: &AskedAgain) -> Value {
    let tcp = |answers: &[TcpAnswer]| answers.iter().map(tcp_answer).collect::<Vec<_>>();
    json!({
        "verdict": again.kind.name(),
        "reason": again.reason,
        "differences": again.differences.iter().map(difference).collect::<Vec<_>>(),
        "tcp_before": tcp(&again.tcp_before),
        "answers": again.answers.iter().map(mirror_answer).collect::<Vec<_>>(),
        "tcp_after": tcp(&again.tcp_after),
    })
}

fn tcp_answer(answer: &TcpAnswer) -> Value {
    let (status, error, response) = match &answer.outcome {
        TcpOutcome::Answered(body) => (0, None, Some(poll_answer(body))),
        TcpOutcome::Refused(code) => (code.0, Some(error_name(*code)), None),
    };
    json!({
        "partition_id": answer.partition_id,
        "strategy": answer.strategy.name(),
        "value": number(answer.value),
        "status": status,
        "error": error,
        "response": response,
        "latency_us": micros(answer.latency),
        "asked": answer.times.map(|times| time(times.asked)),
        "answered": answer.times.map(|times| time(times.answered)),
    })
}

fn stored_offset(stored: StoredOffset) -> Value {
    json!({
        "partition_id": partition(stored.partition_id),
        "current_offset": number(stored.current_offset),
        "stored_offset": number(stored.stored_offset),
    })
}

fn known_difference(known: &KnownDifference) -> Value {
    json!({ "id": known.id, "versions": known.versions, "what": known.what })
}

fn difference(difference: &Difference) -> Value {
    json!({ "field": difference.field, "tcp": difference.tcp, "http": difference.http })
}

fn mirror_answer(answer: &MirrorAnswer) -> Value {
    let mut value = match &answer.outcome {
        MirrorOutcome::Answered(body) => json!({
            "http_status": 200,
            "status": 0,
            "response": poll_answer(body),
        }),
        MirrorOutcome::Refused(refusal) => json!({
            "http_status": refusal.http_status,
            "status": refusal.code.map(|code| code.0),
            "error": refusal.code.map(error_name),
            "reason": refusal.reason,
        }),
        MirrorOutcome::Stored(stored) => json!({
            "http_status": if stored.is_some() { 200 } else { 404 },
            "status": 0,
            "response": stored.map(stored_offset),
        }),
        MirrorOutcome::Failed(why) => json!({ "failed": why }),
    };
    value["partition_id"] = answer.partition_id.into();
    value["target"] = answer.target.as_str().into();
    value["latency_us"] = answer.latency.map(micros).into();
    value["asked"] = answer.times.map(|times| time(times.asked)).into();
    value["answered"] = answer.times.map(|times| time(times.answered)).into();
    value["exchange"] = match answer.asked_by {
        AskedBy::Mirror => Value::Null,
        AskedBy::Capture(n) => n.into(),
    };
    value
}
