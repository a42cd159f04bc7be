//! Which partition an exchange is about.

use parallax_codec::primitives::{ConsumerKind, Identifier, Partitioning, partition_meaning};
use parallax_codec::{Reply, Request};

use super::key::{Partition, of_encoded_segment, push_number, push_segment, push_topic_path};
use crate::exchange::{Content, Exchange};
use crate::verdict::MirrorOutcome;

/// Bytes of most keys, or a few more.
const KEY_BYTES: usize = 48;

/// What an exchange is about, as far as partitions go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concern<'a> {
    /// One partition: the request or the reply names it.
    One(&'a Identifier, &'a Identifier, u32),
    /// One partition of the topic, which neither names.
    Unknown(&'a Identifier, &'a Identifier),
    /// Every partition of the topic.
    Topic(&'a Identifier, &'a Identifier),
    /// Every partition of the stream.
    Stream(&'a Identifier),
}

impl<'a> Concern<'a> {
    /// `None` where it is about no partition. Of messages sent only where the partition
    /// is named: the reply does not name it.
    pub(crate) fn of(exchange: &'a Exchange) -> Option<Self> {
        let content = match &exchange.content {
            Content::Binary(content) => content,
            Content::Http(content) => {
                let poll = content.poll.as_ref()?;
                let answer = content.answer.as_ref().and_then(|one| one.as_ref().ok());
                let read = answer.filter(|one| !one.messages.is_empty());
                let id = poll.partition_id.or(read.map(|one| one.partition_id));
                return Some(Self::at(&poll.stream, &poll.topic, id));
            }
            Content::Unsolicited(_) => return None,
        };
        let reply = content.reply.as_ref();
        Some(match content.request.as_ref()? {
            Request::PollMessages(r) | Request::PollMessagesOnPrimary(r) => {
                let read = reply.and_then(partition_read);
                Self::at(&r.stream, &r.topic, r.partition_id.or(read))
            }
            Request::GetConsumerOffset(r) => {
                let told = match reply {
                    Some(Reply::ConsumerOffset(reply)) => Some(reply.partition_id),
                    _ => None,
                };
                Self::at(&r.stream, &r.topic, r.partition_id.or(told))
            }
            Request::StoreConsumerOffset(r) => Self::at(&r.stream, &r.topic, r.partition_id),
            Request::DeleteConsumerOffset(r) => Self::at(&r.stream, &r.topic, r.partition_id),
            Request::SendMessages(r) => match r.partitioning {
                Partitioning::PartitionId(id) => Self::One(&r.stream, &r.topic, id),
                Partitioning::Balanced | Partitioning::MessagesKey(_) => return None,
            },
            Request::DeleteSegments(r) => Self::One(&r.stream, &r.topic, r.partition_id),
            Request::PurgeTopic(r) | Request::DeleteTopic(r) => Self::Topic(&r.stream, &r.topic),
            Request::DeletePartitions(r) => Self::Topic(&r.stream, &r.topic),
            Request::DeleteConsumerGroup(r) => Self::Topic(&r.stream, &r.topic),
            Request::PurgeStream(r) | Request::DeleteStream(r) => Self::Stream(&r.stream),
            _ => return None,
        })
    }

    fn at(stream: &'a Identifier, topic: &'a Identifier, id: Option<u32>) -> Self {
        match id {
            Some(id) => Self::One(stream, topic, id),
            None => Self::Unknown(stream, topic),
        }
    }

    /// By this an index finds it: `otel/metrics/2`, with `?` for a partition that is
    /// not known, `*` for every one.
    pub(crate) fn key(&self) -> String {
        // Of every exchange: made in one piece.
        let mut key = String::with_capacity(KEY_BYTES);
        match self {
            Self::One(stream, topic, id) => {
                push_topic_path(&mut key, stream, topic);
                key.push('/');
                push_number(&mut key, *id);
            }
            Self::Unknown(stream, topic) => {
                push_topic_path(&mut key, stream, topic);
                key.push_str("/?");
            }
            Self::Topic(stream, topic) => {
                push_topic_path(&mut key, stream, topic);
                key.push_str("/*");
            }
            Self::Stream(stream) => {
                push_segment(&mut key, stream);
                key.push_str("/*");
            }
        }
        key
    }
}

/// The partition that a poll's reply names. One without a word of any partition has
/// zeros, and so has one that read nothing of partition 0 (case B4): of a poll that
/// names none nothing is known then. Nor is by the numbers that stand for none (case
/// B5).
fn partition_read(reply: &Reply) -> Option<u32> {
    let Reply::PolledMessages(reply) = reply else {
        return None;
    };
    let is_blank = (reply.partition_id, reply.current_offset, reply.count) == (0, 0, 0);
    let is_none = is_blank || partition_meaning(reply.partition_id).is_some();
    (!is_none).then_some(reply.partition_id)
}

/// What a [key](Concern::key) says, where it is one partition's or that of polls of
/// which the partition is not known (`None`).
pub(crate) fn read_key(key: &str) -> Option<(Identifier, Identifier, Option<u32>)> {
    let mut parts = key.split('/');
    let (stream, topic, id) = (parts.next()?, parts.next()?, parts.next()?);
    let id = match id {
        "?" => None,
        id => Some(id.parse().ok()?),
    };
    Some((of_encoded_segment(stream)?, of_encoded_segment(topic)?, id))
}

/// The partition that an exchange is about, where it names one.
pub fn partition_of(exchange: &Exchange) -> Option<Partition> {
    match Concern::of(exchange)? {
        Concern::One(stream, topic, id) => Some(Partition {
            stream: stream.clone(),
            topic: topic.clone(),
            id,
        }),
        Concern::Unknown(..) | Concern::Topic(..) | Concern::Stream(_) => None,
    }
}

/// The same; and of a failure that names none the one partition for which HTTP gave the
/// same error, where that is one alone.
pub fn partition_meant(exchange: &Exchange) -> Option<Partition> {
    match Concern::of(exchange)? {
        Concern::Unknown(stream, topic) => Some(Partition {
            stream: stream.clone(),
            topic: topic.clone(),
            id: id_named_by_http(exchange)?,
        }),
        _ => partition_of(exchange),
    }
}

/// Of a failure that names no partition the number of the one for which HTTP gave the
/// same error, where that is one alone.
pub(crate) fn id_named_by_http(exchange: &Exchange) -> Option<u32> {
    let error = exchange.error()?;
    if !matches!(Concern::of(exchange)?, Concern::Unknown(..)) {
        return None;
    }
    let answers = exchange.verdict.iter().flat_map(|verdict| &verdict.answers);
    let mut same = answers.filter(|answer| {
        matches!(&answer.outcome, MirrorOutcome::Refused(refusal) if refusal.code == Some(error))
    });
    let id = same.next()?.partition_id?;
    same.next().is_none().then_some(id)
}

/// `group` or `consumer`, as people say it.
pub const fn reader_word(kind: ConsumerKind) -> &'static str {
    match kind {
        ConsumerKind::Group => "group",
        ConsumerKind::Consumer => "consumer",
    }
}
