use std::path::PathBuf;

use clap::Args;
use parallax_captures::Mutes;

/// What is known already and not to be told again.
#[derive(Debug, Args)]
pub(super) struct MuteArguments {
    /// Mute the verdicts and findings that the rules in this file name: they are
    /// counted apart, and can still be shown.
    #[arg(long, value_name = "FILE", env = "PARALLAX_MUTE")]
    mute: Option<PathBuf>,
}

impl MuteArguments {
    /// # Errors
    /// The file cannot be read or understood; says where and what to do.
    pub(super) fn rules(&self) -> anyhow::Result<Mutes> {
        match &self.mute {
            Some(path) => Ok(Mutes::read(path)?),
            None => Ok(Mutes::none()),
        }
    }
}
