//! Latencies in slices of time, by what they belong to. The width of a slice doubles
//! when there are too many.

use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

use jiff::Timestamp;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Side;
use super::buckets::Buckets;
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
    /// In the order in which they were met. None is empty.
    series: Vec<Series<K>>,
    /// Where in `series` one with this hash is.
    places: FxHashMap<u64, usize>,
    /// Latencies that are in no series.
    unrecorded: u64,
}

#[derive(Debug, Clone)]
struct Series<K> {
    key: K,
    /// Shared by all series of the command.
    command: Arc<str>,
    side: Side,
    hash: u64,
    slices: Slices,
}

/// The slices of a series that have anything in them, in the order of time.
pub(super) type Slices = Vec<(i64, Buckets)>;

/// What latencies have in common in every dimension. Hashed once for all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timed<'a> {
    command: &'a str,
    side: Side,
    hash: u64,
}

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

impl<'a> Timed<'a> {
    pub(super) fn new(command: &'a str, side: Side) -> Self {
        Self {
            command,
            side,
            hash: FxBuildHasher.hash_one((command, side)),
        }
    }

    fn hash_with(&self, key: &impl Hash) -> u64 {
        FxBuildHasher.hash_one((self.hash, key))
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
            places: FxHashMap::default(),
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
    pub(super) fn series(&self) -> impl Iterator<Item = (&K, &str, Side, &Slices)> {
        let mut series: Vec<_> = self.series.iter().collect();
        series.sort_unstable_by(|one, other| one.name().cmp(&other.name()));
        let series = series.into_iter();
        series.map(|one| (&one.key, &*one.command, one.side, &one.slices))
    }

    /// What a slice has.
    pub(super) fn slice(&self, key: &K, timed: Timed<'_>, slice: i64) -> Option<&Buckets> {
        let slices = &self.series[self.find(key, timed, timed.hash_with(key))?].slices;
        let index = slices.binary_search_by_key(&slice, |(slice, _)| *slice);
        Some(&slices[index.ok()?].1)
    }

    /// Records latencies. Gives the key that had to be forgotten for them.
    pub(super) fn record(&mut self, key: &K, timed: Timed<'_>, met: Met) -> Option<K> {
        let hash = timed.hash_with(key);
        match self.find(key, timed, hash) {
            Some(place) => {
                self.put(place, met);
                None
            }
            None => self.begin(key, timed, hash, met),
        }
    }

    /// Makes slices at least this wide.
    pub(super) fn widen(&mut self, doublings: u32) {
        while self.doublings < doublings.min(MOST_DOUBLINGS) {
            self.double();
        }
    }

    fn find(&self, key: &K, timed: Timed<'_>, hash: u64) -> Option<usize> {
        let is_it = |one: &Series<K>| one.name() == (key, timed.command, timed.side);
        let place = *self.places.get(&hash)?;
        if is_it(&self.series[place]) {
            return Some(place);
        }
        // The place is that of another with the same hash.
        self.series.iter().position(is_it)
    }

    /// Records the first latencies of a series, if there is room for it.
    fn begin(&mut self, key: &K, timed: Timed<'_>, hash: u64, met: Met) -> Option<K> {
        let mut forgotten = None;
        if self.series.len() >= self.room.series {
            forgotten = self.forget_silent(key);
            if forgotten.is_none() {
                self.not_recorded(met.count);
                return None;
            }
        }
        let mut known = self.series.iter().map(|one| &one.command);
        let known = known.find(|command| ***command == *timed.command);
        let command = known.map_or_else(|| timed.command.into(), Arc::clone);
        let place = self.series.len();
        self.series.push(Series {
            key: key.clone(),
            command,
            side: timed.side,
            hash,
            slices: Vec::new(),
        });
        self.put(place, met);
        if self.series[place].slices.is_empty() {
            self.series.pop();
        } else {
            self.places.insert(hash, place);
        }
        forgotten
    }

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
    }

    fn forget_silent(&mut self, but: &K) -> Option<K> {
        if !self.room.forgets {
            return None;
        }
        let mut latest = FxHashMap::<&K, i64>::default();
        for one in self.series.iter().filter(|one| one.key != *but) {
            if let Some((slice, _)) = one.slices.last() {
                let latest = latest.entry(&one.key).or_insert(*slice);
                *latest = (*latest).max(*slice);
            }
        }
        let oldest = latest.into_iter().min_by_key(|(key, slice)| (*slice, *key));
        let oldest = oldest?.0.clone();
        for gone in self.series.extract_if(.., |one| one.key == oldest) {
            self.cells -= cells(&gone.slices);
            let counts = gone.slices.iter().map(|(_, buckets)| buckets.count());
            self.unrecorded = self.unrecorded.saturating_add(counts.sum());
        }
        self.places.clear();
        let series = self.series.iter().enumerate();
        self.places
            .extend(series.map(|(place, one)| (one.hash, place)));
        Some(oldest)
    }
}

impl<K> Series<K> {
    fn name(&self) -> (&K, &str, Side) {
        (&self.key, &self.command, self.side)
    }
}

fn cells(slices: &Slices) -> usize {
    slices.iter().map(|(_, buckets)| buckets.len()).sum()
}

/// Adds where the slice has met the bucket before; whether it had.
fn again(slices: &mut Slices, slice: i64, met: Met) -> bool {
    // Time goes on: mostly it is the last one.
    let found = match slices.last() {
        Some((last, _)) if *last == slice => Ok(slices.len() - 1),
        _ => slices.binary_search_by_key(&slice, |(slice, _)| *slice),
    };
    found.is_ok_and(|index| slices[index].1.add_again(met.bucket, met.count))
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
}
