//! Counts in slots of equal width. Slots begin at whole multiples of their width, and
//! widths only ever double: two slots become one, and what the slots hold does not
//! depend on the order in which it came.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::limits::SLOT_WIDTH;

/// What is counted in a slot.
pub trait Tally: Copy + Default {
    /// Adds so much more.
    fn gain(&mut self, more: Self);
}

impl Tally for u64 {
    fn gain(&mut self, more: Self) {
        *self = self.saturating_add(more);
    }
}

/// Counts over time in at most `MOST` slots: the narrowest ones in which all of it has
/// room, of [`SLOT_WIDTH`] or that doubled so many times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots<V, const MOST: usize> {
    /// How often the width was doubled.
    doublings: u32,
    /// The number of the first slot: it begins at so many widths after 1970.
    first: i64,
    counts: VecDeque<V>,
}

/// The same, as it is written to files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotsRecord<V> {
    doublings: u32,
    first: i64,
    slots: Vec<V>,
}

/// Doublings after which all times that there are have room in two slots.
const MOST_DOUBLINGS: u32 = 42;

impl<V, const MOST: usize> Default for Slots<V, MOST> {
    fn default() -> Self {
        const { assert!(MOST >= 2, "two neighbours can not always become one") }
        Self {
            doublings: 0,
            first: 0,
            counts: VecDeque::new(),
        }
    }
}

impl<V: Tally, const MOST: usize> Slots<V, MOST> {
    /// Counts something that happened at a time.
    pub fn add(&mut self, time: Timestamp, what: V) {
        loop {
            let slot = slot_of(time, self.doublings);
            if self.make_room(slot) {
                // It is there now.
                let index = usize::try_from(slot - self.first).unwrap_or_default();
                if let Some(counted) = self.counts.get_mut(index) {
                    counted.gain(what);
                }
                return;
            }
            self.double();
        }
    }

    /// Adds what others count.
    pub fn add_all(&mut self, others: &Self) {
        while self.doublings < others.doublings {
            self.double();
        }
        for (begin, what) in others.iter() {
            self.add(begin, what);
        }
    }

    /// How long each slot lasts.
    pub fn width(&self) -> Duration {
        Duration::from_micros(width_us(self.doublings).unsigned_abs())
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Everything together.
    pub fn total(&self) -> V {
        let mut total = V::default();
        self.counts.iter().for_each(|what| total.gain(*what));
        total
    }

    /// The slots from the first to the last that has something, in their order; each
    /// with when it begins.
    pub fn iter(&self) -> impl Iterator<Item = (Timestamp, V)> {
        let numbered = (self.first..).zip(&self.counts);
        numbered.map(|(number, what)| (begin_of(number, self.doublings), *what))
    }

    /// When the first slot begins and the last one ends; `None` where there is none.
    pub fn range(&self) -> Option<(Timestamp, Timestamp)> {
        let length = i64::try_from(self.counts.len())
            .ok()
            .filter(|one| *one > 0)?;
        let end = begin_of(self.first.saturating_add(length), self.doublings);
        Some((begin_of(self.first, self.doublings), end))
    }

    /// The same in slots that are at least so wide.
    #[must_use]
    pub fn at_least(mut self, width: Duration) -> Self {
        while self.width() < width && self.doublings < MOST_DOUBLINGS {
            self.double();
        }
        self
    }

    /// To be written to a file.
    pub fn record(&self) -> SlotsRecord<V> {
        SlotsRecord {
            doublings: self.doublings,
            first: self.first,
            slots: self.counts.iter().copied().collect(),
        }
    }

    /// As it was written; what has no room is put together, whatever the file says.
    pub fn read(record: &SlotsRecord<V>) -> Self {
        let mut slots = Self {
            doublings: record.doublings.min(MOST_DOUBLINGS),
            ..Self::default()
        };
        for (index, what) in (0..).zip(&record.slots) {
            let number = record.first.saturating_add(index);
            slots.add(begin_of(number, slots.doublings), *what);
        }
        slots
    }

    /// Makes the slot one of these, if they are few enough then.
    fn make_room(&mut self, slot: i64) -> bool {
        if self.counts.is_empty() {
            self.first = slot;
            self.counts.push_back(V::default());
        }
        let last = self.first + i64::try_from(self.counts.len()).unwrap_or(i64::MAX) - 1;
        let (first, last) = (self.first.min(slot), last.max(slot));
        let most = i64::try_from(MOST).unwrap_or(i64::MAX);
        if last - first >= most && self.doublings < MOST_DOUBLINGS {
            return false;
        }
        while self.first > first {
            self.first -= 1;
            self.counts.push_front(V::default());
        }
        let length = usize::try_from(last - first + 1).unwrap_or(MOST);
        self.counts
            .resize(length.max(self.counts.len()), V::default());
        true
    }

    fn double(&mut self) {
        let narrow = std::mem::take(&mut self.counts);
        let first = self.first;
        self.doublings += 1;
        self.first = first.div_euclid(2);
        for (number, what) in (first..).zip(narrow) {
            let slot = usize::try_from(number.div_euclid(2) - self.first).unwrap_or_default();
            if slot == self.counts.len() {
                self.counts.push_back(what);
            } else if let Some(counted) = self.counts.get_mut(slot) {
                counted.gain(what);
            }
        }
    }
}

fn slot_of(time: Timestamp, doublings: u32) -> i64 {
    time.as_microsecond().div_euclid(width_us(doublings))
}

/// When a slot begins; the first time that there is where that is before it.
fn begin_of(slot: i64, doublings: u32) -> Timestamp {
    let micros = slot.saturating_mul(width_us(doublings));
    let end = if slot < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    Timestamp::from_nanosecond(i128::from(micros) * 1_000).unwrap_or(end)
}

fn width_us(doublings: u32) -> i64 {
    let narrowest = i64::try_from(SLOT_WIDTH.as_micros()).unwrap_or(i64::MAX);
    narrowest.saturating_mul(1 << doublings.min(MOST_DOUBLINGS))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Few = Slots<u64, 7>;

    fn counted(events: &[(i64, u64)]) -> Few {
        let mut slots = Few::default();
        for (micros, count) in events {
            let nanos = i128::from(*micros) * 1_000;
            slots.add(Timestamp::from_nanosecond(nanos).unwrap(), *count);
        }
        slots
    }

    /// Times that lie close, apart, and at the ends of all times.
    fn event() -> impl Strategy<Value = (i64, u64)> {
        let ends = [Timestamp::MIN, Timestamp::MAX].map(Timestamp::as_microsecond);
        let micros = prop_oneof![
            3 => -2_000_000..2_000_000_i64,
            3 => 0..4_000_000_000_i64,
            1 => ends[0]..ends[1],
            1 => Just(ends[0]),
            1 => Just(ends[1]),
        ];
        (micros, 1..5_u64)
    }

    fn events() -> impl Strategy<Value = Vec<(i64, u64)>> {
        proptest::collection::vec(event(), 1..60)
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_all_is_where_it_happened(events in events()) {
            let slots = counted(&events);
            let width = i64::try_from(slots.width().as_micros()).unwrap();
            prop_assert!(slots.counts.len() <= 7);
            for (index, (begin, count)) in slots.iter().enumerate() {
                let number = slots.first + i64::try_from(index).unwrap();
                let within = events.iter().filter(|(micros, _)| micros.div_euclid(width) == number);
                prop_assert_eq!(count, within.map(|(_, count)| count).sum::<u64>());
                let begin = begin.as_microsecond();
                prop_assert!(begin == number * width || begin == Timestamp::MIN.as_microsecond());
            }
            prop_assert_eq!(slots.total(), events.iter().map(|(_, count)| count).sum::<u64>());
        }

        #[test]
        fn the_order_of_arrival_does_not_matter(
            (events, shuffled) in events().prop_flat_map(|events| {
                (Just(events.clone()), Just(events).prop_shuffle())
            })
        ) {
            prop_assert_eq!(counted(&events), counted(&shuffled));
        }

        #[test]
        fn parts_that_were_counted_apart_add_up(events in events(), at in any::<usize>()) {
            let (one, other) = events.split_at(at % events.len());
            let mut sum = counted(one);
            sum.add_all(&counted(other));
            prop_assert_eq!(sum, counted(&events));
        }

        #[test]
        fn what_was_written_is_what_is_read(events in events()) {
            let slots = counted(&events);
            prop_assert_eq!(Few::read(&slots.record()), slots);
        }

        #[test]
        fn any_record_is_read_within_the_limit(
            doublings in any::<u32>(),
            first in any::<i64>(),
            slots in proptest::collection::vec(any::<u64>(), 0..40),
        ) {
            let total = slots.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
            let read = Few::read(&SlotsRecord { doublings, first, slots });
            prop_assert!(read.counts.len() <= 7);
            prop_assert_eq!(read.total(), total);
        }
    }

    #[test]
    fn slots_are_as_narrow_as_all_that_was_seen_allows() {
        let second = 1_000_000;
        assert_eq!(counted(&[(0, 1)]).width(), SLOT_WIDTH);
        assert_eq!(counted(&[(0, 1), (second, 1)]).width(), SLOT_WIDTH * 2);
        let hour = counted(&[(0, 1), (3_600 * second, 1)]);
        assert_eq!(hour.width(), Duration::from_secs(1024));
        assert_eq!(
            hour.iter().map(|(_, count)| count).collect::<Vec<_>>(),
            [1, 0, 0, 1]
        );
    }
}
