//! The exchanges that findings name, kept to be shown beside them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use parallax_captures::{Exchange, Finding, Journal};

use crate::limits::EVIDENCE_BYTES;

/// Exchanges that were handed on and that a finding names.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    kept: BTreeMap<u64, (Arc<Exchange>, usize)>,
    bytes: usize,
    /// Bytes that were left when this was looked through last.
    left: usize,
}

impl Evidence {
    /// Keeps an exchange that is handed on, where a finding names it.
    pub(super) fn see(&mut self, exchange: &Arc<Exchange>, journal: &Journal) {
        if exchange.findings.is_empty() && exchange.muted_findings.is_empty() {
            return;
        }
        let bytes = exchange.held_bytes();
        self.bytes += bytes;
        self.kept.insert(exchange.n, (Arc::clone(exchange), bytes));
        // A finding names few of the exchanges that show it: the rest goes.
        if self.bytes > self.left + EVIDENCE_BYTES / 2 {
            self.keep(&named(journal));
        }
    }

    /// The exchanges that findings name now, in the order of their numbers, as far as
    /// there was room.
    pub(super) fn finish(mut self, journal: &Journal) -> Vec<Arc<Exchange>> {
        let named = named(journal);
        self.keep(&named);
        for n in named {
            // As it is known now, where it still is; even if it was handed on before
            // it was known that it matters.
            if let Some(exchange) = journal.exchange(n) {
                self.kept.insert(n, (exchange, 0));
            }
        }
        let kept = self.kept.into_values();
        kept.map(|(exchange, _)| exchange).collect()
    }

    /// Keeps of these what there is room for, the earliest.
    fn keep(&mut self, named: &HashSet<u64>) {
        let mut left = 0;
        self.kept.retain(|n, (_, bytes)| {
            let is_kept = named.contains(n) && left + *bytes <= EVIDENCE_BYTES / 2;
            left += if is_kept { *bytes } else { 0 };
            is_kept
        });
        self.bytes = left;
        self.left = left;
    }
}

fn named(journal: &Journal) -> HashSet<u64> {
    let of_it = |finding: Finding| finding.exchanges;
    let all = [journal.findings(), journal.muted_findings()];
    all.into_iter().flatten().flat_map(of_it).collect()
}
