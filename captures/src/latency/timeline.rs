//! Latencies in slices of time, by what they belong to. The width of a slice doubles
//! when there are too many.

use std::collections::BTreeMap;

use jiff::Timestamp;

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
    series: BTreeMap<K, BTreeMap<String, Sides>>,
    /// Latencies that are in no series.
    unrecorded: u64,
}

/// The series of one key and command.
#[derive(Debug, Clone, Default)]
struct Sides {
    tcp: Slices,
    http: Slices,
}

/// The slices of a series that have anything in them, in the order of time.
pub(super) type Slices = Vec<(i64, Buckets)>;

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

impl<K: Ord + Clone> Timeline<K> {
    pub(super) const fn new(room: Room) -> Self {
        Self {
            room,
            doublings: 0,
            span: None,
            cells: 0,
            series: BTreeMap::new(),
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

    /// Every series that there is.
    pub(super) fn series(&self) -> impl Iterator<Item = (&K, &str, Side, &Slices)> {
        self.series.iter().flat_map(|(key, commands)| {
            commands.iter().flat_map(move |(command, sides)| {
                let sides = [(Side::Tcp, &sides.tcp), (Side::Http, &sides.http)];
                let there = sides.into_iter().filter(|(_, slices)| !slices.is_empty());
                there.map(move |(side, slices)| (key, command.as_str(), side, slices))
            })
        })
    }

    /// What a slice has.
    pub(super) fn slice(&self, key: &K, command: &str, side: Side, slice: i64) -> Option<&Buckets> {
        let slices = self.series.get(key)?.get(command)?.of(side);
        let index = slices.binary_search_by_key(&slice, |(slice, _)| *slice);
        Some(&slices[index.ok()?].1)
    }

    /// Records latencies. Gives the key that had to be forgotten for them.
    pub(super) fn record(&mut self, key: &K, command: &str, side: Side, met: Met) -> Option<K> {
        if self.put_again(key, command, side, met) {
            return None;
        }
        if !self.is_known(key, command, side) {
            let mut forgotten = None;
            if self.series().count() >= self.room.series {
                forgotten = self.forget_silent(key);
                if forgotten.is_none() {
                    self.not_recorded(met.count);
                    return None;
                }
            }
            let commands = self.series.entry(key.clone()).or_default();
            commands.entry(command.to_owned()).or_default();
            self.put(key, command, side, met);
            return forgotten;
        }
        self.put(key, command, side, met);
        None
    }

    /// Makes slices at least this wide.
    pub(super) fn widen(&mut self, doublings: u32) {
        while self.doublings < doublings.min(MOST_DOUBLINGS) {
            self.double();
        }
    }

    /// The common case, found once: adds where the slice has met the bucket before;
    /// whether it had.
    fn put_again(&mut self, key: &K, command: &str, side: Side, met: Met) -> bool {
        let commands = self.series.get_mut(key);
        let sides = commands.and_then(|commands| commands.get_mut(command));
        let slice = met.slice >> self.doublings;
        sides.is_some_and(|sides| again(sides.of_mut(side), slice, met))
    }

    fn is_known(&self, key: &K, command: &str, side: Side) -> bool {
        let sides = self.series.get(key).and_then(|all| all.get(command));
        sides.is_some_and(|sides| !sides.of(side).is_empty())
    }

    fn put(&mut self, key: &K, command: &str, side: Side, met: Met) {
        self.reach(met.slice);
        loop {
            let slice = met.slice >> self.doublings;
            let sides = self
                .series
                .get_mut(key)
                .and_then(|all| all.get_mut(command));
            let Some(sides) = sides else { return };
            let slices = sides.of_mut(side);
            if again(slices, slice, met) {
                return;
            }
            if self.cells < self.room.cells {
                at(slices, slice).add(met.bucket, met.count);
                self.cells += 1;
                return;
            }
            let is_one = self.span.is_none_or(|(first, last)| first == last);
            if is_one || self.doublings >= MOST_DOUBLINGS {
                self.not_recorded(met.count);
                return;
            }
            self.double();
        }
    }

    /// Takes a slice of the least width into the span.
    fn reach(&mut self, slice: i64) {
        loop {
            let slice = slice >> self.doublings;
            let (first, last) = self.span.unwrap_or((slice, slice));
            let (first, last) = (first.min(slice), last.max(slice));
            if last.saturating_sub(first) < LATENCY_SLICES || self.doublings >= MOST_DOUBLINGS {
                self.span = Some((first, last));
                return;
            }
            self.double();
        }
    }

    fn double(&mut self) {
        self.doublings += 1;
        self.span = self.span.map(|(first, last)| (first >> 1, last >> 1));
        self.cells = 0;
        for sides in self.series.values_mut().flat_map(BTreeMap::values_mut) {
            for slices in [&mut sides.tcp, &mut sides.http] {
                halve(slices);
                self.cells += cells(slices);
            }
        }
    }

    fn forget_silent(&mut self, but: &K) -> Option<K> {
        let others = self.series.iter().filter(|(key, _)| *key != but);
        let latest = |commands: &BTreeMap<String, Sides>| {
            let all = commands.values().flat_map(|one| [&one.tcp, &one.http]);
            all.filter_map(|slices| Some(slices.last()?.0)).max()
        };
        let oldest = others.min_by_key(|(_, commands)| latest(commands));
        let oldest = oldest.filter(|_| self.room.forgets)?.0.clone();
        let gone = self.series.remove(&oldest)?;
        for slices in gone.values().flat_map(|one| [&one.tcp, &one.http]) {
            self.cells -= cells(slices);
            let counts = slices.iter().map(|(_, buckets)| buckets.count());
            self.unrecorded = self.unrecorded.saturating_add(counts.sum());
        }
        Some(oldest)
    }
}

impl Sides {
    const fn of(&self, side: Side) -> &Slices {
        match side {
            Side::Tcp => &self.tcp,
            Side::Http => &self.http,
        }
    }

    const fn of_mut(&mut self, side: Side) -> &mut Slices {
        match side {
            Side::Tcp => &mut self.tcp,
            Side::Http => &mut self.http,
        }
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
