mod input;
mod printer;
mod progress;

use std::io::{Write, stderr};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use clap::Args;
use parallax_captures::{Finding, Mutes};

use self::input::Input;
use self::printer::Printer;
use super::mute::MuteArguments;
use super::redact::RedactArguments;
use super::signals::Ending;
use super::wanted::{Wanted, WantedArguments};
use super::{Outcome, complain, is_broken_pipe};
use crate::offline::{ImportOptions, Summary, import};

/// Decode packet captures (tcpdump, Wireshark), one exchange a line.
///
/// Exits 0 when nothing is wrong, 1 with findings (errors and warnings), divergences or
/// connections that could not be decoded, none of them muted, 2 when a file could not be
/// read to its end.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct InspectArguments {
    /// Packet captures: pcap or pcapng, also packed with gzip; directories of `run --record`. - is standard input:
    /// tcpdump -U -w - | parallax inspect -
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the findings and the exchanges that they name, nothing else.
    #[arg(long)]
    findings: bool,
    #[command(flatten)]
    wanted: WantedArguments,
    #[command(flatten)]
    mute: MuteArguments,
    /// Print the muted findings as well.
    #[arg(long)]
    muted: bool,
    /// Print the fields of every frame as well (byte range, name, value, bytes), and
    /// what is known of each connection.
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// One JSON value a line: exchanges, or with --findings the findings.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    redact: RedactArguments,
}

pub(super) fn inspect(arguments: &InspectArguments) -> anyhow::Result<Outcome> {
    let wanted = arguments.wanted.wanted()?;
    let mutes = arguments.mute.rules()?;
    let mut outcome = Outcome::NothingFound;
    for file in &arguments.files {
        match inspect_file(file, arguments, wanted.clone(), mutes.clone()) {
            Ok(Inspected::Read(found)) => outcome = outcome.max(found),
            Ok(Inspected::NobodyReads(found)) => return Ok(outcome.max(found)),
            // The files after it are read all the same.
            Err(error) => {
                complain(&error);
                outcome = Outcome::Incomplete;
            }
        }
    }
    Ok(outcome)
}

enum Inspected {
    /// It was read and printed.
    Read(Outcome),
    /// Whoever reads our output has read enough.
    NobodyReads(Outcome),
}

fn inspect_file(
    file: &Path,
    arguments: &InspectArguments,
    wanted: Wanted,
    mutes: Mutes,
) -> anyhow::Result<Inspected> {
    let name = if is_standard_input(file) {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    let cannot_read = |error| anyhow::Error::new(error).context(format!("cannot read {name}"));
    let input = Input::open(file, arguments.findings).map_err(cannot_read)?;
    let progress = input.progress.clone();
    let stop = Arc::default();
    if input.live {
        stop_on_ctrl_c(&stop).context("cannot wait for Ctrl-C")?;
    }
    let options = ImportOptions {
        mutes,
        live: input.live,
        stop: stop.clone(),
        ..ImportOptions::default()
    };
    let mut printer = Printer::new(arguments, wanted, input.live);
    let summary = import(input.source, options, &mut |exchange| {
        progress.exchange();
        match printer.exchange(&exchange) {
            Ok(()) => ControlFlow::Continue(()),
            Err(()) => ControlFlow::Break(()),
        }
    });
    progress.end();
    let mut summary = summary.map_err(cannot_read)?;
    printer.keep_wanted(&mut summary);
    let mut outcome = if is_wrong(&summary) || printer.diverged() {
        Outcome::Found
    } else {
        Outcome::NothingFound
    };
    if summary.damage.is_some() || summary.counts.holds_no_tcp() {
        outcome = Outcome::Incomplete;
    }
    match printer.end(&summary) {
        Err(error) if is_broken_pipe(&error) => return Ok(Inspected::NobodyReads(outcome)),
        printed => printed?,
    }
    for line in summary.notes.iter().chain(&summary.counts.remarks()) {
        let _ = writeln!(stderr(), "parallax: {name}: {line}");
    }
    // What was read before the damage has been printed.
    if let Some(damage) = summary.damage {
        complain(&anyhow::Error::new(damage).context(format!("{name} is damaged")));
    }
    Ok(Inspected::Read(outcome))
}

/// Ctrl-C ends the capture, not the program, so that what was found is printed; a
/// second one ends the program.
fn stop_on_ctrl_c(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    let stop = Arc::clone(stop);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let signals = move || {
        runtime.block_on(async {
            let mut ending = Ending::listen();
            ending.asked().await;
            stop.store(true, Ordering::Relaxed);
            ending.asked().await;
            std::process::exit(2);
        });
    };
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(signals)?;
    Ok(())
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn is_wrong(summary: &Summary) -> bool {
    summary.findings.iter().any(Finding::is_wrong) || !summary.notes.is_empty()
}
