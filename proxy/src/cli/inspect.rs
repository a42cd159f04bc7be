use std::collections::HashSet;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use clap::Args;
use parallax_captures::{Finding, Severity, VerdictKind, json};

use super::{Outcome, complain, is_broken_pipe};
use crate::offline::{Reading, read_capture};
use crate::report::{connection_lines, exchange_line, field_lines, finding_lines, verdict_lines};

/// Decode packet captures (tcpdump, Wireshark), one exchange a line.
///
/// Exits 0 when nothing is wrong, 1 with findings, divergences or connections that
/// could not be decoded, 2 when a file could not be read to its end.
#[derive(Debug, Args)]
pub(super) struct InspectArguments {
    /// Packet captures: pcap or pcapng.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the findings and the exchanges that they name, nothing else.
    #[arg(long)]
    findings: bool,
    /// Print the fields of every frame as well (byte range, name, value, bytes), and
    /// what is known of each connection.
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// One JSON value a line: exchanges, or with --findings the findings.
    #[arg(long)]
    json: bool,
}

pub(super) fn inspect(arguments: &InspectArguments) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::NothingFound;
    for file in &arguments.files {
        let reading = match read_capture(file) {
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
    match (arguments.findings, arguments.json) {
        (false, false) => print_all(out, reading, arguments.verbose)?,
        (true, false) => print_findings(out, reading, arguments.verbose)?,
        (false, true) => {
            for exchange in &reading.exchanges {
                writeln!(out, "{}", json::exchange(exchange))?;
            }
        }
        (true, true) => {
            for finding in &reading.findings {
                writeln!(out, "{}", json::finding(finding))?;
            }
        }
    }
    if !arguments.json {
        for note in &reading.notes {
            writeln!(out, "UNDECODED: {note}")?;
        }
    }
    Ok(())
}

fn is_wrong(reading: &Reading) -> bool {
    let mut verdicts = reading.exchanges.iter().filter_map(|e| e.verdict.as_ref());
    !reading.findings.is_empty()
        || !reading.notes.is_empty()
        || verdicts.any(|verdict| verdict.kind == VerdictKind::Diverge)
}

fn print_all(out: &mut impl Write, reading: &Reading, verbose: bool) -> anyhow::Result<()> {
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
    if !reading.findings.is_empty() {
        writeln!(out)?;
        for finding in &reading.findings {
            write!(out, "{}", finding_lines(finding))?;
        }
    }
    Ok(())
}

fn print_findings(out: &mut impl Write, reading: &Reading, verbose: bool) -> anyhow::Result<()> {
    if reading.findings.is_empty() {
        writeln!(out, "no findings in {} exchanges", reading.exchanges.len())?;
    }
    for finding in &reading.findings {
        writeln!(out, "{}", finding_lines(finding))?;
    }
    let named = named(&reading.findings);
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
fn named(findings: &[Finding]) -> HashSet<u64> {
    let grave = |finding: &&Finding| finding.description().severity != Severity::Info;
    let of_it = |finding: &Finding| finding.exchanges.clone();
    findings.iter().filter(grave).flat_map(of_it).collect()
}
