//! What offsets are kept of.

use std::borrow::Cow;

use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};

use crate::bounded::KeyOf;

/// A topic, by its numbers where they are known, else as the client names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Topic {
    /// Its stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
}

impl std::fmt::Display for Topic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.stream, self.topic)
    }
}

/// A partition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Partition {
    /// Its topic.
    pub topic: Topic,
    /// Its number.
    pub id: u32,
}

/// A consumer's, or a group's, way through a partition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reader {
    /// The partition.
    pub partition: Partition,
    /// The consumer or group.
    pub consumer: Consumer,
}

impl Reader {
    /// Whether a part of it is known by name alone: the same may have a number that
    /// is learned later.
    pub fn is_by_name(&self) -> bool {
        let Topic { stream, topic } = &self.partition.topic;
        let is_named = |id: &Identifier| matches!(id, Identifier::Named(_));
        let is_group = self.consumer.kind == ConsumerKind::Group;
        is_named(stream) || is_named(topic) || is_group && is_named(&self.consumer.id)
    }

    /// Whether it is this group.
    pub(super) fn is_group(&self, group: &Identifier) -> bool {
        self.consumer.kind == ConsumerKind::Group && self.consumer.id == *group
    }
}

impl std::fmt::Display for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Partition { topic, id } = &self.partition;
        let kind = match self.consumer.kind {
            ConsumerKind::Consumer => "consumer",
            ConsumerKind::Group => "group",
        };
        write!(f, "{topic}/{id}, {kind} {}", self.consumer.id)
    }
}

/// What a [`Topic`] is made of, without a copy of what a request names.
#[derive(Debug, Hash)]
pub(super) struct NamedTopic<'a> {
    pub stream: Cow<'a, Identifier>,
    pub topic: Cow<'a, Identifier>,
}

/// Likewise a [`Reader`].
#[derive(Debug, Hash)]
pub(super) struct NamedReader<'a> {
    pub topic: NamedTopic<'a>,
    pub partition_id: u32,
    pub kind: ConsumerKind,
    pub consumer: Cow<'a, Identifier>,
}

impl KeyOf<Topic> for NamedTopic<'_> {
    fn is(&self, key: &Topic) -> bool {
        *self.topic == key.topic && *self.stream == key.stream
    }

    fn key(&self) -> Topic {
        Topic {
            stream: Identifier::clone(&self.stream),
            topic: Identifier::clone(&self.topic),
        }
    }
}

impl KeyOf<(Topic, String)> for (&NamedTopic<'_>, &String) {
    fn is(&self, key: &(Topic, String)) -> bool {
        *self.1 == key.1 && self.0.is(&key.0)
    }

    fn key(&self) -> (Topic, String) {
        (self.0.key(), self.1.clone())
    }
}

impl KeyOf<Reader> for NamedReader<'_> {
    fn is(&self, key: &Reader) -> bool {
        let Partition { topic, id } = &key.partition;
        (self.partition_id, self.kind) == (*id, key.consumer.kind)
            && *self.consumer == key.consumer.id
            && self.topic.is(topic)
    }

    fn key(&self) -> Reader {
        Reader {
            partition: Partition {
                topic: self.topic.key(),
                id: self.partition_id,
            },
            consumer: Consumer {
                kind: self.kind,
                id: Identifier::clone(&self.consumer),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher as _, RandomState};

    use super::*;

    #[test]
    fn a_key_and_what_it_is_made_of_have_one_hash() {
        let names = ["otel", "metrics", "reader"].map(|name| Identifier::Named(name.to_owned()));
        let [stream, topic, consumer] = names.each_ref().map(Cow::Borrowed);
        let named = NamedReader {
            topic: NamedTopic { stream, topic },
            partition_id: 7,
            kind: ConsumerKind::Group,
            consumer,
        };
        let (reader, hashing) = (named.key(), RandomState::new());
        assert!(named.is(&reader));
        assert_eq!(hashing.hash_one(&named), hashing.hash_one(&reader));

        let name = "sink".to_owned();
        let named = (&named.topic, &name);
        let group = named.key();
        assert!(named.is(&group));
        assert_eq!(hashing.hash_one(named), hashing.hash_one(&group));
    }
}
