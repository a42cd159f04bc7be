//! A recording as a journal's archive.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::{Index, Order, Ranked, Search, by_number};
use super::load::load;
use super::segments::Segments;
use crate::exchange::Exchange;
use crate::journal::{Archive, Listing, Measure, Rank, Ranking, Wanted};
use crate::limits::{ARCHIVE_BATCH, ARCHIVE_SCANNED};

/// The exchanges of a recording.
#[derive(Debug)]
pub(super) struct Recorded {
    segments: Segments,
    /// A connection of its own: reading and writing do not wait for each other.
    index: Mutex<rusqlite::Connection>,
}

impl Recorded {
    pub(super) fn open(segments: Segments, index: &Path) -> rusqlite::Result<Self> {
        let index = Mutex::new(Index::open_to_read(index)?);
        Ok(Self { segments, index })
    }

    fn index(&self) -> MutexGuard<'_, rusqlite::Connection> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next ones of a search that are wanted; and where it has to go on, where it
    /// was not brought to its end.
    fn find(
        &self,
        mut search: Search,
        most: usize,
        wanted: &dyn Wanted,
    ) -> rusqlite::Result<(Vec<Arc<Exchange>>, Option<u64>)> {
        let mut found = Vec::new();
        let mut scanned = 0;
        loop {
            let batch = if search.is_exact() {
                most - found.len()
            } else {
                ARCHIVE_BATCH
            };
            let places = search.next(&self.index(), batch)?;
            if places.is_empty() {
                return Ok((found, None));
            }
            for place in places {
                scanned += 1;
                match load(&self.segments, &place) {
                    Ok(exchange) if wanted.accepts(&exchange) => found.push(exchange),
                    Ok(_) => {}
                    // Its segment may have been dropped a moment ago.
                    Err(error) => tracing::debug!("exchange {}: {error}", place.n),
                }
                if found.len() == most || scanned == ARCHIVE_SCANNED {
                    return Ok((found, Some(place.n)));
                }
            }
        }
    }
}

impl Recorded {
    /// The same in the order of how much exchanges have of something.
    fn find_top(
        &self,
        mut search: Ranked,
        most: usize,
        wanted: &dyn Wanted,
    ) -> rusqlite::Result<Ranking> {
        let mut exchanges = Vec::new();
        let mut scanned = 0;
        loop {
            let batch = if search.is_exact() {
                most - exchanges.len()
            } else {
                ARCHIVE_BATCH
            };
            let places = search.next(&self.index(), batch)?;
            if places.is_empty() {
                let more = None;
                return Ok(Ranking { exchanges, more });
            }
            for (rank, place) in places {
                scanned += 1;
                match load(&self.segments, &place) {
                    Ok(exchange) if wanted.accepts(&exchange) => exchanges.push(exchange),
                    Ok(_) => {}
                    Err(error) => tracing::debug!("exchange {}: {error}", place.n),
                }
                if exchanges.len() == most || scanned == ARCHIVE_SCANNED {
                    let more = Some(rank);
                    return Ok(Ranking { exchanges, more });
                }
            }
        }
    }
}

impl Archive for Recorded {
    fn exchange(&self, n: u64) -> Option<Arc<Exchange>> {
        let place = by_number(&self.index(), n);
        let place = place.inspect_err(|error| complain(error)).ok()??;
        let loaded = load(&self.segments, &place);
        loaded.inspect_err(|error| complain(error)).ok()
    }

    fn older(&self, before: u64, most: usize, wanted: &dyn Wanted) -> Listing {
        let search = Search::new(&wanted.condition(), 0..before, Order::NewestFirst);
        let found = self.find(search, most, wanted);
        let (exchanges, more) = found
            .inspect_err(|error| complain(error))
            .unwrap_or_default();
        Listing { exchanges, more }
    }

    fn newer(&self, after: u64, before: u64, most: usize, wanted: &dyn Wanted) -> Listing {
        let range = after.saturating_add(1)..before;
        let search = Search::new(&wanted.condition(), range, Order::OldestFirst);
        let found = self.find(search, most, wanted);
        let (exchanges, more) = found
            .inspect_err(|error| complain(error))
            .unwrap_or_default();
        Listing { exchanges, more }
    }

    fn top(
        &self,
        measure: Measure,
        past: Option<Rank>,
        before: u64,
        most: usize,
        wanted: &dyn Wanted,
    ) -> Ranking {
        let search = Ranked::new(&wanted.condition(), measure, past, before);
        let found = self.find_top(search, most, wanted);
        found
            .inspect_err(|error| complain(error))
            .unwrap_or_default()
    }
}

fn complain(error: &dyn std::fmt::Display) {
    tracing::warn!("the recording cannot be read: {error}");
}
