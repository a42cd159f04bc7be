//! Whether a partition was read from its begin and had nothing.

use parallax_codec::primitives::PollingKind;
use parallax_codec::{Reply, Request};

use super::key::Partition;
use super::wanted::OfPartition;
use crate::exchange::{Content, Exchange};
use crate::journal::{Column, Comparison, Condition, Journal, Wanted};
use crate::limits::PARTITION_READS;

/// The latest poll before the exchange `before` that read the partition from its begin
/// and found no message. `None` where there is none, and where something that passed
/// about it otherwise says that it had messages, or may have had: of the
/// [`PARTITION_READS`] latest.
pub fn read_as_empty(journal: &Journal, partition: &Partition, before: u64) -> Option<u64> {
    let reads = Reads(OfPartition::new(partition, &journal.names()));
    let latest = journal.latest(Some(before), PARTITION_READS, &reads);
    let mut found = None;
    for exchange in latest {
        match seen(&exchange) {
            Seen::Nothing => {}
            Seen::Empty => found = found.or(Some(exchange.n)),
            Seen::MayHaveHeld => return None,
        }
    }
    found
}

/// What an exchange says of whether there are messages.
enum Seen {
    Nothing,
    Empty,
    MayHaveHeld,
}

fn seen(exchange: &Exchange) -> Seen {
    let content = match &exchange.content {
        Content::Binary(content) => content,
        Content::Http(content) => {
            let answer = content.answer.as_ref().and_then(|one| one.as_ref().ok());
            return match answer {
                Some(answer) if !answer.messages.is_empty() => Seen::MayHaveHeld,
                _ => Seen::Nothing,
            };
        }
        Content::Unsolicited(_) => return Seen::Nothing,
    };
    let poll = match &content.request {
        Some(Request::PollMessages(poll) | Request::PollMessagesOnPrimary(poll)) => poll,
        Some(Request::GetConsumerOffset(_) | Request::DeleteConsumerOffset(_)) | None => {
            return Seen::Nothing;
        }
        // Messages sent, a purge, a deletion.
        Some(_) => return Seen::MayHaveHeld,
    };
    let Some(Reply::PolledMessages(reply)) = &content.reply else {
        return Seen::Nothing;
    };
    let strategy = poll.strategy;
    let is_from_begin = strategy.kind == PollingKind::First
        || (strategy.kind == PollingKind::Offset && strategy.value == 0);
    match (reply.messages.is_empty(), reply.current_offset) {
        (true, 0) if is_from_begin && poll.partition_id.is_some() => Seen::Empty,
        (true, 0) => Seen::Nothing,
        _ => Seen::MayHaveHeld,
    }
}

/// What is about a partition, without stored offsets.
struct Reads(OfPartition);

const STORE: &str = "store_consumer_offset";

impl Wanted for Reads {
    fn accepts(&self, exchange: &Exchange) -> bool {
        exchange.command() != STORE && self.0.accepts(exchange)
    }

    fn condition(&self) -> Condition {
        let other = Condition::Compare(Column::Command, Comparison::NotEqual, vec![STORE.into()]);
        Condition::All(vec![self.0.condition(), other])
    }
}
