//! A directory that is gone when nobody needs it any more.

use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::private;

/// Removed with all that is in it when this is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
}

impl Temporary {
    pub(super) fn new() -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let time = jiff::Timestamp::now().as_nanosecond();
        let name = format!("parallax-view-{}-{number}-{time}", process::id());
        let path = std::env::temp_dir().join(name);
        private::create_directory(&path)?;
        Ok(Self { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What is left in a directory for temporary things does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
