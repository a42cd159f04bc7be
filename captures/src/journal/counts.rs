//! How many of the exchanges that are kept there are of each kind: the figures
//! that a page shows beside the rows that it can list.

use std::collections::BTreeMap;

use crate::connection::ConnectionId;
use crate::exchange::Exchange;
use crate::finding::FindingCode;
use crate::verdict::VerdictKind;

use super::partitions::{About, Partitions};

/// Exchanges that are kept, by what a list can be restricted to. Muted verdicts
/// and findings are counted apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub exchanges: u64,
    /// Those that were refused or not answered at all.
    pub failed: u64,
    /// Those whose verdict or one of whose findings is muted.
    pub muted: u64,
    /// Polls that were answered with no message and whose verdict is
    /// `not_comparable`, unmuted: there was nothing to compare.
    pub nothing_to_compare: u64,
    /// Those that diverge and that no finding explains.
    pub unexplained: u64,
    /// Those into which parallax injected a fault.
    pub injected: u64,
    verdicts: BTreeMap<&'static str, u64>,
    findings: BTreeMap<FindingCode, u64>,
    muted_findings: BTreeMap<FindingCode, u64>,
    connections: BTreeMap<ConnectionId, u64>,
    partitions: Partitions,
}

impl Counts {
    /// Exchanges with this verdict, not muted.
    pub fn with_verdict(&self, kind: VerdictKind) -> u64 {
        of(&self.verdicts, &kind.name())
    }

    /// Exchanges that show this finding, not muted.
    pub fn showing(&self, code: FindingCode) -> u64 {
        of(&self.findings, &code)
    }

    /// Exchanges that show this finding, muted.
    pub fn showing_muted(&self, code: FindingCode) -> u64 {
        of(&self.muted_findings, &code)
    }

    /// Exchanges on this connection.
    pub fn on_connection(&self, id: ConnectionId) -> u64 {
        of(&self.connections, &id)
    }

    /// By partition.
    pub(super) const fn partitions(&self) -> &Partitions {
        &self.partitions
    }

    /// The same without those by partition, which are many.
    pub(super) fn without_partitions(&self) -> Self {
        Self {
            verdicts: self.verdicts.clone(),
            findings: self.findings.clone(),
            muted_findings: self.muted_findings.clone(),
            connections: self.connections.clone(),
            partitions: Partitions::default(),
            ..*self
        }
    }

    /// Counts an exchange that is kept from now on.
    pub(crate) fn add(&mut self, facts: &Facts<'_>) {
        self.change(facts, |count| *count += 1);
        if let Some(about) = &facts.about {
            self.partitions.add(about);
        }
    }

    /// Counts the exchanges that a finding names.
    pub(crate) fn add_finding(&mut self, code: FindingCode, muted: bool, number: u64) {
        let findings = if muted {
            &mut self.muted_findings
        } else {
            &mut self.findings
        };
        *findings.entry(code).or_default() += number;
    }

    /// Counts an exchange no more.
    pub(crate) fn remove(&mut self, facts: &Facts<'_>) {
        self.change(facts, |count| *count = count.saturating_sub(1));
        if let Some(about) = &facts.about {
            self.partitions.remove(about);
        }
        if self.on_connection(facts.conn) == 0 {
            // Connections end, and their numbers are never used again.
            self.forget(facts.conn);
        }
    }

    /// Counts the exchanges of a connection no more on their own: nobody will ask.
    pub(crate) fn forget(&mut self, id: ConnectionId) {
        self.connections.remove(&id);
    }

    /// Adds what others count.
    pub(crate) fn add_all(&mut self, others: &Self) {
        self.merge(others, |count, more| *count += more);
        self.partitions.add_all(&others.partitions);
    }

    /// Takes away what others count.
    pub(crate) fn remove_all(&mut self, others: &Self) {
        self.merge(others, |count, fewer| *count = count.saturating_sub(fewer));
        self.connections.retain(|_, count| *count > 0);
        self.partitions.remove_all(&others.partitions);
    }

    fn change(&mut self, facts: &Facts<'_>, change: impl Fn(&mut u64)) {
        change(&mut self.exchanges);
        if facts.failed {
            change(&mut self.failed);
        }
        if facts.muted {
            change(&mut self.muted);
        }
        if facts.unexplained {
            change(&mut self.unexplained);
        }
        if facts.injected {
            change(&mut self.injected);
        }
        change(self.connections.entry(facts.conn).or_default());
        if let Some(kind) = facts.verdict {
            change(self.verdicts.entry(kind.name()).or_default());
            if kind == VerdictKind::NotComparable && facts.empty {
                change(&mut self.nothing_to_compare);
            }
        }
        for code in facts.findings {
            change(self.findings.entry(*code).or_default());
        }
        for code in facts.muted_findings {
            change(self.muted_findings.entry(*code).or_default());
        }
    }

    fn merge(&mut self, others: &Self, change: impl Fn(&mut u64, u64)) {
        change(&mut self.exchanges, others.exchanges);
        change(&mut self.failed, others.failed);
        change(&mut self.muted, others.muted);
        change(&mut self.nothing_to_compare, others.nothing_to_compare);
        change(&mut self.unexplained, others.unexplained);
        change(&mut self.injected, others.injected);
        merge(&mut self.verdicts, &others.verdicts, &change);
        merge(&mut self.findings, &others.findings, &change);
        merge(&mut self.muted_findings, &others.muted_findings, &change);
        merge(&mut self.connections, &others.connections, &change);
    }
}

/// What is counted of an exchange.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a count of its own")]
pub(crate) struct Facts<'a> {
    pub(crate) conn: ConnectionId,
    pub(crate) failed: bool,
    pub(crate) muted: bool,
    /// A poll that was answered with no message.
    pub(crate) empty: bool,
    /// The verdict, where it is not muted.
    pub(crate) verdict: Option<VerdictKind>,
    pub(crate) unexplained: bool,
    pub(crate) injected: bool,
    pub(crate) findings: &'a [FindingCode],
    pub(crate) muted_findings: &'a [FindingCode],
    /// What it counts of a partition, where it is about one.
    pub(crate) about: Option<About<'a>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn of(exchange: &'a Exchange) -> Self {
        let verdict = exchange.verdict.as_ref();
        Self {
            conn: exchange.conn,
            failed: exchange.failed(),
            muted: exchange.is_muted(),
            empty: exchange.is_empty_poll(),
            verdict: verdict
                .filter(|one| one.muted.is_none())
                .map(|one| one.kind),
            unexplained: exchange.is_unexplained(),
            injected: exchange.injected().is_some(),
            findings: &exchange.findings,
            muted_findings: &exchange.muted_findings,
            about: About::of(exchange),
        }
    }
}

fn merge<K: Ord + Clone>(
    counts: &mut BTreeMap<K, u64>,
    others: &BTreeMap<K, u64>,
    change: &impl Fn(&mut u64, u64),
) {
    for (key, count) in others {
        change(counts.entry(key.clone()).or_default(), *count);
    }
}

fn of<K: Ord>(counts: &BTreeMap<K, u64>, key: &K) -> u64 {
    counts.get(key).copied().unwrap_or_default()
}
