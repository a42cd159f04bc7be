//! Finding exchanges by their fields.

use std::ops::Range;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::Place;
use super::condition::{Part, parts};
use super::row::whole;
use crate::journal::Condition;
use crate::limits::ARCHIVE_RECENT;

/// An index that finds more than this is not worth its while: all are looked at, in
/// their order.
const SELECTIVE: i64 = 20_000;

/// From where a search goes on, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The highest number first.
    NewestFirst,
    /// The lowest number first.
    OldestFirst,
}

/// Which index is used beyond the recent ones.
#[derive(Debug, Clone, Copy)]
enum Driver {
    /// It is not chosen yet.
    Open,
    /// This one; or none: all are looked at.
    Chosen(Option<&'static str>),
}

/// A search for what fulfils a condition, among the numbers of a range.
#[derive(Debug)]
pub(crate) struct Search {
    /// The finding that all have, if one is asked for.
    finding: Option<Part>,
    parts: Vec<Part>,
    exact: bool,
    order: Order,
    /// What is still to be looked at.
    range: Range<u64>,
    driver: Driver,
    is_recent: bool,
}

impl Search {
    pub(crate) fn new(condition: &Condition, range: Range<u64>, order: Order) -> Self {
        let (mut parts, exact) = parts(condition);
        let finding = parts.iter().position(|part| part.is_finding);
        let finding = finding.map(|index| parts.remove(index));
        Self {
            is_recent: finding.is_none(),
            finding,
            parts,
            exact,
            order,
            range,
            driver: Driver::Open,
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
    ) -> rusqlite::Result<Vec<Place>> {
        let mut found = Vec::new();
        while found.len() < most && !self.range.is_empty() {
            let range = self.part_of_range();
            let index = if self.is_recent {
                None
            } else {
                self.driver(connection)?
            };
            let wanted = most - found.len();
            let some = self.query(connection, &range, index, wanted)?;
            let end = some
                .last()
                .filter(|_| some.len() == wanted)
                .map(|last| last.n);
            self.advance(&range, end);
            found.extend(some);
        }
        Ok(found)
    }

    /// First the nearest ones: what is frequent is found there at once.
    fn part_of_range(&self) -> Range<u64> {
        let Range { start, end } = self.range;
        match (self.is_recent, self.order) {
            (false, _) => start..end,
            (true, Order::NewestFirst) => start.max(end.saturating_sub(ARCHIVE_RECENT))..end,
            (true, Order::OldestFirst) => start..end.min(start.saturating_add(ARCHIVE_RECENT)),
        }
    }

    /// `done` has been looked at, up to `end` where that is not all of it.
    fn advance(&mut self, done: &Range<u64>, end: Option<u64>) {
        match (self.order, end) {
            (Order::NewestFirst, Some(n)) => self.range.end = n,
            (Order::OldestFirst, Some(n)) => self.range.start = n + 1,
            (order, None) => {
                match order {
                    Order::NewestFirst => self.range.end = done.start,
                    Order::OldestFirst => self.range.start = done.end,
                }
                self.is_recent = false;
            }
        }
    }

    /// The index that leaves the fewest to look at.
    fn driver(&mut self, connection: &Connection) -> rusqlite::Result<Option<&'static str>> {
        if let Driver::Chosen(driver) = self.driver {
            return Ok(driver);
        }
        if self.finding.is_some() {
            return Ok(None);
        }
        let mut best = (SELECTIVE, None);
        for part in &self.parts {
            let Some(index) = part.index else {
                continue;
            };
            let sql = format!(
                "SELECT count(*) FROM (SELECT 1 FROM exchange INDEXED BY {index} WHERE {} LIMIT \
                 {SELECTIVE})",
                part.sql
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let count = statement.query_row(params_from_iter(&part.values), |row| row.get(0))?;
            if count < best.0 {
                best = (count, Some(index));
            }
        }
        self.driver = Driver::Chosen(best.1);
        Ok(best.1)
    }

    fn query(
        &self,
        connection: &Connection,
        range: &Range<u64>,
        index: Option<&'static str>,
        most: usize,
    ) -> rusqlite::Result<Vec<Place>> {
        let (from, n) = match (&self.finding, index) {
            (Some(_), _) => (
                "(SELECT n AS found FROM exchange_finding WHERE code = ? AND muted = ?) \
                 CROSS JOIN exchange ON n = found"
                    .to_owned(),
                "found",
            ),
            (None, Some(index)) => (format!("exchange INDEXED BY {index}"), "n"),
            (None, None) => ("exchange NOT INDEXED".to_owned(), "n"),
        };
        let wanted: Vec<_> = self
            .parts
            .iter()
            .map(|part| format!(" AND {}", part.sql))
            .collect();
        let order = match self.order {
            Order::NewestFirst => "DESC",
            Order::OldestFirst => "ASC",
        };
        let sql = format!(
            "SELECT n, segment, place, length, amended_segment, amended_place, amended_length \
             FROM {from} WHERE {n} >= ? AND {n} < ?{} ORDER BY {n} {order} LIMIT ?",
            wanted.concat()
        );
        let finding = self.finding.iter().flat_map(|part| part.values.clone());
        let mut values: Vec<Value> = finding.collect();
        values.extend([whole(range.start), whole(range.end)]);
        values.extend(self.parts.iter().flat_map(|part| part.values.clone()));
        values.push(whole(most as u64));
        let mut statement = connection.prepare_cached(&sql)?;
        let places = statement.query_map(params_from_iter(values), place)?;
        places.collect()
    }
}

/// Where the exchange with this number is.
pub(crate) fn by_number(connection: &Connection, n: u64) -> rusqlite::Result<Option<Place>> {
    let mut search = Search::new(
        &Condition::All(Vec::new()),
        n..n.saturating_add(1),
        Order::OldestFirst,
    );
    Ok(search.next(connection, 1)?.pop())
}

pub(super) fn place(row: &Row<'_>) -> rusqlite::Result<Place> {
    let number = |column: usize| -> rusqlite::Result<u64> { row.get(column) };
    let amended: Option<u64> = row.get(4)?;
    Ok(Place {
        n: number(0)?,
        at: super::At {
            segment: number(1)?,
            offset: number(2)?,
            length: number(3)?,
        },
        amended: match amended {
            Some(segment) => Some(super::At {
                segment,
                offset: number(5)?,
                length: number(6)?,
            }),
            None => None,
        },
    })
}
