//! What of that which was taken is written, and in which order.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;

use super::{Amended, Store, Wrote, lost};
use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::file::About;
use crate::journal::Taken;
use crate::limits::RECORD_FIGURES;
use crate::recording::active::Active;
use crate::recording::index::At;
use crate::redaction::Redactor;

impl Store {
    /// Writes everything to the segment and gives it to the system.
    pub(super) fn write(
        &mut self,
        taken: &Taken,
        is_last: bool,
        now: Timestamp,
    ) -> io::Result<Wrote> {
        self.note(taken);
        let figures = is_last || self.figures_at.elapsed() >= RECORD_FIGURES;
        if !self.is_due(taken, figures) {
            return Ok((Vec::new(), Vec::new(), figures));
        }
        let mut active = match self.active.take() {
            Some(active) => active,
            None => self.begin(now)?,
        };
        let written = self.write_to(&mut active, taken, figures, now);
        self.active = Some(active);
        let (places, amended) = written?;
        Ok((places, amended, figures))
    }

    /// Takes note of what changed, to write it when it is due.
    fn note(&mut self, taken: &Taken) {
        for connection in &taken.connections {
            let id = connection.id;
            if connection.closed.is_some() {
                self.connections.remove(&id);
                let after = taken.totals.exchanges;
                self.closing
                    .entry(id)
                    .or_insert((connection.clone(), after))
                    .0 = connection.clone();
            } else {
                self.connections.insert(id, connection.clone());
            }
        }
        for finding in &taken.findings {
            let key = (
                finding.code.0,
                finding.place.clone(),
                finding.muted.is_some(),
            );
            let is_new = !self.told_findings.contains(&key);
            self.findings.insert(key, (finding.clone(), is_new));
        }
        for (code, place, muted) in &taken.findings_gone {
            let key = (code.0, place.clone(), *muted);
            self.findings.remove(&key);
            self.told_findings.remove(&key);
        }
    }

    fn is_due(&self, taken: &Taken, figures: bool) -> bool {
        let news = |(id, connection): (&ConnectionId, &Connection)| {
            let told = self.active.as_ref().and_then(|active| active.told(*id));
            told.is_none_or(|told| is_news(told, connection))
        };
        !taken.exchanges.is_empty()
            || !taken.amended.is_empty()
            || !taken.late.is_empty()
            || !self.closing.is_empty()
            || self.findings.values().any(|(_, new)| *new)
            || self.connections.iter().any(news)
            || (figures && !(self.connections.is_empty() && self.findings.is_empty()))
            || (figures && self.lost != lost(taken, self.not_kept))
    }

    /// Whether the figures of something have changed and are due.
    pub(super) fn has_figures(&self) -> bool {
        let waiting = !(self.connections.is_empty() && self.findings.is_empty());
        !self.closing.is_empty() || (waiting && self.figures_at.elapsed() >= RECORD_FIGURES)
    }

    fn begin(&mut self, now: Timestamp) -> io::Result<Active> {
        let number = self.retention.next();
        let path = self.segments.path(number);
        let about = About {
            http: self.options.http,
            since: self.retention.is_continued().then_some(now),
            note: self.options.redaction.map(|one| one.note().to_owned()),
        };
        let redactor = self.options.redaction.map(Redactor::new);
        let place = (number, path.clone());
        let begun = Active::begin(&*self.disk, place, &self.journal, (about, redactor), now);
        match &begun {
            // Nobody knows whose it is.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.retention.skip(),
            // A beginning that is not whole is worth nothing, and in the way next time.
            Err(_) => drop(self.disk.remove(&path)),
            Ok(_) => {}
        }
        begun
    }

    fn write_to(
        &mut self,
        active: &mut Active,
        taken: &Taken,
        figures: bool,
        now: Timestamp,
    ) -> io::Result<(Vec<At>, Amended)> {
        for (id, connection) in &self.connections {
            let told = active.told(*id);
            if told.is_none_or(|told| figures || is_news(told, connection)) {
                active.connection(connection, now)?;
            }
        }
        let mut places = Vec::with_capacity(taken.exchanges.len());
        for exchange in &taken.exchanges {
            self.introduce(active, exchange, now)?;
            places.push(active.exchange(exchange)?);
            taken.turns.done(places.len());
        }
        let mut amended = Vec::new();
        for exchange in &taken.amended {
            amended.push((Arc::clone(exchange), active.amend(exchange, now)?));
        }
        for exchange in self.late(taken) {
            let at = active.amend(&exchange, now)?;
            amended.push((exchange, at));
        }
        for (finding, is_new) in self.findings.values() {
            if *is_new || figures {
                active.finding(finding, &self.journal)?;
            }
        }
        let stored = taken.exchanges.last().map_or(self.stored, |last| last.n);
        for (connection, after) in self.closing.values() {
            if stored >= *after {
                if active.told(connection.id).is_none() {
                    active.connection(&still_open(connection), now)?;
                }
                active.connection(connection, now)?;
            }
        }
        let changed = self.lost != lost(taken, self.not_kept + taken.missed);
        if figures && changed || !active.has_statistics() {
            active.lost(&taken.totals, self.not_kept + taken.missed, now)?;
        }
        active.flush()?;
        Ok((places, amended))
    }

    /// Tells of the connection of an exchange, where this segment does not yet.
    fn introduce(
        &self,
        active: &mut Active,
        exchange: &Exchange,
        now: Timestamp,
    ) -> io::Result<()> {
        if active.told(exchange.conn).is_some() {
            return Ok(());
        }
        let closing = self
            .closing
            .get(&exchange.conn)
            .map(|(connection, _)| connection);
        let known = closing
            .cloned()
            .or_else(|| self.journal.connection(exchange.conn));
        known.map_or(Ok(()), |known| active.connection(&still_open(&known), now))
    }

    /// Exchanges that memory does not hold any more, with what came for them.
    fn late(&self, taken: &Taken) -> Vec<Arc<Exchange>> {
        let mut changed = BTreeMap::<u64, Exchange>::new();
        for (n, late) in &taken.late {
            if let Some(known) = changed.get_mut(n) {
                late.apply(known);
            } else if let Some(known) = self.journal.exchange(*n) {
                let mut known = Exchange::clone(&known);
                late.apply(&mut known);
                changed.insert(*n, known);
            }
        }
        changed.into_values().map(Arc::new).collect()
    }
}

/// Whether more than figures is different.
fn is_news(told: &Connection, now: &Connection) -> bool {
    told.server != now.server
        || told.unserved != now.unserved
        || told.dialect != now.dialect
        || told.layouts != now.layouts
        || told.user != now.user
        || told.client_version != now.client_version
        || told.server_version != now.server_version
        || told.undecoded != now.undecoded
        || told.tls != now.tls
}

/// As it was before it ended: its exchanges come before its end.
fn still_open(connection: &Connection) -> Connection {
    Connection {
        closed: None,
        ..connection.clone()
    }
}
