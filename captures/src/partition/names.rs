//! Which name and which number are one stream, topic or group, as far as replies said
//! so.

use std::collections::HashMap;

use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};
use parallax_codec::{Reply, Request};

use crate::exchange::Exchange;
use crate::limits::PARTITION_NAMES;

/// Names and numbers that are one thing. Where replies contradict each other (a topic
/// was deleted, and another has its number now) neither is taken for the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    streams: Pairs,
    topics: HashMap<Identifier, Pairs>,
    groups: HashMap<(Identifier, Identifier), Pairs>,
    /// Pairs that are known.
    known: usize,
    not_kept: u64,
}

/// One kind of thing in one place: what is told of each name and number; `None`
/// where that is more than one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Pairs {
    numbers: HashMap<String, Option<u32>>,
    names: HashMap<u32, Option<String>>,
}

impl Names {
    /// Learns from a reply that describes streams, topics or groups.
    pub fn learn(&mut self, exchange: &Exchange) {
        let Some(content) = exchange.binary() else {
            return;
        };
        let (Some(request), Some(reply)) = (&content.request, &content.reply) else {
            return;
        };
        match (request, reply) {
            (_, Reply::CreatedStream(stream)) => self.stream_is(&stream.name, stream.id),
            (_, Reply::Streams(streams)) => {
                for stream in streams {
                    self.stream_is(&stream.name, stream.id);
                }
            }
            (_, Reply::Stream(details)) => {
                self.stream_is(&details.stream.name, details.stream.id);
                let stream = Identifier::Numeric(details.stream.id);
                for topic in &details.topics {
                    self.topic_is(&stream, &topic.name, topic.id);
                }
            }
            (_, Reply::Topic(details)) => {
                if let Some(stream) = stream_of(request) {
                    self.topic_is(stream, &details.topic.name, details.topic.id);
                }
            }
            (Request::GetTopics(r), Reply::Topics(topics) | Reply::CountedTopics(topics)) => {
                for topic in topics {
                    self.topic_is(&r.stream, &topic.name, topic.id);
                }
            }
            (Request::GetConsumerGroup(r), Reply::ConsumerGroup(details)) => {
                let group = &details.group;
                self.group_is((&r.stream, &r.topic), &group.name, group.id);
            }
            (Request::CreateConsumerGroup(r), Reply::ConsumerGroup(details)) => {
                let group = &details.group;
                self.group_is((&r.stream, &r.topic), &group.name, group.id);
            }
            (Request::GetConsumerGroups(r), Reply::ConsumerGroups(groups)) => {
                for group in groups {
                    self.group_is((&r.stream, &r.topic), &group.name, group.id);
                }
            }
            _ => {}
        }
    }

    /// Whether [`learn`](Self::learn) may learn something of it.
    pub(crate) fn tells(exchange: &Exchange) -> bool {
        exchange.binary().is_some_and(|content| {
            matches!(
                content.reply,
                Some(
                    Reply::CreatedStream(_)
                        | Reply::Streams(_)
                        | Reply::Stream(_)
                        | Reply::Topic(_)
                        | Reply::Topics(_)
                        | Reply::CountedTopics(_)
                        | Reply::ConsumerGroup(_)
                        | Reply::ConsumerGroups(_)
                )
            )
        })
    }

    /// The stream as given, and as it is called otherwise.
    pub fn streams(&self, given: &Identifier) -> Vec<Identifier> {
        let other = self.streams.other(given);
        std::iter::once(given.clone()).chain(other).collect()
    }

    /// Likewise a topic of that stream.
    pub fn topics(&self, stream: &Identifier, given: &Identifier) -> Vec<Identifier> {
        let streams = self.streams(stream);
        let within = streams.iter().filter_map(|stream| self.topics.get(stream));
        let mut all = vec![given.clone()];
        for other in within.filter_map(|pairs| pairs.other(given)) {
            if !all.contains(&other) {
                all.push(other);
            }
        }
        // Told of the stream's name and of its number, and not the same.
        if all.len() > 2 {
            all.truncate(1);
        }
        all
    }

    /// Stream and topic by name, where that is known.
    pub fn named(&self, stream: &Identifier, topic: &Identifier) -> (Identifier, Identifier) {
        (
            preferred(self.streams(stream)),
            preferred(self.topics(stream, topic)),
        )
    }

    /// A group of that topic by name, where that is known. A single consumer's name is
    /// its own.
    pub fn reader(&self, stream: &Identifier, topic: &Identifier, reader: &Consumer) -> Consumer {
        if reader.kind == ConsumerKind::Consumer {
            return reader.clone();
        }
        let streams = self.streams(stream);
        let topics = self.topics(stream, topic);
        let places = streams
            .iter()
            .flat_map(|stream| topics.iter().map(|topic| (stream.clone(), topic.clone())));
        let mut others = places
            .filter_map(|place| self.groups.get(&place)?.other(&reader.id))
            .collect::<Vec<_>>();
        others.dedup();
        if others.len() > 1 {
            others.clear();
        }
        others.push(reader.id.clone());
        Consumer {
            kind: reader.kind,
            id: preferred(others),
        }
    }

    /// Pairs for which there was no room.
    pub const fn not_kept(&self) -> u64 {
        self.not_kept
    }

    fn stream_is(&mut self, name: &str, id: u32) {
        learn(
            &mut self.streams,
            (name, id),
            &mut self.known,
            &mut self.not_kept,
        );
    }

    fn topic_is(&mut self, stream: &Identifier, name: &str, id: u32) {
        let (known, not_kept) = (&mut self.known, &mut self.not_kept);
        if *known >= PARTITION_NAMES && !self.topics.contains_key(stream) {
            *not_kept += 1;
            return;
        }
        let pairs = self.topics.entry(stream.clone()).or_default();
        learn(pairs, (name, id), known, not_kept);
    }

    fn group_is(&mut self, (stream, topic): (&Identifier, &Identifier), name: &str, id: u32) {
        let place = (stream.clone(), topic.clone());
        let (known, not_kept) = (&mut self.known, &mut self.not_kept);
        if *known >= PARTITION_NAMES && !self.groups.contains_key(&place) {
            *not_kept += 1;
            return;
        }
        let pairs = self.groups.entry(place).or_default();
        learn(pairs, (name, id), known, not_kept);
    }
}

/// The stream whose topic a reply describes.
fn stream_of(request: &Request) -> Option<&Identifier> {
    match request {
        Request::GetTopic(r) => Some(&r.stream),
        Request::CreateTopic(r) => Some(&r.stream),
        Request::CreateTopicWithId(r) => Some(&r.topic.stream),
        Request::CreateTopicWithOptions(r) => Some(&r.stream),
        _ => None,
    }
}

fn learn(pairs: &mut Pairs, (name, id): (&str, u32), known: &mut usize, not_kept: &mut u64) {
    let is_new = !pairs.numbers.contains_key(name) || !pairs.names.contains_key(&id);
    if is_new && *known >= PARTITION_NAMES {
        *not_kept += 1;
        return;
    }
    *known += usize::from(is_new);
    let number = pairs.numbers.entry(name.to_owned()).or_insert(Some(id));
    if *number != Some(id) {
        *number = None;
    }
    let known = pairs
        .names
        .entry(id)
        .or_insert_with(|| Some(name.to_owned()));
    if known.as_deref() != Some(name) {
        *known = None;
    }
}

impl Pairs {
    /// What else it is called: where name and number are each other's alone.
    fn other(&self, given: &Identifier) -> Option<Identifier> {
        match given {
            Identifier::Numeric(id) => {
                let name = self.names.get(id)?.as_ref()?;
                let back = *self.numbers.get(name)?;
                (back == Some(*id)).then(|| Identifier::Named(name.clone()))
            }
            Identifier::Named(name) => {
                let id = (*self.numbers.get(name)?)?;
                let back = self.names.get(&id)?.as_ref();
                (back == Some(name)).then_some(Identifier::Numeric(id))
            }
        }
    }
}

fn preferred(mut all: Vec<Identifier>) -> Identifier {
    let named = all
        .iter()
        .position(|one| matches!(one, Identifier::Named(_)));
    all.swap_remove(named.unwrap_or(0))
}
