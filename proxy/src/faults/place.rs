//! Where the requests are into which a fault is injected.

use std::fmt::{self, Display, Formatter};

use parallax_codec::primitives::{Identifier, Partitioning, PollingKind};
use parallax_codec::{Request, code};

/// Where. The default: anywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// This stream, by the number or name that the client uses.
    pub stream: Option<String>,
    /// This topic, likewise.
    pub topic: Option<String>,
    /// This partition; a request that names none is not in it.
    pub partition: Option<u32>,
    /// Polls that begin there.
    pub strategy: Option<PollingKind>,
}

/// Commands that have a place which is looked at.
pub(super) const PLACED: [u32; 6] = [
    code::POLL_MESSAGES,
    code::POLL_MESSAGES_ON_PRIMARY,
    code::SEND_MESSAGES,
    code::GET_CONSUMER_OFFSET,
    code::STORE_CONSUMER_OFFSET,
    code::DELETE_CONSUMER_OFFSET,
];

impl Place {
    pub(super) fn is_anywhere(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a request is there.
    pub(super) fn has(&self, request: &Request) -> bool {
        let (stream, topic, partition, strategy) = match request {
            Request::PollMessages(poll) | Request::PollMessagesOnPrimary(poll) => {
                let strategy = Some(poll.strategy.kind);
                (&poll.stream, &poll.topic, poll.partition_id, strategy)
            }
            Request::SendMessages(send) => {
                let partition = match send.partitioning {
                    Partitioning::PartitionId(partition) => Some(partition),
                    Partitioning::Balanced | Partitioning::MessagesKey(_) => None,
                };
                (&send.stream, &send.topic, partition, None)
            }
            Request::GetConsumerOffset(get) => (&get.stream, &get.topic, get.partition_id, None),
            Request::StoreConsumerOffset(store) => {
                (&store.stream, &store.topic, store.partition_id, None)
            }
            Request::DeleteConsumerOffset(delete) => {
                (&delete.stream, &delete.topic, delete.partition_id, None)
            }
            _ => return self.is_anywhere(),
        };
        let is = |wanted: &Option<String>, found: &Identifier| {
            wanted
                .as_ref()
                .is_none_or(|wanted| found.to_string() == *wanted)
        };
        is(&self.stream, stream)
            && is(&self.topic, topic)
            && (self.partition.is_none() || self.partition == partition)
            && (self.strategy.is_none() || self.strategy == strategy)
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(stream) = &self.stream {
            write!(f, " stream={stream}")?;
        }
        if let Some(topic) = &self.topic {
            write!(f, " topic={topic}")?;
        }
        if let Some(partition) = self.partition {
            write!(f, " partition={partition}")?;
        }
        if let Some(strategy) = self.strategy {
            write!(f, " strategy={}", strategy.name())?;
        }
        Ok(())
    }
}
