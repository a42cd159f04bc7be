//! What is wrong, from one exchange or many. Pure: exchanges and verdicts in,
//! findings out; the time is that of the exchange.

mod argument;
mod claims;
mod client;
mod codes;
mod groups;
mod mirrored;
mod offsets;
mod place;
mod probe;
mod repeated;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
mod wire;

use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::verdict::MirrorOutcome;
use parallax_captures::{Exchange, Finding, Verdict};

use claims::{Claim, Claims, Conclusion};
use client::Client;
pub use client::{ConnectionEvent, Happening};
use groups::Groups;
use offsets::Offsets;
pub use probe::{Probe, Purpose};
use repeated::Repeated;
use wire::Wire;

use crate::cluster::Listeners;
use crate::ledger::{Fact, Learned, Ledger, Span};
use crate::session::Skew;

/// Recognises findings as exchanges and verdicts come in.
#[derive(Debug, Default)]
pub struct Findings {
    repeated: Repeated,
    wire: Wire,
    client: Client,
    ledger: Ledger,
    claims: Claims,
    offsets: Offsets,
    groups: Groups,
    /// Probes that nobody has taken yet.
    probes: Vec<Probe>,
    /// What was held as consumed before the exchange seen last, until somebody takes
    /// it.
    held: Option<Fact<u64>>,
}

impl Findings {
    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same for what passes through parallax, which clients reach by these listeners.
    #[must_use]
    pub fn behind(mut self, listeners: Arc<Listeners>) -> Self {
        self.client.behind(listeners);
        self
    }

    /// What an exchange shows, once it was recorded and has its number.
    pub fn on_exchange(&mut self, exchange: &Exchange) -> Vec<Finding> {
        if exchange.hides_the_server() {
            return self.on_hidden(exchange);
        }
        let argument = argument::finding(exchange);
        let repeated = self.repeated.finding(exchange);
        let single = argument.into_iter().chain(repeated);
        let mut findings: Vec<Finding> = single.chain(self.wire.findings(exchange)).collect();
        findings.extend(self.client.on_exchange(exchange));
        let span = Span::of(exchange);
        let held = self.ledger.held_before(exchange);
        let learned = self.ledger.learn(exchange);
        for learned in &learned {
            self.claims.weigh(learned, span);
        }
        for learned in &learned {
            if let Some(claim) = unexpected_start(exchange.n, held.as_ref(), learned) {
                findings.extend(self.claimed(claim));
            }
            for claim in self.offsets.claims(exchange, learned) {
                findings.extend(self.claimed(claim));
            }
        }
        let drawn = self.groups.see(exchange, &learned, &self.ledger);
        findings.extend(drawn.findings);
        for claim in drawn.claims {
            findings.extend(self.claimed(claim));
        }
        findings.extend(self.settle(span.from));
        self.held = held;
        findings
    }

    /// An exchange into which a fault was injected shows nothing that could be held against
    /// anybody, and what it may have changed is not known any more.
    fn on_hidden(&mut self, exchange: &Exchange) -> Vec<Finding> {
        let span = Span::of(exchange);
        let forgotten = self.ledger.hidden(exchange);
        for forgotten in &forgotten {
            self.claims.weigh(forgotten, span);
        }
        self.groups.forget(&forgotten);
        self.held = None;
        self.settle(span.from)
    }

    /// What it shows that a connection was opened or has ended. Of one that has
    /// ended everything was told before.
    pub fn on_connection(&mut self, event: &ConnectionEvent) -> Vec<Finding> {
        let mut findings = self.client.on_connection(event);
        findings.extend(self.settle(event.time));
        findings
    }

    /// What the server held as consumed before the exchange seen last, which was to
    /// begin after it; `None` where that is not known, or it is no poll of Next.
    pub const fn take_held(&mut self) -> Option<Fact<u64>> {
        self.held.take()
    }

    /// Whether something that was under way at the same time explains that the poll
    /// of this exchange began elsewhere than after [`Findings::take_held`]. To be asked
    /// [`CLAIM_SETTLES`](crate::limits::CLAIM_SETTLES) later.
    pub fn start_is_explained(&self, n: u64) -> bool {
        self.claims.is_explained(n)
    }

    /// What is known of offsets.
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What has waited long enough by `now` for what might explain it.
    pub fn settle(&mut self, now: Timestamp) -> Vec<Finding> {
        let due = self.claims.settle(now);
        let mut findings = self.concluded(due);
        findings.extend(self.client.settle(now));
        findings
    }

    /// What still waits, where nothing more will come.
    pub fn finish(&mut self) -> Vec<Finding> {
        let rest = self.claims.finish();
        self.concluded(rest)
    }

    /// Questions over HTTP that decide findings; each is to be answered with
    /// [`Findings::on_probe`].
    pub fn take_probes(&mut self) -> Vec<Probe> {
        std::mem::take(&mut self.probes)
    }

    /// What the answer to a probe shows; `None` where nobody could ask.
    pub fn on_probe(&mut self, probe: Probe, outcome: Option<&MirrorOutcome>) -> Option<Finding> {
        probe.concluded(outcome)
    }

    /// What it shows that client and server frame differently, of which
    /// `exchange` was the last.
    pub fn on_skew(&mut self, exchange: &Exchange, skew: &Skew) -> Finding {
        wire::skewed(exchange, skew)
    }

    /// That HTTP does not let the mirror in, which asks with `whom`'s credentials; of
    /// those no more than their kind and the user's name.
    pub fn on_mirror_refused(&mut self, exchange: &Exchange, whom: &str, why: &str) -> Finding {
        codes::unauthenticated(exchange, whom, why)
    }

    /// What the verdict on an exchange shows.
    pub fn on_verdict(&mut self, exchange: &Exchange, verdict: &Verdict) -> Vec<Finding> {
        mirrored::findings(exchange, verdict)
    }

    /// What was forgotten, or claimed before its time, for want of room.
    pub fn forgotten(&self) -> u64 {
        self.repeated.forgotten()
            + self.wire.forgotten()
            + self.client.forgotten()
            + self.ledger.forgotten()
            + self.offsets.forgotten()
            + self.groups.forgotten()
            + self.claims.hurried()
    }

    /// Waits with a claim; gives what has no room any more.
    fn claimed(&mut self, claim: Claim) -> Vec<Finding> {
        let hurried = self.claims.push(claim);
        self.concluded(hurried)
    }

    fn concluded(&mut self, conclusions: impl IntoIterator<Item = Conclusion>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for conclusion in conclusions {
            match conclusion {
                Conclusion::Finding(finding) => findings.push(finding),
                Conclusion::Probe(probe) => self.probes.push(probe),
                Conclusion::Start(_) => {}
            }
        }
        findings
    }
}

/// That a poll began elsewhere than where it was to.
fn unexpected_start(n: u64, held: Option<&Fact<u64>>, learned: &Learned) -> Option<Claim> {
    let Learned::Poll(polled) = learned else {
        return None;
    };
    let (first, _) = polled.offsets?;
    (first != held?.value.saturating_add(1)).then(|| Claim {
        reader: polled.reader.clone(),
        span: polled.span,
        conclusion: Conclusion::Start(n),
    })
}
