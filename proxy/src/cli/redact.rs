use clap::{Args, ValueEnum};
use parallax_captures::redaction::Redaction;

/// What is not to leave, besides passwords and tokens, which never do.
#[derive(Debug, Clone, Args)]
pub(super) struct RedactArguments {
    /// Replace message payloads and the values of user headers by others of the same
    /// length; equal ones stay equal.
    #[arg(long, value_enum, value_name = "WHAT")]
    redact: Option<What>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    Payloads,
}

impl RedactArguments {
    pub(super) fn redaction(&self) -> Option<Redaction> {
        self.redact.map(|What::Payloads| Redaction::Payloads)
    }
}
