//! The exact records: what stands as one JSON line in a comment, so that parallax
//! reads back what it wrote.
//!
//! Bytes of frames are not in them: those are the packets. Everything else that the
//! journal knows of an exchange, a connection or a finding is.

mod alteration;
mod answer;
mod connection;
mod exchange;
mod finding;
mod gap;
mod number;
mod tls;
mod verdict;

use parallax_codec::Direction;
use serde::{Deserialize, Serialize};

pub(super) use self::connection::ConnectionRecord;
pub(super) use self::exchange::{ExchangeRecord, Frames};
pub(super) use self::finding::FindingRecord;
use crate::connection::Connection;
use crate::finding::Finding;
use crate::journal::Totals;
use crate::route::RouteName;

/// One record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    /// An exchange whose frames are the packets before this one.
    Exchange(ExchangeRecord),
    /// What became known of an exchange after it was written: no frames belong to
    /// it.
    Amended(ExchangeRecord),
    Connection(ConnectionRecord),
    Finding(FindingRecord),
    Lost(LostRecord),
}

/// What was lost before it could be written, and since when.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LostRecord {
    pub(super) exchanges_not_kept: u64,
    pub(super) observations_dropped: u64,
    pub(super) polls_not_mirrored: u64,
    pub(super) findings_dropped: u64,
}

impl LostRecord {
    pub(super) const fn of(totals: &Totals, exchanges_not_kept: u64) -> Self {
        Self {
            exchanges_not_kept,
            observations_dropped: totals.observations_dropped,
            polls_not_mirrored: totals.polls_not_mirrored,
            findings_dropped: totals.findings_dropped,
        }
    }
}

/// # Errors
/// No route can have that name.
fn route(name: Option<String>) -> Result<Option<RouteName>, String> {
    name.map(|name| RouteName::new(&name)).transpose()
}

/// Which way bytes went, in JSON.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    ToServer,
    ToClient,
}

impl From<Direction> for Way {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::ToServer => Self::ToServer,
            Direction::ToClient => Self::ToClient,
        }
    }
}

impl From<Way> for Direction {
    fn from(way: Way) -> Self {
        match way {
            Way::ToServer => Self::ToServer,
            Way::ToClient => Self::ToClient,
        }
    }
}

/// A connection's record as text, for an index beside the file.
pub(crate) fn connection_record(connection: &Connection) -> String {
    serde_json::to_string(&ConnectionRecord::from(connection)).unwrap_or_default()
}

/// The connection of such a text.
///
/// # Errors
/// What of it cannot be read.
pub(crate) fn read_connection_record(text: &str) -> Result<Connection, String> {
    let record: ConnectionRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    record.read()
}

/// A finding's record as text, for an index beside the file.
pub(crate) fn finding_record(finding: &Finding) -> String {
    serde_json::to_string(&FindingRecord::from(finding)).unwrap_or_default()
}

/// The finding of such a text.
///
/// # Errors
/// What of it cannot be read.
pub(crate) fn read_finding_record(text: &str) -> Result<Finding, String> {
    let record: FindingRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    record.read()
}
