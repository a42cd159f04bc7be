//! What an exchange adds to the ledger, beside what was known before it.

use parallax_codec::ErrorCode;
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::Identifier;

use super::fact::{Fact, Span};
use super::log::{Log, Reused};
use super::place::{Partition, Reader, Topic};
use super::progress::Progress;

/// One thing that an exchange told.
#[derive(Debug, Clone)]
pub enum Learned<'a> {
    /// A poll was answered, and the partition is known.
    Poll(Box<Polled<'a>>),
    /// An offset was stored, or its store was refused.
    Store(Box<Stored>),
    /// The stored offset was asked for, and the answer read.
    Asked(Box<Asked>),
    /// The stored offset was deleted.
    OffsetDeleted(Reader),
    /// A poll committed, before what was read began anew or after it: what is stored is
    /// not known.
    NotKnown(Reader),
    /// What was known of these no longer holds: created, purged, deleted, or
    /// changed in a way that cannot be followed.
    Anew(Scope),
}

impl Learned<'_> {
    /// Whose way it is about, where it is about one.
    pub fn reader(&self) -> Option<&Reader> {
        match self {
            Self::Poll(polled) => Some(&polled.reader),
            Self::Store(stored) => Some(&stored.reader),
            Self::Asked(asked) => Some(&asked.reader),
            Self::OffsetDeleted(reader) | Self::NotKnown(reader) => Some(reader),
            Self::Anew(_) => None,
        }
    }
}

/// What no longer holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everything.
    All,
    /// All of a stream, by its number or name.
    Stream(Identifier),
    /// All of a topic.
    Topic(Topic),
    /// One partition's old messages.
    Partition(Partition),
    /// What one group has stored in a topic.
    Group(Topic, Identifier),
}

impl Scope {
    /// Whether it takes in what this reader has read.
    pub fn covers(&self, reader: &Reader) -> bool {
        match self {
            Self::Group(of, group) => reader.partition.topic == *of && reader.is_group(group),
            _ => self.covers_all_of(&reader.partition),
        }
    }

    /// Whether it takes in this group.
    pub fn covers_group(&self, group: &Self) -> bool {
        match (self, group) {
            (Self::All, _) => true,
            (Self::Stream(stream), Self::Group(topic, _)) => topic.stream == *stream,
            (Self::Topic(of), Self::Group(topic, _)) => topic == of,
            (scope, group) => scope == group,
        }
    }

    /// Whether it takes in this partition's log.
    pub(super) fn covers_all_of(&self, partition: &Partition) -> bool {
        match self {
            Self::All => true,
            Self::Stream(stream) => partition.topic.stream == *stream,
            Self::Topic(topic) => partition.topic == *topic,
            Self::Partition(of) => partition == of,
            Self::Group(..) => false,
        }
    }
}

/// A poll that was answered, with messages or without.
#[derive(Debug, Clone)]
pub struct Polled<'a> {
    /// Who read where.
    pub reader: Reader,
    /// When.
    pub span: Span,
    /// The question.
    pub poll: &'a PollMessages,
    /// The partition's last offset, by the reply.
    pub current_offset: u64,
    /// The first and last offset of the messages; `None` where there were none.
    pub offsets: Option<(u64, u64)>,
    /// The reader, before.
    pub before: Progress,
    /// The log, before.
    pub log_before: Log,
    /// When the log began anew, where that was seen: a purge or a creation.
    pub begun: Option<Fact<()>>,
    /// An offset that had another message before.
    pub reused: Option<Reused>,
    /// An offset that was served with the very message that was served before the
    /// log began anew, and in which exchange.
    pub unburied: Option<(u64, u64)>,
    /// A higher last offset that was surely told earlier, in the same log.
    pub went_back: Option<Fact<u64>>,
}

impl Polled<'_> {
    /// Whether it shows that the log is not the one that was known.
    pub fn is_of_another_log(&self) -> bool {
        self.reused.is_some() || self.unburied.is_some() || self.went_back.is_some()
    }
}

/// A store of an offset.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Who stored where.
    pub reader: Reader,
    /// When.
    pub span: Span,
    /// What.
    pub offset: u64,
    /// Why not, where it was refused.
    pub refused: Option<ErrorCode>,
    /// The reader, before.
    pub before: Progress,
}

/// A question for the stored offset.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Whose, and where.
    pub reader: Reader,
    /// When.
    pub span: Span,
    /// What the server holds; `None`: nothing.
    pub stored: Option<u64>,
    /// The partition's last offset, where the reply has one.
    pub current_offset: Option<u64>,
    /// The reader, before.
    pub before: Progress,
    /// The log, before.
    pub log_before: Log,
}
