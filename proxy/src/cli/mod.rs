//! The program's verbs. Each exits 0 when nothing was found, 1 with findings or
//! divergences, 2 when it could not do what was asked.

mod demo;
mod explain;
mod inspect;
mod run;

use std::io::{IsTerminal as _, stderr};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

/// What a verb came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing is wrong.
    NothingFound,
    /// There are findings or divergences.
    Found,
}

/// Look at one poll from two sides, TCP and HTTP, and measure the difference.
#[derive(Debug, Parser)]
#[command(name = "parallax", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Demo(demo::DemoArguments),
    Run(run::RunArguments),
    Inspect(inspect::InspectArguments),
    Explain(explain::ExplainArguments),
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    start_logging();
    let outcome = match arguments.verb {
        Verb::Demo(arguments) => demo::demo(arguments),
        Verb::Run(arguments) => run::run(arguments),
        Verb::Inspect(arguments) => inspect::inspect(&arguments),
        Verb::Explain(arguments) => explain::explain(&arguments),
    };
    match outcome {
        Ok(Outcome::NothingFound) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parallax: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Logs go to standard error, so that standard output stays what was asked for.
fn start_logging() {
    let filter = EnvFilter::try_from_env("PARALLAX_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,parallax_proxy=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .with_target(false)
        .init();
}

/// Whoever reads our output has read enough: `parallax inspect ... | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
