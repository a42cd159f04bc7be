//! What `inspect` prints: exchanges as they come, the rest at the end.

use std::collections::HashSet;
use std::io::{BufWriter, StdoutLock, Write, stdout};

use parallax_captures::redaction::Redactor;
use parallax_captures::{Exchange, Finding, VerdictKind, json};

use super::super::wanted::Wanted;
use super::InspectArguments;
use crate::offline::Summary;
use crate::report::{connection_lines, exchange_line, field_lines, finding_lines, verdict_lines};

/// Prints one capture.
pub(super) struct Printer<'a> {
    arguments: &'a InspectArguments,
    wanted: Wanted,
    redactor: Option<Redactor>,
    out: BufWriter<StdoutLock<'static>>,
    /// Whether each line is to be seen at once.
    live: bool,
    /// Why nothing more could be printed.
    failed: Option<std::io::Error>,
    exchanges: u64,
    muted_verdicts: u64,
    diverged: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(arguments: &'a InspectArguments, wanted: Wanted, live: bool) -> Self {
        Self {
            arguments,
            wanted,
            redactor: arguments.redact.redaction().map(Redactor::new),
            out: BufWriter::new(stdout().lock()),
            live,
            failed: None,
            exchanges: 0,
            muted_verdicts: 0,
            diverged: false,
        }
    }

    /// Prints an exchange, where it is asked for. Fails where nothing can be printed
    /// any more.
    pub(super) fn exchange(&mut self, exchange: &Exchange) -> Result<(), ()> {
        if !self.wanted.see(exchange) {
            return Ok(());
        }
        self.exchanges += 1;
        if let Some(verdict) = &exchange.verdict {
            let is_muted = verdict.muted.is_some();
            self.muted_verdicts += u64::from(is_muted);
            self.diverged |= verdict.kind == VerdictKind::Diverge && !is_muted;
        }
        let printed = self.print(exchange);
        printed.map_err(|error| self.failed = Some(error))
    }

    /// Leaves of a summary what is to be printed.
    pub(super) fn keep_wanted(&self, summary: &mut Summary) {
        self.wanted.keep(summary);
    }

    /// Whether an unmuted verdict of what was asked for was a divergence.
    pub(super) const fn diverged(&self) -> bool {
        self.diverged
    }

    /// Prints what the capture came to.
    pub(super) fn end(mut self, summary: &Summary) -> anyhow::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error.into());
        }
        let InspectArguments {
            findings: only_findings,
            json,
            muted,
            ..
        } = *self.arguments;
        let shown_too = summary.muted_findings.iter().filter(|_| muted);
        let findings: Vec<&Finding> = summary.findings.iter().chain(shown_too).collect();
        match (only_findings, json) {
            (false, false) => self.rest(summary, &findings)?,
            (true, false) => self.findings(summary, &findings)?,
            (false, true) => {}
            (true, true) => {
                for finding in &findings {
                    writeln!(self.out, "{}", json::finding(finding))?;
                }
            }
        }
        if !json {
            self.muted(summary)?;
            for note in &summary.notes {
                writeln!(self.out, "UNDECODED: {note}")?;
            }
        }
        self.out.flush()?;
        Ok(())
    }

    fn print(&mut self, exchange: &Exchange) -> std::io::Result<()> {
        let arguments = self.arguments;
        if arguments.findings {
            return Ok(());
        }
        let redactor = self.redactor.as_mut();
        let redacted = redactor.map(|redactor| redactor.exchange(exchange));
        let exchange = redacted.as_ref().unwrap_or(exchange);
        if arguments.json {
            writeln!(self.out, "{}", json::exchange(exchange))?;
        } else {
            writeln!(self.out, "{}", exchange_line(exchange))?;
        }
        if arguments.verbose {
            write!(self.out, "{}", field_lines(exchange))?;
        }
        if self.live {
            self.out.flush()?;
        }
        Ok(())
    }

    /// What comes after the exchanges.
    fn rest(&mut self, summary: &Summary, findings: &[&Finding]) -> std::io::Result<()> {
        if self.arguments.verbose {
            writeln!(self.out)?;
            for connection in &summary.connections {
                write!(self.out, "{}", connection_lines(connection))?;
            }
        }
        if !findings.is_empty() {
            writeln!(self.out)?;
        }
        for finding in findings {
            write!(self.out, "{}", finding_lines(finding))?;
        }
        Ok(())
    }

    fn findings(&mut self, summary: &Summary, findings: &[&Finding]) -> std::io::Result<()> {
        if findings.is_empty() {
            writeln!(self.out, "no findings in {} exchanges", self.exchanges)?;
        }
        for finding in findings {
            writeln!(self.out, "{}", finding_lines(finding))?;
        }
        let mut named = named(findings);
        for exchange in &summary.named {
            if !named.remove(&exchange.n) || !self.wanted.accepts(exchange) {
                continue;
            }
            writeln!(self.out, "{}", exchange_line(exchange))?;
            let redactor = self.redactor.as_mut();
            let redacted = redactor.map(|redactor| redactor.exchange(exchange));
            let exchange = redacted.as_ref().unwrap_or(exchange);
            if let Some(verdict) = &exchange.verdict {
                write!(self.out, "{}", verdict_lines(verdict))?;
            }
            if self.arguments.verbose {
                write!(self.out, "{}", field_lines(exchange))?;
            }
        }
        if !named.is_empty() {
            let more = named.len();
            writeln!(
                self.out,
                "{more} more exchanges that findings name were not kept: without --findings every \
                 exchange is printed"
            )?;
        }
        Ok(())
    }

    /// How much is muted: nobody is to forget that something is.
    fn muted(&mut self, summary: &Summary) -> std::io::Result<()> {
        let (findings, verdicts) = (summary.muted_findings.len() as u64, self.muted_verdicts);
        if findings + verdicts == 0 {
            return Ok(());
        }
        let hint = if self.arguments.muted {
            ""
        } else {
            " (--muted shows the findings)"
        };
        writeln!(
            self.out,
            "muted: {findings} findings, {verdicts} verdicts{hint}"
        )
    }
}

/// The exchanges that findings that matter name.
fn named(findings: &[&Finding]) -> HashSet<u64> {
    let grave = |finding: &&&Finding| finding.is_wrong();
    let of_it = |finding: &&Finding| finding.exchanges.clone();
    findings.iter().filter(grave).flat_map(of_it).collect()
}
