//! What offsets are kept of.

use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};

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
