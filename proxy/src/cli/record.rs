//! What is said of a recording on a command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use parallax_captures::recording::RecordOptions;

use super::quantity::{bytes, duration};

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
}

impl RecordArguments {
    /// What was asked for, if anything. `http` is where the mirror asks.
    pub(super) fn options(self, http: Option<&str>) -> Option<RecordOptions> {
        let address =
            http.and_then(|http| http.split_once("://")?.1.trim_end_matches('/').parse().ok());
        Some(RecordOptions {
            segment_bytes: self.record_segment_size,
            keep_bytes: self.record_keep,
            keep_for: self.record_keep_for,
            http: address,
            ..RecordOptions::into_directory(self.record?)
        })
    }
}
