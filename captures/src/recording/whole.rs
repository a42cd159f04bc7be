//! A recording as one file: its segments, one behind the other.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::RecordingError;
use super::segments::Segments;

/// Reads all segments of a recording, the oldest first. One behind the other they are a
/// pcapng file too.
#[derive(Debug)]
pub struct Whole {
    waiting: VecDeque<PathBuf>,
    current: Option<File>,
    bytes: u64,
}

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
            waiting: here.iter().map(|one| segments.path(one.number)).collect(),
            current: None,
            bytes: here.iter().map(|one| one.bytes).sum(),
        })
    }

    /// Bytes of all of them.
    pub const fn size(&self) -> u64 {
        self.bytes
    }
}

impl Read for Whole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let current = match &mut self.current {
                Some(current) => current,
                None => match self.waiting.pop_front() {
                    Some(path) => self.current.insert(File::open(path)?),
                    None => return Ok(0),
                },
            };
            match current.read(buffer)? {
                0 => self.current = None,
                read => return Ok(read),
            }
        }
    }
}
