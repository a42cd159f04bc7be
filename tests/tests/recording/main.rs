//! `run --record` and `view`: what is on disk is what was seen, whatever happens.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod asker;
mod full_disk;
mod killed;
mod viewed;

use std::path::{Path, PathBuf};

/// An empty directory of this test's own, removed at its end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("parallax-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// The segments in it, the oldest first.
    fn segments(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut segments: Vec<_> = paths
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "pcapng")
            })
            .collect();
        segments.sort();
        segments
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
