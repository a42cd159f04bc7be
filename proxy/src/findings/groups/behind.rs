//! PX311: a client takes the first message of each batch alone (cases D1 and D2).

use parallax_captures::catalog::CLIENT_BEHIND_WIRE;
use parallax_captures::{ConnectionId, Finding};
use parallax_codec::primitives::PollingKind;

use super::act::Act;
use super::streak::Streak;
use crate::bounded::Bounded;
use crate::ledger::{Polled, Reader, Scope};
use crate::limits::{BATCHES_CUT_SHORT, GROUPS_WATCHED};

/// What each reader was given last, by connection.
#[derive(Debug)]
pub(super) struct Batches(Bounded<(ConnectionId, Reader), Reading>);

#[derive(Debug, Default)]
struct Reading {
    batch: Option<Batch>,
    /// The highest offset that was committed since.
    committed: Option<u64>,
    cut_short: Streak,
}

/// Messages that were delivered.
#[derive(Debug)]
struct Batch {
    n: u64,
    first: u64,
    last: u64,
    /// Whether the first and the second one have user headers.
    headers: (bool, bool),
}

impl Default for Batches {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl Batches {
    pub(super) fn begins_anew(&mut self, scope: &Scope) {
        self.0.retain(|(_, reader), _| !scope.covers(reader));
    }

    pub(super) fn finding(&mut self, act: &Act<'_>) -> Option<Finding> {
        let conn = &act.exchange.conn;
        if let Some(stored) = act.stored().filter(|_| act.is_done()) {
            let reading = self.0.entry(&(conn, &stored.reader));
            reading.committed = reading.committed.max(Some(stored.offset));
            return None;
        }
        let polled = act.polled()?;
        let reading = self.0.entry(&(conn, &polled.reader));
        let finding = reading.goes_on(act, polled);
        reading.batch = Batch::of(act, polled);
        reading.committed = None;
        finding
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}

impl Reading {
    fn goes_on(&mut self, act: &Act<'_>, polled: &Polled) -> Option<Finding> {
        let Some(batch) = self.batch.as_ref().filter(|batch| self.cuts(batch, polled)) else {
            self.cut_short.clear();
            return None;
        };
        self.cut_short.add(act, BATCHES_CUT_SHORT);
        let Batch { n, first, last, .. } = *batch;
        let on = |has: bool| if has { "has" } else { "has no" };
        let evidence = vec![
            format!(
                "exchange {n} delivered {} messages, offsets {first} to {last}, whole and \
                 readable; the client went on at {}, as if there had been one: {} batches in a row",
                last - first + 1,
                first + 1,
                self.cut_short.count()
            ),
            format!(
                "the first message {} user headers, the second one {} user headers",
                on(batch.headers.0),
                on(batch.headers.1)
            ),
        ];
        let place = format!("{}, connection {}", act.place(), act.exchange.conn);
        self.cut_short
            .finding(act, BATCHES_CUT_SHORT, CLIENT_BEHIND_WIRE, place, evidence)
    }

    /// Whether the client goes on after the first message of the batch.
    fn cuts(&self, batch: &Batch, polled: &Polled) -> bool {
        let second = batch.first.saturating_add(1);
        let committed_more = self.committed.is_some_and(|offset| offset != batch.first);
        if committed_more {
            return false;
        }
        match polled.poll.strategy.kind {
            PollingKind::Offset => polled.poll.strategy.value == second,
            PollingKind::Next => {
                let from = polled.offsets.map(|(first, _)| first);
                self.committed == Some(batch.first) && from == Some(second)
            }
            PollingKind::First | PollingKind::Last | PollingKind::Timestamp => false,
        }
    }
}

impl Batch {
    /// What a poll delivered that a client may have to commit itself: two messages
    /// or more.
    fn of(act: &Act<'_>, polled: &Polled) -> Option<Self> {
        let (first, last) = polled.offsets.filter(|(first, last)| first < last)?;
        if polled.poll.auto_commit {
            return None;
        }
        let messages = &act.poll_reply()?.messages;
        let headers = |at: usize| {
            messages
                .get(at)
                .is_some_and(|message| !message.user_headers.is_empty())
        };
        Some(Self {
            n: act.exchange.n,
            first,
            last,
            headers: (headers(0), headers(1)),
        })
    }
}
