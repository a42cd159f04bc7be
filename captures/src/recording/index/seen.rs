//! Which values stand in runs of consecutive exchanges: what a search skips. Of one run
//! each value is one row, however many exchanges have it, and no exchange has rows of
//! its own: to add one costs little, and to find a rare one as well.

use std::ops::Range;

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, params, params_from_iter};

use super::row::{COLUMNS, COUNT, Kept, whole};
use crate::limits::RECORD_RUN;

/// What a part of a condition asks of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// A condition on the columns of the table.
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Asked {
    /// Runs in which this column has such a value. `sql` speaks of `value`.
    pub(super) fn of(column: &str, sql: &str, values: Vec<Value>) -> Option<Self> {
        let field = COLUMNS.iter().position(|(name, _)| *name == column)?;
        Some(Self {
            sql: format!("field = {field} AND {sql}"),
            values,
        })
    }

    /// The numbers of the exchanges in such runs, in their order.
    pub(super) fn ranges(&self, connection: &Connection) -> rusqlite::Result<Vec<Range<u64>>> {
        let sql = format!(
            "SELECT first, last FROM seen WHERE {} ORDER BY first",
            self.sql
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(&self.values))?;
        let mut ranges: Vec<Range<u64>> = Vec::new();
        while let Some(row) = rows.next()? {
            let (first, last): (u64, u64) = (row.get(0)?, row.get(1)?);
            match ranges.last_mut().filter(|before| first <= before.end) {
                Some(before) => before.end = before.end.max(last + 1),
                None => ranges.push(first..last + 1),
            }
        }
        Ok(ranges)
    }
}

/// What is in both: ranges in their order, which do not touch.
pub(super) fn common(left: &[Range<u64>], right: &[Range<u64>]) -> Vec<Range<u64>> {
    let (mut lefts, mut rights) = (left.iter().peekable(), right.iter().peekable());
    let mut common = Vec::new();
    while let (Some(left), Some(right)) = (lefts.peek(), rights.peek()) {
        let both = left.start.max(right.start)..left.end.min(right.end);
        if left.end < right.end {
            lefts.next();
        } else {
            rights.next();
        }
        if !both.is_empty() {
            common.push(both);
        }
    }
    common
}

/// The values in a run.
#[derive(Debug)]
pub(super) struct Run {
    first: u64,
    last: u64,
    exchanges: usize,
    values: [Vec<Value>; COUNT],
}

impl Run {
    /// An empty one.
    pub(super) const fn new() -> Self {
        Self {
            first: 0,
            last: 0,
            exchanges: 0,
            values: [const { Vec::new() }; COUNT],
        }
    }

    /// Adds the row of the exchange with this number. A full run is put into the table.
    pub(super) fn add(
        &mut self,
        n: u64,
        row: &[Value; COUNT],
        transaction: &Transaction<'_>,
    ) -> rusqlite::Result<()> {
        if self.exchanges == 0 {
            self.first = n;
        }
        self.last = n;
        self.exchanges += 1;
        for ((value, (_, kept)), values) in row.iter().zip(COLUMNS).zip(&mut self.values) {
            let is_new = match (kept, value) {
                (Kept::Nothing, _) | (_, Value::Null) => false,
                (Kept::Each, _) => !values.contains(value),
                (Kept::Set, _) => values.is_empty() && *value == Value::Integer(1),
                (Kept::Most, _) => is_first(values, value),
            };
            if is_new {
                values.push(value.clone());
            }
        }
        if self.exchanges == RECORD_RUN {
            self.put(transaction)?;
        }
        Ok(())
    }

    /// Puts it into the table and begins another.
    pub(super) fn put(&mut self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let mut put = transaction.prepare_cached(
            "INSERT INTO seen VALUES (?, ?, ?, ?) \
             ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
        )?;
        let range = [self.first, self.last].map(whole);
        for (field, values) in self.values.iter_mut().enumerate() {
            for value in values.drain(..) {
                put.execute(params![field, value, range[0], range[1]])?;
            }
        }
        self.exchanges = 0;
        Ok(())
    }
}

/// Keeps the larger one; whether there was none before.
fn is_first(most: &mut [Value], value: &Value) -> bool {
    if let (Some(Value::Integer(most)), Value::Integer(one)) = (most.first_mut(), value) {
        *most = (*most).max(*one);
        return false;
    }
    most.is_empty()
}

/// Forgets the runs of which all exchanges are before the number `first`.
pub(super) fn drop_before(transaction: &Transaction<'_>, first: u64) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM seen WHERE last < ?", [first])?;
    Ok(())
}
