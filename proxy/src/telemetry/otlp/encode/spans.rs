use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use parallax_captures::{Content, Exchange};
use parallax_codec::Request;
use parallax_codec::primitives::{ConsumerKind, Identifier};

use super::{list, nanoseconds, number, text};
use crate::telemetry::otlp::ids::Id;

/// An exchange, by the semantic conventions for messaging, as
/// `opentelemetry-semantic-conventions` 0.32.1 names them. No payload, no header,
/// nobody's address.
pub(in super::super) fn span(exchange: &Exchange, id: Id) -> Span {
    let command = exchange.command();
    let begin = nanoseconds(exchange.times.request_first);
    let end = exchange
        .times
        .reply
        .map_or(exchange.times.request_last, |(_, last)| last);
    let topic = topic(exchange);
    let name = match &topic {
        Some(topic) => format!("{command} {topic}"),
        None => command.to_string(),
    };
    let mut attributes = vec![
        text("messaging.system", "iggy"),
        text("messaging.operation.name", command.as_ref()),
        text("parallax.dialect", exchange.dialect.name()),
        number("parallax.exchange", exchange.n),
        number("parallax.connection", exchange.conn.0),
    ];
    attributes.extend(kind(&command).map(|kind| text("messaging.operation.type", kind)));
    attributes.extend(topic.map(|topic| text("messaging.destination.name", topic)));
    attributes.extend(of_poll(exchange));
    let error = error(exchange);
    attributes.extend(error.iter().map(|error| text("error.type", error.as_str())));
    attributes.extend(
        exchange
            .status()
            .map(|status| number("parallax.status", status.into())),
    );
    attributes.extend(
        exchange
            .injected()
            .map(|fault| text("parallax.injected", fault)),
    );
    if let Some(verdict) = &exchange.verdict {
        attributes.push(text("parallax.verdict", verdict.kind.name()));
    }
    if !exchange.findings.is_empty() {
        let codes = exchange.findings.iter();
        let codes = codes.map(|code| Value::StringValue(code.to_string()));
        attributes.push(list("parallax.findings", codes));
    }
    Span {
        trace_id: id.trace.to_vec(),
        span_id: id.span.to_vec(),
        flags: 1,
        name,
        kind: SpanKind::Client.into(),
        start_time_unix_nano: begin,
        // A clock that was set back meanwhile makes no span that ends before it begins.
        end_time_unix_nano: nanoseconds(end).max(begin),
        attributes,
        status: error.map(|message| Status {
            message,
            code: StatusCode::Error.into(),
        }),
        ..Span::default()
    }
}

/// By the conventions; `None` for what is none of them.
fn kind(command: &str) -> Option<&'static str> {
    match command {
        "poll_messages" | "poll_messages_on_primary" => Some("receive"),
        "send_messages" => Some("send"),
        "store_consumer_offset" => Some("settle"),
        _ => None,
    }
}

/// The error's name or number, or that nothing came back.
fn error(exchange: &Exchange) -> Option<String> {
    match exchange.error() {
        Some(code) => Some(
            code.name()
                .map_or_else(|| code.0.to_string(), str::to_owned),
        ),
        None if exchange.eviction().is_some() => Some("evicted".to_owned()),
        None if exchange.times.reply.is_none() => Some("unanswered".to_owned()),
        None => None,
    }
}

/// `stream/topic`, of what moves messages or offsets.
fn topic(exchange: &Exchange) -> Option<String> {
    let path = |stream: &Identifier, topic: &Identifier| Some(format!("{stream}/{topic}"));
    if let Some(poll) = exchange.poll() {
        return path(&poll.stream, &poll.topic);
    }
    let Content::Binary(content) = &exchange.content else {
        return None;
    };
    match content.request.as_ref()? {
        Request::SendMessages(r) => path(&r.stream, &r.topic),
        Request::GetConsumerOffset(r) | Request::GetConsumerOffsetRouting(r) => {
            path(&r.stream, &r.topic)
        }
        Request::StoreConsumerOffset(r) => path(&r.stream, &r.topic),
        Request::DeleteConsumerOffset(r) => path(&r.stream, &r.topic),
        _ => None,
    }
}

fn of_poll(exchange: &Exchange) -> Vec<KeyValue> {
    let mut attributes = Vec::new();
    let Some(poll) = exchange.poll() else {
        return attributes;
    };
    let answer = exchange.poll_answer();
    let answered = answer.as_ref().map(|answer| answer.partition_id);
    if let Some(partition) = answered.or(poll.partition_id) {
        let key = "messaging.destination.partition.id";
        attributes.push(text(key, partition.to_string()));
    }
    if poll.consumer_kind == ConsumerKind::Group {
        let group = poll.consumer.to_string();
        attributes.push(text("messaging.consumer.group.name", group));
    }
    if let Some(answer) = &answer {
        let count = u64::from(answer.count);
        attributes.push(number("messaging.batch.message_count", count));
    }
    attributes
}
