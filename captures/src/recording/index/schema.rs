//! The tables.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

/// Changes whenever the tables do: an index of another version is made anew.
const VERSION: i64 = 6;

/// Memory for pages of the index, in KiB, negative as `SQLite` wants it.
const CACHE_KIB: i64 = -32_768;

/// How long a reader waits for the writer, which never takes long.
const BUSY: Duration = Duration::from_secs(5);

pub(super) const TABLES: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE exchange (
    n INTEGER PRIMARY KEY,
    segment INTEGER NOT NULL, place INTEGER NOT NULL, length INTEGER NOT NULL,
    amended_segment INTEGER, amended_place INTEGER, amended_length INTEGER,
    conn INTEGER NOT NULL, dialect TEXT NOT NULL, command TEXT NOT NULL, code INTEGER,
    status INTEGER, refusal INTEGER, error TEXT, latency_us INTEGER,
    stream, topic, partition_id INTEGER, consumer_kind TEXT, consumer, strategy TEXT,
    verdict TEXT, verdict_muted INTEGER NOT NULL,
    failed INTEGER NOT NULL, empty INTEGER NOT NULL, muted INTEGER NOT NULL,
    unexplained INTEGER NOT NULL, partition TEXT, meant INTEGER, messages INTEGER NOT NULL,
    wrong INTEGER NOT NULL, bytes INTEGER NOT NULL, marked INTEGER NOT NULL,
    injected INTEGER NOT NULL);
CREATE INDEX exchange_latency_us ON exchange (latency_us);
CREATE INDEX exchange_bytes ON exchange (bytes);
CREATE TABLE seen (
    field INTEGER NOT NULL, value NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (field, value, first)) WITHOUT ROWID;
CREATE TABLE exchange_finding (
    code INTEGER NOT NULL, muted INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (code, muted, n)) WITHOUT ROWID;
CREATE INDEX exchange_finding_n ON exchange_finding (n);
CREATE TABLE connection (
    id INTEGER PRIMARY KEY, record TEXT NOT NULL, exchanges INTEGER NOT NULL);
CREATE TABLE finding (
    code INTEGER NOT NULL, place TEXT NOT NULL, muted INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (code, place, muted));
CREATE TABLE latency (
    dimension TEXT NOT NULL, label NOT NULL, command TEXT NOT NULL, side TEXT NOT NULL,
    slice INTEGER NOT NULL, buckets BLOB NOT NULL,
    PRIMARY KEY (dimension, label, command, side, slice)) WITHOUT ROWID;
CREATE TABLE latency_dimension (
    dimension TEXT PRIMARY KEY, doublings INTEGER NOT NULL, unrecorded INTEGER NOT NULL)
    WITHOUT ROWID;
";

/// Opens an index, or makes one where there is none.
///
/// # Errors
/// It cannot be opened, or is of another version or damaged: then it is to be made
/// anew.
pub(super) fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    configure(&connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Nothing is lost when the program is killed. What a machine that goes down makes of
    // it is not relied on; to wait for the disk may take longer than what may be lost.
    connection.pragma_update(None, "synchronous", "OFF")?;
    match version(&connection)? {
        VERSION if is_from_before(&connection)? => Err(rusqlite::Error::InvalidQuery),
        VERSION => Ok(connection),
        0 => {
            let transaction = connection.unchecked_transaction()?;
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
            Ok(connection)
        }
        _ => Err(rusqlite::Error::InvalidQuery),
    }
}

/// The row of `meta` that says since which start of the machine it is open.
const OPEN: &str = "open";

/// Notes that it is open, or that it is whole.
pub(super) fn mark_open(connection: &Connection, is_open: bool) -> rusqlite::Result<()> {
    if is_open {
        let sql = "INSERT OR REPLACE INTO meta VALUES (?, ?)";
        connection.execute(sql, [OPEN, &start_of_machine()])?;
    } else {
        connection.execute("DELETE FROM meta WHERE name = ?", [OPEN])?;
    }
    Ok(())
}

/// Whether the machine went down while it was open, or may have.
fn is_from_before(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT value FROM meta WHERE name = ?";
    let open: Option<String> = connection
        .query_row(sql, [OPEN], |row| row.get(0))
        .optional()?;
    Ok(open.is_some_and(|since| since.is_empty() || since != start_of_machine()))
}

/// What tells one start of the machine from another; empty where nothing does.
fn start_of_machine() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default()
}

/// Opens an index that is there, to read it.
pub(super) fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    configure(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "cache_size", CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
