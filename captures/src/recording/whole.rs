//! A recording as one: its segments, one after the other.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::RecordingError;
use super::segments::{Segment, Segments};
use crate::file::{Item, Reader};
use crate::import::ImportError;

/// Reads all segments of a recording, the oldest first. Each stands alone: what is
/// damaged in one is told, and the next is read all the same.
pub struct Whole {
    segments: Segments,
    waiting: VecDeque<Segment>,
    /// The number of the segment that is to come next.
    expected: Option<u64>,
    current: Option<(PathBuf, Reader<Box<dyn Read + Send>>)>,
    watch: Watch,
}

/// What a segment's file is read through.
type Watch = Box<dyn Fn(File) -> Box<dyn Read + Send> + Send>;

impl Whole {
    /// Of a directory that was recorded into.
    ///
    /// # Errors
    /// It cannot be read, or holds no recording.
    pub fn open(directory: &Path) -> Result<Self, RecordingError> {
        let segments = Segments::Directory(directory.to_owned());
        let here = segments.list().map_err(RecordingError::Directory)?;
        if here.is_empty() {
            return Err(RecordingError::Empty(directory.to_owned()));
        }
        Ok(Self {
            segments,
            waiting: here.into(),
            expected: None,
            current: None,
            watch: Box::new(|file| Box::new(file)),
        })
    }

    /// The same, whose files are read through this: to count their bytes.
    #[must_use]
    pub fn watched(self, watch: impl Fn(File) -> Box<dyn Read + Send> + Send + 'static) -> Self {
        let watch = Box::new(watch);
        Self { watch, ..self }
    }

    /// Bytes of all segments.
    pub fn size(&self) -> u64 {
        self.waiting.iter().map(|one| one.bytes).sum()
    }

    /// Opens the next segment; what is missing before it is told first.
    fn open_next(&mut self) -> Option<Result<(), ImportError>> {
        let next = *self.waiting.front()?;
        let expected = self.expected.replace(next.number + 1);
        if let Some(expected) = expected
            && next.number > expected
        {
            self.expected = Some(next.number);
            let first = self.segments.path(expected);
            let count = next.number - expected;
            return Some(Err(ImportError::MissingSegments { first, count }));
        }
        self.waiting.pop_front();
        let path = self.segments.path(next.number);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(source) => return Some(Err(ImportError::Open { path, source })),
        };
        let is_last = self.waiting.is_empty();
        if next.bytes == 0 && !is_last {
            return Some(Err(in_segment(
                &path,
                ImportError::Truncated {
                    packet: 1,
                    position: 0,
                    needed: 1,
                    left: 0,
                },
            )));
        }
        let bytes: Box<dyn Read + Send> = Box::new(BufReader::new((self.watch)(file)));
        self.current = Some((path, Reader::new(bytes)));
        Some(Ok(()))
    }
}

impl Iterator for Whole {
    type Item = Result<Item, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((path, reader)) = &mut self.current else {
                match self.open_next()? {
                    Ok(()) => continue,
                    Err(error) => return Some(Err(error)),
                }
            };
            match reader.next() {
                Some(Ok(Item::Unreadable(at, why))) => {
                    let why = format!("{}: {why}", path.display());
                    return Some(Ok(Item::Unreadable(at, why)));
                }
                Some(Ok(item)) => return Some(Ok(item)),
                Some(Err(error)) => return Some(Err(in_segment(path, error))),
                None => self.current = None,
            }
        }
    }
}

impl std::fmt::Debug for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Whole")
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

fn in_segment(path: &Path, damage: ImportError) -> ImportError {
    ImportError::InSegment {
        path: path.to_owned(),
        damage: Box::new(damage),
    }
}
