//! What was read from files, until it is read again.

use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::TlsError;

/// The latest that could be read, and how often reading it again went which way.
pub(super) struct Kept<T> {
    now: RwLock<Arc<T>>,
    done: AtomicU64,
    failed: AtomicU64,
}

/// How often files were read again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reloads {
    /// Times that what was read is used now.
    pub done: u64,
    /// Times that it could not be, so that what was there before stays.
    pub failed: u64,
}

impl<T> Kept<T> {
    pub(super) fn new(first: T) -> Self {
        Self {
            now: RwLock::new(Arc::new(first)),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    pub(super) fn now(&self) -> Arc<T> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn replace(&self, read: Result<T, TlsError>) -> Result<(), TlsError> {
        match read {
            Ok(next) => {
                *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
                self.done.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            Err(error) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                Err(error)
            }
        }
    }

    pub(super) fn reloads(&self) -> Reloads {
        Reloads {
            done: self.done.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
        }
    }
}

impl<T> Debug for Kept<T> {
    /// Nothing of what is kept: there is a private key in it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.reloads(), f)
    }
}
