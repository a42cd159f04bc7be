//! What an export is written to.

#[cfg(feature = "parquet")]
mod upload;

use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write, stdout};

#[cfg(feature = "parquet")]
use self::upload::Upload;
use super::written;

/// Takes an export's bytes.
pub(super) enum Output {
    Standard(BufWriter<Stdout>),
    File(BufWriter<File>),
    #[cfg(feature = "parquet")]
    Remote(Box<Upload>),
}

impl Output {
    pub(super) fn standard() -> Self {
        Self::Standard(BufWriter::new(stdout()))
    }

    pub(super) fn file(file: File) -> Self {
        Self::File(BufWriter::new(file))
    }

    #[cfg(feature = "parquet")]
    pub(super) fn remote(address: &str) -> anyhow::Result<Self> {
        Upload::begin(address).map(|upload| Self::Remote(Box::new(upload)))
    }

    /// Sees to it that all is written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut out) => written(out.flush()),
            Self::File(mut out) => written(out.flush().and_then(|()| out.get_ref().sync_all())),
            #[cfg(feature = "parquet")]
            Self::Remote(upload) => upload.finish(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File(out) => out.write(bytes),
            #[cfg(feature = "parquet")]
            Self::Remote(upload) => upload.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File(out) => out.flush(),
            #[cfg(feature = "parquet")]
            Self::Remote(_) => Ok(()),
        }
    }
}
