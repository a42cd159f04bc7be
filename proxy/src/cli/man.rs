use std::io::{Write as _, stdout};

use anyhow::{Context as _, bail};
use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;

use super::{Arguments, Outcome};

/// How it is read.
const READING: &str = "\
Read it at once:
  parallax man run | man -l -
or put it where man(1) looks:
  parallax man run > ~/.local/share/man/man1/parallax-run.1";

/// Print the manual's page on parallax, or on one of its verbs.
#[derive(Debug, Args)]
#[command(after_help = READING)]
pub(super) struct ManArguments {
    /// The verb.
    verb: Option<String>,
}

pub(super) fn print(arguments: &ManArguments) -> anyhow::Result<Outcome> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let page = match &arguments.verb {
        None => page(program)?,
        Some(verb) => match program.find_subcommand(verb) {
            Some(found) => page(found.clone())?,
            None => bail!("there is no verb {verb:?}; parallax help lists them"),
        },
    };
    stdout().lock().write_all(&page)?;
    Ok(Outcome::NothingFound)
}

fn page(command: Command) -> anyhow::Result<Vec<u8>> {
    let man = Man::new(command);
    let name = man.get_filename();
    let mut page = Vec::new();
    man.render(&mut page).context("cannot write the page")?;
    let page = String::from_utf8(page).context("the page is not text")?;
    // The library leaves the empty date out, and what follows stands in the wrong place.
    let title = format!(
        r#".TH {} 1 "" "parallax {}" "User Commands""#,
        name.trim_end_matches(".1").to_uppercase(),
        env!("CARGO_PKG_VERSION"),
    );
    let lines = page.lines().map(|line| match line.strip_prefix(".TH ") {
        Some(_) => title.as_str(),
        None => line,
    });
    let mut page = lines
        .chain(EXIT_STATUS.lines())
        .collect::<Vec<_>>()
        .join("\n");
    page.push('\n');
    Ok(page.into_bytes())
}

/// The section that every verb has.
const EXIT_STATUS: &str = r#".SH "EXIT STATUS"
0 where nothing is wrong, 1 where something was found, 2 where what was asked for could not be
done."#;
