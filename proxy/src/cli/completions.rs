use std::io::{Write as _, stdout};

use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

use super::{Arguments, Outcome};

/// Where it goes.
const INSTALLING: &str = "\
Have your shell read it, for instance
  bash:  parallax completions bash > ~/.local/share/bash-completion/completions/parallax
  fish:  parallax completions fish > ~/.config/fish/completions/parallax.fish
  zsh:   parallax completions zsh > FOLDER/_parallax, with FOLDER in your $fpath";

/// Print what completes parallax's verbs and flags in a shell.
#[derive(Debug, Args)]
#[command(after_help = INSTALLING)]
pub(super) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn print(arguments: &CompletionsArguments) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    generate(
        arguments.shell,
        &mut Arguments::command(),
        "parallax",
        &mut script,
    );
    stdout().lock().write_all(&script)?;
    Ok(Outcome::NothingFound)
}
