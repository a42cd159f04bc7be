//! Something that is wrong when it is seen several times in a row.

use jiff::Timestamp;
use parallax_captures::{Finding, FindingCode};

use super::act::Act;
use crate::ledger::Span;

/// How often it was seen in a row.
#[derive(Debug, Default)]
pub(super) struct Streak {
    count: u64,
    /// The first ones, until there are enough of them.
    exchanges: Vec<u64>,
    since: Option<Timestamp>,
    last: Option<Span>,
}

impl Streak {
    /// It is seen once more. What was under way at the same time as the last one
    /// is not after it, and does not count.
    pub(super) fn add(&mut self, act: &Act<'_>, enough: u64) {
        if self.last.is_some_and(|last| act.span.from < last.to) {
            return;
        }
        self.count += 1;
        self.last = Some(act.span);
        self.since.get_or_insert(act.span.from);
        if self.count <= enough {
            self.exchanges.push(act.exchange.n);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The finding, where this exchange makes it often enough. The first one names
    /// all of them; each later one itself, for the journal adds up.
    pub(super) fn finding(
        &self,
        act: &Act<'_>,
        enough: u64,
        code: FindingCode,
        place: String,
        evidence: Vec<String>,
    ) -> Option<Finding> {
        if self.count < enough || self.last != Some(act.span) {
            return None;
        }
        let mut finding = act.finding(code, place, evidence);
        if self.count == enough {
            finding.exchanges.clone_from(&self.exchanges);
            finding.count = self.count;
            finding.first = self.since.unwrap_or(finding.first);
        }
        Some(finding)
    }
}
