//! What is read: a file or standard input, and how far that is.

use std::fs::File;
use std::io::{self, IsTerminal, Read, stderr, stdin, stdout};
use std::os::fd::AsFd;
use std::path::Path;

use parallax_captures::import::ImportError;
use parallax_captures::recording::Whole;

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
        if path.is_dir() {
            return Self::directory(path, quiet);
        }
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
        Self::of(file, size, quiet)
    }

    /// All that was recorded into a directory.
    fn directory(path: &Path, quiet: bool) -> Result<Self, ImportError> {
        let whole = Whole::open(path).map_err(|error| ImportError::Open {
            path: path.to_owned(),
            source: io::Error::other(error),
        })?;
        let progress = Progress::of(Some(whole.size()), is_seen(quiet));
        let watching = progress.clone();
        let whole = whole.watched(move |file| Box::new(watching.watching(file)));
        Ok(Self {
            source: Source::directory(whole),
            live: false,
            progress,
        })
    }

    /// What has no size is no file: it may go on while it is read.
    fn of(
        bytes: impl Read + Send + 'static,
        size: Option<u64>,
        quiet: bool,
    ) -> Result<Self, ImportError> {
        let progress = Progress::of(size, is_seen(quiet));
        let source = Source::new(progress.watching(bytes));
        if source.is_err() {
            progress.end();
        }
        Ok(Self {
            source: source?,
            live: size.is_none(),
            progress,
        })
    }
}

fn is_seen(quiet: bool) -> bool {
    stderr().is_terminal() && (quiet || !stdout().is_terminal())
}
