//! How a recording is doing, for the page and the program.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::redaction::Redaction;

/// A recording's state and figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordingStatus {
    /// The directory.
    pub directory: PathBuf,
    /// Whether it can be written, as far as is known.
    pub state: RecordingState,
    /// Exchanges that are in it.
    pub exchanges: u64,
    /// Exchanges that this program saw and could not write: the disk was full or slow.
    pub not_kept: u64,
    /// Verdicts and findings that came late and could not be written, of exchanges
    /// that were.
    pub changes_not_kept: u64,
    /// Exchanges that were dropped with the oldest segments, for size or age.
    pub dropped: u64,
    /// Bytes of its segments.
    pub bytes: u64,
    /// Its segments.
    pub segments: u64,
    /// What is replaced in what is written.
    pub redaction: Option<Redaction>,
}

/// Whether a recording can be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecordingState {
    /// As far as is known.
    #[default]
    Ok,
    /// The disk refuses; it is tried again.
    Failing {
        /// Since when nothing was written.
        since: Timestamp,
        /// What happened at the latest attempt.
        reason: String,
    },
    /// It has ended.
    Ended,
}

impl RecordingState {
    /// The name in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failing { .. } => "failing",
            Self::Ended => "ended",
        }
    }
}
