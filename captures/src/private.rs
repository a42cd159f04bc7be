//! Files and directories for their owner alone: what is captured may be anything.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// A new file.
///
/// # Errors
/// There is one of that name, or it cannot be made.
pub fn create_new(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().write(true).create_new(true))
}

/// An empty file. One that is there is emptied and stays as open as its owner made it.
///
/// # Errors
/// It cannot be made or emptied.
pub fn create(path: &Path) -> io::Result<File> {
    open(
        path,
        OpenOptions::new().write(true).create(true).truncate(true),
    )
}

/// A file that is there, or a new one.
///
/// # Errors
/// It cannot be opened or made.
pub(crate) fn open_or_create(path: &Path) -> io::Result<File> {
    open(
        path,
        OpenOptions::new().write(true).create(true).truncate(false),
    )
}

/// A directory, with those above it that are not there.
///
/// # Errors
/// It cannot be made.
pub fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}
