//! The program's verbs. Each exits 0 when nothing was found, 1 with findings or
//! divergences, 2 when it could not do what was asked.

mod ca;
mod cluster;
mod completions;
mod config;
mod demo;
mod descriptors;
mod diff;
mod dissector;
mod doctor;
mod explain;
mod export;
mod fault;
mod ignore;
mod inspect;
mod logs;
mod man;
mod mute;
mod quantity;
mod record;
mod redact;
mod replay;
mod route;
mod run;
mod service;
mod signals;
mod telemetry;
mod teller;
mod tls;
mod ui;
mod view;
mod wanted;

use std::fmt::Display;
use std::io::{Write as _, stderr, stdout};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use rustix::fs::Mode;
use rustix::process::umask;

use config::Layers;

/// What a verb came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Nothing is wrong.
    NothingFound,
    /// There are findings or divergences.
    Found,
    /// Not everything could be done; what could not has been said.
    Incomplete,
}

/// Look at one poll from two sides, TCP and HTTP, and measure the difference.
#[derive(Debug, Parser)]
#[command(name = "parallax", version, about, max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    logs: logs::LogArguments,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Demo(demo::DemoArguments),
    Run(Box<run::RunArguments>),
    Config(Box<config::ConfigArguments>),
    Doctor(Box<doctor::DoctorArguments>),
    View(view::ViewArguments),
    Inspect(inspect::InspectArguments),
    Diff(diff::DiffArguments),
    Replay(replay::ReplayArguments),
    Export(export::ExportArguments),
    Explain(explain::ExplainArguments),
    Ca(ca::CaArguments),
    Dissector(dissector::DissectorArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    // Whatever makes a file, also a library: it is for its owner alone.
    umask(Mode::RWXG | Mode::RWXO);
    let given: Vec<_> = std::env::args_os().collect();
    let layers = match Layers::of(&Arguments::command(), &given) {
        Ok(layers) => layers,
        Err(error) => {
            complain(&error.into());
            return ExitCode::from(2);
        }
    };
    let Layers {
        matches,
        held,
        notes,
    } = layers;
    for note in notes {
        let _ = writeln!(stderr(), "parallax: {note}");
    }
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    arguments.logs.start();
    let outcome = match arguments.verb {
        Verb::Demo(arguments) => demo::demo(arguments),
        Verb::Run(arguments) => held
            .tables()
            .and_then(|routes| run::run(*arguments, routes)),
        Verb::Config(arguments) => config::print(&arguments, &held),
        Verb::Doctor(arguments) => held
            .tables()
            .and_then(|routes| doctor::doctor(*arguments, routes)),
        Verb::View(arguments) => view::show(arguments),
        Verb::Inspect(arguments) => inspect::inspect(&arguments),
        Verb::Diff(arguments) => diff::diff(&arguments),
        Verb::Replay(arguments) => replay::replay(&arguments),
        Verb::Export(arguments) => export::export(&arguments),
        Verb::Ca(arguments) => ca::ca(&arguments),
        Verb::Explain(arguments) => explain::explain(&arguments),
        Verb::Dissector(arguments) => dissector::print(&arguments),
        Verb::Completions(arguments) => completions::print(&arguments),
        Verb::Man(arguments) => man::print(&arguments),
    };
    match outcome {
        Ok(Outcome::NothingFound) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::Incomplete) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

/// A line on standard output. Nobody may be there to read it any more.
fn say(line: impl Display) {
    let _ = writeln!(stdout(), "{line}");
}

/// An error on standard error, with what caused it.
fn complain(error: &anyhow::Error) {
    let _ = writeln!(stderr(), "parallax: {}", with_causes(error));
}

/// An error and its causes. Many say their cause themselves: none is said twice.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whoever reads our output has read enough: `parallax inspect ... | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn no_cause_is_said_twice() {
        let refused = || std::io::Error::other("connection refused");
        let says_it = Err::<(), _>(refused()).context("cannot listen: connection refused");
        let text = with_causes(&says_it.unwrap_err());
        assert_eq!(text, "cannot listen: connection refused");
        let silent = Err::<(), _>(refused()).context("cannot listen");
        let text = with_causes(&silent.unwrap_err());
        assert_eq!(text, "cannot listen: connection refused");
    }
}
