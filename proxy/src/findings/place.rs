//! Where a finding is: what a person calls the thing it is about.

use parallax_captures::Exchange;
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier, PollingKind};
use parallax_codec::{Request, code};

/// `otel/metrics, group qw_sink_metrics`; of other commands the connection and
/// the command.
pub(super) fn place(exchange: &Exchange) -> String {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    match request {
        Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
            consumer_place(&r.stream, &r.topic.to_string(), &r.consumer, "")
        }
        Some(Request::StoreConsumerOffset(r)) => consumer_place(
            &r.stream,
            &r.topic.to_string(),
            &r.consumer,
            ", store of an offset",
        ),
        _ => format!("connection {}, {}", exchange.conn, exchange.command()),
    }
}

/// The place of one way to fail, so that two are never counted as one:
/// `otel/metrics/1, consumer 7: first, 3007 partition_not_found`; without the
/// partition where none was named.
pub(super) fn failure_place(exchange: &Exchange) -> String {
    let place = question_place(exchange, None);
    match exchange.error() {
        Some(code) => format!("{place}, {code}"),
        None => place,
    }
}

/// As [`failure_place`], of one and the same request: with the offset or time
/// that it asks for.
pub(super) fn repeated_place(exchange: &Exchange) -> String {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    let place = failure_place(exchange);
    match request {
        Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r))
            if matches!(
                r.strategy.kind,
                PollingKind::Offset | PollingKind::Timestamp
            ) =>
        {
            format!("{place}, at {}", r.strategy.value)
        }
        Some(Request::StoreConsumerOffset(r)) => format!("{place}, offset {}", r.offset),
        _ => place,
    }
}

/// What was asked and where: `otel/metrics/1, group sink: next`. `answered` is
/// the partition that the reply is about, for a request that names none.
pub(super) fn question_place(exchange: &Exchange, answered: Option<u32>) -> String {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    let topic = |topic: &Identifier, id: Option<u32>| match id.or(answered) {
        Some(id) => format!("{topic}/{id}"),
        None => topic.to_string(),
    };
    match request {
        Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
            let topic = topic(&r.topic, r.partition_id);
            let what = format!(": {}", r.strategy.kind.name());
            consumer_place(&r.stream, &topic, &r.consumer, &what)
        }
        Some(Request::StoreConsumerOffset(r)) => {
            let topic = topic(&r.topic, r.partition_id);
            consumer_place(&r.stream, &topic, &r.consumer, ": store of an offset")
        }
        _ => format!("connection {}, {}", exchange.conn, exchange.command()),
    }
}

/// A reader, as the client names it: `otel/metrics/1, group sink`.
pub(super) fn reader_place(poll: &PollMessages, partition_id: u32) -> String {
    place_of(
        &poll.stream,
        &poll.topic,
        Some(partition_id),
        &poll.consumer,
    )
}

/// Likewise, of whoever is named in a request; without the partition where none is
/// meant.
pub(super) fn place_of(
    stream: &Identifier,
    topic: &Identifier,
    partition_id: Option<u32>,
    consumer: &Consumer,
) -> String {
    let topic = match partition_id {
        Some(id) => format!("{topic}/{id}"),
        None => topic.to_string(),
    };
    consumer_place(stream, &topic, consumer, "")
}

/// `the First poll was refused`, `the store of offset 7 was refused`.
pub(super) fn what_failed(exchange: &Exchange) -> String {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    match request {
        Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
            let partition = partition(r.partition_id);
            format!("the {} poll{partition}", strategy_name(r.strategy.kind))
        }
        Some(Request::StoreConsumerOffset(r)) => {
            let partition = partition(r.partition_id);
            format!("the store of offset {}{partition}", r.offset)
        }
        Some(Request::Other {
            code: code::LOGIN_USER,
            ..
        }) => "the login".to_owned(),
        _ => exchange.command().into_owned(),
    }
}

/// As a person writes it.
const fn strategy_name(kind: PollingKind) -> &'static str {
    match kind {
        PollingKind::Offset => "Offset",
        PollingKind::Timestamp => "Timestamp",
        PollingKind::First => "First",
        PollingKind::Last => "Last",
        PollingKind::Next => "Next",
    }
}

fn partition(id: Option<u32>) -> String {
    id.map_or_else(
        || ", which names no partition,".to_owned(),
        |id| format!(" on partition {id}"),
    )
}

pub(super) fn consumer_place(
    stream: &Identifier,
    topic: &str,
    consumer: &Consumer,
    what: &str,
) -> String {
    let kind = match consumer.kind {
        ConsumerKind::Consumer => "consumer",
        ConsumerKind::Group => "group",
    };
    format!("{stream}/{topic}, {kind} {}{what}", consumer.id)
}
