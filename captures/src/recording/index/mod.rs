//! The index of a recording: where each exchange is, and by what it can be found. It
//! is nothing but that: all of it can be made again from the segments.

mod condition;
mod latency;
mod ranked;
mod restore;
mod row;
mod schema;
mod search;
mod seen;
#[cfg(test)]
mod tests;
mod write;

use std::path::Path;

use crate::activity::Activity;
use crate::latency::Latencies;
use crate::private;

pub(crate) use self::ranked::Ranked;
pub(crate) use self::search::{Order, Search, by_number};
#[cfg(test)]
pub(crate) use self::tests::found;
pub(crate) use self::write::Written;

/// The index, open to be written by one.
#[derive(Debug)]
pub(crate) struct Index {
    connection: rusqlite::Connection,
    /// What its tables have of these, once it was read.
    latencies: Option<Latencies>,
    activity: Option<Activity>,
}

/// Where something stands: in which segment, from which byte on, how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) segment: u64,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// Where an exchange is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) n: u64,
    pub(crate) at: At,
    /// Where the latest of what became known of it later is.
    pub(crate) amended: Option<At>,
}

/// Up to where the segments are in the index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) segment: u64,
    pub(crate) offset: u64,
}

impl Index {
    /// Opens an index, or makes an empty one.
    ///
    /// # Errors
    /// It cannot be made, or what is there is damaged or of another version.
    pub(crate) fn open(path: &Path) -> rusqlite::Result<Self> {
        if !path.exists() {
            // For its owner alone, like the segments; `SQLite` gives its other files
            // the same rights.
            private::create_new(path)
                .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        }
        let connection = schema::open(path)?;
        schema::mark_open(&connection, true)?;
        Ok(Self {
            connection,
            latencies: None,
            activity: None,
        })
    }

    /// Opens it once more, to read it.
    pub(crate) fn open_to_read(path: &Path) -> rusqlite::Result<rusqlite::Connection> {
        schema::open_to_read(path)
    }

    /// Removes an index, if there is one.
    pub(crate) fn remove(path: &Path) {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            // What is not there need not be removed.
            let _ = std::fs::remove_file(name);
        }
    }

    /// Leaves it whole, in one file.
    pub(crate) fn settle(&self) -> rusqlite::Result<()> {
        schema::mark_open(&self.connection, false)?;
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        let checkpoint = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], checkpoint)
            .map(drop)
    }
}
