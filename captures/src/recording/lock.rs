//! One recorder for a directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::RecordingError;

/// Held as long as this is, and no longer than the program lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// None is needed.
    pub(super) const NONE: Self = Self { _file: None };

    pub(super) fn take(directory: &Path) -> Result<Self, RecordingError> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let file = options
            .open(directory.join("lock"))
            .map_err(RecordingError::Directory)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: Some(file) }),
            Err(TryLockError::WouldBlock) => Err(RecordingError::Locked(directory.to_owned())),
            Err(TryLockError::Error(error)) => Err(RecordingError::Directory(error)),
        }
    }
}
