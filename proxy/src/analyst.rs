//! Records what passed and what it shows: the one writer of exchanges, verdicts
//! and findings.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use parallax_captures::mute::MutedBy;
use parallax_captures::verdict::MirrorOutcome;
use parallax_captures::{
    ConnectionId, Exchange, Finding, Journal, Mutes, OnConnection, RouteName, Verdict,
};

use crate::cluster::Listeners;
use crate::findings::{ConnectionEvent, Findings, Probe};
use crate::ledger::Fact;
use crate::session::Skew;

/// The journal, and the findings that are drawn from it.
#[derive(Debug)]
pub struct Analyst {
    journal: Arc<Journal>,
    findings: Mutex<Findings>,
    mutes: Mutes,
    /// What the server is called, where there are several.
    server: Option<RouteName>,
}

/// An exchange that was recorded.
#[derive(Debug)]
pub struct Recorded {
    /// Its number in the journal.
    pub n: u64,
    /// What the server held as consumed before a poll of Next, which was to begin after
    /// it, where that is known.
    pub held: Option<Fact<u64>>,
    /// Questions over HTTP that are due now; each is to be answered with
    /// [`Analyst::probed`].
    pub probes: Vec<Probe>,
}

impl Analyst {
    /// Nothing seen yet; everything goes to `journal`.
    pub fn new(journal: Arc<Journal>) -> Self {
        Self {
            journal,
            findings: Mutex::new(Findings::new()),
            mutes: Mutes::none(),
            server: None,
        }
    }

    /// The same for what passes through parallax, which clients reach by these listeners.
    #[must_use]
    pub fn behind(self, listeners: Arc<Listeners>) -> Self {
        let findings = Mutex::new(Findings::new().behind(listeners));
        Self { findings, ..self }
    }

    /// The same, which mutes by these rules.
    #[must_use]
    pub fn muting(self, mutes: Mutes) -> Self {
        Self { mutes, ..self }
    }

    /// The same for one of several servers. A topic of another may have the same name,
    /// and is another: places begin with the server's name.
    #[must_use]
    pub fn of_server(self, server: Option<RouteName>) -> Self {
        Self { server, ..self }
    }

    /// The journal that is written to.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// Records an exchange and what it shows.
    pub fn record(&self, exchange: impl Into<Arc<Exchange>>) -> Recorded {
        let n = self.journal.record(exchange);
        let mut recorded = Recorded {
            n,
            held: None,
            probes: Vec::new(),
        };
        if let Some(exchange) = self.journal.exchange(n) {
            let drawn = self.draw(|findings| {
                let drawn = findings.on_exchange(&exchange);
                recorded.held = findings.take_held();
                recorded.probes = findings.take_probes();
                drawn
            });
            // Held on to, it would be copied to be told what it shows.
            drop(exchange);
            self.put(drawn, None);
        }
        recorded
    }

    /// Takes note of what happened to a connection, and records what it shows; gives
    /// the questions over HTTP that are due now.
    pub fn connection(&self, event: &ConnectionEvent) -> Vec<Probe> {
        self.conclude(|findings| findings.on_connection(event))
    }

    /// Makes the claims that have waited long enough by `now`; gives the questions
    /// over HTTP that others wait for.
    pub fn settle(&self, now: Timestamp) -> Vec<Probe> {
        self.conclude(|findings| findings.settle(now))
    }

    /// Likewise all of them, for nothing more will come.
    pub fn finish(&self) -> Vec<Probe> {
        self.conclude(Findings::finish)
    }

    /// Records what the answer to a probe shows, if anything; the outcome is `None`
    /// where nobody could ask.
    pub fn probed(&self, probe: Probe, outcome: Option<&MirrorOutcome>) {
        self.add(|findings| findings.on_probe(probe, outcome).into_iter().collect());
    }

    /// Whether something that was under way at the same time explains where the poll
    /// of this exchange began. To be asked
    /// [`CLAIM_SETTLES`](crate::limits::CLAIM_SETTLES) later.
    pub fn start_is_explained(&self, n: u64) -> bool {
        let mut explained = false;
        self.add(|findings| {
            explained = findings.start_is_explained(n);
            Vec::new()
        });
        explained
    }

    /// Records the verdict on an exchange and what it shows.
    pub fn verdict(&self, exchange: &Exchange, mut verdict: Verdict) {
        verdict.muted = self.mutes.verdict(exchange, &verdict);
        let draw = |findings: &mut Findings| findings.on_verdict(exchange, &verdict);
        self.add_with(Some((exchange, &verdict)), draw);
        self.journal.set_verdict(exchange.n, verdict);
    }

    /// Records that HTTP does not let the mirror in, which asks with `whom`'s
    /// credentials; of those no more than their kind and the user's name.
    pub fn mirror_refused(&self, exchange: &Exchange, whom: &str, why: &str) {
        self.add(|findings| vec![findings.on_mirror_refused(exchange, whom, why)]);
    }

    /// Records that client and server of a connection frame differently. What it
    /// shows is told with the connection's last exchange.
    pub fn skewed(&self, connection: ConnectionId, skew: &Skew) {
        let latest = self.journal.latest(None, 1, &OnConnection(connection));
        if let Some(exchange) = latest.first() {
            self.add(|findings| vec![findings.on_skew(exchange, skew)]);
        }
    }

    /// Records a finding about parallax itself or its machine, which no exchange shows.
    pub fn of_parallax(&self, mut finding: Finding) {
        finding.muted = self.mutes.finding(finding.code, None, None);
        self.journal.add_finding(finding);
    }

    fn conclude(&self, draw: impl FnOnce(&mut Findings) -> Vec<Finding>) -> Vec<Probe> {
        let mut probes = Vec::new();
        self.add(|findings| {
            let drawn = draw(findings);
            probes = findings.take_probes();
            drawn
        });
        probes
    }

    fn add(&self, draw: impl FnOnce(&mut Findings) -> Vec<Finding>) {
        self.add_with(None, draw);
    }

    /// Adds what is drawn; `judged` is an exchange with its verdict, which the
    /// journal does not have yet.
    fn add_with(
        &self,
        judged: Option<(&Exchange, &Verdict)>,
        draw: impl FnOnce(&mut Findings) -> Vec<Finding>,
    ) {
        let drawn = self.draw(draw);
        self.put(drawn, judged);
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut Findings) -> T) -> T {
        // The state is only ever left whole; a panic elsewhere does not spoil it.
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        draw(&mut findings)
    }

    fn put(&self, drawn: Vec<Finding>, judged: Option<(&Exchange, &Verdict)>) {
        for mut finding in drawn {
            finding.muted = self.muted(&finding, judged);
            finding.place = self.placed(finding.place);
            self.journal.add_finding(finding);
        }
    }

    fn placed(&self, place: String) -> String {
        match &self.server {
            // Connections are numbered over all servers.
            Some(server) if !place.starts_with("connection ") => format!("{server}: {place}"),
            _ => place,
        }
    }

    fn muted(&self, finding: &Finding, judged: Option<(&Exchange, &Verdict)>) -> Option<MutedBy> {
        let latest = finding.exchanges.last()?;
        if let Some((exchange, verdict)) = judged.filter(|(exchange, _)| exchange.n == *latest) {
            return self
                .mutes
                .finding(finding.code, Some(exchange), Some(verdict));
        }
        let exchange = self.journal.exchange(*latest);
        let verdict = exchange
            .as_ref()
            .and_then(|exchange| exchange.verdict.as_ref());
        self.mutes
            .finding(finding.code, exchange.as_deref(), verdict)
    }
}
