//! What is read: a file or standard input, and how far that is.

use std::fs::File;
use std::io::{IsTerminal, stderr, stdin, stdout};
use std::os::fd::AsFd;
use std::path::Path;

use parallax_captures::import::ImportError;

use super::is_standard_input;
use super::progress::Progress;
use crate::offline::Source;

/// A capture that is open.
pub(super) struct Input {
    pub(super) source: Source,
    /// Whether more of it may come while it is read: it is no file but a pipe.
    pub(super) live: bool,
    pub(super) progress: Progress,
}

impl Input {
    /// Opens a capture. `quiet`: nothing is printed before its end.
    pub(super) fn open(path: &Path, quiet: bool) -> Result<Self, ImportError> {
        let opened = if is_standard_input(path) {
            let standard_input = stdin().as_fd().try_clone_to_owned();
            standard_input.map(File::from)
        } else {
            File::open(path)
        };
        let cannot_open = |source| ImportError::Open {
            path: path.to_owned(),
            source,
        };
        let file = opened.map_err(cannot_open)?;
        let metadata = file.metadata().map_err(cannot_open)?;
        let live = !metadata.is_file();
        let size = (!live).then_some(metadata.len());
        let is_seen = stderr().is_terminal() && (quiet || !stdout().is_terminal());
        let progress = Progress::of(size, is_seen);
        let source = Source::new(progress.watching(file));
        if source.is_err() {
            progress.end();
        }
        Ok(Self {
            source: source?,
            live,
            progress,
        })
    }
}
