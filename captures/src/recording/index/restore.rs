//! Reading back from the index what a journal begins with.

use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};

use super::{Index, Position};
use crate::activity::{Activity, Moment, SlotsRecord};
use crate::connection::Connection;
use crate::file::{read_connection_record, read_finding_record};
use crate::finding::FindingCode;
use crate::journal::{About, Counts, Facts, PartitionFigures, Restored, Taken, Totals};
use crate::verdict::VerdictKind;

/// The row of `meta` that holds [`Saved`].
const SAVED: &str = "saved";

/// The row of `meta` that holds what passed over time.
const ACTIVITY: &str = "activity";

/// What is saved beside tables: figures, and up to where the index is complete.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Saved {
    segment: u64,
    offset: u64,
    exchanges: u64,
    errors: u64,
    verdicts: Vec<(String, u64)>,
    nothing_to_compare: u64,
    findings_dropped: u64,
    observations_dropped: u64,
    polls_not_mirrored: u64,
    #[serde(default)]
    retried: u64,
}

impl Saved {
    pub(super) fn of(taken: &Taken, position: Position) -> Self {
        let totals = &taken.totals;
        let verdicts = totals.verdicts.iter();
        Self {
            segment: position.segment,
            offset: position.offset,
            exchanges: totals.exchanges,
            errors: totals.errors,
            verdicts: verdicts
                .map(|(kind, count)| ((*kind).to_owned(), *count))
                .collect(),
            nothing_to_compare: totals.nothing_to_compare,
            findings_dropped: totals.findings_dropped,
            observations_dropped: totals.observations_dropped,
            polls_not_mirrored: totals.polls_not_mirrored,
            retried: 0,
        }
    }

    /// The same, and so many operations that were told "not now".
    pub(super) fn with_retried(self, retried: u64) -> Self {
        Self { retried, ..self }
    }

    pub(super) fn put(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let value = serde_json::to_string(self).unwrap_or_default();
        let mut put = transaction.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?, ?)")?;
        put.execute(params![SAVED, value])?;
        Ok(())
    }

    fn totals(self) -> Totals {
        let count = |kind: VerdictKind| {
            let found = self.verdicts.iter().find(|(name, _)| name == kind.name());
            Some((kind.name(), found?.1))
        };
        Totals {
            exchanges: self.exchanges,
            exchanges_dropped: 0,
            errors: self.errors,
            verdicts: VerdictKind::ALL.into_iter().filter_map(count).collect(),
            nothing_to_compare: self.nothing_to_compare,
            findings_dropped: self.findings_dropped,
            observations_dropped: self.observations_dropped,
            polls_not_mirrored: self.polls_not_mirrored,
            ..Totals::default()
        }
    }
}

impl Index {
    /// How many operations were told "not now".
    pub(super) fn retried(&self) -> rusqlite::Result<u64> {
        Ok(self.saved()?.retried)
    }

    fn saved(&self) -> rusqlite::Result<Saved> {
        let sql = "SELECT coalesce(max(value), '') FROM meta WHERE name = ?";
        let text: String = self.connection.query_row(sql, [SAVED], |row| row.get(0))?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Up to where the segments are in the index.
    pub(crate) fn position(&self) -> rusqlite::Result<Position> {
        let saved = self.saved()?;
        Ok(Position {
            segment: saved.segment,
            offset: saved.offset,
        })
    }

    /// The number of the last exchange in it.
    pub(crate) fn last(&self) -> rusqlite::Result<u64> {
        let sql = "SELECT coalesce(max(n), 0) FROM exchange";
        self.connection.query_row(sql, [], |row| row.get(0))
    }

    /// What a journal begins with.
    pub(crate) fn restore(&self) -> rusqlite::Result<Restored> {
        Ok(Restored {
            counts: self.counts_before(u64::MAX)?,
            ..self.restore_uncounted()?
        })
    }

    /// The same, without the counts of the exchanges, for which all have to be looked at.
    pub(crate) fn restore_uncounted(&self) -> rusqlite::Result<Restored> {
        let totals = self.saved()?.totals();
        let sql = "SELECT min(n), max(n) FROM exchange";
        let (first, last): (Option<u64>, Option<u64>) =
            self.connection
                .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let exchanges = totals.exchanges.max(last.unwrap_or(0));
        Ok(Restored {
            first: first.unwrap_or(exchanges + 1),
            counts: Counts::default(),
            totals: Totals {
                exchanges,
                ..totals
            },
            findings: self.records("finding", "0", |text, _| read_finding_record(text))?,
            connections: self.records("connection", "exchanges", |text, exchanges| {
                let connection = read_connection_record(text)?;
                Ok(Connection {
                    exchanges,
                    ..connection
                })
            })?,
            latencies: self.latencies()?,
            activity: read_activity(&self.connection)?,
            mirrors: Vec::new(),
        })
    }

    /// Records in the order in which they came. One that cannot be read was written by
    /// another version: it is left out.
    fn records<T>(
        &self,
        table: &str,
        number: &str,
        read: impl Fn(&str, u64) -> Result<T, String>,
    ) -> rusqlite::Result<Vec<T>> {
        let sql = format!("SELECT record, {number} FROM {table} ORDER BY rowid");
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let text: String = row.get(0)?;
            match read(&text, row.get(1)?) {
                Ok(one) => found.push(one),
                Err(why) => tracing::warn!("the index of the recording, {table}: {why}"),
            }
        }
        Ok(found)
    }

    /// The numbers of the first and the last exchange, and how many there are; `None` where
    /// there are none.
    pub(crate) fn numbers(&self) -> rusqlite::Result<Option<(u64, u64, u64)>> {
        let sql = "SELECT min(n), max(n), count(*) FROM exchange";
        let numbers = self.connection.query_row(sql, [], |row| {
            Ok((row.get::<_, Option<u64>>(0)?, row.get(1)?, row.get(2)?))
        });
        let (first, last, count): (_, Option<u64>, _) = numbers?;
        Ok(first.zip(last).map(|(first, last)| (first, last, count)))
    }

    /// How many of the exchanges before the number `before` there are of each kind.
    pub(crate) fn counts_before(&self, before: u64) -> rusqlite::Result<Counts> {
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        let mut counts = Counts::default();
        // Grouping them here is faster than having them sorted there.
        let mut statement = self.connection.prepare_cached(
            "SELECT conn, failed, muted, empty, unexplained, \
                    CASE WHEN verdict_muted THEN NULL ELSE verdict END, \
                    partition, command = 'poll_messages', messages, wrong, n, meant, injected \
             FROM exchange NOT INDEXED WHERE n < ?",
        )?;
        let mut rows = statement.query([before])?;
        while let Some(row) = rows.next()? {
            let kind = row.get_ref(5)?.as_str_or_null()?;
            let kind = VerdictKind::ALL
                .into_iter()
                .find(|one| Some(one.name()) == kind);
            let key = row.get_ref(6)?.as_str_or_null()?;
            let (failed, diverges) = (row.get(1)?, kind == Some(VerdictKind::Diverge));
            let about = match key.filter(|key| !key.ends_with('*')) {
                Some(key) => Some(About {
                    key: key.into(),
                    figures: PartitionFigures {
                        exchanges: 1,
                        polls: row.get(7)?,
                        messages: row.get(8)?,
                        errors: u64::from(failed),
                        diverging: u64::from(diverges),
                        with_findings: row.get(9)?,
                        last: row.get(10)?,
                        ..PartitionFigures::default()
                    },
                    named_by_http: row.get(11)?,
                }),
                None => None,
            };
            let facts = Facts {
                about,
                conn: crate::ConnectionId(row.get(0)?),
                failed,
                muted: row.get(2)?,
                empty: row.get(3)?,
                unexplained: row.get(4)?,
                injected: row.get(12)?,
                verdict: kind,
                findings: &[],
                muted_findings: &[],
            };
            counts.add(&facts);
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT code, muted, count(*) FROM exchange_finding WHERE n < ? GROUP BY code, muted",
        )?;
        let mut rows = statement.query([before])?;
        while let Some(row) = rows.next()? {
            counts.add_finding(FindingCode(row.get(0)?), row.get(1)?, row.get(2)?);
        }
        Ok(counts)
    }
}

/// What passed over time.
pub(super) fn read_activity(connection: &rusqlite::Connection) -> rusqlite::Result<Activity> {
    let sql = "SELECT coalesce(max(value), '') FROM meta WHERE name = ?";
    let text: String = connection
        .prepare_cached(sql)?
        .query_row([ACTIVITY], |row| row.get(0))?;
    let record = serde_json::from_str::<SlotsRecord<Moment>>(&text);
    Ok(record.map_or_else(|_| Activity::default(), |record| Activity::read(&record)))
}

/// Adds to what passed over time, which is in `all`, both there and in the table.
pub(super) fn add_activity(
    transaction: &Transaction<'_>,
    all: &mut Activity,
    more: &Activity,
) -> rusqlite::Result<()> {
    if more.is_empty() {
        return Ok(());
    }
    all.add_all(more);
    let value = serde_json::to_string(&all.record()).unwrap_or_default();
    let mut put = transaction.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?, ?)")?;
    put.execute(params![ACTIVITY, value])?;
    Ok(())
}
