//! What was done in a capture that makes a topic's log another one: polls before
//! and after it are about different logs.

use std::collections::VecDeque;

use jiff::Timestamp;
use parallax_captures::poll::Poll;
use parallax_captures::{Content, Exchange, HttpContent};
use parallax_codec::Request;
use parallax_codec::primitives::Identifier;

use crate::limits::CAPTURED_CHANGES;

/// Purges, deletions and creations of a capture, in the order of time, at most
/// [`CAPTURED_CHANGES`].
#[derive(Debug, Default)]
pub(super) struct Changes(VecDeque<Change>);

/// One of them.
#[derive(Debug)]
pub(super) struct Change {
    /// The exchange.
    pub(super) n: u64,
    /// What it did: `purge_topic`, or method and path.
    pub(super) what: String,
    began: Timestamp,
    ended: Timestamp,
    target: Target,
}

/// What is changed; `None` is anything of that kind.
type Target = (Option<Identifier>, Option<Identifier>);

impl Changes {
    /// Takes note of an exchange, where it changes something. Tells whether another
    /// one had to make room for it.
    pub(super) fn see(&mut self, exchange: &Exchange) -> bool {
        let Some(change) = Change::of(exchange) else {
            return false;
        };
        let at = self.0.partition_point(|one| one.began <= change.began);
        self.0.insert(at, change);
        self.0.len() > CAPTURED_CHANGES && self.join_oldest()
    }

    /// Forgets what was over before this time.
    pub(super) fn forget_before(&mut self, time: Timestamp) {
        while self.0.pop_front_if(|change| change.ended < time).is_some() {}
    }

    /// Makes one of the two oldest, which is about anything, so that no two polls
    /// with either of them in between are compared.
    fn join_oldest(&mut self) -> bool {
        if let (Some(oldest), Some(next)) = (self.0.pop_front(), self.0.front_mut()) {
            next.began = oldest.began;
            next.ended = next.ended.max(oldest.ended);
            next.target = (None, None);
        }
        true
    }

    /// Those of the poll's topic, in the order of time.
    pub(super) fn concerning(&self, poll: &Poll) -> Vec<&Change> {
        let of_it = |change: &&Change| change.concerns(poll);
        self.0.iter().filter(of_it).collect()
    }
}

impl Change {
    fn of(exchange: &Exchange) -> Option<Self> {
        let (what, target) = match &exchange.content {
            Content::Binary(content) if content.status.is_none_or(|status| status == 0) => {
                let target = target(content.request.as_ref()?)?;
                (exchange.command().into_owned(), target)
            }
            Content::Http(http) if http.http_status.is_none_or(|status| status < 400) => (
                format!("{} {}", http.method, http.target),
                http_target(http)?,
            ),
            _ => return None,
        };
        let times = &exchange.times;
        Some(Self {
            n: exchange.n,
            what,
            began: times.request_first,
            ended: times.reply.map_or(times.request_last, |(_, last)| last),
            target,
        })
    }

    /// Whether it was under way within this time.
    pub(super) fn is_within(&self, from: Timestamp, to: Timestamp) -> bool {
        self.began <= to && self.ended >= from
    }

    fn concerns(&self, poll: &Poll) -> bool {
        may_be(self.target.0.as_ref(), &poll.stream) && may_be(self.target.1.as_ref(), &poll.topic)
    }
}

/// A number and a name may be the same thing.
fn may_be(changed: Option<&Identifier>, polled: &Identifier) -> bool {
    match (changed, polled) {
        (Some(Identifier::Named(one)), Identifier::Named(other)) => one == other,
        (Some(Identifier::Numeric(one)), Identifier::Numeric(other)) => one == other,
        _ => true,
    }
}

fn target(request: &Request) -> Option<Target> {
    let named = |name: &String| Some(Identifier::Named(name.clone()));
    Some(match request {
        Request::CreateStream(r) => (named(&r.name), None),
        Request::DeleteStream(r) | Request::PurgeStream(r) => (Some(r.stream.clone()), None),
        Request::CreateTopic(r) => (Some(r.stream.clone()), named(&r.name)),
        Request::CreateTopicWithOptions(r) => (Some(r.stream.clone()), named(&r.name)),
        Request::DeleteTopic(r) | Request::PurgeTopic(r) => {
            (Some(r.stream.clone()), Some(r.topic.clone()))
        }
        Request::CreatePartitions(r) | Request::DeletePartitions(r) => {
            (Some(r.stream.clone()), Some(r.topic.clone()))
        }
        Request::DeleteSegments(r) => (Some(r.stream.clone()), Some(r.topic.clone())),
        _ => return None,
    })
}

/// `DELETE` or `POST` on streams, topics, partitions and segments, which leaves
/// out sending, groups and offsets. Which one a creation is about its body says,
/// so it may be any.
fn http_target(http: &HttpContent) -> Option<Target> {
    if !matches!(http.method.as_str(), "DELETE" | "POST") {
        return None;
    }
    let path = http.target.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let identifier = |text: &str| {
        // A name with an escape in it may be any.
        let named = || (!text.contains('%')).then(|| Identifier::Named(text.to_owned()));
        text.parse()
            .map_or_else(|_| named(), |number| Some(Identifier::Numeric(number)))
    };
    match segments[..] {
        ["streams"] => Some((None, None)),
        ["streams", stream] | ["streams", stream, "purge" | "topics"] => {
            Some((identifier(stream), None))
        }
        ["streams", stream, "topics", topic]
        | [
            "streams",
            stream,
            "topics",
            topic,
            "purge" | "partitions",
            ..,
        ] => Some((identifier(stream), identifier(topic))),
        _ => None,
    }
}
