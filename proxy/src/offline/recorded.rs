//! A file that parallax wrote: nothing is decoded into findings anew, what was known
//! when it was written is read back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::file::{Amendment, Item};
use parallax_captures::import::ImportError;
use parallax_captures::import::packets::PacketCounts;
use parallax_captures::import::reassembly::ReassemblyCounts;
use parallax_captures::limits::{JOURNAL_CLOSED_CONNECTIONS, JOURNAL_FINDINGS};
use parallax_captures::{Connection, ConnectionId, Exchange, Finding, FindingCode, Journal, Mutes};

use super::evidence::Evidence;
use super::settling::Sink;
use super::streams::note;
use super::{ImportCounts, ImportLimits, ImportOptions, Summary};
use crate::limits::{AMENDED_WITHIN, CAPTURE_NOTES};

/// What parallax wrote, while it is read back. Exchanges wait for what the file says of
/// them later.
pub(super) struct Recorded {
    mutes: Mutes,
    limits: ImportLimits,
    /// Of whoever asks about connections meanwhile.
    journal: Option<Arc<Journal>>,
    waiting: BTreeMap<u64, (Arc<Exchange>, usize)>,
    bytes: usize,
    most_bytes: usize,
    /// The end of the latest exchange.
    latest: Timestamp,
    connections: BTreeMap<ConnectionId, Connection>,
    findings: HashMap<(FindingCode, String), Finding>,
    evidence: Evidence,
    exchanges: u64,
    notes: Vec<String>,
    notes_dropped: u64,
    findings_dropped: u64,
    not_kept: u64,
}

impl Recorded {
    pub(super) fn new(options: ImportOptions) -> Self {
        Self {
            mutes: options.mutes,
            limits: options.limits,
            journal: options.journal,
            waiting: BTreeMap::new(),
            bytes: 0,
            most_bytes: 0,
            latest: Timestamp::MIN,
            connections: BTreeMap::new(),
            findings: HashMap::new(),
            evidence: Evidence::default(),
            exchanges: 0,
            notes: Vec::new(),
            notes_dropped: 0,
            findings_dropped: 0,
            not_kept: 0,
        }
    }

    /// Takes what the file holds next. Breaks where the sink does.
    pub(super) fn push(&mut self, item: Item, sink: &mut Sink<'_>) -> ControlFlow<()> {
        match item {
            Item::Exchange(exchange, _) => return self.exchange(*exchange, sink),
            Item::Amended(amendment) => self.amend(amendment),
            Item::Connection(connection) => self.connection(*connection),
            Item::Finding(finding) => self.finding(*finding),
            // Each tells of all that was lost before it.
            Item::Lost(lost) => self.not_kept = lost.exchanges_not_kept,
            Item::Unreadable(position, why) => self.note(format!("at byte {position}: {why}")),
        }
        ControlFlow::Continue(())
    }

    /// Hands on all that waits, for nothing more will come.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        while self.hand_on_first(sink)? {}
        ControlFlow::Continue(())
    }

    /// What is to be said at the end.
    pub(super) fn summary(self, damage: Option<ImportError>) -> Summary {
        let named = self.named();
        let named = self.evidence.finish(&named, |_| None);
        let exchanges: HashMap<u64, &Arc<Exchange>> =
            named.iter().map(|one| (one.n, one)).collect();
        let mut findings: Vec<_> = self.findings.into_values().collect();
        for finding in &mut findings {
            let latest = finding.exchanges.last().and_then(|n| exchanges.get(n));
            let verdict = latest.and_then(|exchange| exchange.verdict.as_ref());
            let exchange = latest.map(|exchange| &***exchange);
            let muted = || self.mutes.finding(finding.code, exchange, verdict);
            finding.muted = finding.muted.take().or_else(muted);
        }
        Finding::sort(&mut findings);
        let (muted_findings, findings) = findings
            .into_iter()
            .partition(|finding| finding.muted.is_some());
        Summary {
            connections: self.connections.into_values().collect(),
            findings,
            muted_findings,
            named,
            notes: self.notes,
            damage,
            counts: ImportCounts {
                exchanges: self.exchanges,
                not_kept: self.not_kept,
                findings_dropped: self.findings_dropped,
                most_settling_bytes: self.most_bytes,
                notes_dropped: self.notes_dropped,
                packets: PacketCounts::default(),
                reassembly: ReassemblyCounts::default(),
                ..ImportCounts::default()
            },
        }
    }

    fn exchange(&mut self, exchange: Exchange, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let bytes = exchange.held_bytes();
        while self.waiting.len() >= self.limits.settling_exchanges
            || self.bytes.saturating_add(bytes) > self.limits.settling_bytes
        {
            if !self.hand_on_first(sink)? {
                break;
            }
        }
        self.latest = self.latest.max(exchange.times.request_last);
        if let Some(connection) = self.connections.get_mut(&exchange.conn) {
            connection.exchanges += 1;
        }
        self.bytes += bytes;
        self.most_bytes = self.most_bytes.max(self.bytes);
        self.waiting.insert(exchange.n, (Arc::new(exchange), bytes));
        let within = SignedDuration::try_from(AMENDED_WITHIN).unwrap_or(SignedDuration::MAX);
        while let Some((_, (first, _))) = self.waiting.first_key_value()
            && self.latest.duration_since(first.times.request_last) > within
        {
            self.hand_on_first(sink)?;
        }
        ControlFlow::Continue(())
    }

    fn amend(&mut self, amendment: Amendment) {
        let n = amendment.n();
        let Some((exchange, _)) = self.waiting.get_mut(&n) else {
            return;
        };
        if let Err(why) = amendment.apply(Arc::make_mut(exchange)) {
            self.note(format!("exchange {n}: {why}"));
        }
    }

    fn connection(&mut self, mut connection: Connection) {
        let id = connection.id;
        let known = self.connections.get(&id);
        connection.exchanges = known.map_or(0, |known| known.exchanges);
        let before = known.map(said).unwrap_or_default();
        let fresh = said(&connection)
            .into_iter()
            .filter(|note| !before.contains(note));
        fresh.for_each(|note| self.note(note));
        if let Some(journal) = &self.journal {
            journal.open_connection(connection.clone());
        }
        self.connections.insert(id, connection);
        let is_closed = |(_, one): &(&ConnectionId, &Connection)| one.closed.is_some();
        if self.connections.len() > 2 * JOURNAL_CLOSED_CONNECTIONS
            && let Some((oldest, _)) = self.connections.iter().find(is_closed)
        {
            let oldest = *oldest;
            self.connections.remove(&oldest);
        }
    }

    /// The latest that is said of a finding holds.
    fn finding(&mut self, finding: Finding) {
        let key = (finding.code, finding.place.clone());
        if self.findings.len() < JOURNAL_FINDINGS || self.findings.contains_key(&key) {
            self.findings.insert(key, finding);
        } else {
            self.findings_dropped += 1;
        }
    }

    /// Whether there was one.
    fn hand_on_first(&mut self, sink: &mut Sink<'_>) -> ControlFlow<(), bool> {
        let Some((_, (mut exchange, bytes))) = self.waiting.pop_first() else {
            return ControlFlow::Continue(false);
        };
        self.bytes -= bytes;
        self.exchanges += 1;
        self.mute(&mut exchange);
        let findings = &self.findings;
        self.evidence.see(&exchange, || named(findings.values()));
        match sink(exchange) {
            ControlFlow::Continue(()) => ControlFlow::Continue(true),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }

    /// Mutes by today's rules what was not muted by those of then.
    fn mute(&self, exchange: &mut Arc<Exchange>) {
        if let Some(verdict) = &exchange.verdict
            && verdict.muted.is_none()
            && let Some(by) = self.mutes.verdict(exchange, verdict)
            && let Some(verdict) = &mut Arc::make_mut(exchange).verdict
        {
            verdict.muted = Some(by);
        }
        let verdict = exchange.verdict.as_ref();
        let is_muted =
            |code: &FindingCode| self.mutes.finding(*code, Some(exchange), verdict).is_some();
        let (muted, left): (Vec<_>, Vec<_>) = exchange.findings.iter().copied().partition(is_muted);
        if !muted.is_empty() {
            let exchange = Arc::make_mut(exchange);
            exchange.findings = left;
            exchange.muted_findings.extend(muted);
            exchange.muted_findings.sort_unstable();
        }
    }

    fn named(&self) -> HashSet<u64> {
        named(self.findings.values())
    }

    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < CAPTURE_NOTES {
            self.notes.push(note);
        } else {
            self.notes_dropped += 1;
        }
    }
}

/// What could not be decoded of a connection, in sentences.
fn said(connection: &Connection) -> Vec<String> {
    let undecoded = connection.undecoded.as_ref().map(ToString::to_string);
    let contradiction = connection.layouts.contradiction();
    let said = undecoded.into_iter().chain(contradiction);
    said.map(|what| note(connection, &what)).collect()
}

fn named<'a>(findings: impl Iterator<Item = &'a Finding>) -> HashSet<u64> {
    findings
        .flat_map(|finding| finding.exchanges.iter().copied())
        .collect()
}
