//! Records what passed and what it shows: the one writer of exchanges, verdicts
//! and findings.

use std::sync::{Arc, Mutex, PoisonError};

use parallax_captures::{ConnectionId, Exchange, Finding, Journal, Verdict};

use crate::findings::Findings;
use crate::session::Skew;

/// The journal, and the findings that are drawn from it.
#[derive(Debug)]
pub struct Analyst {
    journal: Arc<Journal>,
    findings: Mutex<Findings>,
}

impl Analyst {
    /// Nothing seen yet; everything goes to `journal`.
    pub fn new(journal: Arc<Journal>) -> Self {
        Self {
            journal,
            findings: Mutex::new(Findings::new()),
        }
    }

    /// The journal that is written to.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// Records an exchange and what it shows; gives the number it has now.
    pub fn record(&self, exchange: Exchange) -> u64 {
        let n = self.journal.record(exchange);
        if let Some(exchange) = self.journal.exchange(n) {
            self.add(|findings| findings.on_exchange(&exchange));
        }
        n
    }

    /// Records the verdict on an exchange and what it shows.
    pub fn verdict(&self, exchange: &Exchange, verdict: Verdict) {
        self.add(|findings| findings.on_verdict(exchange, &verdict));
        self.journal.set_verdict(exchange.n, verdict);
    }

    /// Records that client and server of a connection frame differently. What it
    /// shows is told with the connection's last exchange.
    pub fn skewed(&self, connection: ConnectionId, skew: &Skew) {
        let of_it = |exchange: &Exchange| exchange.conn == connection;
        if let Some(exchange) = self.journal.latest(None, 1, of_it).pop() {
            self.add(|findings| vec![findings.on_skew(&exchange, skew)]);
        }
    }

    fn add(&self, draw: impl FnOnce(&mut Findings) -> Vec<Finding>) {
        // The state is only ever left whole; a panic elsewhere does not spoil it.
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = draw(&mut findings);
        drop(findings);
        for finding in drawn {
            self.journal.add_finding(finding);
        }
    }
}
