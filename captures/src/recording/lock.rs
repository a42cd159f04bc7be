//! One recorder for a directory.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::RecordingError;
use crate::private;

/// Held as long as this is, and no longer than the program lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// None is needed.
    pub(super) const NONE: Self = Self { _file: None };

    pub(super) fn take(directory: &Path) -> Result<Self, RecordingError> {
        let path = directory.join("lock");
        let file = private::open_or_create(&path).map_err(RecordingError::Directory)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: Some(file) }),
            Err(TryLockError::WouldBlock) => Err(RecordingError::Locked(directory.to_owned())),
            Err(TryLockError::Error(error)) => Err(RecordingError::Directory(error)),
        }
    }
}
