//! The segment that is being written.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use jiff::Timestamp;

use super::disk::{Disk, Output};
use super::index::At;
use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::file::{About, Writer};
use crate::finding::Finding;
use crate::journal::{Journal, Totals};
use crate::redaction::Redactor;

/// A segment, from its beginning.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) number: u64,
    pub(super) path: PathBuf,
    writer: Writer<Buffered>,
    redactor: Option<Redactor>,
    /// What was last written of each connection that is open.
    told: BTreeMap<ConnectionId, Connection>,
    /// Whether it says how much was lost.
    has_statistics: bool,
}

/// Gathers small writes. What is in it when a write fails is not written later.
#[derive(Debug)]
struct Buffered {
    output: Box<dyn Output>,
    gathered: Vec<u8>,
}

/// Bytes that are gathered before they are written.
const GATHERED: usize = 256 * 1024;

impl Active {
    /// Begins a segment that stands alone: it repeats the connections that are open and
    /// every finding.
    pub(super) fn begin(
        disk: &dyn Disk,
        (number, path): (u64, PathBuf),
        journal: &Journal,
        (about, redactor): (About, Option<Redactor>),
        now: Timestamp,
    ) -> io::Result<Self> {
        let output = disk.create(&path)?;
        let buffered = Buffered {
            output,
            gathered: Vec::new(),
        };
        let mut active = Self {
            number,
            path,
            writer: Writer::new(buffered, about)?,
            redactor,
            has_statistics: false,
            told: BTreeMap::new(),
        };
        for connection in journal.connections() {
            if connection.closed.is_none() {
                active.connection(&connection, now)?;
            }
        }
        for finding in journal
            .findings()
            .into_iter()
            .chain(journal.muted_findings())
        {
            active.finding(&finding, journal)?;
        }
        Ok(active)
    }

    pub(super) const fn position(&self) -> u64 {
        self.writer.position()
    }

    /// Writes what is known of a connection.
    pub(super) fn connection(&mut self, connection: &Connection, now: Timestamp) -> io::Result<()> {
        self.writer.connection(connection, now)?;
        if connection.closed.is_some() {
            self.told.remove(&connection.id);
        } else {
            self.told.insert(connection.id, connection.clone());
        }
        Ok(())
    }

    /// What was last written of a connection that is open.
    pub(super) fn told(&self, id: ConnectionId) -> Option<&Connection> {
        self.told.get(&id)
    }

    pub(super) fn exchange(&mut self, exchange: &Exchange) -> io::Result<At> {
        let redactor = self.redactor.as_mut();
        let redacted = redactor.map(|redactor| redactor.exchange(exchange));
        let at = self
            .writer
            .exchange(redacted.as_ref().unwrap_or(exchange))?;
        Ok(At {
            segment: self.number,
            offset: at.offset,
            length: at.length,
        })
    }

    pub(super) fn amend(&mut self, exchange: &Exchange, now: Timestamp) -> io::Result<At> {
        let offset = self.position();
        let redactor = self.redactor.as_mut();
        let redacted = redactor.map(|redactor| redactor.exchange(exchange));
        let exchange = redacted.as_ref().unwrap_or(exchange);
        self.writer.amend(exchange, now)?;
        Ok(At {
            segment: self.number,
            offset,
            length: self.position() - offset,
        })
    }

    /// Writes a finding as it is now, on the connection of its latest exchange.
    pub(super) fn finding(&mut self, finding: &Finding, journal: &Journal) -> io::Result<()> {
        let latest = finding.exchanges.last();
        let conn = latest.and_then(|n| Some(journal.exchange(*n)?.conn));
        self.writer
            .finding(finding, conn.unwrap_or(ConnectionId(0)))
    }

    pub(super) fn lost(
        &mut self,
        totals: &Totals,
        not_kept: u64,
        now: Timestamp,
    ) -> io::Result<()> {
        self.writer.lost(totals, not_kept, now)?;
        self.has_statistics = true;
        Ok(())
    }

    /// Whether it says how much was lost: each segment does, also that nothing was.
    pub(super) const fn has_statistics(&self) -> bool {
        self.has_statistics
    }

    /// Gives everything to the system: from then on it survives the program. Whether it
    /// survives the machine is the system's to see to: waiting for a disk may take longer
    /// than what may be lost.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.writer.get_mut().flush()
    }

    /// Ends it after `length` bytes: what follows could not be written whole.
    pub(super) fn cut(mut self, length: u64) -> io::Result<()> {
        self.writer.get_mut().output.cut(length)
    }
}

impl Write for Buffered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.output.write_all(&self.gathered);
        self.gathered.clear();
        written
    }
}
