//! The exchanges that are sent, in the order of their numbers.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use parallax_captures::{Exchange, Journal};

use super::counters::{OtlpCounters, Reason, Signal};
use super::ids::{Id, Ids};

/// Where in the journal it reads. Only what is sent is looked at.
#[derive(Debug)]
pub(super) struct Sampled {
    ids: Ids,
    /// The last number that was read.
    read: u64,
}

impl Sampled {
    /// Those that are recorded from now on.
    pub(super) fn of(journal: &Journal, ids: Ids) -> Self {
        Self {
            ids,
            read: journal.totals().exchanges,
        }
    }

    /// What was recorded since and ended `settles` before `now`: verdict and findings are
    /// mostly in then.
    pub(super) fn take(
        &mut self,
        journal: &Journal,
        (now, settles): (Timestamp, Duration),
        counters: &OtlpCounters,
    ) -> Vec<(Arc<Exchange>, Id)> {
        let mut taken = Vec::new();
        let last = journal.totals().exchanges;
        while self.read < last {
            let n = self.read + 1;
            let id = self.ids.of(n);
            if id.is_sampled {
                match journal.in_memory(n) {
                    Some(exchange) if is_settled(&exchange, now, settles) => {
                        taken.push((exchange, id));
                    }
                    Some(_) => break,
                    None => counters.add_dropped(Signal::Traces, Reason::Missed, 1),
                }
            }
            self.read = n;
        }
        taken
    }
}

fn is_settled(exchange: &Exchange, now: Timestamp, settles: Duration) -> bool {
    let times = &exchange.times;
    let end = times.reply.map_or(times.request_last, |(_, last)| last);
    now.duration_since(end) >= settles.try_into().unwrap_or_default()
}
