//! The figures, from where they are counted.

mod mirror;
mod otlp;
mod passing;
mod process;
mod seen;

use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::{Dimension, Journal, MirrorStatus, RouteName, Totals};

use super::family::Family;
use super::histogram::{Durations, durations};
use super::metrics::Metric;
use super::otlp::OtlpCounters;
use crate::mirror::MirrorHandle;
use crate::relay::Counters;

/// Where the figures are counted, and what they were when the program began: every counter
/// begins at 0 with the program, also where a recording goes on.
#[derive(Debug)]
pub struct Figures {
    pub(super) started: Timestamp,
    journal: Arc<Journal>,
    relays: Vec<Arc<Counters>>,
    connections_limit: usize,
    is_bypass: bool,
    mirrors: Vec<(Option<RouteName>, MirrorHandle)>,
    otlp: Option<Arc<OtlpCounters>>,
    before: Before,
}

/// What the journal had when the program began, from a recording.
#[derive(Debug)]
struct Before {
    totals: Totals,
    durations: Durations,
    latencies_dropped: [u64; Dimension::ALL.len()],
    mirrors: Vec<MirrorStatus>,
    recording_dropped: u64,
}

impl Figures {
    /// Of what `journal` records from now on.
    pub fn of(journal: Arc<Journal>) -> Self {
        let before = Before {
            totals: journal.totals(),
            durations: durations(&journal),
            latencies_dropped: seen::latencies_dropped(&journal),
            mirrors: journal.mirrors(),
            recording_dropped: journal.recording().map_or(0, |status| status.dropped),
        };
        Self {
            started: Timestamp::now(),
            journal,
            relays: Vec::new(),
            connections_limit: 0,
            is_bypass: false,
            mirrors: Vec::new(),
            otlp: None,
            before,
        }
    }

    /// And of what a relay counts, that lets in so many clients at once.
    #[must_use]
    pub fn with_relay(mut self, relay: Arc<Counters>, connections: usize) -> Self {
        self.relays.push(relay);
        self.connections_limit += connections;
        self
    }

    /// And of what waits for the mirror of each route.
    #[must_use]
    pub fn with_mirrors(mut self, mirrors: Vec<(Option<RouteName>, MirrorHandle)>) -> Self {
        self.mirrors = mirrors;
        self
    }

    /// And of what is sent to a collector.
    #[must_use]
    pub fn with_otlp(mut self, otlp: Option<Arc<OtlpCounters>>) -> Self {
        self.otlp = otlp;
        self
    }

    /// What is seen.
    pub const fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// Where nothing is looked at: the relay alone counts bytes.
    #[must_use]
    pub const fn bypassing(mut self, is_bypass: bool) -> Self {
        self.is_bypass = is_bypass;
        self
    }

    /// All figures as they are now, in the order of [`metrics::all`](super::metrics::all).
    pub(crate) fn gather(&self) -> Vec<Family> {
        let mut families = process::gather(self.started);
        families.extend(self.passing());
        families.extend(self.seen());
        families.extend(self.mirrored());
        families.extend(self.recorded());
        families.extend(self.sent());
        let order = |metric: &Metric| {
            let mut all = super::metrics::all();
            all.position(|one| std::ptr::eq(one, metric))
        };
        families.sort_by_key(|family| order(family.metric));
        families
    }
}
