//! What the program says of its own doings, beside what it was asked for.

use std::io::{IsTerminal as _, stderr};

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;

/// How much is told, and by which parts of the program.
pub(super) const LOG: &str = "PARALLAX_LOG";

/// How it is written.
#[derive(Debug, Args)]
pub(super) struct LogArguments {
    /// How the log is written to standard error. How much is written, the variable `PARALLAX_LOG`
    /// says: error, warn, info, debug or trace.
    #[arg(
        long,
        env = "PARALLAX_LOG_FORMAT",
        value_enum,
        default_value_t,
        global = true
    )]
    log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// Lines to be read.
    #[default]
    Text,
    /// One JSON object a line, for a collector of logs.
    Json,
}

impl LogArguments {
    /// Logs go to standard error, so that standard output stays what was asked for.
    pub(super) fn start(&self) {
        let filter = EnvFilter::try_from_env(LOG)
            .unwrap_or_else(|_| EnvFilter::new("warn,parallax_proxy=info"));
        let logs = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(stderr);
        match self.log_format {
            LogFormat::Text => logs
                .with_ansi(stderr().is_terminal())
                .with_target(false)
                .init(),
            LogFormat::Json => logs.json().flatten_event(true).init(),
        }
    }
}
