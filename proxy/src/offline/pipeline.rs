//! Segments to exchanges with their verdicts and findings, in bounded memory. No file
//! and no clock.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::Exchange;
use parallax_captures::import::ImportError;
use parallax_captures::import::packets::{PacketCounts, Segment};
use parallax_captures::import::reassembly::{Reassembler, StreamEvent};

use super::settling::{Settling, Sink};
use super::streams::Streams;
use super::window::{Item, Window};
use super::{ImportCounts, ImportOptions, SERVER_PORTS, Summary};
use crate::analyst::Analyst;
use crate::findings::Probe;
use crate::limits::{CAPTURE_NOTES, LIVE_PATIENCE, WINDOW_SLACK, WINDOW_SPAN};

/// Everything between the packets and whoever wants the exchanges.
pub(super) struct Pipeline {
    options: ImportOptions,
    reassembler: Reassembler,
    streams: Streams,
    window: Window,
    analyst: Analyst,
    settling: Settling,
    notes: Vec<String>,
    notes_dropped: u64,
    passed_over: u64,
    /// Time of the latest packet.
    latest: Timestamp,
    /// When it was seen, by the clock of whoever reads.
    seen: Duration,
}

impl Pipeline {
    pub(super) fn new(options: ImportOptions) -> Self {
        let own = || Arc::new(options.limits.journal());
        let journal = options.journal.clone().unwrap_or_else(own);
        Self {
            reassembler: Reassembler::new(&SERVER_PORTS),
            streams: Streams::default(),
            window: Window::default(),
            analyst: Analyst::new(journal).muting(options.mutes.clone()),
            settling: Settling::default(),
            notes: Vec::new(),
            notes_dropped: 0,
            passed_over: 0,
            latest: Timestamp::MIN,
            seen: Duration::ZERO,
            options,
        }
    }

    /// Takes a segment in, at this time of a clock that starts anywhere. Breaks where
    /// the sink does.
    pub(super) fn push(
        &mut self,
        segment: &Segment,
        clock: Duration,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        self.latest = self.latest.max(segment.time);
        self.seen = clock;
        let events = self.reassembler.push(segment);
        if events.is_empty() {
            return ControlFlow::Continue(());
        }
        self.read(events);
        self.advance(clock, sink)
    }

    /// Hands on what has waited long enough, although nothing more was captured. For a
    /// capture that is still being made.
    pub(super) fn wait(&mut self, clock: Duration, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let now = self.now(clock);
        self.answer_none(|analyst| analyst.settle(now));
        self.advance(clock, sink)
    }

    /// Nothing more will come: hands on all that is left.
    pub(super) fn finish(&mut self, clock: Duration, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let events = self.reassembler.finish();
        self.read(events);
        while let Some(item) = self.window.pop_first() {
            self.record(item, clock, sink)?;
        }
        self.answer_none(Analyst::finish);
        self.settling.finish(&self.analyst, sink)
    }

    /// What is to be said at the end.
    pub(super) fn summary(mut self, damage: Option<ImportError>, packets: PacketCounts) -> Summary {
        let named = self.settling.take_named(&self.analyst);
        let journal = self.analyst.journal();
        let totals = journal.totals();
        Summary {
            connections: journal.connections(),
            findings: journal.findings(),
            muted_findings: journal.muted_findings(),
            named,
            notes: self.notes,
            damage,
            counts: ImportCounts {
                not_kept: 0,
                exchanges: self.settling.handed_on(),
                findings_dropped: totals.findings_dropped,
                forgotten: self.settling.forgotten(),
                judged_early: self.settling.judged_early(),
                late: self.window.late(),
                most_settling_bytes: self.settling.most_bytes(),
                most_window_bytes: self.window.most_bytes(),
                notes_dropped: self.notes_dropped,
                ordered_early: self.window.hurried(),
                packets,
                passed_over: self.passed_over,
                reassembly: self.reassembler.counts(),
            },
        }
    }

    fn read(&mut self, events: Vec<StreamEvent>) {
        for event in events {
            self.streams.push(event);
        }
        let found = self.streams.take_found();
        self.passed_over += found.passed_over;
        for (stream, one, other) in found.foreign {
            self.reassembler.pass_over(stream, one, other);
        }
        for note in found.notes {
            if self.notes.len() < CAPTURE_NOTES {
                self.notes.push(note);
            } else {
                self.notes_dropped += 1;
            }
        }
        for (time, item) in found.items {
            self.window.push(time, item);
        }
    }

    fn advance(&mut self, clock: Duration, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let until = self.settled_until(clock);
        while let Some(item) = self.window.pop(until, &self.options.limits) {
            self.record(item, clock, sink)?;
        }
        let now = self.window.left().unwrap_or(Timestamp::MIN);
        let patience = self
            .options
            .live
            .then(|| clock.saturating_sub(LIVE_PATIENCE));
        self.settling.settle(now, patience, &self.analyst, sink)
    }

    /// The time before which nothing more is expected.
    fn settled_until(&self, clock: Duration) -> Timestamp {
        let now = self.now(clock);
        let span = if self.options.live {
            LIVE_PATIENCE
        } else {
            WINDOW_SPAN
        };
        let held = self.reassembler.held_since();
        let untold = self.streams.untold_since();
        let earliest = held.into_iter().chain(untold).min().unwrap_or(now);
        earliest
            .min(before(now, WINDOW_SLACK))
            .max(before(now, span))
    }

    /// The time of the capture. While one is made it goes on between packets.
    fn now(&self, clock: Duration) -> Timestamp {
        if !self.options.live {
            return self.latest;
        }
        let since = SignedDuration::try_from(clock.saturating_sub(self.seen));
        let since = since.unwrap_or(SignedDuration::ZERO);
        self.latest.checked_add(since).unwrap_or(self.latest)
    }

    fn record(&mut self, item: Item, clock: Duration, sink: &mut Sink<'_>) -> ControlFlow<()> {
        match item {
            Item::Opened(connection) => self.analyst.journal().open_connection(*connection),
            Item::Happened(event) => self.answer_none(|analyst| analyst.connection(&event)),
            Item::Exchange(exchange) => return self.record_exchange(exchange, clock, sink),
            Item::Skewed(connection, skew) => self.analyst.skewed(connection, &skew),
            Item::Known(known) => {
                let id = known.id;
                self.analyst.journal().update_connection(id, |connection| {
                    let exchanges = connection.exchanges;
                    *connection = *known;
                    connection.exchanges = exchanges;
                });
            }
        }
        ControlFlow::Continue(())
    }

    fn record_exchange(
        &mut self,
        exchange: Arc<Exchange>,
        clock: Duration,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let bytes = exchange.held_bytes();
        let limits = &self.options.limits;
        self.settling
            .make_room(bytes, limits, &self.analyst, sink)?;
        let recorded = self.analyst.record(exchange);
        if let Some(exchange) = self.analyst.journal().exchange(recorded.n) {
            self.settling.push(&exchange, bytes, clock);
        }
        self.answer_none(|_| recorded.probes);
        ControlFlow::Continue(())
    }

    /// Answers the questions that are due: nobody can be asked any more.
    fn answer_none(&self, due: impl FnOnce(&Analyst) -> Vec<Probe>) {
        for probe in due(&self.analyst) {
            self.analyst.probed(probe, None);
        }
    }
}

fn before(time: Timestamp, span: Duration) -> Timestamp {
    let span = SignedDuration::try_from(span).unwrap_or(SignedDuration::MAX);
    time.checked_sub(span).unwrap_or(Timestamp::MIN)
}
