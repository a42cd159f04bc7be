//! What the tap could not take, or not at once, told to the journal.

use std::time::Duration;

use parallax_captures::Journal;

use crate::relay::TapCounters;

/// What was told so far.
#[derive(Debug, Default)]
pub(super) struct Overload {
    dropped: u64,
    waits: u64,
    waited: Duration,
}

impl Overload {
    /// Tells what has come to it. To be called after observations: whatever was dropped
    /// or had to wait was so because more was waiting, so there is always another one.
    pub(super) fn tell(&mut self, counters: &TapCounters, journal: &Journal) {
        let (dropped, waits) = (counters.observations_dropped(), counters.waits());
        let waited = counters.waited();
        if (dropped, waits, waited) == (self.dropped, self.waits, self.waited) {
            return;
        }
        journal.update_totals(|totals| {
            totals.observations_dropped += dropped - self.dropped;
            totals.clients_slowed += waits - self.waits;
            totals.clients_slowed_for += waited.saturating_sub(self.waited);
        });
        *self = Self {
            dropped,
            waits,
            waited,
        };
    }
}
