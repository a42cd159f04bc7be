//! Path and query of a poll.

use std::fmt::Write as _;

use parallax_codec::primitives::{ConsumerKind, Identifier, PollingKind};

use crate::poll::Poll;
use crate::text::percent_encoded;

/// Messages that a server returns where the query names no count
/// (`iggy_common` 0.10.0, `http/messages/poll_messages.rs`).
const DEFAULT_COUNT: u32 = 10;

/// The consumer where the query names none: number 1 (server 0.8.0,
/// `types/consumer/consumer_kind.rs`).
const DEFAULT_CONSUMER: Identifier = Identifier::Numeric(1);

/// Path and query that put `poll` to HTTP.
///
/// `kind` in the query is the strategy: HTTP cannot say that a group asks, so
/// the consumer's kind is lost (case C1). A partition that is not named stays
/// unnamed, and the server reads its default one.
pub fn target(poll: &Poll) -> String {
    let mut target = topic_target(&poll.stream, &poll.topic);
    let consumer = percent_encoded(&poll.consumer.to_string());
    // Writing to a string cannot fail.
    let _ = write!(target, "/messages?consumer_id={consumer}");
    if let Some(partition_id) = poll.partition_id {
        let _ = write!(target, "&partition_id={partition_id}");
    }
    let (kind, value) = (poll.strategy.name(), poll.value);
    let (count, auto_commit) = (poll.count, poll.auto_commit);
    let _ = write!(
        target,
        "&kind={kind}&value={value}&count={count}&auto_commit={auto_commit}"
    );
    target
}

/// The path of a topic.
pub fn topic_target(stream: &Identifier, topic: &Identifier) -> String {
    let stream = percent_encoded(&stream.to_string());
    let topic = percent_encoded(&topic.to_string());
    format!("/streams/{stream}/topics/{topic}")
}

/// The poll that a request to this target is, where it is one.
///
/// What the query leaves out is what the server takes it for: consumer 1,
/// strategy offset 0, 10 messages, no commit; a missing partition stays `None`,
/// for which one is read depends on the version (case C4). A query that the
/// server would refuse to read is no poll.
pub fn parse_target(target: &str) -> Option<Poll> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let ["streams", stream, "topics", topic, "messages"] = segments[..] else {
        return None;
    };
    let mut poll = Poll {
        consumer_kind: ConsumerKind::Consumer,
        consumer: DEFAULT_CONSUMER,
        stream: identifier(&decode_segment(stream, false)?)?,
        topic: identifier(&decode_segment(topic, false)?)?,
        partition_id: None,
        strategy: PollingKind::Offset,
        value: 0,
        count: DEFAULT_COUNT,
        auto_commit: false,
    };
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = decode_segment(value, true)?;
        match name {
            "consumer_id" => poll.consumer = identifier(&value)?,
            "partition_id" => poll.partition_id = Some(value.parse().ok()?),
            "kind" => poll.strategy = kind(&value)?,
            "value" => poll.value = value.parse().ok()?,
            "count" => poll.count = value.parse().ok()?,
            "auto_commit" => poll.auto_commit = value.parse().ok()?,
            _ => {}
        }
    }
    Some(poll)
}

/// As the server reads an identifier from text: a number where it is one (case
/// C3), else a name of 1 to 255 bytes.
fn identifier(text: &str) -> Option<Identifier> {
    if text.is_empty() || text.len() > 255 {
        return None;
    }
    let named = || Identifier::Named(text.to_owned());
    Some(text.parse().map_or_else(|_| named(), Identifier::Numeric))
}

fn kind(name: &str) -> Option<PollingKind> {
    PollingKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
}

/// Undoes percent-encoding; in a query `+` is a space too. `None` where it is no text.
pub(crate) fn decode_segment(text: &str, in_query: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let (byte, after) = match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                let value = digit(high)? * 16 + digit(low)?;
                (u8::try_from(value).ok()?, after)
            }
            (b'%', _) => return None,
            (b'+', after) if in_query => (b' ', after),
            (byte, after) => (*byte, after),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(stream: &str, topic: &str) -> Poll {
        Poll {
            consumer_kind: ConsumerKind::Consumer,
            consumer: Identifier::Numeric(7),
            stream: Identifier::Named(stream.to_owned()),
            topic: Identifier::Named(topic.to_owned()),
            partition_id: Some(2),
            strategy: PollingKind::First,
            value: 0,
            count: 3,
            auto_commit: false,
        }
    }

    #[test]
    fn a_target_is_what_the_recorded_client_sent() {
        assert_eq!(
            target(&poll("otel", "metrics")),
            "/streams/otel/topics/metrics/messages?consumer_id=7&partition_id=2&kind=first&value=0\
             &count=3&auto_commit=false"
        );
    }

    #[test]
    fn names_of_every_kind_survive_the_way_there_and_back() {
        for name in ["a/b", "100%", "a b+c", "żółw", "a?b=c&d#e", "%2F", "x"] {
            let asked = poll(name, name);
            assert_eq!(parse_target(&target(&asked)), Some(asked), "{name}");
        }
        assert_eq!(percent_encoded("a/b %é"), "a%2Fb%20%25%C3%A9");
    }

    #[test]
    fn what_a_query_leaves_out_is_what_the_server_takes_it_for() {
        let read = parse_target("/streams/otel/topics/4/messages").unwrap();
        assert_eq!(read.consumer, Identifier::Numeric(1));
        assert_eq!(read.topic, Identifier::Numeric(4));
        assert_eq!((read.partition_id, read.count), (None, 10));
        assert_eq!((read.strategy, read.value), (PollingKind::Offset, 0));
        assert!(!read.auto_commit);
    }

    #[test]
    fn what_the_server_would_not_read_is_no_poll() {
        for target in [
            "/streams/otel/topics/metrics",
            "/streams/otel/topics/metrics/messages/flush/0/true",
            "/streams//topics/metrics/messages",
            "/streams/otel/topics/metrics/messages?kind=bogus",
            "/streams/otel/topics/metrics/messages?count=-1",
            "/streams/otel/topics/metrics/messages?consumer_id=%zz",
            "/streams/%ff/topics/metrics/messages",
            "",
        ] {
            assert_eq!(parse_target(target), None, "{target}");
        }
    }
}
