//! Names and numbers of one thing are one key.

use std::borrow::Cow;

use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};

use super::place::{NamedTopic, Topic};
use crate::bounded::{Bounded, KeyOf as _};
use crate::limits::LEDGER_NAMES;

/// The numbers of named streams, topics and groups, learned from replies.
#[derive(Debug)]
pub(super) struct Names {
    streams: Bounded<String, Option<u32>>,
    topics: Bounded<(Identifier, String), Option<u32>>,
    groups: Bounded<(Topic, String), Option<u32>>,
}

impl Names {
    pub(super) fn new() -> Self {
        Self {
            streams: Bounded::new(LEDGER_NAMES),
            topics: Bounded::new(LEDGER_NAMES),
            groups: Bounded::new(LEDGER_NAMES),
        }
    }

    pub(super) fn stream(&self, given: &Identifier) -> Identifier {
        self.named_stream(given).into_owned()
    }

    pub(super) fn topic(&self, stream: &Identifier, topic: &Identifier) -> Topic {
        self.named_topic(stream, topic).key()
    }

    pub(super) fn group(&self, topic: &Topic, group: &Identifier) -> Identifier {
        let named = NamedTopic {
            stream: Cow::Borrowed(&topic.stream),
            topic: Cow::Borrowed(&topic.topic),
        };
        self.named_group(&named, group).into_owned()
    }

    pub(super) fn named_topic<'a>(
        &self,
        stream: &'a Identifier,
        topic: &'a Identifier,
    ) -> NamedTopic<'a> {
        let stream = self.named_stream(stream);
        let known = |name: &String| self.topics.get(&(&*stream, name)).copied().flatten();
        let topic = number(topic, known);
        NamedTopic { stream, topic }
    }

    /// Of a group; a single consumer's name is its own.
    pub(super) fn named_consumer<'a>(
        &self,
        topic: &NamedTopic<'_>,
        given: &'a Consumer,
    ) -> Cow<'a, Identifier> {
        match given.kind {
            ConsumerKind::Consumer => Cow::Borrowed(&given.id),
            ConsumerKind::Group => self.named_group(topic, &given.id),
        }
    }

    fn named_stream<'a>(&self, given: &'a Identifier) -> Cow<'a, Identifier> {
        number(given, |name| self.streams.get(name).copied().flatten())
    }

    fn named_group<'a>(
        &self,
        topic: &NamedTopic<'_>,
        group: &'a Identifier,
    ) -> Cow<'a, Identifier> {
        let known = |name: &String| self.groups.get(&(topic, name)).copied().flatten();
        number(group, known)
    }

    /// The stream of this name has this number. Whether that is new.
    pub(super) fn learn_stream(&mut self, name: &str, id: u32) -> bool {
        self.streams.entry(&name.to_owned()).replace(id) != Some(id)
    }

    /// Likewise a topic's, of a stream as [`Names::stream`] gives it.
    pub(super) fn learn_topic(&mut self, stream: &Identifier, name: &str, id: u32) -> bool {
        let key = (stream.clone(), name.to_owned());
        self.topics.entry(&key).replace(id) != Some(id)
    }

    /// Likewise a group's.
    pub(super) fn learn_group(&mut self, topic: &Topic, name: &str, id: u32) -> bool {
        let key = (topic.clone(), name.to_owned());
        self.groups.entry(&key).replace(id) != Some(id)
    }

    /// Keys that name the stream by `name` go by its number from now on.
    pub(super) fn renumber_stream(&mut self, name: &str, id: u32) {
        let named = Identifier::Named(name.to_owned());
        let number = Identifier::Numeric(id);
        self.topics
            .rename(|(stream, topic)| (*stream == named).then(|| (number.clone(), topic.clone())));
        self.groups.rename(|(topic, group)| {
            (topic.stream == named).then(|| {
                let topic = Topic {
                    stream: number.clone(),
                    topic: topic.topic.clone(),
                };
                (topic, group.clone())
            })
        });
    }

    /// Keys that name the topic go by its number from now on.
    pub(super) fn renumber_topic(&mut self, named: &Topic, number: &Topic) {
        self.groups
            .rename(|(topic, group)| (topic == named).then(|| (number.clone(), group.clone())));
    }

    /// The stream is no more, or has another name. Gives the names that it had.
    pub(super) fn forget_stream(&mut self, given: &Identifier) -> Vec<String> {
        let stream = self.stream(given);
        self.topics.retain(|(of, _), _| *of != stream);
        self.groups.retain(|(topic, _), _| topic.stream != stream);
        self.streams.take(|_, id| is_number(*id, &stream)).collect()
    }

    /// Likewise the topic.
    pub(super) fn forget_topic(&mut self, topic: &Topic) -> Vec<String> {
        self.groups.retain(|(of, _), _| of != topic);
        let gone = self
            .topics
            .take(|(stream, _), id| *stream == topic.stream && is_number(*id, &topic.topic));
        gone.map(|(_, name)| name).collect()
    }

    /// Likewise the group.
    pub(super) fn forget_group(&mut self, topic: &Topic, group: &Identifier) -> Vec<String> {
        let gone = self
            .groups
            .take(|(of, _), id| of == topic && is_number(*id, group));
        gone.map(|(_, name)| name).collect()
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.streams.forgotten() + self.topics.forgotten() + self.groups.forgotten()
    }
}

fn is_number(id: Option<u32>, number: &Identifier) -> bool {
    id.map(Identifier::Numeric).as_ref() == Some(number)
}

fn number(given: &Identifier, known: impl Fn(&String) -> Option<u32>) -> Cow<'_, Identifier> {
    let number = match given {
        Identifier::Numeric(_) => None,
        Identifier::Named(name) => known(name),
    };
    number.map_or(Cow::Borrowed(given), |number| {
        Cow::Owned(Identifier::Numeric(number))
    })
}
