//! PX308: a single consumer leaves the partition out and gets partition 0, while
//! it reads another (case B12).

use parallax_captures::catalog::OMITTED_PARTITION_IS_ZERO;
use parallax_captures::{ConnectionId, Finding};
use parallax_codec::Request;
use parallax_codec::primitives::{Consumer, ConsumerKind, PartitionLayout};

use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::Topic;
use crate::limits::{GROUPS_WATCHED, POLLS_OF_ONE_PARTITION};

/// Which partition each consumer reads, by connection: a number may be several
/// programs' at once.
#[derive(Debug)]
pub(super) struct Omissions(Bounded<(ConnectionId, Topic, Consumer), Reads>);

/// The partitions that were polled.
#[derive(Debug, Default)]
struct Reads {
    /// The first one, and how many polls it was.
    one: Option<(u32, u64)>,
    /// Whether there were others.
    others: bool,
}

impl Default for Omissions {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl Omissions {
    pub(super) fn finding(&mut self, act: &Act<'_>) -> Option<Finding> {
        let who = act.who?;
        // In the plain layout partitions are counted from 1, and 0 is none.
        if who.consumer.kind != ConsumerKind::Consumer || who.layout != PartitionLayout::Flagged {
            return None;
        }
        let key = (&act.exchange.conn, act.topic.as_deref()?, who.consumer);
        let (what, is_poll) = match act.request {
            Request::PollMessages(_) | Request::PollMessagesOnPrimary(_) => ("a poll", true),
            Request::StoreConsumerOffset(_) => ("a store of an offset", false),
            Request::DeleteConsumerOffset(_) => ("a deletion of the stored offset", false),
            _ => return None,
        };
        let reads = self.0.entry(&key);
        if let Some(id) = who.partition_id {
            if is_poll && act.is_done() {
                reads.polled(id);
            }
            return None;
        }
        let (one, polls) = reads.only()?;
        if is_poll {
            reads.others = true;
            let took_zero = act
                .poll_reply()
                .is_some_and(|reply| reply.partition_id == 0);
            if polls < POLLS_OF_ONE_PARTITION || !took_zero {
                return None;
            }
        }
        let outcome = match (act.exchange.error(), act.is_done()) {
            (Some(error), _) => format!("it was refused: {error}"),
            (None, true) => "it was done".to_owned(),
            (None, false) => "it was not answered".to_owned(),
        };
        let evidence = vec![
            format!(
                "{what} names no partition, which is partition 0 for a single consumer; all its \
                 {polls} polls before, on this connection, were of partition {one}"
            ),
            outcome,
        ];
        Some(act.finding(OMITTED_PARTITION_IS_ZERO, act.place_with(None), evidence))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}

impl Reads {
    fn polled(&mut self, id: u32) {
        let (one, polls) = self.one.get_or_insert((id, 0));
        if *one == id {
            *polls += 1;
        } else {
            self.others = true;
        }
    }

    /// The one partition that was read, which is not 0, and how many polls it was.
    fn only(&self) -> Option<(u32, u64)> {
        self.one.filter(|(id, _)| *id != 0 && !self.others)
    }
}
