//! Where a capture comes from: opened, and recognised by its first bytes.

use std::io::Read;
use std::path::Path;

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::PacketReader;

/// A capture that is open for reading.
#[derive(Debug)]
pub struct Source {
    pub(super) packets: PacketReader,
}

impl Source {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be opened, or is no packet capture.
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        let packets = PacketReader::open(path)?;
        Ok(Self { packets })
    }

    /// Reads from anything that holds the bytes of a capture file. Waits for its first
    /// bytes.
    ///
    /// # Errors
    /// It cannot be read, or is no packet capture.
    pub fn new(bytes: impl Read + Send + 'static) -> Result<Self, ImportError> {
        let packets = PacketReader::new(bytes)?;
        Ok(Self { packets })
    }
}
