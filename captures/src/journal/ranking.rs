//! Exchanges in the order of how much they have of something: the slowest, the largest.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Journal, Wanted};
use crate::exchange::Exchange;

/// What exchanges are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Latency, in microseconds. What was not answered has none, and no place.
    Latency,
    /// Bytes of request and reply.
    Bytes,
}

/// A place in such an order: how much, and the exchange's number. Of two with as much the
/// later one is ahead.
pub type Rank = (u64, u64);

/// The exchanges that have most, the first of them ahead.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// The exchanges.
    pub exchanges: Vec<Arc<Exchange>>,
    /// Behind which place there may be further ones. `None`: there are none.
    pub more: Option<Rank>,
}

impl Measure {
    /// How much of it an exchange has.
    pub fn of(self, exchange: &Exchange) -> Option<u64> {
        match self {
            Self::Latency => exchange.latency().map(crate::json::micros),
            Self::Bytes => Some(exchange.bytes() as u64),
        }
    }

    fn rank(self, exchange: &Exchange) -> Option<Rank> {
        Some((self.of(exchange)?, exchange.n))
    }
}

impl Journal {
    /// Of the exchanges that are kept and wanted those that have most of `measure`, at
    /// most `most`; behind `past` where that is given. Memory is looked through, and holds
    /// no more than `most` of them at a time; a recording has an index.
    pub fn top(
        &self,
        measure: Measure,
        past: Option<Rank>,
        most: usize,
        wanted: &dyn Wanted,
    ) -> Ranking {
        let mut top = Top::new(most, past);
        let mut after = 0;
        let mut first = None;
        loop {
            let slice = self.slice_after(after);
            let Some(last) = slice.last() else { break };
            first = first.or_else(|| slice.first().map(|one| one.n));
            after = last.n;
            for exchange in slice {
                if let Some(rank) = measure.rank(&exchange)
                    && top.has_room_for(rank)
                    && wanted.accepts(&exchange)
                {
                    top.put(rank, exchange);
                }
            }
        }
        // What memory drops meanwhile was looked at above.
        if let Some(archive) = &self.archive {
            let before = first.unwrap_or(u64::MAX);
            let older = self.ask_archive(wanted, |wanted| {
                archive.top(measure, past, before, most, wanted)
            });
            if let Some(end) = older.more {
                top.end_at(end);
            }
            for exchange in older.exchanges {
                if let Some(rank) = measure.rank(&exchange) {
                    top.put(rank, exchange);
                }
            }
        }
        top.ranking()
    }
}

/// The most so far, in memory that does not grow.
struct Top {
    most: usize,
    past: Option<Rank>,
    /// Behind here not everything was looked at.
    end: Option<Rank>,
    best: BTreeMap<Rank, Arc<Exchange>>,
    /// Whether some had to make room.
    is_cut: bool,
}

impl Top {
    const fn new(most: usize, past: Option<Rank>) -> Self {
        Self {
            most,
            past,
            end: None,
            best: BTreeMap::new(),
            is_cut: false,
        }
    }

    fn has_room_for(&mut self, rank: Rank) -> bool {
        if self.past.is_some_and(|past| rank >= past) {
            return false;
        }
        let least = self.best.keys().next();
        let fits = self.best.len() < self.most || least.is_some_and(|least| rank > *least);
        // It may not be wanted: then there is a page too many, and it is empty.
        self.is_cut |= !fits;
        fits
    }

    fn put(&mut self, rank: Rank, exchange: Arc<Exchange>) {
        if self.has_room_for(rank) {
            self.best.insert(rank, exchange);
            if self.best.len() > self.most {
                self.best.pop_first();
                self.is_cut = true;
            }
        }
    }

    /// Not everything behind `end` is known.
    fn end_at(&mut self, end: Rank) {
        self.end = Some(end);
    }

    fn ranking(mut self) -> Ranking {
        let mut more = None;
        if self.is_cut {
            more = self.best.keys().next().copied();
        }
        if let Some(end) = self.end {
            let behind = self.best.keys().next().is_some_and(|least| *least < end);
            if behind {
                self.best = self.best.split_off(&end);
            }
            if behind || !self.is_cut {
                more = Some(end);
            }
        }
        Ranking {
            exchanges: self.best.into_values().rev().collect(),
            more,
        }
    }
}
