//! The side of a journal that a recorder sees: what is to be recorded, what was, and
//! how a journal begins over a recording.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::pending::{Pending, is_settled};
use super::{Archive, Counts, Facts, FindingKey, Journal, State, Taken, Totals, Turns};
use crate::activity::{Activity, Moment};
use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::latency::Latencies;
use crate::limits::{
    FINDING_EXCHANGES, RECORD_BATCH_BYTES, RECORD_SETTLING_PART, RECORD_TURNS_WAITING,
};
use crate::mirror_status::MirrorStatus;

/// What a recording holds, beside the exchanges themselves.
#[derive(Debug, Clone, Default)]
pub struct Restored {
    /// The number of the oldest exchange.
    pub first: u64,
    /// Of the exchanges in it.
    pub counts: Counts,
    /// The figures. The next exchange has the number after `totals.exchanges`.
    pub totals: Totals,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The connections, in the order of their numbers.
    pub connections: Vec<Connection>,
    /// The latencies.
    pub latencies: Latencies,
    /// What passed, over time.
    pub activity: Activity,
    /// How the mirrors did.
    pub mirrors: Vec<MirrorStatus>,
}

impl Journal {
    /// A journal that goes on where a recording ends, and whose older exchanges are
    /// read from there.
    pub fn over(archive: Arc<dyn Archive>, restored: Restored) -> Self {
        let journal = Self {
            archive: Some(archive),
            ..Self::new()
        };
        journal.restore(restored);
        journal.learn_recorded_names();
        journal
    }

    /// The same, with other limits than the default ones.
    #[must_use]
    pub fn keeping(mut self, exchanges: usize, bytes: usize) -> Self {
        (self.exchanges_kept, self.bytes_kept) = (exchanges, bytes);
        self
    }

    fn restore(&self, restored: Restored) {
        let mut state = self.lock();
        let last = restored.totals.exchanges;
        state.pending = Some(Pending {
            stored: last,
            taken: last,
            ..Pending::default()
        });
        state.archive_first = restored.first;
        state.totals = restored.totals;
        state.totals.exchanges_dropped = last.saturating_sub(restored.counts.exchanges);
        state.archived = restored.counts;
        state.latencies = restored.latencies;
        state.activity = restored.activity;
        state.mirrors = restored.mirrors;
        for finding in restored.findings {
            state.put_finding(finding);
        }
        let mut closed = BTreeMap::new();
        for connection in restored.connections {
            if let Some((at, _)) = &connection.closed {
                closed.insert((*at, connection.id), connection.id);
            }
            state.connections.insert(connection.id, connection);
        }
        state.closed = closed.into_values().collect();
    }

    /// Takes what is to be recorded: exchanges in the order of their numbers, those
    /// that ended `settles` before `now`, at most `most`; and what changed of others. Who
    /// asks works in `turns`, unless too much waits. To be answered by [`stored`](Self::stored) or
    /// [`put_back`](Self::put_back).
    pub(crate) fn take(
        &self,
        now: Timestamp,
        settles: Duration,
        most: usize,
        turns: Turns,
    ) -> Taken {
        let mut state = self.lock();
        let Some(mut pending) = state.pending.take() else {
            return Taken::default();
        };
        let mut taken = Taken {
            turns,
            totals: state.totals.clone(),
            mirrors: state.mirrors.clone(),
            given_up: std::mem::take(&mut pending.latencies),
            late: pending.late.drain(..).collect(),
            findings_gone: std::mem::take(&mut pending.findings_gone)
                .into_iter()
                .collect(),
            connections_gone: std::mem::take(&mut pending.connections_gone)
                .into_iter()
                .collect(),
            ..Taken::default()
        };
        taken.latencies.add_all(&taken.given_up);
        Self::take_changed(&state, &mut pending, &mut taken);
        let whole = self.take_exchanges(&state, &mut pending, &mut taken, (now, settles, most));
        let keys = std::mem::take(&mut pending.findings);
        let findings = keys.iter().filter_map(|key| state.found.get(key));
        taken.findings = findings
            .map(|index| state.findings[*index].clone())
            .collect();
        let ids = std::mem::take(&mut pending.connections);
        let connections = ids.iter().filter_map(|id| state.connections.get(id));
        taken.connections = connections.cloned().collect();
        for (_, late) in &taken.late {
            if let (super::Late::Verdict(verdict), Some(latest)) = (late, state.latencies.latest())
            {
                taken.latencies.record_late_answers(latest, verdict);
            }
        }
        state.pending = Some(pending);
        // Whoever records the next exchange need not wait for this.
        drop(state);
        taken.measure(&whole);
        taken
    }

    fn take_changed(state: &State, pending: &mut Pending, taken: &mut Taken) {
        for (n, verdict_is_new) in std::mem::take(&mut pending.changed) {
            let departed = pending.departed.remove(&n);
            let Some(exchange) = departed.or_else(|| state.get(n).cloned()) else {
                continue;
            };
            if let Some(verdict) = exchange.verdict.as_ref().filter(|_| verdict_is_new) {
                taken.latencies.record_answers(&exchange, verdict);
                let time = exchange.times.request_first;
                taken.activity.add(time, Moment::verdict(verdict));
                taken.new_verdicts.insert(n);
            }
            taken.amended.push(exchange);
        }
    }

    /// Gives how long each one's client waited for what it wanted, as the journal has it.
    fn take_exchanges(
        &self,
        state: &State,
        pending: &mut Pending,
        taken: &mut Taken,
        (now, settles, most): (Timestamp, Duration, usize),
    ) -> Vec<Option<(Duration, bool)>> {
        let mut whole = Vec::new();
        let begin = state
            .exchanges
            .partition_point(|kept| kept.exchange.n <= pending.stored);
        let waiting = state.exchanges.range(begin..);
        if waiting.len() > RECORD_TURNS_WAITING {
            taken.turns = Turns::default();
        }
        // Memory may be about to drop what waits longer.
        let pressed = waiting.len() > self.exchanges_kept / RECORD_SETTLING_PART
            || waiting.map(|kept| kept.bytes).sum::<usize>()
                > self.bytes_kept / RECORD_SETTLING_PART;
        let mut bytes = 0;
        for kept in state.exchanges.range(begin..) {
            if !pressed && !is_settled(&kept.exchange, now, settles) {
                break;
            }
            if taken.exchanges.len() == most || bytes >= RECORD_BATCH_BYTES {
                taken.is_more = true;
                break;
            }
            whole.push(kept.whole);
            taken.exchanges.push(Arc::clone(&kept.exchange));
            bytes += kept.bytes;
        }
        if let (Some(first), Some(last)) = (taken.exchanges.first(), taken.exchanges.last()) {
            taken.missed = first.n - pending.stored - 1;
            pending.taken = last.n;
        }
        whole
    }

    /// What was taken is recorded now.
    pub fn stored(&self, taken: &Taken) {
        let mut state = self.lock();
        let Some(mut pending) = state.pending.take() else {
            return;
        };
        if let Some(last) = taken.exchanges.last() {
            pending.stored = last.n;
        }
        pending.taken = pending.stored;
        for exchange in std::mem::take(&mut pending.limbo) {
            state.archive(&exchange);
        }
        state.pending = Some(pending);
    }

    /// What was taken could not be recorded: it is to be taken again.
    pub fn put_back(&self, taken: Taken) {
        let mut state = self.lock();
        let Some(mut pending) = state.pending.take() else {
            return;
        };
        pending.taken = pending.stored;
        state.totals.exchanges_dropped += pending.limbo.len() as u64;
        pending.limbo.clear();
        for exchange in taken.amended {
            let n = exchange.n;
            *pending.changed.entry(n).or_default() |= taken.new_verdicts.contains(&n);
            if state.get(n).is_none() {
                pending.departed.entry(n).or_insert(exchange);
            }
        }
        for late in taken.late.into_iter().rev() {
            pending.late.push_front(late);
        }
        let gone = taken.findings_gone.into_iter();
        pending
            .findings_gone
            .extend(gone.filter(|key| !state.found.contains_key(key)));
        let key = |finding: Finding| -> FindingKey {
            (finding.code, finding.place, finding.muted.is_some())
        };
        pending.findings.extend(taken.findings.into_iter().map(key));
        pending.connections_gone.extend(taken.connections_gone);
        let ids = taken
            .connections
            .into_iter()
            .map(|connection| connection.id);
        pending.connections.extend(ids);
        pending.latencies.add_all(&taken.given_up);
        state.pending = Some(pending);
    }

    /// Of so many changes there was no room to remember them until they could be
    /// recorded.
    pub fn changes_not_kept(&self) -> u64 {
        let state = self.lock();
        state.pending.as_ref().map_or(0, |pending| pending.dropped)
    }

    /// The number of the oldest exchange in memory, or of the next one.
    pub fn first_in_memory(&self) -> u64 {
        self.lock().first_kept()
    }

    /// The exchange with this number, while memory holds it: never waits for a disk.
    pub fn in_memory(&self, n: u64) -> Option<Arc<Exchange>> {
        self.lock().get(n).cloned()
    }

    /// The archive has no exchange before the number `first` any more. `counts` are
    /// those of what it had and memory, which began at `first_in_memory`, has not.
    /// False where memory has dropped some of these since: count again.
    pub fn archive_dropped(&self, first: u64, counts: &Counts, first_in_memory: u64) -> bool {
        let mut state = self.lock();
        if first_in_memory < first && state.first_kept() != first_in_memory {
            return false;
        }
        state.archived.remove_all(counts);
        state.totals.exchanges_dropped += counts.exchanges;
        state.archive_first = state.archive_first.max(first);
        true
    }

    /// An exchange that only the archive has is another now.
    pub fn archive_changed(&self, before: &Exchange, after: &Exchange) {
        let mut state = self.lock();
        state.activity.add_late_verdict(before, after);
        if before.n < state.first_kept() {
            let counted = state.archived.on_connection(before.conn);
            state.archived.remove(&Facts::of(before));
            state.archived.add(&Facts::of(after));
            if counted == 0 {
                state.archived.forget(before.conn);
            }
        }
    }

    /// Takes an exchange as it was recorded, under its own number. One with a smaller
    /// number than the latest has changed since.
    pub fn restore_exchange(&self, exchange: Exchange) {
        let mut state = self.lock();
        let n = exchange.n;
        if n > state.totals.exchanges {
            state.totals.exchanges_dropped += n - state.totals.exchanges - 1;
            self.record_as(n, exchange.into(), &mut state);
            return;
        }
        let had_verdict = state.get(n).is_some_and(|known| known.verdict.is_some());
        if let Some(verdict) = exchange.verdict.as_ref().filter(|_| !had_verdict) {
            state.count_verdict(verdict, Some(&exchange));
            state.latencies.record_answers(&exchange, verdict);
        }
        if let Some(pending) = &mut state.pending {
            pending.changed(n, !had_verdict);
        }
        if state.get(n).is_some() {
            state.change(n, |known| *known = exchange);
        } else if let Some(pending) = &mut state.pending {
            pending.departed.insert(n, Arc::new(exchange));
        }
    }

    /// Takes a finding as it was recorded.
    pub fn restore_finding(&self, finding: Finding) {
        let key = (finding.code, finding.place.clone(), finding.muted.is_some());
        let mut state = self.lock();
        state.put_finding(finding);
        if let Some(pending) = &mut state.pending {
            pending.finding(&key);
        }
    }

    /// Takes a connection as it was recorded; its exchanges are counted here.
    pub fn restore_connection(&self, connection: Connection) {
        let id = connection.id;
        if self.connection(id).is_none() {
            let mut opened = connection.clone();
            opened.closed = None;
            self.open_connection(opened);
        }
        self.update_connection(id, |known| {
            let exchanges = known.exchanges;
            *known = Connection {
                exchanges,
                ..connection
            };
        });
    }

    /// Takes the figures as they were recorded.
    pub fn restore_totals(&self, totals: Totals) {
        let mut state = self.lock();
        state.totals = Totals {
            exchanges: totals.exchanges.max(state.totals.exchanges),
            exchanges_dropped: state.totals.exchanges_dropped,
            ..totals
        };
    }

    /// Takes how the mirrors were doing.
    pub fn restore_mirrors(&self, mirrors: Vec<MirrorStatus>) {
        self.lock().mirrors = mirrors;
    }
}

impl Taken {
    /// Adds the exchanges to the latencies and to what passed over time.
    fn measure(&mut self, whole: &[Option<(Duration, bool)>]) {
        for (done, (exchange, whole)) in (1..).zip(self.exchanges.iter().zip(whole)) {
            self.turns.done(done);
            if let Some((latency, retried)) = *whole {
                self.latencies.record_exchange(exchange, latency, retried);
            }
            let time = exchange.times.request_first;
            self.activity.add(time, Moment::of(exchange));
            if let Some(verdict) = &exchange.verdict {
                self.latencies.record_answers(exchange, verdict);
                self.activity.add(time, Moment::verdict(verdict));
            }
        }
    }
}

impl State {
    /// Memory does not hold this any more.
    pub(super) fn leave(&mut self, exchange: Arc<Exchange>) {
        let Some(pending) = &mut self.pending else {
            self.totals.exchanges_dropped += 1;
            return;
        };
        pending.depart(&exchange);
        if exchange.n <= pending.stored {
            self.archive(&exchange);
        } else if exchange.n <= pending.taken {
            pending.limbo.push(exchange);
        } else {
            self.totals.exchanges_dropped += 1;
        }
    }

    /// Only the archive has it from now on.
    fn archive(&mut self, exchange: &Exchange) {
        if exchange.n < self.archive_first {
            self.totals.exchanges_dropped += 1;
            return;
        }
        self.archived.add(&Facts::of(exchange));
        if !self.connections.contains_key(&exchange.conn) {
            self.archived.forget(exchange.conn);
        }
    }

    /// A finding in the place of what was known of it.
    fn put_finding(&mut self, mut finding: Finding) {
        finding.exchanges.truncate(FINDING_EXCHANGES);
        let key = (finding.code, finding.place.clone(), finding.muted.is_some());
        if let Some(index) = self.found.get(&key) {
            self.findings[*index] = finding;
        } else if self.findings.len() < crate::limits::JOURNAL_FINDINGS {
            self.found.insert(key, self.findings.len());
            self.findings.push(finding);
        }
    }
}
