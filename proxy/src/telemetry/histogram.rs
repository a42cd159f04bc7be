//! Latencies in the buckets that they are told in.

use std::collections::BTreeMap;

use parallax_captures::{Dimension, Journal, Side};

/// What a latency is at most, in seconds: 100 microseconds to a minute.
pub(crate) const BOUNDS: [f64; 18] = [
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0, 30.0, 60.0,
];

/// The same in microseconds.
const BOUNDS_US: [u64; BOUNDS.len()] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
];

/// How many latencies are in each bucket, and their sum. Both within 1 %: which is what the
/// journal's histograms tell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Histogram {
    /// The last one is of those above every bound.
    pub(crate) buckets: [u64; BOUNDS.len() + 1],
    /// In microseconds.
    sum: u64,
}

/// By side and command. A command that no known version has is `unknown`, so that no
/// client adds to them.
pub(crate) type Durations = BTreeMap<(Side, String), Histogram>;

impl Histogram {
    /// In seconds.
    #[expect(clippy::cast_precision_loss, reason = "within 1 % anyway")]
    pub(crate) fn sum(&self) -> f64 {
        self.sum as f64 / 1e6
    }

    fn add(&mut self, micros: u64, count: u64) {
        let bucket = BOUNDS_US.partition_point(|bound| *bound < micros);
        self.buckets[bucket] += count;
        self.sum += micros.saturating_mul(count);
    }

    /// Without what was there before.
    pub(crate) fn since(mut self, before: &Self) -> Self {
        for (bucket, before) in self.buckets.iter_mut().zip(before.buckets) {
            *bucket = bucket.saturating_sub(before);
        }
        self.sum = self.sum.saturating_sub(before.sum);
        self
    }
}

/// What the journal has recorded of each command.
pub(crate) fn durations(journal: &Journal) -> Durations {
    let timeline = journal.latencies_by(Dimension::Command);
    let slices = timeline.slices();
    let mut durations = Durations::new();
    for series in &timeline.series {
        let command = if series.command.starts_with("unknown_") {
            "unknown"
        } else {
            &series.command
        };
        let known = durations.entry((series.side, command.to_owned()));
        let histogram = known.or_default();
        for (_, buckets) in series.slices(&slices) {
            for (micros, count) in buckets.recorded() {
                histogram.add(micros, count);
            }
        }
    }
    durations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "they are whole and small")]
    fn bounds_are_the_same_in_seconds_and_microseconds() {
        for (seconds, micros) in BOUNDS.iter().zip(BOUNDS_US) {
            assert!((seconds * 1e6 - micros as f64).abs() < 1e-6);
        }
    }

    #[test]
    fn a_latency_is_in_the_bucket_of_the_least_bound_that_is_not_below_it() {
        let mut histogram = Histogram::default();
        for micros in [1, 100, 101, 1_000, 60_000_000, 60_000_001] {
            histogram.add(micros, 1);
        }
        let all = histogram.buckets.iter().enumerate();
        let met: Vec<_> = all.filter(|(_, count)| **count > 0).collect();
        assert_eq!(met, [(0, &2), (1, &1), (3, &1), (17, &1), (18, &1)]);
        assert!((histogram.sum() - 120.001_203).abs() < 1e-9);
    }
}
