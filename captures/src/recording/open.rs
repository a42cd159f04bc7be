//! Opening a directory to record into it.

use std::sync::Arc;

use jiff::Timestamp;

use super::archive::Recorded;
use super::disk::{Disk, SystemDisk};
use super::index::Index;
use super::lock::Lock;
use super::recorder::{Recorder, Store};
use super::replay::{Torn, replay};
use super::retention::Retention;
use super::segments::{Segment, Segments};
use super::status::{RecordingState, RecordingStatus};
use super::{INDEX, RecordOptions, RecordingError};
use crate::connection::ConnectionId;
use crate::import::ImportError;
use crate::journal::Journal;
use crate::private;

/// A directory that is ready to be recorded into.
#[derive(Debug)]
pub struct OpenRecording {
    store: Store,
    notes: Vec<String>,
}

/// Opens a directory to record into it, and goes on where an earlier recording ended.
///
/// # Errors
/// Another program records there, it cannot be written, or the limits make no sense.
pub fn open(options: RecordOptions) -> Result<OpenRecording, RecordingError> {
    open_on(options, Box::new(SystemDisk))
}

pub(super) fn open_on(
    options: RecordOptions,
    disk: Box<dyn Disk>,
) -> Result<OpenRecording, RecordingError> {
    options.check()?;
    private::create_directory(&options.directory).map_err(RecordingError::Directory)?;
    let lock = Lock::take(&options.directory)?;
    let segments = Segments::Directory(options.directory.clone());
    let path = options.directory.join(INDEX);
    let (index, recorded, notes) = indexed(&segments, &path, Torn::Cut)?;
    let restored = index.restore()?;
    let here = segments.list().map_err(RecordingError::Directory)?;
    let exchanges = restored.counts.exchanges;
    let journal = Arc::new(Journal::over(recorded, restored));
    end_connections(&journal);
    let retention = Retention::of(&here);
    journal.update_recording(|status| {
        *status = RecordingStatus {
            directory: options.directory.clone(),
            state: RecordingState::Ok,
            exchanges,
            bytes: retention.bytes(),
            segments: retention.count(),
            redaction: options.redaction,
            ..RecordingStatus::default()
        };
    });
    let store = Store::new(
        options,
        (disk, lock),
        (segments, index),
        (journal, retention),
    );
    Ok(OpenRecording { store, notes })
}

impl OpenRecording {
    /// The journal that is recorded.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.store.journal
    }

    /// The number of the latest connection in it: new ones have larger ones.
    pub fn last_connection(&self) -> u64 {
        let connections = self.store.journal.connections();
        connections.last().map_or(0, |connection| connection.id.0)
    }

    /// What of an earlier recording could not be read, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Records from now on.
    ///
    /// # Errors
    /// The thread does not start.
    pub fn start(self) -> Result<Recorder, RecordingError> {
        Recorder::start(self.store)
    }

    pub(super) fn into_store(self) -> Store {
        self.store
    }
}

/// The index of these segments, with all that they hold, and what could not be read.
pub(super) fn indexed(
    segments: &Segments,
    path: &std::path::Path,
    torn: Torn,
) -> Result<(Index, Arc<Recorded>, Vec<String>), RecordingError> {
    match indexed_once(segments, path, torn) {
        Err(RecordingError::Index(error)) => {
            tracing::warn!("the recording's index is made anew: {error}");
            Index::remove(path);
            indexed_once(segments, path, torn)
        }
        other => other,
    }
}

fn indexed_once(
    segments: &Segments,
    path: &std::path::Path,
    torn: Torn,
) -> Result<(Index, Arc<Recorded>, Vec<String>), RecordingError> {
    let mut index = Index::open(path)?;
    let here = segments.list().map_err(RecordingError::Directory)?;
    for gone in index.segments()? {
        if !here.iter().any(|segment| segment.number == gone) {
            index.drop_segment(gone)?;
        }
    }
    for (segment, end) in index.ends()? {
        let is_short = |one: &Segment| one.number == segment && one.bytes < end;
        // What the index knows of it is not there any more.
        if here.iter().any(is_short) {
            return Err(RecordingError::Index(rusqlite::Error::InvalidQuery));
        }
    }
    let recorded = Arc::new(Recorded::open(segments.clone(), path)?);
    let mut notes = replay(&mut index, segments, &recorded, torn)?;
    let gaps = gaps(segments, &here);
    if gaps.is_empty() {
        notes.extend(not_there(&index)?);
    }
    notes.extend(gaps);
    Ok((index, recorded, notes))
}

/// That numbers of exchanges are missing in the middle, where they are.
fn not_there(index: &Index) -> Result<Option<String>, RecordingError> {
    let Some((first, last, count)) = index.numbers()? else {
        return Ok(None);
    };
    let missing = (last - first + 1).saturating_sub(count);
    Ok((missing > 0).then(|| {
        format!(
            "{missing} of the exchanges {first} to {last} are not in it: most likely the disk was \
             full or slow when they passed, or parallax was killed"
        )
    }))
}

/// The segments that are missing in the middle, in sentences.
fn gaps(segments: &Segments, here: &[Segment]) -> Vec<String> {
    let pairs = here
        .windows(2)
        .map(|pair| (pair[0].number + 1, pair[1].number));
    let gaps = pairs.filter(|(expected, next)| next > expected);
    let said = gaps.map(|(expected, next)| ImportError::MissingSegments {
        first: segments.path(expected),
        count: next - expected,
    });
    said.map(|gap| gap.to_string()).collect()
}

/// The program ended while these were open: how they ended nobody saw.
fn end_connections(journal: &Journal) {
    let open: Vec<ConnectionId> = journal
        .connections()
        .iter()
        .filter(|connection| connection.closed.is_none())
        .map(|connection| connection.id)
        .collect();
    for id in open {
        journal.update_connection(id, |connection| {
            let why = "not known: parallax ended while it was open";
            connection.closed = Some((Timestamp::now(), why.to_owned()));
            connection.waiting = None;
        });
    }
}
