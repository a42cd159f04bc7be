//! Writing what a journal sees, on a thread of its own: only that thread waits for the
//! disk.

mod keeping;
mod writing;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::journal::{Journal, Taken, Turns};
use crate::limits::{RECORD_BATCH, RECORD_INTERVAL, RECORD_SETTLES};
use crate::recording::active::Active;
use crate::recording::disk::Disk;
use crate::recording::index::{At, Index, Position, Written};
use crate::recording::lock::Lock;
use crate::recording::retention::Retention;
use crate::recording::segments::Segments;
use crate::recording::status::RecordingState;
use crate::recording::{RecordOptions, RecordingError};

/// A recorder that runs. Dropping it lets it end without waiting for it.
#[derive(Debug)]
pub struct Recorder {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    pub(in crate::recording) fn start(store: Store) -> Result<Self, RecordingError> {
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
pub(in crate::recording) struct Store {
    pub(in crate::recording) options: RecordOptions,
    pub(in crate::recording) disk: Box<dyn Disk>,
    pub(in crate::recording) segments: Segments,
    pub(in crate::recording) index: Index,
    pub(in crate::recording) journal: Arc<Journal>,
    pub(in crate::recording) retention: Retention,
    /// Held as long as this is.
    pub(in crate::recording) _lock: Lock,
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
    pub(in crate::recording) fn new(
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
    pub(in crate::recording) fn round(&mut self, is_last: bool) -> bool {
        if self.retry.is_some_and(|(at, _)| Instant::now() < at) {
            return false;
        }
        let settles = if is_last {
            Duration::ZERO
        } else {
            RECORD_SETTLES
        };
        let now = Timestamp::now();
        // At the end nobody passes bytes on any more.
        let turns = if is_last {
            Turns::default()
        } else {
            Turns::begin()
        };
        let taken = self.journal.take(now, settles, RECORD_BATCH, turns);
        let is_more = taken.is_more;
        if taken.is_empty() && !is_last && self.retry.is_none() && !self.has_figures() {
            self.journal.stored(&taken);
            if let Err(error) = self.rotate(now) {
                self.wait(&error);
            }
            return false;
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

    /// Puts what was written into the index.
    fn put(&mut self, taken: &Taken, places: &[At], amended: &Amended) -> rusqlite::Result<()> {
        let late = amended.iter().skip(taken.amended.len());
        let before: Vec<_> = late
            .filter_map(|(after, _)| self.journal.exchange(after.n))
            .collect();
        let mut activity = taken.activity.clone();
        for (before, (after, _)) in before.iter().zip(amended.iter().skip(taken.amended.len())) {
            activity.add_late_verdict(before, after);
        }
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
            activity: &activity,
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

    /// Writes what is left, and ends.
    pub(in crate::recording) fn finish(mut self) {
        self.retry = None;
        while self.round(true) {}
        if let Some(reason) = self.trouble() {
            let waiting = self.journal.totals().exchanges - self.stored;
            tracing::warn!("the recording ends without the last {waiting} exchanges: {reason}");
        }
        self.end();
    }

    /// Why the disk refuses, where it does.
    pub(in crate::recording) fn trouble(&self) -> Option<String> {
        match self.journal.recording()?.state {
            RecordingState::Failing { reason, .. } => Some(reason),
            RecordingState::Ok | RecordingState::Ended => None,
        }
    }

    /// As if the time to try again had come.
    #[cfg(test)]
    pub(in crate::recording) fn retry_now(&mut self) {
        self.retry = self.retry.map(|(_, waited)| (Instant::now(), waited));
    }

    /// Lets memory hold so many exchanges.
    #[cfg(test)]
    pub(in crate::recording) fn keep_in_memory(&mut self, exchanges: usize, bytes: usize) {
        let journal = Arc::get_mut(&mut self.journal).expect("nobody else has it yet");
        *journal = std::mem::take(journal).keeping(exchanges, bytes);
    }
}

type FindingKey = (u16, String, bool);
type Amended = Vec<(Arc<Exchange>, At)>;
type Wrote = (Vec<At>, Amended, bool);

/// What was lost so far, in the order of a [`LostRecord`](crate::file).
fn lost(taken: &Taken, not_kept: u64) -> (u64, u64, u64, u64) {
    let totals = &taken.totals;
    (
        not_kept,
        totals.observations_dropped,
        totals.polls_not_mirrored,
        totals.findings_dropped,
    )
}
