//! What was seen: exchanges, verdicts, findings, and what was lost of them.

use parallax_captures::catalog::{self, describe};
use parallax_captures::{Dimension, Journal, Side, VerdictKind};

use super::Figures;
use crate::telemetry::family::Family;
use crate::telemetry::histogram::{Histogram, durations};
use crate::telemetry::metrics::{
    CLIENTS_SLOWED, CLIENTS_SLOWED_FOR, DURATION, EXCHANGES, EXCHANGES_FORGOTTEN, EXCHANGES_KEPT,
    FINDINGS, FINDINGS_DROPPED, LATENCIES_DROPPED, MIRROR_DURATION, OBSERVATIONS_DROPPED, VERDICTS,
};

impl Figures {
    pub(super) fn seen(&self) -> Vec<Family> {
        let (totals, before) = (self.journal.totals(), &self.before.totals);
        let tallies = self.journal.tallies();
        let mut exchanges = Family::new(&EXCHANGES);
        for (kind, count) in tallies.exchanges() {
            let names = [
                kind.dialect.name(),
                kind.command(),
                kind.status(),
                kind.error(),
            ];
            exchanges.push(names.map(Into::into), count);
        }
        let mut verdicts = Family::new(&VERDICTS);
        for kind in VerdictKind::ALL {
            let count = totals
                .verdicts_of(kind)
                .saturating_sub(before.verdicts_of(kind));
            verdicts.push([kind.name().into()], count);
        }
        let mut findings = Family::new(&FINDINGS);
        // A counter that appears with its first count shows no increase to who watches it.
        let mut seen = tallies.findings;
        for entry in catalog::all() {
            seen.entry((entry.code, false)).or_default();
        }
        for ((code, muted), count) in seen {
            let muted = if muted { "true" } else { "false" };
            let severity = describe(code).severity.name();
            findings.push(
                [code.to_string().into(), severity.into(), muted.into()],
                count,
            );
        }
        let mut dropped = Family::new(&LATENCIES_DROPPED);
        let now = latencies_dropped(&self.journal).into_iter();
        for ((dimension, now), before) in Dimension::ALL
            .into_iter()
            .zip(now)
            .zip(self.before.latencies_dropped)
        {
            dropped.push([dimension.name().into()], now.saturating_sub(before));
        }
        let since = |now: u64, before: u64| now.saturating_sub(before);
        let slowed_for = totals
            .clients_slowed_for
            .saturating_sub(before.clients_slowed_for);
        let mut families = vec![
            exchanges,
            verdicts,
            findings,
            dropped,
            Family::of(
                &OBSERVATIONS_DROPPED,
                since(totals.observations_dropped, before.observations_dropped),
            ),
            Family::of(
                &CLIENTS_SLOWED,
                since(totals.clients_slowed, before.clients_slowed),
            ),
            Family::of(&CLIENTS_SLOWED_FOR, slowed_for.as_secs_f64()),
            Family::of(
                &EXCHANGES_FORGOTTEN,
                since(totals.exchanges_dropped, before.exchanges_dropped),
            ),
            Family::of(&EXCHANGES_KEPT, self.journal.counts().exchanges),
            Family::of(
                &FINDINGS_DROPPED,
                since(totals.findings_dropped, before.findings_dropped),
            ),
        ];
        families.extend(self.latencies());
        families
    }

    fn latencies(&self) -> [Family; 2] {
        let (mut tcp, mut http) = (Family::new(&DURATION), Family::new(&MIRROR_DURATION));
        for (key, histogram) in durations(&self.journal) {
            let before = self.before.durations.get(&key);
            let histogram = histogram.since(before.unwrap_or(&Histogram::default()));
            let (side, command) = key;
            let family = match side {
                Side::Tcp => &mut tcp,
                Side::Http => &mut http,
            };
            family.push([command.into()], histogram);
        }
        [tcp, http]
    }
}

pub(super) fn latencies_dropped(journal: &Journal) -> [u64; Dimension::ALL.len()] {
    Dimension::ALL.map(|dimension| journal.latencies_unrecorded(dimension))
}
