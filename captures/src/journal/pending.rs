//! What has changed in a journal since it was last taken to be recorded. Kept only
//! while somebody records.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::activity::Activity;
use crate::annotation::Annotation;
use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::finding::{Finding, FindingCode};
use crate::latency::Latencies;
use crate::limits::RECORD_LATE;
use crate::mirror_status::MirrorStatus;
use crate::verdict::Verdict;

use super::{Totals, Turns};

/// A finding's code, its place, and whether it is muted.
pub(crate) type FindingKey = (FindingCode, String, bool);

/// What is to be recorded next: in the order in which it is to be.
#[derive(Debug, Default)]
pub struct Taken {
    /// Numbers after the last one that memory dropped before they could be
    /// recorded.
    pub missed: u64,
    /// The exchanges that follow.
    pub exchanges: Vec<Arc<Exchange>>,
    /// Exchanges that were recorded before and have a verdict or a finding since,
    /// as they are now.
    pub amended: Vec<Arc<Exchange>>,
    /// The same of those that memory no longer holds: what came.
    pub late: Vec<(u64, Late)>,
    /// Findings that are new, or were seen again, as they are now.
    pub findings: Vec<Finding>,
    /// Findings that made room for others.
    pub findings_gone: Vec<(FindingCode, String, bool)>,
    /// Connections that are new or different.
    pub connections: Vec<Connection>,
    /// Connections that are forgotten.
    pub connections_gone: Vec<ConnectionId>,
    /// Latencies that were added.
    pub latencies: Latencies,
    /// What was added to what passed over time.
    pub activity: Activity,
    /// The figures.
    pub totals: Totals,
    /// How the mirrors do.
    pub mirrors: Vec<MirrorStatus>,
    /// Whether more waits.
    pub is_more: bool,
    /// How whoever records it works.
    pub(crate) turns: Turns,
    /// Of `latencies`, those that no exchange has.
    pub(super) given_up: Latencies,
    /// Of `amended`, those whose verdict is new.
    pub(super) new_verdicts: BTreeSet<u64>,
}

/// What came for an exchange that memory no longer holds.
#[derive(Debug, Clone)]
pub enum Late {
    /// Its verdict.
    Verdict(Box<Verdict>),
    /// A finding that names it; whether it is muted.
    Finding(FindingCode, bool),
    /// What a person noted of it.
    Annotation(Annotation),
}

impl Taken {
    /// Whether nothing is to be recorded; figures aside.
    pub fn is_empty(&self) -> bool {
        self.exchanges.is_empty()
            && self.amended.is_empty()
            && self.late.is_empty()
            && self.findings.is_empty()
            && self.findings_gone.is_empty()
            && self.connections.is_empty()
            && self.connections_gone.is_empty()
            && self.latencies.is_empty()
    }
}

#[derive(Debug, Default)]
pub(super) struct Pending {
    /// Up to which number everything is recorded or was missed.
    pub(super) stored: u64,
    /// Up to which number everything is recorded or just being recorded.
    pub(super) taken: u64,
    /// Recorded ones that changed; whether the verdict is new.
    pub(super) changed: BTreeMap<u64, bool>,
    /// Those of them that memory dropped meanwhile, or while they were being
    /// recorded.
    pub(super) departed: BTreeMap<u64, Arc<Exchange>>,
    /// Dropped by memory while being recorded.
    pub(super) limbo: Vec<Arc<Exchange>>,
    pub(super) late: VecDeque<(u64, Late)>,
    pub(super) findings: BTreeSet<FindingKey>,
    pub(super) findings_gone: BTreeSet<FindingKey>,
    pub(super) connections: BTreeSet<ConnectionId>,
    pub(super) connections_gone: BTreeSet<ConnectionId>,
    /// Latencies that no recorded exchange has: of operations that were given up.
    pub(super) latencies: Latencies,
    /// Changes of recorded exchanges for which there was no room.
    pub(super) dropped: u64,
}

impl Pending {
    pub(super) fn finding(&mut self, key: &FindingKey) {
        self.findings.insert(key.clone());
        self.findings_gone.remove(key);
    }

    pub(super) fn finding_gone(&mut self, key: FindingKey) {
        self.findings.remove(&key);
        self.findings_gone.insert(key);
    }

    pub(super) fn connection_gone(&mut self, id: ConnectionId) {
        self.connections.remove(&id);
        self.connections_gone.insert(id);
    }

    /// An exchange that memory holds has changed.
    pub(super) fn changed(&mut self, n: u64, verdict: bool) {
        if n <= self.taken {
            *self.changed.entry(n).or_default() |= verdict;
        }
    }

    /// Something came for an exchange that memory does not hold.
    pub(super) fn late(&mut self, n: u64, late: Late) {
        if let Some(departed) = self.departed.get_mut(&n) {
            late.apply(Arc::make_mut(departed));
            let verdict = matches!(late, Late::Verdict(_));
            *self.changed.entry(n).or_default() |= verdict;
        } else if self.late.len() < RECORD_LATE {
            self.late.push_back((n, late));
        } else {
            self.dropped += 1;
        }
    }

    /// Memory drops an exchange whose change has not been recorded.
    pub(super) fn depart(&mut self, exchange: &Arc<Exchange>) {
        if !self.changed.contains_key(&exchange.n) {
            return;
        }
        if self.departed.len() < RECORD_LATE {
            self.departed.insert(exchange.n, Arc::clone(exchange));
        } else {
            self.changed.remove(&exchange.n);
            self.dropped += 1;
        }
    }
}

impl Late {
    /// Gives it to the exchange.
    pub(crate) fn apply(&self, exchange: &mut Exchange) {
        match self {
            Self::Verdict(verdict) => exchange.verdict = Some((**verdict).clone()),
            Self::Finding(code, muted) => exchange.name_by(*code, *muted),
            Self::Annotation(annotation) => exchange.annotation = annotation.clone(),
        }
    }
}

/// Whether an exchange ended so long ago that verdict and findings are mostly in; or will
/// only end so long from now, for the clock was set back since.
pub(super) fn is_settled(exchange: &Exchange, now: jiff::Timestamp, settles: Duration) -> bool {
    let end = exchange
        .times
        .reply
        .map_or(exchange.times.request_last, |(_, last)| last);
    now.duration_since(end).abs() >= settles.try_into().unwrap_or_default()
}
