//! Where the segments of a recording are.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files of a recording: numbered ones in a directory, or one by any name.
#[derive(Debug, Clone)]
pub(crate) enum Segments {
    Directory(PathBuf),
    File(PathBuf),
}

/// One of them, as it is on disk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) number: u64,
    pub(crate) bytes: u64,
    /// When it was last written to.
    pub(crate) written: SystemTime,
}

const PREFIX: &str = "parallax-";
const SUFFIX: &str = ".pcapng";

impl Segments {
    /// The file of the segment with this number.
    pub(crate) fn path(&self, number: u64) -> PathBuf {
        match self {
            Self::Directory(directory) => directory.join(name(number)),
            Self::File(file) => file.clone(),
        }
    }

    /// All of them, the oldest first.
    pub(crate) fn list(&self) -> io::Result<Vec<Segment>> {
        let directory = match self {
            Self::Directory(directory) => directory,
            Self::File(file) => return Ok(vec![segment(1, file)?]),
        };
        let mut found = Vec::new();
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if let Some(number) = path.file_name().and_then(number) {
                found.push(segment(number, &path)?);
            }
        }
        found.sort_by_key(|segment| segment.number);
        Ok(found)
    }
}

fn segment(number: u64, path: &Path) -> io::Result<Segment> {
    let metadata = fs::metadata(path)?;
    Ok(Segment {
        number,
        bytes: metadata.len(),
        written: metadata.modified()?,
    })
}

/// Six digits at least, so that a shell lists them in their order.
fn name(number: u64) -> String {
    format!("{PREFIX}{number:06}{SUFFIX}")
}

fn number(name: &OsStr) -> Option<u64> {
    let digits = name.to_str()?.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let number = digits.parse().ok()?;
    (number > 0 && name == self::name(number).as_str()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_a_recorder_gives_are_segments() {
        for wanted in [1, 42, 999_999, 1_000_000] {
            assert_eq!(number(OsStr::new(&name(wanted))), Some(wanted));
        }
        for other in [
            "parallax-1.pcapng",
            "parallax-000000.pcapng",
            "parallax-000001.pcapng.gz",
            "index.sqlite",
        ] {
            assert_eq!(number(OsStr::new(other)), None, "{other}");
        }
    }
}
