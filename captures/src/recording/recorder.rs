//! Writing what a journal sees, on a thread of its own: only that thread waits for the
//! disk.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::active::Active;
use super::disk::Disk;
use super::index::{At, Index, Position, Written};
use super::lock::Lock;
use super::retention::Retention;
use super::segments::Segments;
use super::status::RecordingState;
use super::{RecordOptions, RecordingError};
use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::file::About;
use crate::finding::Finding;
use crate::journal::{Journal, Taken};
use crate::limits::{RECORD_BATCH, RECORD_FIGURES, RECORD_INTERVAL, RECORD_RETRY, RECORD_SETTLES};

/// A recorder that runs. Dropping it lets it end without waiting for it.
#[derive(Debug)]
pub struct Recorder {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    pub(super) fn start(store: Store) -> Result<Self, RecordingError> {
        let (stop, stopped) = channel();
        let thread = thread::Builder::new()
            .name("recorder".to_owned())
            .spawn(move || store.run(&stopped))
            .map_err(RecordingError::Thread)?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Writes what is left, and ends. Waits for the disk.
    pub fn finish(mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the recorder did not end as it should");
        }
    }
}

/// What a recorder writes to, and what it still has to write.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) options: RecordOptions,
    pub(super) disk: Box<dyn Disk>,
    pub(super) segments: Segments,
    pub(super) index: Index,
    pub(super) journal: Arc<Journal>,
    pub(super) retention: Retention,
    /// Held as long as this is.
    pub(super) _lock: Lock,
    active: Option<Active>,
    /// Connections that ended; each is written once all its exchanges are.
    closing: BTreeMap<ConnectionId, (Connection, u64)>,
    /// Open connections and findings whose figures alone have changed.
    connections: BTreeMap<ConnectionId, Connection>,
    findings: BTreeMap<FindingKey, (Finding, bool)>,
    told_findings: BTreeSet<FindingKey>,
    figures_at: Instant,
    lost: (u64, u64, u64, u64),
    not_kept: u64,
    /// The number of the last exchange that was written.
    stored: u64,
    retry: Option<(Instant, Duration)>,
}

impl Store {
    pub(super) fn new(
        options: RecordOptions,
        (disk, lock): (Box<dyn Disk>, Lock),
        (segments, index): (Segments, Index),
        (journal, retention): (Arc<Journal>, Retention),
    ) -> Self {
        let stored = journal.totals().exchanges;
        Self {
            options,
            disk,
            segments,
            index,
            journal,
            retention,
            _lock: lock,
            active: None,
            closing: BTreeMap::new(),
            connections: BTreeMap::new(),
            findings: BTreeMap::new(),
            told_findings: BTreeSet::new(),
            figures_at: Instant::now(),
            lost: (0, 0, 0, 0),
            not_kept: 0,
            stored,
            retry: None,
        }
    }

    fn run(mut self, stop: &Receiver<()>) {
        while stop.recv_timeout(RECORD_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            while self.round(false) {}
        }
        self.finish();
    }

    /// Writes what is due; whether there is more.
    pub(super) fn round(&mut self, is_last: bool) -> bool {
        if self.retry.is_some_and(|(at, _)| Instant::now() < at) {
            return false;
        }
        let settles = if is_last {
            Duration::ZERO
        } else {
            RECORD_SETTLES
        };
        let now = Timestamp::now();
        let taken = self.journal.take(now, settles, RECORD_BATCH);
        let is_more = taken.is_more;
        if taken.is_empty() && !is_last && self.retry.is_none() && !self.has_figures() {
            self.journal.stored(&taken);
            return self
                .rotate(now)
                .inspect_err(|error| tracing::debug!("{error}"))
                .is_err();
        }
        let begin = self.active.as_ref().map(Active::position);
        let written = self.write(&taken, is_last, now);
        let written = written.and_then(|(places, amended, figures)| {
            self.put(&taken, &places, &amended)
                .map_err(io::Error::other)?;
            Ok(figures)
        });
        match written {
            Ok(figures) => {
                self.succeeded(&taken, figures);
                if let Err(error) = self.rotate(now) {
                    self.wait(&error);
                    return false;
                }
                is_more
            }
            Err(error) => {
                self.journal.put_back(taken);
                self.failed(&error, begin);
                false
            }
        }
    }

    /// Writes everything to the segment and gives it to the system.
    fn write(&mut self, taken: &Taken, is_last: bool, now: Timestamp) -> io::Result<Wrote> {
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
    fn has_figures(&self) -> bool {
        let waiting = !(self.connections.is_empty() && self.findings.is_empty());
        !self.closing.is_empty() || (waiting && self.figures_at.elapsed() >= RECORD_FIGURES)
    }

    fn begin(&mut self, now: Timestamp) -> io::Result<Active> {
        let number = self.retention.next();
        let path = self.segments.path(number);
        let about = About {
            http: self.options.http,
            since: self.retention.is_continued().then_some(now),
        };
        let begun = Active::begin(
            &*self.disk,
            (number, path.clone()),
            &self.journal,
            about,
            now,
        );
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
        if figures && self.lost != lost(taken, self.not_kept + taken.missed) {
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

    /// Puts what was written into the index.
    fn put(&mut self, taken: &Taken, places: &[At], amended: &Amended) -> rusqlite::Result<()> {
        let late = amended.iter().skip(taken.amended.len());
        let before: Vec<_> = late
            .filter_map(|(after, _)| self.journal.exchange(after.n))
            .collect();
        let position = match &self.active {
            Some(active) => Position {
                segment: active.number,
                offset: active.position(),
            },
            None => self.index.position()?,
        };
        self.index.put(&Written {
            taken,
            places,
            amended,
            position,
        })?;
        let after = amended.iter().skip(taken.amended.len());
        for (before, (after, _)) in before.iter().zip(after) {
            self.journal.archive_changed(before, after);
        }
        Ok(())
    }

    fn succeeded(&mut self, taken: &Taken, figures: bool) {
        self.journal.stored(taken);
        self.not_kept += taken.missed;
        if let Some(last) = taken.exchanges.last() {
            self.stored = last.n;
        }
        let stored = self.stored;
        self.closing.retain(|_, (_, after)| stored < *after);
        self.told_findings.extend(self.findings.keys().cloned());
        if figures {
            self.connections.clear();
            self.findings.clear();
            self.figures_at = Instant::now();
            self.lost = lost(taken, self.not_kept);
        } else {
            self.findings.values_mut().for_each(|(_, new)| *new = false);
        }
        if self.retry.take().is_some() {
            tracing::warn!("the recording goes on");
        }
        let exchanges = taken.exchanges.len() as u64;
        self.tell(|status| {
            status.state = RecordingState::Ok;
            status.exchanges += exchanges;
            status.not_kept += taken.missed;
        });
    }

    /// The disk refused: nothing that was not written whole is left in the segment,
    /// and a new one is begun after a while.
    fn failed(&mut self, error: &io::Error, begin: Option<u64>) {
        if let Some(active) = self.active.take() {
            let (number, path) = (active.number, active.path.clone());
            let bytes = begin.unwrap_or_else(|| active.position());
            let (cut, bytes) = match begin {
                Some(length) if length > 0 => (active.cut(length), bytes),
                // It holds nothing that was recorded.
                _ => (self.disk.remove(&path), 0),
            };
            if bytes > 0 {
                self.retention.add(number, bytes, Timestamp::now());
            }
            if let Err(error) = cut {
                // Its end is torn: whoever reads it says so.
                tracing::debug!("{}: {error}", path.display());
            }
        }
        self.wait(error);
    }

    /// Says that the disk refused, and tries again after a while.
    fn wait(&mut self, error: &io::Error) {
        let reason = error.to_string();
        let (_, waited) = self.retry.unwrap_or((Instant::now(), Duration::ZERO));
        if waited.is_zero() {
            tracing::warn!(
                "the recording in {} cannot be written: {reason}; it is tried again, clients are \
                 not affected",
                self.options.directory.display()
            );
        }
        let (first, longest) = RECORD_RETRY;
        let wait = (waited * 2).clamp(first, longest);
        self.retry = Some((Instant::now() + wait, wait));
        self.tell(|status| {
            let since = match status.state {
                RecordingState::Failing { since, .. } => since,
                _ => Timestamp::now(),
            };
            status.state = RecordingState::Failing { since, reason };
        });
    }

    /// Ends the segment where it is full, and drops the oldest where there are too many.
    fn rotate(&mut self, now: Timestamp) -> io::Result<()> {
        if let Some(active) = self
            .active
            .take_if(|one| one.position() >= self.options.segment_bytes)
        {
            self.retention.add(active.number, active.position(), now);
        }
        let bytes = self.active.as_ref().map_or(0, Active::position);
        while let Some(number) = self.retention.due(bytes, &self.options, now) {
            let dropped = self.drop_segment(number).map_err(io::Error::other)?;
            match self.disk.remove(&self.segments.path(number)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => self.retention.dropped(number),
            }
            self.tell(|status| {
                status.dropped += dropped;
                status.exchanges = status.exchanges.saturating_sub(dropped);
            });
        }
        Ok(())
    }

    /// Forgets the exchanges of the oldest segment; gives how many these were.
    fn drop_segment(&mut self, number: u64) -> rusqlite::Result<u64> {
        let numbers = self.index.numbers_in(number)?;
        if numbers.is_empty() {
            return Ok(0);
        }
        let all = self.index.counts_before(numbers.end)?.exchanges;
        loop {
            let first_in_memory = self.journal.first_in_memory();
            let counts = self.index.counts_before(numbers.end.min(first_in_memory))?;
            if self
                .journal
                .archive_dropped(numbers.end, &counts, first_in_memory)
            {
                break;
            }
        }
        self.index.drop_before(numbers.end)?;
        Ok(all)
    }

    /// Writes what is left, and ends.
    pub(super) fn finish(mut self) {
        self.retry = None;
        while self.round(true) {}
        if let Some(reason) = self.trouble() {
            let waiting = self.journal.totals().exchanges - self.stored;
            tracing::warn!("the recording ends without the last {waiting} exchanges: {reason}");
        }
        self.end();
    }

    /// Why the disk refuses, where it does.
    pub(super) fn trouble(&self) -> Option<String> {
        match self.journal.recording()?.state {
            RecordingState::Failing { reason, .. } => Some(reason),
            RecordingState::Ok | RecordingState::Ended => None,
        }
    }

    /// As if the time to try again had come.
    #[cfg(test)]
    pub(super) fn retry_now(&mut self) {
        self.retry = self.retry.map(|(_, waited)| (Instant::now(), waited));
    }

    /// Lets memory hold so many exchanges.
    #[cfg(test)]
    pub(super) fn keep_in_memory(&mut self, exchanges: usize) {
        let journal = Arc::get_mut(&mut self.journal).expect("nobody else has it yet");
        *journal = std::mem::take(journal).keeping(exchanges, usize::MAX);
    }

    fn end(&mut self) {
        let now = Timestamp::now();
        if let Some(active) = self.active.take() {
            self.retention.add(active.number, active.position(), now);
        }
        if let Err(error) = self.index.settle() {
            tracing::debug!("the recording's index: {error}");
        }
        self.tell(|status| status.state = RecordingState::Ended);
    }

    fn tell(&self, change: impl FnOnce(&mut super::RecordingStatus)) {
        let active = self.active.as_ref();
        let bytes = self.retention.bytes() + active.map_or(0, Active::position);
        let segments = self.retention.count() + u64::from(active.is_some());
        let changes_not_kept = self.journal.changes_not_kept();
        self.journal.update_recording(|status| {
            change(status);
            (status.bytes, status.segments) = (bytes, segments);
            status.changes_not_kept = changes_not_kept;
        });
    }
}

type FindingKey = (u16, String, bool);
type Amended = Vec<(Arc<Exchange>, At)>;
type Wrote = (Vec<At>, Amended, bool);

/// Whether more than figures is different.
fn is_news(told: &Connection, now: &Connection) -> bool {
    let said = |one: &Connection| {
        (
            (one.server, one.unserved, one.dialect, one.layouts.clone()),
            (
                one.user.clone(),
                one.client_version.clone(),
                one.server_version.clone(),
            ),
            one.undecoded.clone(),
        )
    };
    said(told) != said(now)
}

/// As it was before it ended: its exchanges come before its end.
fn still_open(connection: &Connection) -> Connection {
    Connection {
        closed: None,
        ..connection.clone()
    }
}

fn lost(taken: &Taken, not_kept: u64) -> (u64, u64, u64, u64) {
    let totals = &taken.totals;
    (
        not_kept,
        totals.observations_dropped,
        totals.polls_not_mirrored,
        totals.findings_dropped,
    )
}
