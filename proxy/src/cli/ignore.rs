use std::path::{Path, PathBuf};

use clap::Args;
use parallax_captures::difference::Rules;

/// What must differ and is not to be told.
#[derive(Debug, Args)]
pub(super) struct IgnoreArguments {
    /// Noise rules: a field's path a line, `*` for any text, `command: path` for one
    /// command, `#` before a reason. [default: `.parallaxignore` beside the capture]
    #[arg(long, value_name = "FILE")]
    ignore: Option<PathBuf>,
}

/// The name of a file of noise rules.
const NAME: &str = ".parallaxignore";

impl IgnoreArguments {
    /// The built-in rules, and those of the file that was named, or else of the first
    /// that lies beside one of the captures.
    ///
    /// # Errors
    /// The file cannot be read or understood; says where and what to do.
    pub(super) fn rules(&self, captures: &[&Path]) -> anyhow::Result<Rules> {
        let beside = captures.iter().map(|capture| capture.with_file_name(NAME));
        let found = || beside.clone().find(|file| file.is_file());
        match self.ignore.clone().or_else(found) {
            Some(file) => Ok(Rules::read(&file)?),
            None => Ok(Rules::built_in()),
        }
    }
}
