//! The latencies in the index: a row for each slice of each series.

use parallax_codec::primitives::{Identifier, PollingKind};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Transaction, params};

use super::Index;
use crate::connection::ConnectionId;
use crate::latency::{Buckets, Dimension, Label, Latencies, Row, Side};

impl Index {
    /// The latencies that it has.
    pub(super) fn latencies(&self) -> rusqlite::Result<Latencies> {
        match &self.latencies {
            Some(latencies) => Ok(latencies.clone()),
            None => self.read_latencies(),
        }
    }

    pub(super) fn read_latencies(&self) -> rusqlite::Result<Latencies> {
        let mut latencies = Latencies::default();
        latencies.add_retried(self.retried()?);
        for dimension in Dimension::ALL {
            self.read_dimension(dimension, &mut latencies)?;
        }
        Ok(latencies)
    }

    fn read_dimension(
        &self,
        dimension: Dimension,
        latencies: &mut Latencies,
    ) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare(
            "SELECT coalesce(max(doublings), 0), coalesce(max(unrecorded), 0) \
             FROM latency_dimension WHERE dimension = ?",
        )?;
        let (doublings, unrecorded): (u32, u64) =
            statement.query_row([dimension.name()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        latencies.widen(dimension, doublings);
        latencies.not_recorded(dimension, unrecorded);
        let mut statement = self.connection.prepare(
            "SELECT label, command, side, slice, buckets FROM latency WHERE dimension = ?",
        )?;
        let mut rows = statement.query([dimension.name()])?;
        while let Some(row) = rows.next()? {
            let label = label_of(dimension, row.get_ref(0)?);
            let side: String = row.get(2)?;
            let side = Side::ALL.into_iter().find(|one| one.name() == side);
            // Another is of another version.
            let (Some(label), Some(side)) = (label, side) else {
                continue;
            };
            let command: String = row.get(1)?;
            let slice: i64 = row.get(3)?;
            let row = Row {
                label,
                command: &command,
                side,
                slice,
                buckets: &Buckets::from_bytes(row.get_ref(4)?.as_blob()?),
            };
            latencies.add_row(&row, slice << latencies.doublings(dimension));
        }
        Ok(())
    }
}

/// Adds to what the tables have, which is in `latencies`, both there and in them.
pub(super) fn put_latencies(
    transaction: &Transaction<'_>,
    latencies: &mut Latencies,
    others: &Latencies,
) -> rusqlite::Result<()> {
    if others.is_empty() {
        return Ok(());
    }
    let reshaped = latencies.add(others);
    let mut remove =
        transaction.prepare_cached("DELETE FROM latency WHERE dimension = ? AND label = ?")?;
    for label in &reshaped.forgotten {
        remove.execute(params![label.dimension().name(), value_of(label)])?;
    }
    for dimension in Dimension::ALL {
        let doublings = latencies.doublings(dimension);
        if reshaped.widened.contains(&dimension) {
            let sql = "DELETE FROM latency WHERE dimension = ?";
            transaction.execute(sql, [dimension.name()])?;
            for row in latencies.rows(dimension) {
                put(transaction, &row, row.slice, row.buckets)?;
            }
        } else {
            for row in others.rows(dimension) {
                let slice = (row.slice << others.doublings(dimension)) >> doublings;
                if let Some(buckets) = latencies.slice(&row, slice) {
                    put(transaction, &row, slice, buckets)?;
                }
            }
        }
        let mut put = transaction
            .prepare_cached("INSERT OR REPLACE INTO latency_dimension VALUES (?, ?, ?)")?;
        let unrecorded = i64::try_from(latencies.unrecorded_by(dimension)).unwrap_or(i64::MAX);
        put.execute(params![dimension.name(), doublings, unrecorded])?;
    }
    Ok(())
}

fn put(
    transaction: &Transaction<'_>,
    row: &Row<'_>,
    slice: i64,
    buckets: &Buckets,
) -> rusqlite::Result<()> {
    let mut put =
        transaction.prepare_cached("INSERT OR REPLACE INTO latency VALUES (?, ?, ?, ?, ?, ?)")?;
    put.execute(params![
        row.label.dimension().name(),
        value_of(&row.label),
        row.command,
        row.side.name(),
        slice,
        buckets.to_bytes(),
    ])?;
    Ok(())
}

/// A stream's number stays a number, a name a name.
fn value_of(label: &Label) -> Value {
    match label {
        Label::All => Value::Integer(0),
        Label::Strategy(kind) => Value::Integer(kind.number().into()),
        Label::Stream(Identifier::Numeric(number)) => Value::Integer((*number).into()),
        Label::Stream(Identifier::Named(name)) => Value::Text(name.clone()),
        Label::Connection(conn) => super::row::whole(conn.0),
    }
}

fn label_of(dimension: Dimension, value: ValueRef<'_>) -> Option<Label> {
    Some(match dimension {
        Dimension::Command => Label::All,
        Dimension::Strategy => {
            let number = value.as_i64().ok()?;
            let mut known = PollingKind::ALL.into_iter();
            Label::Strategy(known.find(|kind| i64::from(kind.number()) == number)?)
        }
        Dimension::Stream => Label::Stream(match value {
            ValueRef::Integer(number) => Identifier::Numeric(u32::try_from(number).ok()?),
            other => Identifier::Named(other.as_str().ok()?.to_owned()),
        }),
        Dimension::Connection => {
            let number = u64::try_from(value.as_i64().ok()?).ok()?;
            Label::Connection(ConnectionId(number))
        }
    })
}
