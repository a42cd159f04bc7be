//! How much happened when: what the page draws over time.

mod moment;
mod slots;

pub use self::moment::Moment;
pub use self::slots::{Slots, SlotsRecord, Tally};
use crate::exchange::Exchange;
use crate::limits::{ACTIVITY_SLOTS, FINDING_SLOTS};

/// What passed, over time.
pub type Activity = Slots<Moment, ACTIVITY_SLOTS>;

/// How often a finding was seen, over time.
pub type Occurrences = Slots<u64, FINDING_SLOTS>;

impl Activity {
    /// Counts the verdict of an exchange that had none before.
    pub(crate) fn add_late_verdict(&mut self, before: &Exchange, after: &Exchange) {
        if let (None, Some(verdict)) = (&before.verdict, &after.verdict) {
            self.add(after.times.request_first, Moment::verdict(verdict));
        }
    }
}
