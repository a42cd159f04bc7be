//! What is said of a recording on a command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use parallax_captures::recording::RecordOptions;

use super::quantity::{bytes, duration};
use super::redact::RedactArguments;

/// Where is recorded, and how much is kept.
#[derive(Debug, Args)]
pub(super) struct RecordArguments {
    /// Record everything that is seen into this directory: pcapng files that Wireshark and
    /// `parallax view` open. One that was recorded into before is gone on with.
    #[arg(
        long,
        env = "PARALLAX_RECORD",
        value_name = "DIR",
        conflicts_with = "bypass"
    )]
    record: Option<PathBuf>,
    /// Bytes of one file.
    #[arg(long, env = "PARALLAX_RECORD_SEGMENT_SIZE", value_name = "SIZE", default_value = "64MiB", value_parser = bytes)]
    record_segment_size: u64,
    /// Bytes of all files; the oldest are dropped.
    #[arg(long, env = "PARALLAX_RECORD_KEEP", value_name = "SIZE", default_value = "4GiB", value_parser = bytes)]
    record_keep: u64,
    /// How long a file is kept.
    #[arg(long, env = "PARALLAX_RECORD_KEEP_FOR", value_name = "TIME", default_value = "7d", value_parser = duration)]
    record_keep_for: Duration,
    #[command(flatten)]
    redact: RedactArguments,
}

impl RecordArguments {
    /// Where is recorded, if anything, and how many bytes are kept.
    pub(super) fn directory(&self) -> Option<(&Path, u64)> {
        Some((self.record.as_deref()?, self.record_keep))
    }

    /// What was asked for, if anything. `http` is where the mirror asks.
    ///
    /// # Errors
    /// What is recorded is to be redacted, and nothing is.
    pub(super) fn options(self, http: Option<&str>) -> anyhow::Result<Option<RecordOptions>> {
        let redaction = self.redact.redaction();
        let Some(directory) = self.record else {
            anyhow::ensure!(
                redaction.is_none(),
                "--redact is about what is written, and nothing is: add --record DIR. The page \
                 shows what passes, and keeps it in memory only"
            );
            return Ok(None);
        };
        let address =
            http.and_then(|http| http.split_once("://")?.1.trim_end_matches('/').parse().ok());
        Ok(Some(RecordOptions {
            segment_bytes: self.record_segment_size,
            keep_bytes: self.record_keep,
            keep_for: self.record_keep_for,
            http: address,
            redaction,
            ..RecordOptions::into_directory(directory)
        }))
    }
}
