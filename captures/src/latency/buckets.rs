//! Counts of latencies in the buckets of an `HdrHistogram` of two significant digits,
//! without the buckets that are empty.

use std::fmt;

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

/// How often each bucket was met.
///
/// A table of cells that are found by their bucket's number: mostly at once, however many
/// there are.
#[derive(Clone, Default)]
pub struct Buckets {
    /// A power of two of them, or none. A cell that counts nothing is free, and at least
    /// a quarter is.
    cells: Vec<Cell>,
    met: usize,
}

/// A bucket's number in the upper 16 bits, how often it was met in the others: half the
/// memory of the two beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell(u64);

impl Cell {
    const FREE: Self = Self(0);

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
}

impl Buckets {
    /// Every bucket that was met, in the order of the buckets: the least latency in it in
    /// microseconds, and how often.
    pub fn recorded(&self) -> impl Iterator<Item = (u64, u64)> {
        let cells = self.in_order().into_iter();
        cells.map(|cell| (least_in(cell.bucket()), cell.count()))
    }

    /// How many latencies there are.
    pub fn count(&self) -> u64 {
        self.cells.iter().map(|cell| cell.count()).sum()
    }

    /// How many buckets were met.
    pub(super) const fn len(&self) -> usize {
        self.met
    }

    /// Bytes of memory beside its own.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
    }

    /// Adds to a bucket that was met before; whether it was.
    #[inline]
    pub(super) fn add_again(&mut self, bucket: u16, count: u64) -> bool {
        let Some(cell) = self.cell(bucket).filter(|cell| **cell != Cell::FREE) else {
            return false;
        };
        *cell = Cell::new(bucket, cell.count().saturating_add(count));
        true
    }

    pub(super) fn add(&mut self, bucket: u16, count: u64) {
        if count == 0 || self.add_again(bucket, count) {
            return;
        }
        if self.met >= self.cells.len() / 4 * 3 {
            self.grow();
        }
        if let Some(cell) = self.cell(bucket) {
            *cell = Cell::new(bucket, count);
            self.met += 1;
        }
    }

    pub(super) fn add_all(&mut self, others: &Self) {
        for (bucket, count) in others.cells() {
            self.add(bucket, count);
        }
    }

    /// Every bucket that was met and how often, in no order.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u16, u64)> {
        self.met().map(|cell| (cell.bucket(), cell.count()))
    }

    /// As they are kept in a file: in the order of the buckets.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let cells = self.in_order().into_iter();
        cells.flat_map(|cell| cell.0.to_le_bytes()).collect()
    }

    /// What [`to_bytes`](Self::to_bytes) gave. What is damaged is left out.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let (cells, _) = bytes.as_chunks();
        let mut buckets = Self::default();
        for cell in cells.iter().map(|cell| Cell(u64::from_le_bytes(*cell))) {
            if (1..=bucket_of(u64::MAX)).contains(&cell.bucket()) {
                buckets.add(cell.bucket(), cell.count());
            }
        }
        buckets
    }

    fn met(&self) -> impl Iterator<Item = Cell> {
        let cells = self.cells.iter().copied();
        cells.filter(|cell| *cell != Cell::FREE)
    }

    fn in_order(&self) -> Vec<Cell> {
        let mut cells: Vec<_> = self.met().collect();
        cells.sort_unstable_by_key(|cell| cell.bucket());
        cells
    }

    /// The bucket's cell, or a free one for it; `None` where there is none at all.
    #[inline]
    fn cell(&mut self, bucket: u16) -> Option<&mut Cell> {
        let mask = self.cells.len().wrapping_sub(1);
        let mut place = spread(bucket) & mask;
        while *self.cells.get(place)? != Cell::FREE && self.cells[place].bucket() != bucket {
            place = (place + 1) & mask;
        }
        self.cells.get_mut(place)
    }

    fn grow(&mut self) {
        let length = (self.cells.len() * 2).max(4);
        let smaller = std::mem::replace(&mut self.cells, vec![Cell::FREE; length]);
        for met in smaller.into_iter().filter(|cell| *cell != Cell::FREE) {
            if let Some(cell) = self.cell(met.bucket()) {
                *cell = met;
            }
        }
    }
}

/// Numbers that follow each other far from each other, so that few meet others' cells.
fn spread(bucket: u16) -> usize {
    // 2^16 divided by the golden ratio.
    usize::from(bucket.wrapping_mul(0x9E37).rotate_left(8))
}

impl PartialEq for Buckets {
    fn eq(&self, other: &Self) -> bool {
        self.in_order() == other.in_order()
    }
}

impl Eq for Buckets {}

impl fmt::Debug for Buckets {
    /// What is equal is written alike, in whatever order it was met.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.recorded()).finish()
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

        #[test]
        fn the_order_in_which_buckets_were_met_is_not_seen(
            met in proptest::collection::vec(1..LATENCY_MAX_US, 0..50),
        ) {
            let of = |met: &[u64]| {
                let mut buckets = Buckets::default();
                for micros in met {
                    buckets.add(bucket_of(*micros), 1);
                }
                buckets
            };
            let forwards = of(&met);
            let backwards = of(&met.into_iter().rev().collect::<Vec<_>>());
            prop_assert_eq!(&forwards, &backwards);
            prop_assert_eq!(format!("{forwards:?}"), format!("{backwards:?}"));
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
