//! An exchange in a few words, the same on a terminal and in a file. Names that
//! somebody chose stand in them as they are: who shows them escapes them.

use std::fmt::Write as _;

use parallax_codec::primitives::{ConsumerKind, PollingKind};
use parallax_codec::{Reply, Request};

use crate::exchange::{Content, Exchange, HttpContent};
use crate::poll::PollAnswer;

/// What was asked, in a few words: `otel/metrics/0 first count 10 consumer 1`. The
/// command is not repeated.
pub fn asked(exchange: &Exchange) -> String {
    if let Some(poll) = exchange.poll() {
        let partition = poll
            .partition_id
            .map_or_else(|| "any".to_owned(), |id| id.to_string());
        let kind = match poll.consumer_kind {
            ConsumerKind::Consumer => "consumer",
            ConsumerKind::Group => "group",
        };
        let value = match poll.strategy {
            PollingKind::Offset | PollingKind::Timestamp => format!(" {}", poll.value),
            PollingKind::First | PollingKind::Last | PollingKind::Next => String::new(),
        };
        let commit = if poll.auto_commit { " auto_commit" } else { "" };
        return format!(
            "{}/{}/{partition} {}{value} count {}{commit} {kind} {}",
            poll.stream,
            poll.topic,
            poll.strategy.name(),
            poll.count,
            poll.consumer,
        );
    }
    match &exchange.content {
        Content::Unsolicited(_) => "not asked for".to_owned(),
        Content::Http(content) => format!("{} {}", content.method, content.target),
        Content::Binary(content) => match &content.request {
            Some(Request::StoreConsumerOffset(r)) => {
                format!(
                    "{}/{} offset {} {}",
                    r.stream, r.topic, r.offset, r.consumer.id
                )
            }
            Some(Request::GetConsumerOffset(r)) => {
                format!("{}/{} {}", r.stream, r.topic, r.consumer.id)
            }
            Some(Request::DeleteConsumerOffset(r)) => {
                format!("{}/{} {}", r.stream, r.topic, r.consumer.id)
            }
            Some(Request::SendMessages(r)) => {
                format!("{}/{} {} messages", r.stream, r.topic, r.messages.len())
            }
            _ => format!("{} bytes", content.request_frame.len()),
        },
    }
}

/// What came back, in a few words: `4100 invalid_offset`, `partition 0: 3 messages,
/// offsets 0..2, current 2`.
pub fn answered(exchange: &Exchange) -> String {
    if let Some(eviction) = exchange.eviction() {
        return format!("evicted: {}", eviction.reason.name());
    }
    if let Some(error) = exchange.error() {
        return error.to_string();
    }
    match &exchange.content {
        Content::Unsolicited(content) => format!("{} bytes", content.frame.len()),
        Content::Http(HttpContent {
            answer: Some(Ok(answer)),
            ..
        }) => messages(answer),
        Content::Http(content) => content.http_status.map_or_else(
            || "no response".to_owned(),
            |status| format!("HTTP {status}"),
        ),
        Content::Binary(content) => match (&content.status, &content.reply) {
            (_, Some(Reply::PolledMessages(reply))) => told(
                (reply.partition_id, reply.count, reply.current_offset),
                reply.messages.iter().map(|message| message.header.offset),
            ),
            (None, _) => "no reply".to_owned(),
            (Some(_), Some(Reply::ConsumerOffset(offset))) => format!(
                "partition {}, stored {} of {}",
                offset.partition_id, offset.stored_offset, offset.current_offset
            ),
            (Some(_), Some(Reply::Empty)) => {
                exchange.empty_reply_meaning().unwrap_or("ok").to_owned()
            }
            (Some(_), _) => format!("ok, {} bytes", content.reply_frame.len()),
        },
    }
}

/// An answer with messages, in a few words.
pub fn messages(answer: &PollAnswer) -> String {
    told(
        (answer.partition_id, answer.count, answer.current_offset),
        answer.messages.iter().map(|message| message.offset),
    )
}

fn told(
    (partition_id, count, current_offset): (u32, u32, u64),
    mut offsets: impl DoubleEndedIterator<Item = u64>,
) -> String {
    let (first, last) = (offsets.next(), offsets.next_back());
    let offsets = match (first, last) {
        (None, _) => String::new(),
        (Some(only), None) => format!(", offset {only}"),
        (Some(first), Some(last)) => format!(", offsets {first}..{last}"),
    };
    let noun = if count == 1 { "message" } else { "messages" };
    let mut line = format!("partition {partition_id}: {count} {noun}{offsets}");
    // Of a partition without a message the server says 0 as well.
    if first.is_some() || current_offset > 0 {
        let _ = write!(line, ", current {current_offset}");
    }
    line
}
