//! What an exchange was about, in the words of the list.

use parallax_captures::partition::partition_meant;
use parallax_captures::{Content, Exchange};
use parallax_codec::primitives::{ConsumerKind, Partitioning, PollingKind};
use parallax_codec::{Field, Reply, Request, Value};

use super::format::plural;

/// Where an exchange's command acted, and on what.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// Stream and topic: `otel/metrics`.
    pub(crate) topic: Option<String>,
    /// The partition that the request named.
    pub(crate) asked_partition: Option<u32>,
    /// The partition that the reply named.
    pub(crate) read_partition: Option<u32>,
    /// Where neither named one: the one partition for which HTTP failed the same.
    pub(crate) meant_partition: Option<u32>,
    /// What was asked: strategy, messages, from where, as what.
    pub(crate) asked: String,
    /// What came back, where there is something to count.
    pub(crate) answered: String,
}

pub(crate) fn place(exchange: &Exchange) -> Place {
    let mut place = Place::default();
    if let Some(poll) = exchange.poll() {
        place.topic = Some(format!("{}/{}", poll.stream, poll.topic));
        place.asked_partition = poll.partition_id;
        place.meant_partition = likely_partition(exchange);
        let (strategy, count) = (poll.strategy.name(), poll.count);
        place.asked = match poll.strategy {
            PollingKind::Offset | PollingKind::Timestamp => {
                format!("{count} from {strategy} {}", poll.value)
            }
            PollingKind::First | PollingKind::Last | PollingKind::Next => {
                format!("{strategy} {count}")
            }
        };
        if poll.consumer_kind == ConsumerKind::Group {
            place.asked = format!("{}, group {}", place.asked, poll.consumer);
        }
    }
    match &exchange.content {
        Content::Binary(content) => {
            if let Some(request) = &content.request {
                from_request(&mut place, request);
            }
            if let Some(Reply::ConsumerOffset(reply)) = &content.reply {
                place.read_partition = Some(reply.partition_id);
                place.answered = format!("stored {}", reply.stored_offset);
            }
        }
        Content::Http(content) if content.poll.is_none() => {
            place.asked = format!("{} {}", content.method, content.target);
        }
        Content::Http(_) | Content::Unsolicited(_) => {}
    }
    if let Some(meaning) = exchange.empty_reply_meaning() {
        meaning.clone_into(&mut place.answered);
    }
    if let Some(answer) = exchange.poll_answer() {
        place.read_partition = Some(answer.partition_id);
        place.answered = plural(answer.messages.len(), "message");
        if let (Some(first), Some(last)) = (answer.messages.first(), answer.messages.last()) {
            place.answered = format!("{}, {}", place.answered, offsets(first.offset, last.offset));
        }
    }
    place
}

/// Of a poll that failed and named no partition: the one partition for which HTTP gave the
/// same error.
pub(crate) fn likely_partition(exchange: &Exchange) -> Option<u32> {
    let names_none = exchange.poll()?.partition_id.is_none();
    let meant = (names_none && exchange.failed()).then(|| partition_meant(exchange));
    Some(meant??.id)
}

/// `offset 3`, `offsets 0 to 9`.
pub(crate) fn offsets(first: u64, last: u64) -> String {
    if first == last {
        format!("offset {first}")
    } else {
        format!("offsets {first} to {last}")
    }
}

fn from_request(place: &mut Place, request: &Request) {
    match request {
        Request::PollMessages(_) => {}
        // Not by its fields: there may be thousands of messages.
        Request::SendMessages(request) => {
            place.topic = Some(format!("{}/{}", request.stream, request.topic));
            place.asked = plural(request.messages.len(), "message");
            match &request.partitioning {
                Partitioning::Balanced => place.asked += ", balanced",
                Partitioning::PartitionId(id) => place.asked_partition = Some(*id),
                Partitioning::MessagesKey(_) => place.asked += ", by key",
            }
        }
        Request::StoreConsumerOffset(request) => {
            place.topic = Some(format!("{}/{}", request.stream, request.topic));
            place.asked_partition = request.partition_id;
            place.asked = format!("offset {}", request.offset);
        }
        other => from_fields(place, &other.fields(0)),
    }
}

fn from_fields(place: &mut Place, fields: &[Field]) {
    let named = |name: &str| fields.iter().find(|field| field.name == name);
    let identifier = |name: &str| match &named(name)?.value {
        Value::Group(inner) => inner
            .iter()
            .find(|field| field.name == "value")
            .and_then(|field| plain(&field.value)),
        other => plain(other),
    };
    place.topic = match (identifier("stream"), identifier("topic")) {
        (Some(stream), Some(topic)) => Some(format!("{stream}/{topic}")),
        (Some(stream), None) => Some(stream),
        _ => None,
    };
    let given = named("partition_given").is_none_or(|field| field.value == Value::Flag(true));
    if let (true, Some(Value::Number(id))) = (given, named("partition_id").map(|f| &f.value)) {
        place.asked_partition = u32::try_from(*id).ok();
    }
    if let Some(group) = identifier("group") {
        place.asked = format!("group {group}");
    }
    if let Some(user) = identifier("username").or_else(|| identifier("user")) {
        place.asked = format!("user {user}");
    }
    if let Some(name) = identifier("name") {
        place.asked = name;
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}
