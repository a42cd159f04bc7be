//! Where a finding is: what a person calls the thing it is about.

use parallax_captures::Exchange;
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};
use parallax_codec::{Request, code};

/// `otel/metrics, group qw_sink_metrics`; of other commands the connection and
/// the command.
pub(super) fn place(exchange: &Exchange) -> String {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    match request {
        Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
            consumer_place(&r.stream, &r.topic, &r.consumer, "")
        }
        Some(Request::StoreConsumerOffset(r)) => {
            consumer_place(&r.stream, &r.topic, &r.consumer, ", store of an offset")
        }
        _ => format!("connection {}, {}", exchange.conn, exchange.command()),
    }
}

/// `the poll of first was refused`, `the store of offset 7 was refused`.
pub(super) fn what_failed(exchange: &Exchange) -> String {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    match request {
        Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
            let partition = partition(r.partition_id);
            format!("the poll of {}{partition}", r.strategy.kind.name())
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

fn partition(id: Option<u32>) -> String {
    id.map_or_else(
        || ", which names no partition,".to_owned(),
        |id| format!(" on partition {id}"),
    )
}

fn consumer_place(
    stream: &Identifier,
    topic: &Identifier,
    consumer: &Consumer,
    what: &str,
) -> String {
    let kind = match consumer.kind {
        ConsumerKind::Consumer => "consumer",
        ConsumerKind::Group => "group",
    };
    format!("{stream}/{topic}, {kind} {}{what}", consumer.id)
}
