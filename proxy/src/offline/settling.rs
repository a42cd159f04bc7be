//! Recorded exchanges wait until what can be learned of them is learned, get their
//! verdict, and are handed on in the order of their numbers.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::Exchange;

use super::ImportLimits;
use super::evidence::{Evidence, named};
use crate::analyst::Analyst;
use crate::comparison::captured::Captured;
use crate::comparison::{COMPARED, comparable_poll};
use crate::limits::CAPTURED_NEAR;

/// Where exchanges are handed to.
pub(super) type Sink<'a> = dyn FnMut(Arc<Exchange>) -> ControlFlow<()> + 'a;

/// Exchanges that are recorded and not handed on.
#[derive(Debug, Default)]
pub(super) struct Settling {
    waiting: VecDeque<Waiting>,
    captured: Captured,
    evidence: Evidence,
    bytes: usize,
    most_bytes: usize,
    judged_early: u64,
    handed_on: u64,
}

#[derive(Debug)]
struct Waiting {
    n: u64,
    time: Timestamp,
    bytes: usize,
    /// When it was recorded, by the clock of whoever reads.
    since: Duration,
}

impl Settling {
    /// Waits with an exchange that has its number.
    pub(super) fn push(&mut self, exchange: &Exchange, bytes: usize, clock: Duration) {
        self.captured.see(exchange);
        self.waiting.push_back(Waiting {
            n: exchange.n,
            time: exchange.times.request_first,
            bytes,
            since: clock,
        });
        self.bytes += bytes;
        self.most_bytes = self.most_bytes.max(self.bytes);
    }

    /// Hands on what has no room any more beside another of so many bytes.
    pub(super) fn make_room(
        &mut self,
        bytes: usize,
        limits: &ImportLimits,
        analyst: &Analyst,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        while self.waiting.len() >= limits.settling_exchanges
            || self.bytes.saturating_add(bytes) > limits.settling_bytes && !self.waiting.is_empty()
        {
            self.hand_on_first(true, analyst, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Hands on what has settled, where everything before `now` was recorded, and what
    /// was recorded before `patience`.
    pub(super) fn settle(
        &mut self,
        now: Timestamp,
        patience: Option<Duration>,
        analyst: &Analyst,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let near = SignedDuration::try_from(CAPTURED_NEAR).unwrap_or(SignedDuration::MAX);
        while let Some(first) = self.waiting.front() {
            let is_settled = now.duration_since(first.time) > near;
            if !is_settled && patience.is_none_or(|patience| first.since > patience) {
                break;
            }
            self.hand_on_first(!is_settled, analyst, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Hands on all, for nothing more will come.
    pub(super) fn finish(&mut self, analyst: &Analyst, sink: &mut Sink<'_>) -> ControlFlow<()> {
        while !self.waiting.is_empty() {
            self.hand_on_first(false, analyst, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// The exchanges that findings name, as far as there was room.
    pub(super) fn take_named(&mut self, analyst: &Analyst) -> Vec<Arc<Exchange>> {
        let journal = analyst.journal();
        std::mem::take(&mut self.evidence).finish(&named(journal), |n| journal.exchange(n))
    }

    /// Bytes of the exchanges that wait, at most so far.
    pub(super) const fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    /// Exchanges that were handed on.
    pub(super) const fn handed_on(&self) -> u64 {
        self.handed_on
    }

    /// Polls that were judged before all HTTP polls near them were known.
    pub(super) const fn judged_early(&self) -> u64 {
        self.judged_early
    }

    /// HTTP polls and changes that were forgotten while they could have said something.
    pub(super) const fn forgotten(&self) -> u64 {
        self.captured.forgotten()
    }

    fn hand_on_first(
        &mut self,
        early: bool,
        analyst: &Analyst,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let Some(first) = self.waiting.pop_front() else {
            return ControlFlow::Continue(());
        };
        self.bytes -= first.bytes;
        let Some(exchange) = analyst.journal().exchange(first.n) else {
            return ControlFlow::Continue(());
        };
        if early && !self.captured.is_empty() && comparable_poll(&exchange, &COMPARED).is_some() {
            self.judged_early += 1;
        }
        let exchange = match self.captured.verdict(&exchange) {
            Some(verdict) => {
                analyst.verdict(&exchange, verdict);
                // A verdict may be so large that the journal has no room for it.
                analyst.journal().exchange(first.n).unwrap_or(exchange)
            }
            None => exchange,
        };
        self.captured.settled_before(first.time);
        self.handed_on += 1;
        self.evidence.see(&exchange, || named(analyst.journal()));
        sink(exchange)
    }
}
