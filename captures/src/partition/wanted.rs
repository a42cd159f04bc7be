//! The exchanges that are about one partition.

use parallax_codec::primitives::Identifier;

use super::concern::Concern;
use super::key::Partition;
use super::names::Names;
use crate::exchange::Exchange;
use crate::journal::{Column, Comparison, Condition, Wanted};

/// What a partition's life is told from: exchanges that name it, by any name that is
/// known of it; what was done to its topic or stream; and polls of its topic whose
/// partition is not known.
#[derive(Debug, Clone)]
pub struct OfPartition {
    streams: Vec<Identifier>,
    topics: Vec<Identifier>,
    id: u32,
}

impl OfPartition {
    /// Of this partition, as far as these names are known.
    pub fn new(partition: &Partition, names: &Names) -> Self {
        Self {
            streams: names.streams(&partition.stream),
            topics: names.topics(&partition.stream, &partition.topic),
            id: partition.id,
        }
    }

    /// Every way in which it may be named, the given one first.
    pub fn names(&self) -> impl Iterator<Item = Partition> + '_ {
        self.pairs().map(|(stream, topic)| Partition {
            stream: stream.clone(),
            topic: topic.clone(),
            id: self.id,
        })
    }

    fn pairs(&self) -> impl Iterator<Item = (&Identifier, &Identifier)> {
        let of_stream = |stream| self.topics.iter().map(move |topic| (stream, topic));
        self.streams.iter().flat_map(of_stream)
    }

    pub(super) fn is_about(&self, concern: Concern<'_>) -> bool {
        let topic = |stream: &Identifier, topic: &Identifier| {
            self.streams.contains(stream) && self.topics.contains(topic)
        };
        match concern {
            Concern::One(stream, of, id) => id == self.id && topic(stream, of),
            Concern::Unknown(stream, of) | Concern::Topic(stream, of) => topic(stream, of),
            Concern::Stream(stream) => self.streams.contains(stream),
        }
    }
}

impl Wanted for OfPartition {
    fn accepts(&self, exchange: &Exchange) -> bool {
        Concern::of(exchange).is_some_and(|concern| self.is_about(concern))
    }

    fn condition(&self) -> Condition {
        let of_topics = self.pairs().flat_map(|(stream, topic)| {
            [
                Concern::One(stream, topic, self.id),
                Concern::Unknown(stream, topic),
                Concern::Topic(stream, topic),
            ]
        });
        let of_streams = self.streams.iter().map(Concern::Stream);
        let keys = of_topics.chain(of_streams);
        let keys = keys.map(|concern| concern.key().as_str().into()).collect();
        Condition::Compare(Column::Partition, Comparison::Equal, keys)
    }
}
