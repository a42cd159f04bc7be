//! Putting into the index what was written to the segments.

use std::ops::Range;
use std::sync::Arc;

use rusqlite::{Transaction, params, params_from_iter};

use super::latency::put_latencies;
use super::restore::{Saved, add_activity, read_activity};
use super::row::{COLUMNS, COUNT, values, whole};
use super::seen::{self, Run};
use super::{At, Index, Position};
use crate::activity::Activity;
use crate::exchange::Exchange;
use crate::file::{connection_record, finding_record};
use crate::journal::Taken;

/// What was written, and where.
#[derive(Debug)]
pub(crate) struct Written<'a> {
    pub(crate) taken: &'a Taken,
    /// Of each exchange of `taken`.
    pub(crate) places: &'a [At],
    /// Exchanges that were written before, and where their amendments are.
    pub(crate) amended: &'a [(Arc<Exchange>, At)],
    /// What is added to what passed over time.
    pub(crate) activity: &'a Activity,
    /// Up to where that is everything.
    pub(crate) position: Position,
}

impl Index {
    /// Puts it in, all or nothing.
    ///
    /// # Errors
    /// As the disk has them: nothing of it is in the index.
    pub(crate) fn put(&mut self, written: &Written<'_>) -> rusqlite::Result<()> {
        let mut latencies = match self.latencies.take() {
            Some(latencies) => latencies,
            None => self.read_latencies()?,
        };
        let mut activity = match self.activity.take() {
            Some(activity) => activity,
            None => read_activity(&self.connection)?,
        };
        let transaction = self.connection.transaction()?;
        put_exchanges(&transaction, written)?;
        put_others(&transaction, written.taken)?;
        add_activity(&transaction, &mut activity, written.activity)?;
        put_latencies(&transaction, &mut latencies, &written.taken.latencies)?;
        Saved::of(written.taken, written.position)
            .with_retried(latencies.retried())
            .put(&transaction)?;
        transaction.commit()?;
        // Only now: what was not put in has to be read again.
        self.latencies = Some(latencies);
        self.activity = Some(activity);
        Ok(())
    }

    /// The numbers of the exchanges in a segment, from the first to after the last.
    pub(crate) fn numbers_in(&self, segment: u64) -> rusqlite::Result<Range<u64>> {
        // Numbers grow with segments: no index is needed to find the last of one.
        let sql = "SELECT min(n), max(n) FROM exchange WHERE segment = ?";
        self.connection.query_row(sql, [segment], |row| {
            let first: Option<u64> = row.get(0)?;
            let last: Option<u64> = row.get(1)?;
            Ok(first.map_or(0, |n| n)..last.map_or(0, |n| n + 1))
        })
    }

    /// The segments whose exchanges it has.
    pub(crate) fn segments(&self) -> rusqlite::Result<Vec<u64>> {
        let sql = "SELECT DISTINCT segment FROM exchange";
        let mut statement = self.connection.prepare(sql)?;
        let segments = statement.query_map([], |row| row.get(0))?;
        segments.collect()
    }

    /// Where the last exchange of each segment ends, by the segment's number.
    pub(crate) fn ends(&self) -> rusqlite::Result<Vec<(u64, u64)>> {
        let sql = "SELECT segment, MAX(place + length) FROM exchange GROUP BY segment";
        let mut statement = self.connection.prepare(sql)?;
        let ends = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        ends.collect()
    }

    /// Forgets the exchanges before the number `first`.
    pub(crate) fn drop_before(&mut self, first: u64) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        for table in ["exchange", "exchange_finding"] {
            transaction.execute(&format!("DELETE FROM {table} WHERE n < ?"), [first])?;
        }
        seen::drop_before(&transaction, first)?;
        transaction.commit()
    }

    /// Forgets the exchanges of a segment that is not there any more.
    pub(crate) fn drop_segment(&mut self, segment: u64) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "DELETE FROM exchange_finding WHERE n IN (SELECT n FROM exchange WHERE segment = ?)",
            [segment],
        )?;
        transaction.execute("DELETE FROM exchange WHERE segment = ?", [segment])?;
        transaction.commit()
    }
}

fn put_exchanges(transaction: &Transaction<'_>, written: &Written<'_>) -> rusqlite::Result<()> {
    let marks = vec!["?"; COUNT + 4].join(", ");
    let columns = COLUMNS.map(|(name, _)| name);
    let sql = format!(
        "INSERT INTO exchange (n, segment, place, length, {}) VALUES ({marks})",
        columns.join(", ")
    );
    let mut insert = transaction.prepare_cached(&sql)?;
    let mut run = Run::new();
    let taken = written.taken;
    for (done, (exchange, at)) in (1..).zip(taken.exchanges.iter().zip(written.places)) {
        taken.turns.done(done);
        let place = [exchange.n, at.segment, at.offset, at.length].map(whole);
        let row = values(exchange);
        run.add(exchange.n, &row, transaction)?;
        insert.execute(params_from_iter(place.into_iter().chain(row)))?;
        put_findings(transaction, exchange)?;
    }
    run.put(transaction)?;
    if written.amended.is_empty() {
        return Ok(());
    }
    let columns = columns.map(|name| format!("{name} = ?"));
    let sql = format!(
        "UPDATE exchange SET amended_segment = ?, amended_place = ?, amended_length = ?, {} \
         WHERE n = ?",
        columns.join(", ")
    );
    let mut update = transaction.prepare_cached(&sql)?;
    let mut clear = transaction.prepare_cached("DELETE FROM exchange_finding WHERE n = ?")?;
    for (exchange, at) in written.amended {
        let place = [at.segment, at.offset, at.length].map(whole);
        let row = values(exchange);
        run.add(exchange.n, &row, transaction)?;
        run.put(transaction)?;
        let n = whole(exchange.n);
        let row = place.into_iter().chain(row);
        if update.execute(params_from_iter(row.chain([n])))? > 0 {
            clear.execute([exchange.n])?;
            put_findings(transaction, exchange)?;
        }
    }
    Ok(())
}

fn put_findings(transaction: &Transaction<'_>, exchange: &Exchange) -> rusqlite::Result<()> {
    if exchange.findings.is_empty() && exchange.muted_findings.is_empty() {
        return Ok(());
    }
    let mut insert =
        transaction.prepare_cached("INSERT OR IGNORE INTO exchange_finding VALUES (?, ?, ?)")?;
    for (codes, muted) in [
        (&exchange.findings, false),
        (&exchange.muted_findings, true),
    ] {
        for code in codes {
            insert.execute(params![code.0, muted, exchange.n])?;
        }
    }
    Ok(())
}

fn put_others(transaction: &Transaction<'_>, taken: &Taken) -> rusqlite::Result<()> {
    let mut put =
        transaction.prepare_cached("INSERT OR REPLACE INTO connection VALUES (?, ?, ?)")?;
    for connection in &taken.connections {
        let record = connection_record(connection);
        put.execute(params![connection.id.0, record, connection.exchanges])?;
    }
    let mut remove = transaction.prepare_cached("DELETE FROM connection WHERE id = ?")?;
    for id in &taken.connections_gone {
        remove.execute([id.0])?;
    }
    let mut remove = transaction
        .prepare_cached("DELETE FROM finding WHERE code = ? AND place = ? AND muted = ?")?;
    for (code, place, muted) in &taken.findings_gone {
        remove.execute(params![code.0, place, muted])?;
    }
    let mut put =
        transaction.prepare_cached("INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?)")?;
    for finding in &taken.findings {
        let record = finding_record(finding);
        put.execute(params![
            finding.code.0,
            finding.place,
            finding.muted.is_some(),
            record
        ])?;
    }
    Ok(())
}
