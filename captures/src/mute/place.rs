use parallax_codec::Request;
use parallax_codec::primitives::{Consumer, Identifier, Partitioning};

use crate::exchange::{Content, Exchange};

/// What an exchange is about, as far as it names it.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) stream: Option<String>,
    pub(super) topic: Option<String>,
    pub(super) partition: Option<u32>,
    pub(super) consumer: Option<String>,
}

impl Place {
    /// The partition is the one that the request names, or else the reply.
    pub(super) fn of(exchange: &Exchange) -> Self {
        if let Some(poll) = exchange.poll() {
            let answered = || exchange.poll_answer().map(|answer| answer.partition_id);
            return Self {
                stream: Some(poll.stream.to_string()),
                topic: Some(poll.topic.to_string()),
                partition: poll.partition_id.or_else(answered),
                consumer: Some(poll.consumer.to_string()),
            };
        }
        let Content::Binary(content) = &exchange.content else {
            return Self::default();
        };
        match &content.request {
            Some(Request::StoreConsumerOffset(r)) => {
                Self::named(&r.stream, &r.topic, r.partition_id, Some(&r.consumer))
            }
            Some(Request::GetConsumerOffset(r)) => {
                Self::named(&r.stream, &r.topic, r.partition_id, Some(&r.consumer))
            }
            Some(Request::DeleteConsumerOffset(r)) => {
                Self::named(&r.stream, &r.topic, r.partition_id, Some(&r.consumer))
            }
            Some(Request::SendMessages(r)) => {
                let partition = match r.partitioning {
                    Partitioning::PartitionId(id) => Some(id),
                    Partitioning::Balanced | Partitioning::MessagesKey(_) => None,
                };
                Self::named(&r.stream, &r.topic, partition, None)
            }
            _ => Self::default(),
        }
    }

    fn named(
        stream: &Identifier,
        topic: &Identifier,
        partition: Option<u32>,
        consumer: Option<&Consumer>,
    ) -> Self {
        Self {
            stream: Some(stream.to_string()),
            topic: Some(topic.to_string()),
            partition,
            consumer: consumer.map(|consumer| consumer.id.to_string()),
        }
    }
}
