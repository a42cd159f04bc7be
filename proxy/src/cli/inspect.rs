use std::collections::HashSet;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use clap::Args;
use parallax_captures::{Finding, VerdictKind, json};

use super::mute::MuteArguments;
use super::{Outcome, complain, is_broken_pipe};
use crate::offline::{Reading, read_capture_muting};
use crate::report::{connection_lines, exchange_line, field_lines, finding_lines, verdict_lines};

/// Decode packet captures (tcpdump, Wireshark), one exchange a line.
///
/// Exits 0 when nothing is wrong, 1 with findings (errors and warnings), divergences or
/// connections that could not be decoded, none of them muted, 2 when a file could not be
/// read to its end.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct InspectArguments {
    /// Packet captures: pcap or pcapng.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the findings and the exchanges that they name, nothing else.
    #[arg(long)]
    findings: bool,
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
}

pub(super) fn inspect(arguments: &InspectArguments) -> anyhow::Result<Outcome> {
    let mutes = arguments.mute.rules()?;
    let mut outcome = Outcome::NothingFound;
    for file in &arguments.files {
        let reading = match read_capture_muting(file, mutes.clone()) {
            Ok(reading) => reading,
            Err(error) => {
                let name = file.display();
                complain(&anyhow::Error::new(error).context(format!("cannot read {name}")));
                outcome = Outcome::Incomplete;
                continue;
            }
        };
        if is_wrong(&reading) {
            outcome = outcome.max(Outcome::Found);
        }
        if reading.damage.is_some() {
            outcome = Outcome::Incomplete;
        }
        match print(&mut stdout().lock(), &reading, arguments) {
            Err(error) if is_broken_pipe(&error) => return Ok(outcome),
            printed => printed?,
        }
        for note in &reading.notes {
            let _ = writeln!(stderr(), "parallax: {}: {note}", file.display());
        }
        // What was read before the damage has been printed.
        if let Some(damage) = reading.damage {
            let name = file.display();
            complain(&anyhow::Error::new(damage).context(format!("{name} is damaged")));
        }
    }
    Ok(outcome)
}

fn print(
    out: &mut impl Write,
    reading: &Reading,
    arguments: &InspectArguments,
) -> anyhow::Result<()> {
    let muted = reading.muted_findings.iter().filter(|_| arguments.muted);
    let findings: Vec<&Finding> = reading.findings.iter().chain(muted).collect();
    match (arguments.findings, arguments.json) {
        (false, false) => print_all(out, reading, &findings, arguments.verbose)?,
        (true, false) => print_findings(out, reading, &findings, arguments.verbose)?,
        (false, true) => {
            for exchange in &reading.exchanges {
                writeln!(out, "{}", json::exchange(exchange))?;
            }
        }
        (true, true) => {
            for finding in &findings {
                writeln!(out, "{}", json::finding(finding))?;
            }
        }
    }
    if !arguments.json {
        print_muted(out, reading, arguments.muted)?;
        for note in &reading.notes {
            writeln!(out, "UNDECODED: {note}")?;
        }
    }
    Ok(())
}

/// How much is muted: nobody is to forget that something is.
fn print_muted(out: &mut impl Write, reading: &Reading, shown: bool) -> anyhow::Result<()> {
    let verdicts = reading.exchanges.iter().filter_map(|e| e.verdict.as_ref());
    let verdicts = verdicts.filter(|verdict| verdict.muted.is_some()).count();
    let findings = reading.muted_findings.len();
    if findings + verdicts > 0 {
        let hint = if shown {
            ""
        } else {
            " (--muted shows the findings)"
        };
        writeln!(out, "muted: {findings} findings, {verdicts} verdicts{hint}")?;
    }
    Ok(())
}

fn is_wrong(reading: &Reading) -> bool {
    let mut verdicts = reading.exchanges.iter().filter_map(|e| e.verdict.as_ref());
    reading.findings.iter().any(Finding::is_wrong)
        || !reading.notes.is_empty()
        || verdicts.any(|verdict| verdict.kind == VerdictKind::Diverge && verdict.muted.is_none())
}

fn print_all(
    out: &mut impl Write,
    reading: &Reading,
    findings: &[&Finding],
    verbose: bool,
) -> anyhow::Result<()> {
    for exchange in &reading.exchanges {
        writeln!(out, "{}", exchange_line(exchange))?;
        if verbose {
            write!(out, "{}", field_lines(exchange))?;
        }
    }
    if verbose {
        writeln!(out)?;
        for connection in &reading.connections {
            write!(out, "{}", connection_lines(connection))?;
        }
    }
    if !findings.is_empty() {
        writeln!(out)?;
        for finding in findings {
            write!(out, "{}", finding_lines(finding))?;
        }
    }
    Ok(())
}

fn print_findings(
    out: &mut impl Write,
    reading: &Reading,
    findings: &[&Finding],
    verbose: bool,
) -> anyhow::Result<()> {
    if findings.is_empty() {
        writeln!(out, "no findings in {} exchanges", reading.exchanges.len())?;
    }
    for finding in findings {
        writeln!(out, "{}", finding_lines(finding))?;
    }
    let named = named(findings);
    for exchange in reading.exchanges.iter().filter(|e| named.contains(&e.n)) {
        writeln!(out, "{}", exchange_line(exchange))?;
        if let Some(verdict) = &exchange.verdict {
            write!(out, "{}", verdict_lines(verdict))?;
        }
        if verbose {
            write!(out, "{}", field_lines(exchange))?;
        }
    }
    Ok(())
}

/// The exchanges that findings that matter name.
fn named(findings: &[&Finding]) -> HashSet<u64> {
    let grave = |finding: &&&Finding| finding.is_wrong();
    let of_it = |finding: &&Finding| finding.exchanges.clone();
    findings.iter().filter(grave).flat_map(of_it).collect()
}
