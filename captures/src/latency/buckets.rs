//! Counts of latencies in the buckets of an `HdrHistogram` of two significant digits,
//! without the buckets that are empty.

use crate::limits::LATENCY_MAX_US;

/// Values below this have a bucket each; from there on each doubling has half as many.
/// From `HdrHistogram`: the power of two from 2 * 10^2 on.
const EXACT: u64 = 256;

/// The bits of [`EXACT`].
const EXACT_BITS: u32 = EXACT.ilog2();

/// The bits of a cell that hold its count.
const COUNT_BITS: u32 = 48;

/// The number of a latency's bucket, in microseconds, clamped to what a histogram tells
/// apart: 1 to [`LATENCY_MAX_US`].
pub(super) fn bucket_of(micros: u64) -> u16 {
    let micros = micros.clamp(1, LATENCY_MAX_US);
    let shift = (micros | (EXACT - 1)).ilog2() + 1 - EXACT_BITS;
    let bucket = (u64::from(shift) << (EXACT_BITS - 1)) + (micros >> shift);
    // 3,327 at most.
    u16::try_from(bucket).unwrap_or(u16::MAX)
}

/// The least latency in a bucket, in microseconds.
pub(super) fn least_in(bucket: u16) -> u64 {
    let bucket = u64::from(bucket);
    let shift = (bucket >> (EXACT_BITS - 1)).saturating_sub(1);
    (bucket - (shift << (EXACT_BITS - 1))) << shift
}

/// How often each bucket was met, in the order of the buckets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buckets(Vec<Cell>);

/// A bucket's number in the upper 16 bits, how often it was met in the others: half the
/// memory of the two beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell(u64);

impl Cell {
    fn new(bucket: u16, count: u64) -> Self {
        let most = (1 << COUNT_BITS) - 1;
        Self((u64::from(bucket) << COUNT_BITS) | count.min(most))
    }

    const fn bucket(self) -> u16 {
        (self.0 >> COUNT_BITS) as u16
    }

    const fn count(self) -> u64 {
        self.0 & ((1 << COUNT_BITS) - 1)
    }

    fn gain(&mut self, count: u64) {
        *self = Self::new(self.bucket(), self.count().saturating_add(count));
    }
}

impl Buckets {
    /// Every bucket that was met: the least latency in it in microseconds, and how often.
    pub fn recorded(&self) -> impl Iterator<Item = (u64, u64)> {
        let cells = self.0.iter();
        cells.map(|cell| (least_in(cell.bucket()), cell.count()))
    }

    /// How many latencies there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|cell| cell.count()).sum()
    }

    /// How many buckets were met.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds to a bucket that was met before; whether it was.
    pub(super) fn add_again(&mut self, bucket: u16, count: u64) -> bool {
        let place = self.place(bucket);
        if let Ok(index) = place {
            self.0[index].gain(count);
        }
        place.is_ok()
    }

    pub(super) fn add(&mut self, bucket: u16, count: u64) {
        match self.place(bucket) {
            Ok(index) => self.0[index].gain(count),
            Err(index) => self.0.insert(index, Cell::new(bucket, count)),
        }
    }

    pub(super) fn add_all(&mut self, others: &Self) {
        self.0.extend_from_slice(&others.0);
        // Two runs that are in order each are only merged.
        self.0.sort_by_key(|cell| cell.bucket());
        self.0.dedup_by(|later, earlier| {
            let same = later.bucket() == earlier.bucket();
            if same {
                earlier.gain(later.count());
            }
            same
        });
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = (u16, u64)> {
        self.0.iter().map(|cell| (cell.bucket(), cell.count()))
    }

    /// As they are kept in a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let cells = self.0.iter();
        cells.flat_map(|cell| cell.0.to_le_bytes()).collect()
    }

    /// What [`to_bytes`](Self::to_bytes) gave. What is damaged is left out.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let (cells, _) = bytes.as_chunks();
        let mut buckets = Self::default();
        for cell in cells.iter().map(|cell| Cell(u64::from_le_bytes(*cell))) {
            if cell.bucket() <= bucket_of(u64::MAX) {
                buckets.add(cell.bucket(), cell.count());
            }
        }
        buckets
    }

    fn place(&self, bucket: u16) -> Result<usize, usize> {
        self.0.binary_search_by_key(&bucket, |cell| cell.bucket())
    }
}

#[cfg(test)]
mod tests {
    use hdrhistogram::Histogram;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bucket_begins_where_one_of_an_hdr_histogram_does(micros in 1..=LATENCY_MAX_US) {
            let histogram = Histogram::<u64>::new_with_bounds(1, LATENCY_MAX_US, 2).unwrap();
            prop_assert_eq!(
                least_in(bucket_of(micros)),
                histogram.lowest_equivalent(micros)
            );
        }

        #[test]
        fn what_was_kept_in_a_file_is_read_back(met in proptest::collection::vec(0..u64::MAX, 0..50)) {
            let mut buckets = Buckets::default();
            for micros in met {
                buckets.add(bucket_of(micros >> (micros % 60)), micros % 9 + 1);
            }
            prop_assert_eq!(Buckets::from_bytes(&buckets.to_bytes()), buckets);
        }
    }

    #[test]
    fn every_bucket_begins_where_it_says() {
        let last = bucket_of(LATENCY_MAX_US);
        for bucket in 1..=last {
            assert_eq!(bucket_of(least_in(bucket)), bucket);
            assert!(bucket == last || bucket_of(least_in(bucket + 1) - 1) == bucket);
        }
        assert!(usize::from(last) < crate::limits::LATENCY_CELLS);
    }
}
