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
    /// Whether there was no room for more.
    is_behind: bool,
}

impl Sampled {
    /// Those that are recorded from now on.
    pub(super) fn of(journal: &Journal, ids: Ids) -> Self {
        Self {
            ids,
            read: journal.totals().exchanges,
            is_behind: false,
        }
    }

    /// What was recorded since and ended `settles` before `now`, when verdict and findings are
    /// mostly in; at most as much as there is `room` for. The rest waits in the journal's
    /// memory.
    pub(super) fn take(
        &mut self,
        journal: &Journal,
        (now, settles): (Timestamp, Duration),
        room: usize,
        counters: &OtlpCounters,
    ) -> Vec<(Arc<Exchange>, Id)> {
        let mut taken = Vec::new();
        let last = journal.totals().exchanges;
        self.is_behind = false;
        while self.read < last {
            if taken.len() == room {
                self.is_behind = true;
                break;
            }
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

    /// Whether there was no room for more.
    pub(super) const fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Counts what was not read where the program ends.
    pub(super) fn end(&mut self, journal: &Journal, counters: &OtlpCounters) {
        let last = journal.totals().exchanges;
        let unread = (self.read + 1..=last).filter(|n| self.ids.of(*n).is_sampled);
        counters.add_dropped(Signal::Traces, Reason::Ended, unread.count() as u64);
        self.read = last;
    }
}

fn is_settled(exchange: &Exchange, now: Timestamp, settles: Duration) -> bool {
    let times = &exchange.times;
    let end = times.reply.map_or(times.request_last, |(_, last)| last);
    now.duration_since(end) >= settles.try_into().unwrap_or_default()
}
