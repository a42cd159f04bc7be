//! Opening a recording to look at it.

use std::path::Path;
use std::sync::Arc;

use super::lock::Lock;
use super::open::indexed;
use super::replay::Torn;
use super::segments::Segments;
use super::temporary::Temporary;
use super::{INDEX, RecordingError};
use crate::journal::Journal;

/// A recording, as a journal that nothing is added to.
#[derive(Debug)]
pub struct View {
    journal: Arc<Journal>,
    notes: Vec<String>,
    /// Held as long as this is.
    _lock: Lock,
    _temporary: Option<Temporary>,
}

/// Opens a file that parallax wrote, or a directory that it recorded into.
///
/// A file, and a directory that another program records into or that cannot be
/// written, get an index in a temporary directory, which is removed with the view.
///
/// # Errors
/// It cannot be read, or holds no recording.
pub fn view(path: &Path) -> Result<View, RecordingError> {
    let is_directory = path.is_dir();
    let segments = if is_directory {
        Segments::Directory(path.to_owned())
    } else {
        Segments::File(path.to_owned())
    };
    if segments
        .list()
        .map_err(RecordingError::Directory)?
        .is_empty()
    {
        return Err(RecordingError::Empty(path.to_owned()));
    }
    if is_directory && let Ok(lock) = Lock::take(path) {
        return View::over(&segments, &path.join(INDEX), lock, None);
    }
    let temporary = Temporary::new().map_err(RecordingError::Directory)?;
    let index = temporary.path().join(INDEX);
    View::over(&segments, &index, Lock::NONE, Some(temporary))
}

impl View {
    fn over(
        segments: &Segments,
        index: &Path,
        lock: Lock,
        temporary: Option<Temporary>,
    ) -> Result<Self, RecordingError> {
        let (index, recorded, notes) = indexed(segments, index, Torn::Leave)?;
        let journal = Arc::new(Journal::over(recorded, index.restore()?));
        if let Err(error) = index.settle() {
            tracing::debug!("the recording's index: {error}");
        }
        Ok(Self {
            journal,
            notes,
            _lock: lock,
            _temporary: temporary,
        })
    }

    /// Of a whole recording in a temporary directory.
    pub(super) fn of_temporary(temporary: Temporary) -> Result<Self, RecordingError> {
        let segments = Segments::Directory(temporary.path().to_owned());
        let index = temporary.path().join(INDEX);
        Self::over(&segments, &index, Lock::NONE, Some(temporary))
    }

    /// What it holds.
    pub const fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// What could not be read, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}
