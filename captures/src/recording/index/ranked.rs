//! Finding the exchanges that have most of something, by its index.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::Place;
use super::condition::{Part, parts};
use super::row::whole;
use super::search::place;
use crate::journal::{Condition, Measure, Rank};

/// A search for those that fulfil a condition, the one with most first.
#[derive(Debug)]
pub(crate) struct Ranked {
    parts: Vec<Part>,
    exact: bool,
    measure: Measure,
    past: Rank,
    before: u64,
}

impl Ranked {
    /// Among the exchanges before the number `before`; behind `past`.
    pub(crate) fn new(
        condition: &Condition,
        measure: Measure,
        past: Option<Rank>,
        before: u64,
    ) -> Self {
        let (parts, exact) = parts(condition);
        Self {
            parts,
            exact,
            measure,
            past: past.unwrap_or((u64::MAX, u64::MAX)),
            before,
        }
    }

    /// Whether all that it finds are wanted.
    pub(crate) const fn is_exact(&self) -> bool {
        self.exact
    }

    /// The next ones, at most `most`; none at the end.
    pub(crate) fn next(
        &mut self,
        connection: &Connection,
        most: usize,
    ) -> rusqlite::Result<Vec<(Rank, Place)>> {
        let (column, index) = match self.measure {
            Measure::Latency => ("latency_us", "exchange_latency_us"),
            Measure::Bytes => ("bytes", "exchange_bytes"),
        };
        let wanted: Vec<_> = self
            .parts
            .iter()
            .map(|part| format!(" AND {}", part.sql))
            .collect();
        let sql = format!(
            "SELECT n, segment, place, length, amended_segment, amended_place, amended_length, \
             {column} FROM exchange INDEXED BY {index} WHERE {column} IS NOT NULL \
             AND ({column}, n) < (?, ?) AND n < ?{} ORDER BY {column} DESC, n DESC LIMIT ?",
            wanted.concat()
        );
        let (value, n) = self.past;
        let mut values: Vec<Value> = vec![whole(value), whole(n), whole(self.before)];
        values.extend(self.parts.iter().flat_map(|part| part.values.clone()));
        values.push(whole(most as u64));
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            let place = place(row)?;
            Ok(((row.get(7)?, place.n), place))
        })?;
        let places: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
        if let Some((rank, _)) = places.last() {
            self.past = *rank;
        }
        Ok(places)
    }
}
