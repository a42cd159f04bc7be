use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_codec::messages::HeaderLayout;
use parallax_codec::primitives::PartitionLayout;
use parallax_codec::vsr::StatusLayout;
use serde::{Deserialize, Serialize};

use super::Way;
use super::gap::GapRecord;
use super::route;
use super::tls::TlsRecord;
use crate::connection::{Connection, ConnectionId, Dialect, Undecoded};
use crate::gap::{Gap, Gaps};
use crate::layouts::{
    Layout, Layouts, message_layout_name, partition_layout_name, status_layout_name,
};

/// A connection, as far as it was known when this was written.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::file) struct ConnectionRecord {
    conn: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    route: Option<String>,
    client: SocketAddr,
    server: SocketAddr,
    opened: Timestamp,
    closed: Option<(Timestamp, String)>,
    unserved: bool,
    dialect: Option<String>,
    messages_sent: Vec<String>,
    messages_polled: Vec<String>,
    partition: Vec<String>,
    status: Vec<String>,
    user: Option<String>,
    client_version: Option<String>,
    server_version: Option<String>,
    undecoded: Option<UndecodedRecord>,
    waiting: Option<(u64, Timestamp)>,
    bytes_to_server: u64,
    bytes_to_client: u64,
    bytes_unobserved: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<GapRecord>,
    #[serde(default)]
    gaps_dropped: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tls: Option<TlsRecord>,
}

/// Why bytes were not decoded.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct UndecodedRecord {
    why: String,
    at: u64,
    direction: Way,
}

impl From<&Undecoded> for UndecodedRecord {
    fn from(undecoded: &Undecoded) -> Self {
        Self {
            why: undecoded.why.clone(),
            at: undecoded.at,
            direction: undecoded.direction.into(),
        }
    }
}

impl From<UndecodedRecord> for Undecoded {
    fn from(record: UndecodedRecord) -> Self {
        Self {
            why: record.why,
            at: record.at,
            direction: record.direction.into(),
        }
    }
}

impl From<&Connection> for ConnectionRecord {
    fn from(connection: &Connection) -> Self {
        let layouts = &connection.layouts;
        Self {
            conn: connection.id.0,
            route: connection.route.as_ref().map(ToString::to_string),
            client: connection.client,
            server: connection.server,
            opened: connection.opened,
            closed: connection.closed.clone(),
            unserved: connection.unserved,
            dialect: connection.dialect.map(|dialect| dialect.name().to_owned()),
            messages_sent: names(layouts.messages_sent.all(), message_layout_name),
            messages_polled: names(layouts.messages_polled.all(), message_layout_name),
            partition: names(layouts.partition.all(), partition_layout_name),
            status: names(layouts.status.all(), status_layout_name),
            user: connection.user.clone(),
            client_version: connection.client_version.clone(),
            server_version: connection.server_version.clone(),
            undecoded: connection.undecoded.as_ref().map(UndecodedRecord::from),
            waiting: connection.waiting,
            bytes_to_server: connection.bytes_to_server,
            bytes_to_client: connection.bytes_to_client,
            bytes_unobserved: connection.bytes_unobserved,
            gaps: connection.gaps.iter().map(GapRecord::from).collect(),
            gaps_dropped: connection.gaps.dropped(),
            tls: connection.tls.as_deref().map(TlsRecord::from),
        }
    }
}

impl ConnectionRecord {
    /// The connection. How many exchanges it had is for the journal to count.
    ///
    /// # Errors
    /// The word that is not known.
    pub(in crate::file) fn read(self) -> Result<Connection, String> {
        let mut layouts = Layouts::default();
        let message = [
            HeaderLayout::Headers56,
            HeaderLayout::Headers64,
            HeaderLayout::Batches,
        ];
        for layout in known(&self.messages_sent, &message, message_layout_name)? {
            let messages_sent = Some(layout);
            layouts.learn(Layout {
                messages_sent,
                ..Layout::default()
            });
        }
        for layout in known(&self.messages_polled, &message, message_layout_name)? {
            let messages_polled = Some(layout);
            layouts.learn(Layout {
                messages_polled,
                ..Layout::default()
            });
        }
        let partition = [PartitionLayout::Flagged, PartitionLayout::Plain];
        for layout in known(&self.partition, &partition, partition_layout_name)? {
            let partition = Some(layout);
            layouts.learn(Layout {
                partition,
                ..Layout::default()
            });
        }
        let status = [
            StatusLayout::At216,
            StatusLayout::At224,
            StatusLayout::Nowhere,
        ];
        for layout in known(&self.status, &status, status_layout_name)? {
            let status = Some(layout);
            layouts.learn(Layout {
                status,
                ..Layout::default()
            });
        }
        Ok(Connection {
            id: ConnectionId(self.conn),
            route: route(self.route)?,
            client: self.client,
            server: self.server,
            opened: self.opened,
            closed: self.closed,
            unserved: self.unserved,
            dialect: self.dialect.as_deref().map(dialect).transpose()?,
            layouts,
            user: self.user,
            client_version: self.client_version,
            server_version: self.server_version,
            undecoded: self.undecoded.map(Undecoded::from),
            exchanges: 0,
            waiting: self.waiting,
            bytes_to_server: self.bytes_to_server,
            bytes_to_client: self.bytes_to_client,
            bytes_unobserved: self.bytes_unobserved,
            gaps: Gaps::restored(self.gaps.into_iter().map(Gap::from), self.gaps_dropped),
            tls: self.tls.map(TlsRecord::read).transpose()?.map(Box::new),
        })
    }
}

pub(super) fn dialect(name: &str) -> Result<Dialect, String> {
    let mut all = [Dialect::Classic, Dialect::Vsr, Dialect::Http].into_iter();
    all.find(|dialect| dialect.name() == name)
        .ok_or_else(|| format!("no known dialect is called {name:?}"))
}

fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<String> {
    all.iter().map(|one| name(*one).to_owned()).collect()
}

fn known<T: Copy>(
    words: &[String],
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<Vec<T>, String> {
    let find = |word: &String| {
        let found = all.iter().find(|one| name(**one) == word);
        found
            .copied()
            .ok_or_else(|| format!("no known layout is called {word:?}"))
    };
    words.iter().map(find).collect()
}
