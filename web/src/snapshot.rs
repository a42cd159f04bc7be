//! What a journal shows of its connections at one moment.

use std::collections::BTreeMap;

use jiff::Timestamp;
use parallax_captures::{Connection, ConnectionId, Exchange, Journal, Standing, standings};

use crate::about::Source;

/// The connections, and whether their clients get on.
pub(crate) struct Snapshot<'a> {
    pub(crate) journal: &'a Journal,
    pub(crate) connections: Vec<Connection>,
    pub(crate) standings: BTreeMap<ConnectionId, Standing>,
    /// The time that it is judged by: now, or the end of what was recorded.
    pub(crate) now: Timestamp,
    /// Whether it is of what was recorded, and goes on no more.
    pub(crate) has_ended: bool,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn of(journal: &'a Journal, source: &Source) -> Self {
        let now = match source {
            Source::Live(_) => Timestamp::now(),
            Source::File { .. } => {
                let latest = journal.latest(None, 1, &|_: &Exchange| true).pop();
                latest.map_or(Timestamp::UNIX_EPOCH, |one| one.times.request_first)
            }
        };
        Self {
            journal,
            connections: journal.connections(),
            standings: standings(journal, now),
            now,
            has_ended: matches!(source, Source::File { .. }),
        }
    }

    pub(crate) fn standing(&self, id: ConnectionId) -> Standing {
        self.standings.get(&id).cloned().unwrap_or_default()
    }
}
