//! A recording of what another program captured, for as long as it is looked at.

use std::sync::Arc;

use super::disk::SystemDisk;
use super::open::open_on;
use super::recorder::Store;
use super::temporary::Temporary;
use super::view::View;
use super::{RecordOptions, RecordingError};
use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::limits::{IMPORT_BYTES, RECORD_BATCH};

/// Takes exchanges and keeps them in a temporary directory.
#[derive(Debug)]
pub struct ImportedRecording {
    store: Store,
    temporary: Temporary,
    /// Exchanges, and bytes of their frames, that were not written yet.
    waiting: (usize, usize),
}

impl ImportedRecording {
    /// An empty one.
    ///
    /// # Errors
    /// There is no temporary directory that can be written.
    pub fn new() -> Result<Self, RecordingError> {
        let temporary = Temporary::new().map_err(RecordingError::Directory)?;
        let options = RecordOptions {
            keep_bytes: u64::MAX,
            keep_for: std::time::Duration::MAX,
            ..RecordOptions::into_directory(temporary.path())
        };
        let store = open_on(options, Box::new(SystemDisk))?.into_store();
        Ok(Self {
            store,
            temporary,
            waiting: (0, 0),
        })
    }

    /// Takes an exchange, whose number is larger than those before it. Waits for the
    /// disk.
    ///
    /// # Errors
    /// The disk is full, or fails.
    pub fn exchange(&mut self, exchange: &Exchange) -> Result<(), RecordingError> {
        let bytes = exchange.binary().map_or(0, |content| {
            content.request_frame.len() + content.reply_frame.len()
        });
        self.waiting.0 += 1;
        self.waiting.1 += bytes;
        if self.waiting.0 > RECORD_BATCH || self.waiting.1 > IMPORT_BYTES {
            self.flush()?;
            self.waiting = (1, bytes);
        }
        self.store.journal.restore_exchange(exchange.clone());
        Ok(())
    }

    /// What is known of connections and findings at the end, and the whole to be looked
    /// at.
    ///
    /// # Errors
    /// The disk is full, or fails.
    pub fn finish(
        mut self,
        connections: Vec<Connection>,
        findings: Vec<Finding>,
    ) -> Result<View, RecordingError> {
        let journal = Arc::clone(&self.store.journal);
        for connection in connections {
            journal.open_connection(connection);
        }
        for finding in findings {
            journal.add_finding(finding);
        }
        self.flush()?;
        self.store.finish();
        View::of_temporary(self.temporary)
    }

    /// Writes the exchanges that were taken and wait.
    ///
    /// # Errors
    /// The disk is full, or fails.
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        while self.store.round(true) {}
        self.store.trouble().map_or(Ok(()), |reason| {
            let error = std::io::Error::other(reason);
            Err(RecordingError::Directory(error))
        })
    }
}
