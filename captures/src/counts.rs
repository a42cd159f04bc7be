//! How many of the exchanges that are kept there are of each kind: the figures
//! that a page shows beside the rows that it can list.

use std::collections::BTreeMap;

use crate::connection::ConnectionId;
use crate::exchange::Exchange;
use crate::finding::FindingCode;
use crate::verdict::VerdictKind;

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
    verdicts: BTreeMap<&'static str, u64>,
    findings: BTreeMap<FindingCode, u64>,
    muted_findings: BTreeMap<FindingCode, u64>,
    connections: BTreeMap<ConnectionId, u64>,
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

    /// Counts an exchange that is kept from now on.
    pub(crate) fn add(&mut self, exchange: &Exchange) {
        self.change(exchange, |count| *count += 1);
    }

    /// Counts an exchange no more.
    pub(crate) fn remove(&mut self, exchange: &Exchange) {
        self.change(exchange, |count| *count = count.saturating_sub(1));
        if self.on_connection(exchange.conn) == 0 {
            // Connections end, and their numbers are never used again.
            self.connections.remove(&exchange.conn);
        }
    }

    fn change(&mut self, exchange: &Exchange, change: impl Fn(&mut u64)) {
        change(&mut self.exchanges);
        if exchange.failed() {
            change(&mut self.failed);
        }
        if exchange.is_muted() {
            change(&mut self.muted);
        }
        change(self.connections.entry(exchange.conn).or_default());
        if let Some(verdict) = &exchange.verdict
            && verdict.muted.is_none()
        {
            change(self.verdicts.entry(verdict.kind.name()).or_default());
            if verdict.kind == VerdictKind::NotComparable && exchange.is_empty_poll() {
                change(&mut self.nothing_to_compare);
            }
        }
        for code in &exchange.findings {
            change(self.findings.entry(*code).or_default());
        }
        for code in &exchange.muted_findings {
            change(self.muted_findings.entry(*code).or_default());
        }
    }
}

fn of<K: Ord>(counts: &BTreeMap<K, u64>, key: &K) -> u64 {
    counts.get(key).copied().unwrap_or_default()
}
