//! Where a capture comes from: opened, and recognised by its first bytes.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use parallax_captures::file::{Reader, is_recording};
use parallax_captures::import::ImportError;
use parallax_captures::import::packets::{Content, PacketReader};
use parallax_captures::limits::CAPTURE_BUFFER;
use parallax_captures::recording::Whole;

/// A capture that is open for reading.
#[derive(Debug)]
pub struct Source {
    pub(super) kind: Kind,
}

/// Who wrote it.
#[derive(Debug)]
pub(super) enum Kind {
    /// Whoever captures packets.
    Packets(PacketReader),
    /// parallax itself.
    Recorded(Reader<Box<dyn Read + Send>>),
    /// parallax itself, in several files.
    Directory(Whole),
}

impl Source {
    /// Opens a file, or a directory that parallax recorded into.
    ///
    /// # Errors
    /// It cannot be opened, or is no packet capture and no recording.
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        if path.is_dir() {
            let whole = Whole::open(path).map_err(|error| ImportError::Open {
                path: path.to_owned(),
                source: std::io::Error::other(error),
            })?;
            return Ok(Self::directory(whole));
        }
        let file = File::open(path).map_err(|source| ImportError::Open {
            path: path.to_owned(),
            source,
        })?;
        Self::new(file)
    }

    /// Reads all that was recorded into a directory.
    pub const fn directory(whole: Whole) -> Self {
        Self {
            kind: Kind::Directory(whole),
        }
    }

    /// Reads from anything that holds the bytes of a capture file. Waits for its first
    /// bytes.
    ///
    /// # Errors
    /// It cannot be read, or is no packet capture.
    pub fn new(bytes: impl Read + Send + 'static) -> Result<Self, ImportError> {
        let mut bytes = Content::of(bytes).map_err(|source| ImportError::Read {
            position: 0,
            source,
        })?;
        let mut first = Vec::new();
        let recorded = loop {
            match is_recording(&first) {
                Some(recorded) => break recorded,
                None if first.len() >= CAPTURE_BUFFER => break false,
                None => {}
            }
            // What is there; not more, for which a live capture would be waited for.
            let mut more = [0; 4096];
            match bytes.read(&mut more) {
                Ok(0) => break false,
                Ok(length) => first.extend_from_slice(&more[..length]),
                Err(_) => return Err(bytes.failed_at(first.len() as u64)),
            }
        };
        let bytes = bytes.after(first);
        let kind = if recorded {
            Kind::Recorded(Reader::new(Box::new(BufReader::new(bytes))))
        } else {
            Kind::Packets(PacketReader::of(bytes)?)
        };
        Ok(Self { kind })
    }
}
