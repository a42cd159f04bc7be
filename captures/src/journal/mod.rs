//! What parallax has seen: the one place that the page, the files and the
//! program read from.

mod annotations;
mod archive;
mod at_time;
mod counts;
mod gaps;
mod partitions;
mod pending;
mod ranking;
mod recorded;
mod turns;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast;

use crate::activity::{Activity, Moment};
use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::finding::{Finding, FindingCode};
use crate::kept::exchange_bytes;
use crate::latency::{Dimension, Latencies, LatencyTimeline, Sample};
use crate::limits::{
    FINDING_EXCHANGES, JOURNAL_BYTES, JOURNAL_CHANGES, JOURNAL_CLOSED_CONNECTIONS,
    JOURNAL_EXCHANGES, JOURNAL_FINDINGS, JOURNAL_SLICE,
};
use crate::mirror_status::MirrorStatus;
use crate::partition::Names;
use crate::recording::RecordingStatus;
use crate::retries::{Attempt, Retries};
use crate::route::RouteName;
use crate::tallies::{Passed, Tallies};
use crate::verdict::{Verdict, VerdictKind};

use self::annotations::Annotations;
pub use self::annotations::NotAnnotated;
pub use self::archive::{
    Archive, Column, Comparison, Condition, Listing, OnConnection, Scalar, Wanted,
};
pub use self::counts::Counts;
pub(crate) use self::counts::Facts;
pub(crate) use self::partitions::{About, is_named_wrong, messages_of};
pub use self::partitions::{PartitionFigures, PartitionPlace, Partitions};
use self::pending::{FindingKey, Pending};
pub use self::pending::{Late, Taken};
pub use self::ranking::{Measure, Rank, Ranking};
pub use self::recorded::Restored;
pub(crate) use self::turns::Turns;

/// Records exchanges, verdicts, findings and connections, in bounded memory.
///
/// Writers call from one place each; readers may be many. Nothing blocks for
/// longer than it takes to copy what was asked for.
#[derive(Debug)]
pub struct Journal {
    state: Mutex<State>,
    changes: broadcast::Sender<Change>,
    exchanges_kept: usize,
    bytes_kept: usize,
    /// Where what memory drops can be read again, where it is recorded.
    archive: Option<Arc<dyn Archive>>,
}

/// Something in the journal that is new or different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The exchange with this number was recorded, or has a verdict or finding
    /// now.
    Exchange(u64),
    /// A connection opened, closed, or is better known.
    Connection(ConnectionId),
    /// A finding is new or was seen again.
    Finding(FindingCode),
}

/// Figures of all that was seen, kept or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Exchanges recorded.
    pub exchanges: u64,
    /// Of those, how many are kept no longer: not in memory, nor in a recording.
    pub exchanges_dropped: u64,
    /// Exchanges with an error status.
    pub errors: u64,
    /// Verdicts, by kind.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Of the verdicts, those of `not_comparable` on polls that were answered
    /// with no message: there was nothing to compare.
    pub nothing_to_compare: u64,
    /// Findings that were new when there was no room for another.
    pub findings_dropped: u64,
    /// Observations that the tap had to drop, so that the client need not wait.
    pub observations_dropped: u64,
    /// Times that a client was slowed down, so that nothing had to be dropped
    /// (`--on-overload slow-clients`). Not recorded, like the next.
    pub clients_slowed: u64,
    /// How long they were slowed down in all.
    pub clients_slowed_for: Duration,
    /// Polls that were not mirrored, because the mirror was busy.
    pub polls_not_mirrored: u64,
}

#[derive(Debug, Default)]
struct State {
    exchanges: VecDeque<Kept>,
    bytes: usize,
    connections: BTreeMap<ConnectionId, Connection>,
    /// The closed ones among them, in the order in which they closed.
    closed: VecDeque<ConnectionId>,
    findings: Vec<Finding>,
    /// Where in `findings` each one is.
    found: HashMap<FindingKey, usize>,
    /// Of the exchanges in memory.
    counts: Counts,
    /// Of the exchanges that only the archive has.
    archived: Counts,
    /// The oldest exchange in the archive has at least this number.
    archive_first: u64,
    /// What is to be recorded, where somebody records.
    pending: Option<Pending>,
    /// Which names and numbers are one thing.
    names: Arc<Names>,
    latencies: Latencies,
    activity: Activity,
    retries: Retries,
    totals: Totals,
    tallies: Tallies,
    mirrors: Vec<MirrorStatus>,
    recording: Option<RecordingStatus>,
    annotations: Annotations,
}

/// An exchange, and what it counts in `State::bytes`.
#[derive(Debug)]
struct Kept {
    exchange: Arc<Exchange>,
    bytes: usize,
    /// How long its client waited for what it wanted, and whether it had asked before.
    whole: Option<(Duration, bool)>,
}

impl Default for Journal {
    fn default() -> Self {
        Self::new()
    }
}

impl Journal {
    /// An empty journal with the default limits.
    pub fn new() -> Self {
        Self::with_limits(JOURNAL_EXCHANGES, JOURNAL_BYTES)
    }

    /// An empty journal that keeps at most so many exchanges and bytes.
    pub fn with_limits(exchanges_kept: usize, bytes_kept: usize) -> Self {
        Self {
            state: Mutex::default(),
            changes: broadcast::channel(JOURNAL_CHANGES).0,
            exchanges_kept,
            bytes_kept,
            archive: None,
        }
    }

    /// Records an exchange and gives it its number.
    pub fn record(&self, exchange: impl Into<Arc<Exchange>>) -> u64 {
        let exchange = exchange.into();
        let mut state = self.lock();
        let n = state.totals.exchanges + 1;
        self.record_as(n, exchange, &mut state);
        drop(state);
        self.announce(Change::Exchange(n));
        n
    }

    fn record_as(&self, n: u64, mut exchange: Arc<Exchange>, state: &mut State) {
        state.totals.exchanges = n;
        if exchange.n != n {
            Arc::make_mut(&mut exchange).n = n;
        }
        if exchange.error().is_some() {
            state.totals.errors += 1;
        }
        let whole = state.whole_latency(&exchange);
        if let Some((latency, retried)) = whole {
            state.latencies.record_exchange(&exchange, latency, retried);
        }
        if let Some(connection) = state.connections.get_mut(&exchange.conn) {
            connection.exchanges += 1;
            connection.learn_server(&exchange);
            state.connection_changed(exchange.conn);
        }
        if let Some(verdict) = &exchange.verdict {
            state.count_verdict(verdict, Some(&exchange));
            state.latencies.record_answers(&exchange, verdict);
        }
        state
            .activity
            .add(exchange.times.request_first, Moment::of(&exchange));
        let bytes = exchange_bytes(&exchange);
        state.counts.add(&Facts::of(&exchange));
        state.tallies.exchange(&exchange);
        state.learn_names(&exchange);
        state.bytes += bytes;
        state.exchanges.push_back(Kept {
            exchange,
            bytes,
            whole,
        });
        self.drop_oldest(state);
    }

    /// Gives an exchange its verdict. Of one that is no longer kept only the
    /// figures remain.
    pub fn set_verdict(&self, n: u64, verdict: Verdict) {
        let mut state = self.lock();
        let known = state.get(n).cloned();
        state.count_verdict(&verdict, known.as_deref());
        state.record_answers(known.as_deref(), &verdict);
        // Held on to, it would be copied to be changed.
        drop(known);
        state.come(n, Late::Verdict(Box::new(verdict)));
        self.drop_oldest(&mut state);
        drop(state);
        self.announce(Change::Exchange(n));
    }

    /// Adds a finding, or counts it once more where the same was found at the
    /// same place before. What is muted is a finding of its own.
    pub fn add_finding(&self, mut finding: Finding) {
        let code = finding.code;
        let named = finding.exchanges.clone();
        let muted = finding.muted.is_some();
        let mut state = self.lock();
        let times = named.iter().filter_map(|n| state.get(*n));
        let times: Vec<_> = times.map(|one| one.times.request_first).collect();
        finding.note_occurrences(&times);
        for n in &named {
            let known = |exchange: &Arc<Exchange>| exchange.named_by(muted).contains(&code);
            if !state.get(*n).is_some_and(known) {
                state.come(*n, Late::Finding(code, muted));
            }
        }
        self.drop_oldest(&mut state);
        state.tallies.finding(&finding);
        let key = (code, finding.place.clone(), muted);
        if let Some(pending) = &mut state.pending {
            pending.finding(&key);
        }
        if let Some(index) = state.found.get(&key).copied() {
            merge(&mut state.findings[index], finding);
        } else if state.findings.len() < JOURNAL_FINDINGS {
            let index = state.findings.len();
            state.found.insert(key, index);
            state.findings.push(finding);
        } else {
            state.totals.findings_dropped += 1;
            state.make_room_for(key, finding);
        }
        drop(state);
        self.announce(Change::Finding(code));
        for n in named {
            self.announce(Change::Exchange(n));
        }
    }

    /// Records a connection.
    pub fn open_connection(&self, mut connection: Connection) {
        connection.cut_texts();
        let id = connection.id;
        let mut state = self.lock();
        state.connections.insert(id, connection);
        state.connection_changed(id);
        drop(state);
        self.announce(Change::Connection(id));
    }

    /// Changes what is known of a connection. Forgets the longest closed one
    /// where there are too many.
    pub fn update_connection(&self, id: ConnectionId, change: impl FnOnce(&mut Connection)) {
        let mut state = self.lock();
        let State {
            connections,
            tallies,
            ..
        } = &mut *state;
        if let Some(connection) = connections.get_mut(&id) {
            let (was_open, before) = (connection.closed.is_none(), Passed::of(connection));
            change(connection);
            connection.cut_texts();
            tallies.passed(before, connection);
            if was_open && connection.closed.is_some() {
                state.closed.push_back(id);
                state.record_given_up(id);
            }
            state.connection_changed(id);
        }
        if state.closed.len() > JOURNAL_CLOSED_CONNECTIONS
            && let Some(oldest) = state.closed.pop_front()
        {
            state.connections.remove(&oldest);
            state.archived.forget(oldest);
            if let Some(pending) = &mut state.pending {
                pending.connection_gone(oldest);
            }
        }
        drop(state);
        self.announce(Change::Connection(id));
    }

    /// Changes the figures that others count: what was dropped before it could
    /// be recorded.
    pub fn update_totals(&self, change: impl FnOnce(&mut Totals)) {
        change(&mut self.lock().totals);
    }

    /// The exchange with this number, while it is kept.
    pub fn exchange(&self, n: u64) -> Option<Arc<Exchange>> {
        let state = self.lock();
        let found = state.get(n).cloned();
        let is_older = n < state.first_kept() && n >= state.archive_first;
        drop(state);
        let archive = self.archive.as_ref().filter(|_| is_older);
        let any = |_: &Exchange| true;
        found.or_else(|| self.ask_archive(&any, |_| archive?.exchange(n)))
    }

    /// The latest exchanges, newest first: those before the number `before`, or
    /// the very latest, at most `most`, of those that are wanted. However long it takes to
    /// tell, nobody else waits for it.
    pub fn latest(
        &self,
        before: Option<u64>,
        most: usize,
        wanted: &dyn Wanted,
    ) -> Vec<Arc<Exchange>> {
        self.list(before, most, wanted).exchanges
    }

    /// The same, and where older ones are to be looked for.
    pub fn list(&self, before: Option<u64>, most: usize, wanted: &dyn Wanted) -> Listing {
        let mut exchanges = Vec::new();
        let mut before = before;
        while exchanges.len() < most {
            let slice = self.slice_before(before);
            let Some(oldest) = slice.last() else { break };
            before = Some(oldest.n);
            let room = most - exchanges.len();
            let matching = slice.into_iter().filter(|one| wanted.accepts(one));
            exchanges.extend(matching.take(room));
        }
        let full = exchanges.len() == most;
        let more = exchanges.last().filter(|_| full).map(|last| last.n);
        let (first_kept, archived) = {
            let state = self.lock();
            (state.first_kept(), state.archived.exchanges > 0)
        };
        match &self.archive {
            Some(archive) if !full && archived => {
                let before = before.map_or(first_kept, |n| n.min(first_kept));
                let room = most - exchanges.len();
                let older = self.ask_archive(wanted, |wanted| archive.older(before, room, wanted));
                exchanges.extend(older.exchanges);
                let more = older.more;
                Listing { exchanges, more }
            }
            _ => Listing { exchanges, more },
        }
    }

    /// The first kept exchange after the number `after` that is wanted.
    pub fn next_after(&self, after: u64, wanted: &dyn Wanted) -> Option<Arc<Exchange>> {
        let first_kept = self.lock().first_kept();
        if after + 1 < first_kept
            && let Some(archive) = &self.archive
        {
            let newer = |wanted: &dyn Wanted| archive.newer(after, first_kept, 1, wanted);
            let mut found = self.ask_archive(wanted, newer).exchanges;
            if let Some(found) = found.pop() {
                return Some(found);
            }
        }
        let mut after = after;
        loop {
            let slice = self.slice_after(after);
            after = slice.last()?.n;
            let mut newer = slice.into_iter();
            if let Some(found) = newer.find(|exchange| wanted.accepts(exchange)) {
                return Some(found);
            }
        }
    }

    /// The first exchanges after the number `after`, oldest first, at most `most`, of
    /// those that are wanted; and after which number further ones are to be looked for.
    pub fn list_after(&self, after: u64, most: usize, wanted: &dyn Wanted) -> Listing {
        let first_kept = self.lock().first_kept();
        let mut listing = Listing::default();
        if after + 1 < first_kept
            && let Some(archive) = &self.archive
        {
            listing = self.ask_archive(wanted, |wanted| {
                archive.newer(after, first_kept, most, wanted)
            });
        }
        let mut after = after.max(first_kept.saturating_sub(1));
        while listing.more.is_none() && listing.exchanges.len() < most {
            let slice = self.slice_after(after);
            let Some(last) = slice.last() else {
                return listing;
            };
            after = last.n;
            let room = most - listing.exchanges.len();
            let matching = slice.into_iter().filter(|one| wanted.accepts(one));
            listing.exchanges.extend(matching.take(room));
        }
        if listing.exchanges.len() == most {
            listing.more = listing.exchanges.last().map(|last| last.n);
        }
        listing
    }

    /// A few of the exchanges that memory holds before this number, newest first.
    fn slice_before(&self, before: Option<u64>) -> Vec<Arc<Exchange>> {
        let state = self.lock();
        let end = before.map_or(state.exchanges.len(), |n| {
            state.exchanges.partition_point(|kept| kept.exchange.n < n)
        });
        let slice = state
            .exchanges
            .range(end.saturating_sub(JOURNAL_SLICE)..end);
        let newest_first = slice.rev();
        newest_first
            .map(|kept| Arc::clone(&kept.exchange))
            .collect()
    }

    /// A few of the exchanges that memory holds after this number, oldest first.
    fn slice_after(&self, after: u64) -> Vec<Arc<Exchange>> {
        let state = self.lock();
        let begin = state
            .exchanges
            .partition_point(|kept| kept.exchange.n <= after);
        let slice = state.exchanges.range(begin..).take(JOURNAL_SLICE);
        slice.map(|kept| Arc::clone(&kept.exchange)).collect()
    }

    /// Every exchange that memory holds, oldest first.
    pub fn exchanges(&self) -> Vec<Arc<Exchange>> {
        let state = self.lock();
        let exchanges = state.exchanges.iter();
        exchanges.map(|kept| Arc::clone(&kept.exchange)).collect()
    }

    /// The connections, in the order of their numbers.
    pub fn connections(&self) -> Vec<Connection> {
        self.lock().connections.values().cloned().collect()
    }

    /// A connection, while it is remembered.
    pub fn connection(&self, id: ConnectionId) -> Option<Connection> {
        self.lock().connections.get(&id).cloned()
    }

    /// The findings that are not muted: the gravest first, of those the latest.
    pub fn findings(&self) -> Vec<Finding> {
        self.found(false)
    }

    /// The muted findings, in the same order.
    pub fn muted_findings(&self) -> Vec<Finding> {
        self.found(true)
    }

    fn found(&self, muted: bool) -> Vec<Finding> {
        let state = self.lock();
        let wanted = state
            .findings
            .iter()
            .filter(|one| one.muted.is_some() == muted);
        let mut findings: Vec<_> = wanted.cloned().collect();
        drop(state);
        Finding::sort(&mut findings);
        findings
    }

    /// The latency histograms, as they are now.
    pub fn latencies(&self) -> Latencies {
        self.lock().latencies.clone()
    }

    /// What passed, over time, kept or not. A verdict that came when its exchange was
    /// nowhere kept any more is not in it.
    pub fn activity(&self) -> Activity {
        self.lock().activity.clone()
    }

    /// The latencies by one dimension, over time, as they are now.
    pub fn latencies_by(&self, dimension: Dimension) -> LatencyTimeline {
        self.lock().latencies.by(dimension)
    }

    /// Latencies that belong to a dimension and are in no series of it.
    pub fn latencies_unrecorded(&self, dimension: Dimension) -> u64 {
        self.lock().latencies.unrecorded_by(dimension)
    }

    /// How many of the kept exchanges there are of each kind.
    pub fn counts(&self) -> Counts {
        let state = self.lock();
        let mut counts = state.counts.without_partitions();
        counts.add_all(&state.archived.without_partitions());
        counts
    }

    /// The figures, as they are now.
    pub fn totals(&self) -> Totals {
        self.lock().totals.clone()
    }

    /// What this journal was told since it began, by kind: nothing is taken from it.
    pub fn tallies(&self) -> Tallies {
        self.lock().tallies.clone()
    }

    /// Changes how the mirror of a route is doing. Begins with the default where nothing
    /// was said of it before.
    pub fn update_mirror(&self, route: Option<&RouteName>, change: impl FnOnce(&mut MirrorStatus)) {
        let mut state = self.lock();
        let mut known = state.mirrors.iter();
        let at = known
            .position(|one| one.route.as_ref() == route)
            .unwrap_or(state.mirrors.len());
        if at == state.mirrors.len() {
            state.mirrors.push(MirrorStatus {
                route: route.cloned(),
                ..MirrorStatus::default()
            });
        }
        change(&mut state.mirrors[at]);
    }

    /// How the mirrors are doing, in the order in which they came: one for each route
    /// with HTTP; none of a file, or where HTTP is turned off.
    pub fn mirrors(&self) -> Vec<MirrorStatus> {
        self.lock().mirrors.clone()
    }

    /// Changes how the recording is doing.
    pub fn update_recording(&self, change: impl FnOnce(&mut RecordingStatus)) {
        change(self.lock().recording.get_or_insert_default());
    }

    /// How the recording is doing; `None` where nobody records.
    pub fn recording(&self) -> Option<RecordingStatus> {
        self.lock().recording.clone()
    }

    /// Changes from now on. A reader that falls behind is told so and reads the
    /// journal anew.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    fn announce(&self, change: Change) {
        // No reader is no error.
        let _ = self.changes.send(change);
    }

    fn drop_oldest(&self, state: &mut State) {
        while state.exchanges.len() > self.exchanges_kept
            || (state.bytes > self.bytes_kept && state.exchanges.len() > 1)
        {
            if let Some(oldest) = state.exchanges.pop_front() {
                state.bytes = state.bytes.saturating_sub(oldest.bytes);
                state.counts.remove(&Facts::of(&oldest.exchange));
                state.leave(oldest.exchange);
            }
        }
    }

    /// The state even if a reader panicked while it held the lock: it is only
    /// ever left between two whole changes.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn index_of(&self, n: u64) -> Option<usize> {
        let first = self.exchanges.front()?.exchange.n;
        usize::try_from(n.checked_sub(first)?).ok()
    }

    fn get(&self, n: u64) -> Option<&Arc<Exchange>> {
        let kept = self.exchanges.get(self.index_of(n)?)?;
        Some(&kept.exchange)
    }

    /// Puts a finding that something is wrong in the place of one that is only good
    /// to know, if there is one.
    fn make_room_for(&mut self, key: FindingKey, finding: Finding) {
        let is_dispensable = |kept: &Finding| !kept.is_wrong();
        let index = self.findings.iter().position(is_dispensable);
        let Some(index) = index.filter(|_| finding.is_wrong()) else {
            if let Some(pending) = &mut self.pending {
                pending.findings.remove(&key);
            }
            return;
        };
        let old = std::mem::replace(&mut self.findings[index], finding);
        let old = (old.code, old.place, old.muted.is_some());
        self.found.remove(&old);
        self.found.insert(key, index);
        if let Some(pending) = &mut self.pending {
            pending.finding_gone(old);
        }
    }

    /// The number of the oldest exchange in memory, or of the next one.
    fn first_kept(&self) -> u64 {
        let first = self.exchanges.front();
        first.map_or(self.totals.exchanges + 1, |kept| kept.exchange.n)
    }

    /// Gives an exchange what came for it, if it is kept.
    fn come(&mut self, n: u64, what: Late) {
        if self.get(n).is_some() {
            if let Some(pending) = &mut self.pending {
                pending.changed(n, matches!(what, Late::Verdict(_)));
            }
            self.change(n, |exchange| what.apply(exchange));
        } else if n >= self.archive_first
            && n < self.first_kept()
            && let Some(pending) = &mut self.pending
        {
            pending.late(n, what);
        }
    }

    fn connection_changed(&mut self, id: ConnectionId) {
        if let Some(pending) = &mut self.pending {
            pending.connections.insert(id);
        }
    }

    /// Changes an exchange, if it is kept, and counts its bytes anew.
    fn change(&mut self, n: u64, change: impl FnOnce(&mut Exchange)) {
        if let Some(index) = self.index_of(n)
            && let Some(kept) = self.exchanges.get_mut(index)
        {
            self.counts.remove(&Facts::of(&kept.exchange));
            change(Arc::make_mut(&mut kept.exchange));
            self.counts.add(&Facts::of(&kept.exchange));
            let bytes = exchange_bytes(&kept.exchange);
            self.bytes = self.bytes.saturating_sub(kept.bytes) + bytes;
            kept.bytes = bytes;
        }
    }

    /// How long the client waited for what it wanted: attempts that were told "not
    /// now" are no answers, and their time is the last one's (case E9). Of no exchange
    /// into which a fault was injected: neither the server's nor the network's time.
    fn whole_latency(&mut self, exchange: &Exchange) -> Option<(Duration, bool)> {
        exchange.binary()?;
        if exchange.injected().is_some() {
            return None;
        }
        match self.retries.attempt(exchange) {
            Attempt::NotNow => None,
            Attempt::Last(None) => Some((exchange.latency()?, false)),
            Attempt::Last(Some(before)) => Some((before.until(exchange), true)),
        }
    }

    fn record_given_up(&mut self, id: ConnectionId) {
        for attempts in self.retries.given_up(id) {
            let sample = Sample {
                conn: Some(id),
                ..Sample::at(attempts.last, &attempts.command)
            };
            self.latencies.record_given_up(&sample, attempts.lasted());
            if let Some(pending) = &mut self.pending {
                let latencies = &mut pending.latencies;
                latencies.record_given_up(&sample, attempts.lasted());
            }
        }
    }

    /// Counts the verdict on an exchange; `None` where memory does not hold it.
    fn count_verdict(&mut self, verdict: &Verdict, exchange: Option<&Exchange>) {
        let empty_poll = exchange.is_some_and(Exchange::is_empty_poll);
        if let Some(exchange) = exchange {
            let time = exchange.times.request_first;
            self.activity.add(time, Moment::verdict(verdict));
        }
        *self.totals.verdicts.entry(verdict.kind.name()).or_default() += 1;
        if empty_poll && verdict.kind == VerdictKind::NotComparable {
            self.totals.nothing_to_compare += 1;
        }
    }

    /// How long HTTP took for what a verdict rests on. Of an exchange that memory does
    /// not hold the time is not known, but that it was not long ago.
    fn record_answers(&mut self, exchange: Option<&Exchange>, verdict: &Verdict) {
        match (exchange, self.latencies.latest()) {
            (Some(exchange), _) => self.latencies.record_answers(exchange, verdict),
            (None, Some(latest)) => self.latencies.record_late_answers(latest, verdict),
            (None, None) => {}
        }
    }
}

/// Counts a finding that was seen again.
fn merge(known: &mut Finding, again: Finding) {
    known.count += again.count;
    known.first = known.first.min(again.first);
    known.last = known.last.max(again.last);
    known.occurrences.add_all(&again.occurrences);
    known.evidence = again.evidence;
    for n in again.exchanges {
        if known.exchanges.contains(&n) {
            continue;
        }
        if known.exchanges.len() >= FINDING_EXCHANGES {
            known.exchanges.remove(FINDING_EXCHANGES / 2);
        }
        known.exchanges.push(n);
    }
}

impl Totals {
    /// Verdicts of one kind.
    pub fn verdicts_of(&self, kind: VerdictKind) -> u64 {
        self.verdicts.get(kind.name()).copied().unwrap_or_default()
    }
}
