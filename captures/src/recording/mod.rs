//! Recordings: what a journal saw, on disk, bounded.
//!
//! A recording is a directory. Its segments (`parallax-000001.pcapng` ...) are files
//! that stand alone, see [`file`](crate::file). Beside them stands an index, which can
//! be made again from them and is where it is missing, damaged or behind.
//!
//! A recorder reads the journal on a thread of its own. Where the disk is full or
//! slow only that thread waits; what memory dropped meanwhile is counted.

mod active;
mod archive;
mod disk;
mod import;
mod index;
mod load;
mod lock;
mod open;
mod recorder;
mod replay;
mod retention;
mod segments;
mod status;
mod temporary;
#[cfg(test)]
mod tests;
mod view;
mod whole;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub use self::import::ImportedRecording;
#[cfg(test)]
pub(crate) use self::index::found;
pub use self::open::{OpenRecording, open};
pub use self::recorder::Recorder;
pub use self::status::{RecordingState, RecordingStatus};
pub use self::view::{View, view};
pub use self::whole::Whole;
use crate::limits::{RECORD_KEEP_BYTES, RECORD_KEEP_FOR, RECORD_SEGMENT_BYTES, RECORD_SEGMENT_MIN};
use crate::redaction::Redaction;

/// The index's name in a recording's directory.
const INDEX: &str = "index.sqlite";

/// Where is recorded, and how much of it is kept.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// The directory. It is made where it is not there, for its owner alone.
    pub directory: PathBuf,
    /// Bytes after which a segment is ended and another begun.
    pub segment_bytes: u64,
    /// Bytes of segments that are kept, the one being written included.
    pub keep_bytes: u64,
    /// How long a segment is kept after it was last written to.
    pub keep_for: Duration,
    /// Where the mirror asks, where that is known: its requests are written as if they
    /// went there.
    pub http: Option<SocketAddr>,
    /// What is replaced in what is written. Each segment has a key of its own.
    pub redaction: Option<Redaction>,
}

impl RecordOptions {
    /// Into this directory, with the default limits.
    pub fn into_directory(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            segment_bytes: RECORD_SEGMENT_BYTES,
            keep_bytes: RECORD_KEEP_BYTES,
            keep_for: RECORD_KEEP_FOR,
            http: None,
            redaction: None,
        }
    }

    /// # Errors
    /// The numbers do not fit each other.
    fn check(&self) -> Result<(), RecordingError> {
        if self.segment_bytes < RECORD_SEGMENT_MIN {
            return Err(RecordingError::SmallSegments(self.segment_bytes));
        }
        if self.keep_bytes < 2 * self.segment_bytes {
            return Err(RecordingError::KeepsTooLittle {
                keep: self.keep_bytes,
                segment: self.segment_bytes,
            });
        }
        Ok(())
    }
}

/// Why a recording cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The directory or a file in it.
    #[error("the recording: {0}")]
    Directory(#[source] io::Error),
    /// Another program records there.
    #[error("{} is being recorded into by another parallax; give each a directory of its own", .0.display())]
    Locked(PathBuf),
    /// It holds nothing.
    #[error("{} holds no recording (no parallax-000001.pcapng or later)", .0.display())]
    Empty(PathBuf),
    /// The index cannot be written or read.
    #[error("the recording's index: {0}")]
    Index(#[from] rusqlite::Error),
    /// Segments would be hardly more than their beginnings.
    #[error("segments of {0} bytes are too small; they have at least {RECORD_SEGMENT_MIN}")]
    SmallSegments(u64),
    /// There would be no room for what is being written and what was written before.
    #[error("keeping {keep} bytes needs segments of half of that at most, not {segment} bytes")]
    KeepsTooLittle {
        /// Bytes to keep.
        keep: u64,
        /// Bytes of a segment.
        segment: u64,
    },
    /// The thread of the recorder did not start.
    #[error("cannot start the recorder's thread: {0}")]
    Thread(#[source] io::Error),
}
