//! What a recorder does to a disk, so that a test can put a bad one in its place.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::private;

/// Where segments are written.
pub(super) trait Disk: Debug + Send {
    /// A new file, for its owner alone.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// A file that is written.
pub(super) trait Output: Write + Debug + Send {
    /// Leaves nothing but its first bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// The system's.
#[derive(Debug)]
pub(super) struct SystemDisk;

impl Disk for SystemDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(private::create_new(path)?))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

impl Output for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}
