//! What a recorder does where the disk refuses, and where there is too much.

use std::io;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::Store;
use crate::limits::RECORD_RETRY;
use crate::recording::active::Active;
use crate::recording::{RecordingState, RecordingStatus};

impl Store {
    /// The disk refused: nothing that was not written whole is left in the segment,
    /// and a new one is begun after a while.
    pub(super) fn failed(&mut self, error: &io::Error, begin: Option<u64>) {
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
    pub(super) fn wait(&mut self, error: &io::Error) {
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
    pub(super) fn rotate(&mut self, now: Timestamp) -> io::Result<()> {
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

    pub(super) fn end(&mut self) {
        let now = Timestamp::now();
        if let Some(active) = self.active.take() {
            self.retention.add(active.number, active.position(), now);
        }
        if let Err(error) = self.index.settle() {
            tracing::debug!("the recording's index: {error}");
        }
        self.tell(|status| status.state = RecordingState::Ended);
    }

    pub(super) fn tell(&self, change: impl FnOnce(&mut RecordingStatus)) {
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
