//! Finding exchanges by their fields.

use std::ops::Range;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::Place;
use super::condition::{Part, parts};
use super::row::whole;
use super::seen::common;
use crate::journal::Condition;
use crate::limits::ARCHIVE_RECENT;

/// From where a search goes on, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The highest number first.
    NewestFirst,
    /// The lowest number first.
    OldestFirst,
}

/// What is looked at beyond the recent ones.
#[derive(Debug)]
enum Candidates {
    /// It is not known yet.
    Open,
    /// All.
    All,
    /// What is in these ranges, the next one last.
    In(Vec<Range<u64>>),
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
    candidates: Candidates,
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
            candidates: Candidates::Open,
        }
    }

    /// Whether all that it finds are wanted.
    pub(crate) const fn is_exact(&self) -> bool {
        self.exact
    }

    /// The same, which has looked through the recent ones.
    #[cfg(test)]
    pub(super) fn by_runs(self) -> Self {
        Self {
            is_recent: false,
            ..self
        }
    }

    /// The next ones, at most `most`; none at the end.
    pub(crate) fn next(
        &mut self,
        connection: &Connection,
        most: usize,
    ) -> rusqlite::Result<Vec<Place>> {
        let mut found = Vec::new();
        while found.len() < most && !self.range.is_empty() {
            let Some(range) = self.part_of_range(connection)? else {
                self.range = 0..0;
                break;
            };
            let wanted = most - found.len();
            let some = self.query(connection, &range, wanted)?;
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
    fn part_of_range(&mut self, connection: &Connection) -> rusqlite::Result<Option<Range<u64>>> {
        let Range { start, end } = self.range;
        Ok(match (self.is_recent, self.order) {
            (false, _) => self.candidate(connection)?,
            (true, Order::NewestFirst) => Some(start.max(end.saturating_sub(ARCHIVE_RECENT))..end),
            (true, Order::OldestFirst) => {
                Some(start..end.min(start.saturating_add(ARCHIVE_RECENT)))
            }
        })
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

    /// The next numbers among which it may find something.
    fn candidate(&mut self, connection: &Connection) -> rusqlite::Result<Option<Range<u64>>> {
        if matches!(self.candidates, Candidates::Open) {
            self.candidates = self.candidates(connection)?;
        }
        let Candidates::In(ranges) = &mut self.candidates else {
            return Ok(Some(self.range.clone()));
        };
        while let Some(next) = ranges.last() {
            let part = next.start.max(self.range.start)..next.end.min(self.range.end);
            if !part.is_empty() {
                return Ok(Some(part));
            }
            ranges.pop();
        }
        Ok(None)
    }

    /// The ranges in which everything that is asked of runs holds.
    fn candidates(&self, connection: &Connection) -> rusqlite::Result<Candidates> {
        if self.finding.is_some() {
            return Ok(Candidates::All);
        }
        let mut candidates: Option<Vec<Range<u64>>> = None;
        for asked in self.parts.iter().filter_map(|part| part.run.as_ref()) {
            let ranges = asked.ranges(connection)?;
            candidates = Some(match candidates {
                Some(others) => common(&others, &ranges),
                None => ranges,
            });
        }
        let Some(mut ranges) = candidates else {
            return Ok(Candidates::All);
        };
        if self.order == Order::OldestFirst {
            ranges.reverse();
        }
        Ok(Candidates::In(ranges))
    }

    fn query(
        &self,
        connection: &Connection,
        range: &Range<u64>,
        most: usize,
    ) -> rusqlite::Result<Vec<Place>> {
        let (from, n) = match &self.finding {
            Some(_) => (
                "(SELECT n AS found FROM exchange_finding WHERE code = ? AND muted = ?) \
                 CROSS JOIN exchange ON n = found",
                "found",
            ),
            None => ("exchange NOT INDEXED", "n"),
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
