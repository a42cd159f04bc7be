//! Latencies in slices of time, by what they belong to. The width of a slice doubles
//! when there are too many.

use std::hash::{BuildHasher as _, Hash};

use jiff::Timestamp;
use rustc_hash::FxBuildHasher;

use super::Side;
use super::buckets::Buckets;
use super::names::CommandNames;
use super::places::Places;
use super::silence::Silence;
use crate::limits::{LATENCY_SLICE_US, LATENCY_SLICES};

/// With so many doublings all times that can be told are in one slice, or in two where
/// some are before 1970.
const MOST_DOUBLINGS: u32 = 46;

/// What a timeline keeps at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Series, told apart by key, command and side.
    pub(super) series: usize,
    /// Buckets that were met, of all slices of all series.
    pub(super) cells: usize,
    /// Where there are too many series, those of the key that was silent for longest
    /// are forgotten. Else a further series is not recorded.
    pub(super) forgets: bool,
}

/// All series of one dimension, over one division of time: a slice has the same number
/// in each, and its ends are multiples of its width since 1970.
#[derive(Debug, Clone)]
pub(super) struct Timeline<K> {
    room: Room,
    /// How often the width has doubled, from [`LATENCY_SLICE_US`].
    doublings: u32,
    /// The first and the last slice with anything in it.
    span: Option<(i64, i64)>,
    cells: usize,
    /// In no order. None is empty.
    series: Vec<Series<K>>,
    /// Where in `series` they are.
    places: Places,
    /// Of what may be forgotten.
    silence: Silence<K>,
    /// Latencies that are in no series.
    unrecorded: u64,
}

#[derive(Debug, Clone)]
struct Series<K> {
    key: K,
    timed: Timed,
    slices: Slices,
}

/// The slices of a series that have anything in them, in the order of time.
pub(super) type Slices = Vec<(i64, Buckets)>;

/// What was timed, the same in every dimension: a command, by its number, and whose
/// answer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Timed(u32);

/// One latency, or several of one bucket.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    /// When, in slices of the least width: see [`least_slice`].
    pub(super) slice: i64,
    pub(super) bucket: u16,
    pub(super) count: u64,
}

/// The slice of the least width that a time is in.
pub(super) fn least_slice(at: Timestamp) -> i64 {
    // Towards the past, before 1970 as well.
    let is_between = at.subsec_nanosecond() % 1_000 < 0;
    (at.as_microsecond() - i64::from(is_between)).div_euclid(LATENCY_SLICE_US)
}

impl Timed {
    pub(super) const fn new(command: u32, side: Side) -> Self {
        match side {
            Side::Tcp => Self(command << 1),
            Side::Http => Self((command << 1) | 1),
        }
    }

    const fn command(self) -> u32 {
        self.0 >> 1
    }

    const fn side(self) -> Side {
        if self.0 & 1 == 0 {
            Side::Tcp
        } else {
            Side::Http
        }
    }
}

impl<K: Ord + Hash + Clone> Timeline<K> {
    pub(super) fn new(room: Room) -> Self {
        Self {
            room,
            doublings: 0,
            span: None,
            cells: 0,
            series: Vec::new(),
            places: Places::default(),
            silence: Silence::default(),
            unrecorded: 0,
        }
    }

    pub(super) const fn doublings(&self) -> u32 {
        self.doublings
    }

    pub(super) const fn span(&self) -> Option<(i64, i64)> {
        self.span
    }

    pub(super) const fn unrecorded(&self) -> u64 {
        self.unrecorded
    }

    pub(super) const fn not_recorded(&mut self, count: u64) {
        self.unrecorded = self.unrecorded.saturating_add(count);
    }

    /// Every series that there is, in the order of keys, commands and sides.
    pub(super) fn series<'a>(
        &'a self,
        names: &'a CommandNames,
    ) -> impl Iterator<Item = (&'a K, &'a str, Side, &'a Slices)> {
        let series = self.series.iter().map(|one| {
            let command = names.name(one.timed.command());
            (&one.key, command, one.timed.side(), &one.slices)
        });
        let mut series: Vec<_> = series.collect();
        series.sort_unstable_by_key(|(key, command, side, _)| (*key, *command, *side));
        series.into_iter()
    }

    /// The commands of all series.
    pub(super) fn commands(&self) -> impl Iterator<Item = u32> {
        self.series.iter().map(|one| one.timed.command())
    }

    /// What a slice has.
    pub(super) fn slice(&self, key: &K, timed: Timed, slice: i64) -> Option<&Buckets> {
        let slices = &self.series[self.find(key, timed)?].slices;
        let index = slices.binary_search_by_key(&slice, |(slice, _)| *slice);
        Some(&slices[index.ok()?].1)
    }

    /// Records latencies. Gives the key that had to be forgotten for them.
    pub(super) fn record(&mut self, key: &K, timed: Timed, met: Met) -> Option<K> {
        let Some(place) = self.find(key, timed) else {
            return self.begin(key, timed, met);
        };
        let slice = met.slice >> self.doublings;
        if !again(&mut self.series[place].slices, slice, met) {
            self.put(place, met);
        }
        None
    }

    /// Makes slices at least this wide.
    pub(super) fn widen(&mut self, doublings: u32) {
        while self.doublings < doublings.min(MOST_DOUBLINGS) {
            self.double();
        }
    }

    /// Buckets that were met, of all slices of all series.
    #[cfg(test)]
    pub(super) const fn cells(&self) -> usize {
        self.cells
    }

    /// Bytes of memory of all of it, names in keys aside.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let slices = self.series.iter().map(|one| {
            let buckets = one.slices.iter().map(|(_, buckets)| buckets.bytes());
            one.slices.capacity() * size_of::<(i64, Buckets)>() + buckets.sum::<usize>()
        });
        self.series.capacity() * size_of::<Series<K>>()
            + self.places.bytes()
            + slices.sum::<usize>()
    }

    fn find(&self, key: &K, timed: Timed) -> Option<usize> {
        self.places.find(hash(key, timed), |place| {
            let one = self.series.get(place);
            one.is_some_and(|one| one.timed == timed && one.key == *key)
        })
    }

    /// Records the first latencies of a series, if there is room for it.
    fn begin(&mut self, key: &K, timed: Timed, met: Met) -> Option<K> {
        let mut forgotten = None;
        if self.series.len() >= self.room.series {
            forgotten = self.forget_silent(key);
            if forgotten.is_none() {
                self.not_recorded(met.count);
                return None;
            }
        }
        let place = self.series.len();
        self.series.push(Series {
            key: key.clone(),
            timed,
            slices: Vec::new(),
        });
        self.put(place, met);
        if self.series[place].slices.is_empty() {
            self.series.pop();
        } else {
            self.places.add(hash(key, timed), place);
        }
        forgotten
    }

    #[inline(never)]
    fn put(&mut self, place: usize, met: Met) {
        loop {
            let slice = met.slice >> self.doublings;
            let slices = &mut self.series[place].slices;
            if again(slices, slice, met) {
                return;
            }
            let (first, last) = self.span.unwrap_or((slice, slice));
            let (first, last) = (first.min(slice), last.max(slice));
            let is_widest = self.doublings >= MOST_DOUBLINGS;
            if last.saturating_sub(first) >= LATENCY_SLICES && !is_widest {
                self.double();
                continue;
            }
            self.span = Some((first, last));
            if self.cells < self.room.cells {
                at(slices, slice).add(met.bucket, met.count);
                self.cells += 1;
                if self.room.forgets {
                    self.silence.met(&self.series[place].key, slice);
                }
                return;
            }
            if first == last || is_widest {
                self.not_recorded(met.count);
                return;
            }
            self.double();
        }
    }

    fn double(&mut self) {
        self.doublings += 1;
        self.span = self.span.map(|(first, last)| (first >> 1, last >> 1));
        self.cells = 0;
        for one in &mut self.series {
            halve(&mut one.slices);
            self.cells += cells(&one.slices);
        }
        self.silence.halve();
    }

    fn forget_silent(&mut self, but: &K) -> Option<K> {
        if !self.room.forgets {
            return None;
        }
        let longest = self.silence.forget_longest(but)?;
        let mut place = 0;
        while let Some(one) = self.series.get(place) {
            if one.key == longest {
                self.remove(place);
            } else {
                place += 1;
            }
        }
        Some(longest)
    }

    fn remove(&mut self, place: usize) {
        let gone = self.series.swap_remove(place);
        self.places.remove(hash(&gone.key, gone.timed), place);
        if let Some(moved) = self.series.get(place) {
            let hash = hash(&moved.key, moved.timed);
            self.places.moved(hash, self.series.len(), place);
        }
        self.cells -= cells(&gone.slices);
        let counts = gone.slices.iter().map(|(_, buckets)| buckets.count());
        self.unrecorded = self.unrecorded.saturating_add(counts.sum());
    }
}

fn hash(key: &impl Hash, timed: Timed) -> u32 {
    let hash = FxBuildHasher.hash_one((timed, key));
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default()
}

fn cells(slices: &Slices) -> usize {
    slices.iter().map(|(_, buckets)| buckets.len()).sum()
}

/// Adds where the slice has met the bucket before; whether it had.
#[inline]
fn again(slices: &mut Slices, slice: i64, met: Met) -> bool {
    // Time goes on: mostly it is the last one.
    match slices.last_mut() {
        Some((last, buckets)) if *last == slice => buckets.add_again(met.bucket, met.count),
        _ => slices
            .binary_search_by_key(&slice, |(slice, _)| *slice)
            .is_ok_and(|index| slices[index].1.add_again(met.bucket, met.count)),
    }
}

fn at(slices: &mut Slices, slice: i64) -> &mut Buckets {
    let index = match slices.binary_search_by_key(&slice, |(slice, _)| *slice) {
        Ok(index) => index,
        Err(index) => {
            slices.insert(index, (slice, Buckets::default()));
            index
        }
    };
    &mut slices[index].1
}

/// Makes one slice of each two.
fn halve(slices: &mut Slices) {
    for (slice, _) in slices.iter_mut() {
        *slice >>= 1;
    }
    slices.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1.add_all(&later.1);
        }
        same
    });
    slices.shrink_to_fit();
}
