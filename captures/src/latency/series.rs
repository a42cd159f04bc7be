//! Latencies as they are read: a dimension's series, and any range of time of them.

use std::ops::Range;
use std::time::Duration;

use hdrhistogram::Histogram;
use jiff::Timestamp;

use super::buckets::Buckets;
use super::dimension::{Dimension, Label};
use super::timeline::Slices;
use super::{Side, timeline};
use crate::limits::{LATENCY_MAX_US, LATENCY_SLICE_US};

/// A dimension's series, over slices of time that all of them share.
#[derive(Debug, Clone)]
pub struct LatencyTimeline {
    /// Which one.
    pub dimension: Dimension,
    pub(super) doublings: u32,
    pub(super) span: Option<(i64, i64)>,
    /// The series, in the order of their labels, commands and sides.
    pub series: Vec<LatencySeries>,
    /// Latencies that belong to the dimension and are in none of them.
    pub unrecorded: u64,
    /// How many latencies are of operations that were told "not now".
    pub retried: u64,
}

/// The latencies of one label, command and side.
#[derive(Debug, Clone)]
pub struct LatencySeries {
    /// Where in the dimension.
    pub label: Label,
    /// The command's name.
    pub command: String,
    /// Whose answers.
    pub side: Side,
    slices: Slices,
}

impl LatencyTimeline {
    /// How long a slice is.
    pub fn slice_width(&self) -> Duration {
        let micros = u64::try_from(LATENCY_SLICE_US << self.doublings);
        Duration::from_micros(micros.unwrap_or(u64::MAX))
    }

    /// The numbers of the slices from the first to the last that has anything in it;
    /// empty where none has.
    pub fn slices(&self) -> Range<i64> {
        self.span.map_or(0..0, |(first, last)| first..last + 1)
    }

    /// When a slice begins, and the one before it ends.
    pub fn begin_of(&self, slice: i64) -> Timestamp {
        begin_of(slice, self.doublings).unwrap_or(Timestamp::MAX)
    }

    /// The slice that a time is in, whether it has anything in it or not.
    pub fn slice_of(&self, at: Timestamp) -> i64 {
        timeline::least_slice(at) >> self.doublings
    }
}

impl LatencySeries {
    pub(super) const fn new(label: Label, command: String, side: Side, slices: Slices) -> Self {
        Self {
            label,
            command,
            side,
            slices,
        }
    }

    /// The slices in this range that have anything in them, in the order of time.
    pub fn slices(&self, range: &Range<i64>) -> &[(i64, Buckets)] {
        let begin = self
            .slices
            .partition_point(|(slice, _)| *slice < range.start);
        let end = self.slices.partition_point(|(slice, _)| *slice < range.end);
        self.slices.get(begin..end).unwrap_or_default()
    }

    /// How many latencies are in this range of slices.
    pub fn count(&self, range: &Range<i64>) -> u64 {
        let slices = self.slices(range).iter();
        slices.map(|(_, buckets)| buckets.count()).sum()
    }

    /// The latencies in this range of slices, in microseconds, within 1 %.
    /// `None` where there is no memory for them.
    pub fn histogram(&self, range: &Range<i64>) -> Option<Histogram<u64>> {
        let slices = self.slices(range).iter();
        histogram(slices.map(|(_, buckets)| buckets))
    }
}

/// Counts of several slices as one histogram; `None` where there is no memory for it.
pub(super) fn histogram<'a>(slices: impl Iterator<Item = &'a Buckets>) -> Option<Histogram<u64>> {
    // Two significant digits: within 1 %, in a few KiB a series.
    let mut histogram = Histogram::new_with_bounds(1, LATENCY_MAX_US, 2).ok()?;
    for (micros, count) in slices.flat_map(Buckets::recorded) {
        histogram.saturating_record_n(micros, count);
    }
    Some(histogram)
}

pub(super) fn sum<'a>(slices: impl Iterator<Item = &'a Buckets>) -> Buckets {
    let mut sum = Buckets::default();
    for buckets in slices {
        sum.add_all(buckets);
    }
    sum
}

pub(super) fn begin_of(slice: i64, doublings: u32) -> Option<Timestamp> {
    let micros = (slice << doublings).checked_mul(LATENCY_SLICE_US)?;
    Timestamp::from_microsecond(micros).ok()
}
