//! What a recorder does to a disk, so that a test can put a bad one in its place.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

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
        Ok(Box::new(create_private(path)?))
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

/// A new file that only its owner may read: payloads may be anything.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// A directory that only its owner may read, with those above it.
pub(super) fn create_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}
