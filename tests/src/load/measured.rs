//! What clients measured.

use std::time::Duration;

use hdrhistogram::Histogram;

/// One or many clients' figures.
#[derive(Debug, Clone)]
pub struct Measured {
    /// From when a poll was due to when its reply was whole, in nanoseconds.
    pub latency: Histogram<u64>,
    /// How late the client itself was with polls that nothing held up, in
    /// nanoseconds: the timer's doing, and not in `latency`.
    pub lateness: Histogram<u64>,
    /// Over what time.
    pub elapsed: Duration,
    /// Polls in all, those that were not measured included.
    pub polls: u64,
}

/// The longest latency that is told apart: a minute.
const LONGEST_NS: u64 = 60_000_000_000;

impl Measured {
    /// Nothing yet.
    pub fn new() -> Self {
        // One in a thousand: ratios of some percent are what is looked for.
        let histogram = || Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("bounds are right");
        Self {
            latency: histogram(),
            lateness: histogram(),
            elapsed: Duration::ZERO,
            polls: 0,
        }
    }

    /// A quantile of the latency, 0 to 1, in microseconds.
    #[allow(clippy::cast_precision_loss)]
    pub fn micros(&self, quantile: f64) -> f64 {
        self.latency.value_at_quantile(quantile) as f64 / 1000.0
    }

    /// Measured polls a second.
    #[allow(clippy::cast_precision_loss)]
    pub fn rate(&self) -> f64 {
        self.latency.len() as f64 / self.elapsed.as_secs_f64()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.latency.add(&other.latency).expect("the same bounds");
        self.lateness.add(&other.lateness).expect("the same bounds");
        self.elapsed = self.elapsed.max(other.elapsed);
        self.polls += other.polls;
    }
}

impl Default for Measured {
    fn default() -> Self {
        Self::new()
    }
}

pub(super) fn record(histogram: &mut Histogram<u64>, time: Duration) {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    histogram.saturating_record(nanoseconds);
}
