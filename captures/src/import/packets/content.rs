//! The bytes of a capture file, unpacked where they are packed, and why they end.

use std::io::{BufReader, Cursor, Error, ErrorKind, Read, Result};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;

use crate::import::ImportError;
use crate::limits::CAPTURE_BUFFER;

/// The bytes of a capture. They are unpacked as they are read, so that a small file
/// that holds much takes no more memory than a large one.
pub struct Content {
    bytes: Box<dyn Read + Send>,
    failure: Failure,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Content")
            .field("is_packed", &self.failure.is_packed)
            .finish_non_exhaustive()
    }
}

/// Why reading failed: the parsers tell only that it did.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure {
    error: Arc<Mutex<Option<Error>>>,
    is_packed: bool,
}

/// What a gzip file begins with (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

impl Content {
    /// Waits for the first bytes, and looks whether they are gzip's.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn of(mut source: impl Read + Send + 'static) -> Result<Self> {
        let mut first = Vec::new();
        read_up_to(&mut source, &mut first, GZIP.len())?;
        let is_packed = first == GZIP;
        let source = Cursor::new(first).chain(source);
        let bytes: Box<dyn Read + Send> = if is_packed {
            let source = BufReader::with_capacity(CAPTURE_BUFFER, source);
            Box::new(MultiGzDecoder::new(source))
        } else {
            Box::new(source)
        };
        let failure = Failure {
            is_packed,
            ..Failure::default()
        };
        Ok(Self { bytes, failure })
    }

    /// The same, with these bytes before it: what was read to look at it.
    #[must_use]
    pub fn after(self, first: Vec<u8>) -> Self {
        Self {
            bytes: Box::new(Cursor::new(first).chain(self.bytes)),
            failure: self.failure,
        }
    }

    /// Why the latest read failed, from this byte on.
    pub fn failed_at(&self, position: u64) -> ImportError {
        self.failure.at(position)
    }

    /// Where it will stand why reading failed.
    pub(super) fn failure(&self) -> Failure {
        self.failure.clone()
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.bytes.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    let last = self.failure.error.lock();
                    *last.unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return Err(kind.into());
                }
                read => return read,
            }
        }
    }
}

impl Failure {
    /// Why nothing can be read from this byte on.
    pub(super) fn at(&self, position: u64) -> ImportError {
        let mut last = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        let source = last.take();
        let source = source.unwrap_or_else(|| Error::other("the system gives no reason"));
        if self.is_packed {
            ImportError::Unpack { position, source }
        } else {
            ImportError::Read { position, source }
        }
    }
}

/// Reads until so many bytes are there, or there are no more. Does not wait for more
/// than these.
pub(super) fn read_up_to(source: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> Result<()> {
    let missing = length.saturating_sub(bytes.len());
    source.take(missing as u64).read_to_end(bytes)?;
    Ok(())
}
