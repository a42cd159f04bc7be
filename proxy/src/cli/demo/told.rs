use std::collections::BTreeSet;
use std::io::{Write as _, stdout};

use parallax_captures::{Change, FindingCode, Journal, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::report::{exchange_line, finding_lines, verdict_lines};

/// Prints what is new: polls with their verdicts, and each finding when it is first
/// made.
pub(super) async fn print_changes(
    journal: &Journal,
    mut changes: Receiver<Change>,
    mut told: Told,
) -> anyhow::Result<()> {
    loop {
        match changes.recv().await {
            Ok(Change::Exchange(n)) => told.exchange(journal, n)?,
            Ok(Change::Finding(_)) => told.findings(journal)?,
            Ok(Change::Connection(_)) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return Ok(()),
        }
    }
}

/// What has been printed.
pub(super) struct Told {
    json: bool,
    /// Whether every poll is printed, as text too, or the first that fails.
    every: bool,
    exchanges: BTreeSet<u64>,
    findings: BTreeSet<FindingCode>,
    /// Whether findings may follow: as text they make sense once the poll that
    /// they explain was shown.
    failure: bool,
}

/// Exchanges that are remembered as printed.
const EXCHANGES_REMEMBERED: usize = 1_000;

impl Told {
    /// Nothing is printed before a poll fails; then that poll and the findings.
    pub(super) const fn from_the_first_failure(json: bool) -> Self {
        Self {
            json,
            every: json,
            exchanges: BTreeSet::new(),
            findings: BTreeSet::new(),
            failure: json,
        }
    }

    /// Every poll and every finding.
    pub(super) fn everything(json: bool) -> Self {
        Self {
            every: true,
            failure: true,
            ..Self::from_the_first_failure(json)
        }
    }

    fn exchange(&mut self, journal: &Journal, n: u64) -> anyhow::Result<()> {
        let Some(exchange) = journal.exchange(n) else {
            return Ok(());
        };
        let Some(verdict) = &exchange.verdict else {
            return Ok(());
        };
        let mut out = stdout().lock();
        if self.every {
            // A finding changes an exchange that was printed already.
            if self.exchanges.insert(n) {
                if self.json {
                    writeln!(out, "{}", json::exchange(&exchange))?;
                } else {
                    writeln!(out, "{}", exchange_line(&exchange))?;
                    writeln!(out, "{}", verdict_lines(verdict))?;
                }
            }
            if self.exchanges.len() > EXCHANGES_REMEMBERED {
                self.exchanges.pop_first();
            }
        } else if exchange.error().is_some() && !self.failure {
            self.failure = true;
            writeln!(out, "\n{}", exchange_line(&exchange))?;
            writeln!(out, "{}", verdict_lines(verdict))?;
            drop(out);
            self.findings(journal)?;
        }
        Ok(())
    }

    fn findings(&mut self, journal: &Journal) -> anyhow::Result<()> {
        if !self.failure {
            return Ok(());
        }
        let mut out = stdout().lock();
        for finding in journal.findings() {
            if !self.findings.insert(finding.code) {
                continue;
            }
            if self.json {
                writeln!(out, "{}", json::finding(&finding))?;
            } else {
                writeln!(out, "{}", finding_lines(&finding))?;
            }
        }
        Ok(())
    }
}
