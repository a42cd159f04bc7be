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
    /// Keeps an exchange that is handed on, where a finding names it; `named` tells which
    /// exchanges findings name.
    pub(super) fn see(&mut self, exchange: &Arc<Exchange>, named: impl FnOnce() -> HashSet<u64>) {
        if exchange.findings.is_empty() && exchange.muted_findings.is_empty() {
            return;
        }
        let bytes = exchange.held_bytes();
        self.bytes += bytes;
        self.kept.insert(exchange.n, (Arc::clone(exchange), bytes));
        // A finding names few of the exchanges that show it: the rest goes.
        if self.bytes > self.left + EVIDENCE_BYTES / 2 {
            self.keep(&named());
        }
    }

    /// The exchanges that findings name now, in the order of their numbers, as far as
    /// there was room. `still_known` has some of them with what was learned since.
    pub(super) fn finish(
        mut self,
        named: &HashSet<u64>,
        still_known: impl Fn(u64) -> Option<Arc<Exchange>>,
    ) -> Vec<Arc<Exchange>> {
        self.keep(named);
        for n in named.iter().copied() {
            // As it is known now, where it still is; even if it was handed on before
            // it was known that it matters.
            if let Some(exchange) = still_known(n) {
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

/// The exchanges that a journal's findings name.
pub(super) fn named(journal: &Journal) -> HashSet<u64> {
    let of_it = |finding: Finding| finding.exchanges;
    let all = [journal.findings(), journal.muted_findings()];
    all.into_iter().flatten().flat_map(of_it).collect()
}
