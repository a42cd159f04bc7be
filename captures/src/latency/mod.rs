//! How long exchanges took: over time, and by what they belong to.

mod buckets;
mod dimension;
mod names;
mod places;
mod sample;
mod series;
mod silence;
mod timeline;

#[cfg(test)]
mod tests;

use std::time::Duration;

use hdrhistogram::Histogram;
use jiff::Timestamp;
use parallax_codec::primitives::{Identifier, PollingKind};
use rustc_hash::FxHashSet;

use crate::connection::ConnectionId;
use crate::exchange::Exchange;
use crate::limits::{
    LATENCY_CELLS, LATENCY_CONNECTION_SERIES, LATENCY_MAX_US, LATENCY_SERIES,
    LATENCY_STRATEGY_SERIES, LATENCY_STREAM_SERIES,
};
use crate::verdict::Verdict;

pub use self::buckets::Buckets;
pub use self::dimension::{Dimension, Label};
use self::names::CommandNames;
pub use self::sample::Sample;
pub use self::series::{LatencySeries, LatencyTimeline};
use self::timeline::{Met, Room, Timed, Timeline, least_slice};

/// Whose answer was timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The client's own exchange over TCP.
    Tcp,
    /// The mirror's question over HTTP: parallax's own traffic, never mixed with
    /// the client's.
    Http,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Tcp, Self::Http];

    /// `tcp` or `http`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Http => "http",
        }
    }
}

/// Latencies by command and side, and in each command and side by strategy, stream and
/// connection; all of them over time.
///
/// Each dimension has slices of time of its own, of one width for all its series. The
/// width doubles when there are more than [`LATENCY_SLICES`](crate::limits::LATENCY_SLICES),
/// or more than [`LATENCY_CELLS`] buckets in them: nothing is lost but the moment. In a
/// slice latencies are counted in the buckets of an `HdrHistogram` of two significant
/// digits, so that any slices add up to percentiles of that precision.
///
/// These are service times as the proxy saw them. A client that waits for each
/// answer before it asks again asks less while the server is slow, so the slow
/// times are under-represented ("coordinated omission").
#[derive(Debug, Clone)]
pub struct Latencies {
    names: CommandNames,
    commands: Timeline<()>,
    /// By the strategy's number.
    strategies: Timeline<u8>,
    streams: Timeline<Identifier>,
    connections: Timeline<ConnectionId>,
    retried: u64,
}

impl Default for Latencies {
    fn default() -> Self {
        let room = |series| Room {
            series,
            cells: LATENCY_CELLS,
            forgets: false,
        };
        Self {
            names: CommandNames::default(),
            commands: Timeline::new(room(LATENCY_SERIES)),
            strategies: Timeline::new(room(LATENCY_STRATEGY_SERIES)),
            streams: Timeline::new(room(LATENCY_STREAM_SERIES)),
            connections: Timeline::new(Room {
                // Those that are there now matter most.
                forgets: true,
                ..room(LATENCY_CONNECTION_SERIES)
            }),
            retried: 0,
        }
    }
}

/// What adding others' latencies changed, beside the slices that they are in.
#[derive(Debug, Default)]
pub(crate) struct Reshaped {
    /// Dimensions whose slices are wider now.
    pub(crate) widened: Vec<Dimension>,
    /// What was forgotten to make room.
    pub(crate) forgotten: Vec<Label>,
}

/// One slice of one series.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) label: Label,
    pub(crate) command: &'a str,
    pub(crate) side: Side,
    pub(crate) slice: i64,
    pub(crate) buckets: &'a Buckets,
}

impl Latencies {
    /// Records one latency, to the microsecond.
    pub fn record(&mut self, side: Side, sample: &Sample<'_>, latency: Duration) {
        let micros = u64::try_from(latency.as_micros()).unwrap_or(LATENCY_MAX_US);
        let met = Met {
            slice: least_slice(sample.at),
            bucket: buckets::bucket_of(micros),
            count: 1,
        };
        let timed = self.timed(sample.command, side);
        self.commands.record(&(), timed, met);
        if let Some(strategy) = sample.strategy {
            self.strategies.record(&strategy.number(), timed, met);
        }
        if let Some(stream) = sample.stream {
            self.streams.record(stream, timed, met);
        }
        match sample.conn {
            Some(conn) => drop(self.connections.record(&conn, timed, met)),
            None => self.connections.not_recorded(1),
        }
    }

    fn timed(&mut self, command: &str, side: Side) -> Timed {
        let known = self.names.number_again(command);
        Timed::new(known.unwrap_or_else(|| self.name(command)), side)
    }

    /// Gives a number to a command that has none. Forgets those of which no latencies are
    /// left where there are too many.
    #[cold]
    fn name(&mut self, command: &str) -> u32 {
        if self.names.is_full() {
            let (commands, strategies) = (self.commands.commands(), self.strategies.commands());
            let (streams, connections) = (self.streams.commands(), self.connections.commands());
            let used = commands.chain(strategies).chain(streams).chain(connections);
            let used: FxHashSet<_> = used.collect();
            self.names.retain(|number| used.contains(&number));
        }
        self.names.add(command)
    }

    /// Records how long an exchange's client waited: from the first attempt on where
    /// it was `retried`.
    pub fn record_exchange(&mut self, exchange: &Exchange, latency: Duration, retried: bool) {
        let command = exchange.command();
        self.record(Side::Tcp, &Sample::of(exchange, &command), latency);
        self.retried += u64::from(retried);
    }

    /// Records how long an operation was tried that was given up.
    pub fn record_given_up(&mut self, sample: &Sample<'_>, latency: Duration) {
        self.record(Side::Tcp, sample, latency);
        self.retried += 1;
    }

    /// Records how long HTTP took for each answer that a verdict rests on, at the time
    /// of the exchange and under what that belongs to.
    pub fn record_answers(&mut self, exchange: &Exchange, verdict: &Verdict) {
        self.record_answers_as(&Sample::of(exchange, ""), verdict);
    }

    /// The same of a poll of which nothing is known but that it was there at `at`.
    pub fn record_late_answers(&mut self, at: Timestamp, verdict: &Verdict) {
        let recorded = self.record_answers_as(&Sample::at(at, ""), verdict);
        self.strategies.not_recorded(recorded);
        self.streams.not_recorded(recorded);
    }

    fn record_answers_as(&mut self, sample: &Sample<'_>, verdict: &Verdict) -> u64 {
        let mut recorded = 0;
        for answer in &verdict.answers {
            if let (Some(command), Some(latency)) = (answer.outcome.command(), answer.latency) {
                self.record(Side::Http, &Sample { command, ..*sample }, latency);
                recorded += 1;
            }
        }
        recorded
    }

    /// Adds all that others recorded.
    pub fn add_all(&mut self, others: &Self) {
        self.add(others);
    }

    /// The same, and says what it changed.
    pub(crate) fn add(&mut self, others: &Self) -> Reshaped {
        let before = Dimension::ALL.map(|dimension| self.doublings(dimension));
        let mut forgotten = Vec::new();
        for dimension in Dimension::ALL {
            let doublings = others.doublings(dimension);
            self.widen(dimension, doublings);
            self.not_recorded(dimension, others.unrecorded_by(dimension));
            for row in others.rows(dimension) {
                forgotten.extend(self.add_row(&row, row.slice << doublings));
            }
        }
        self.retried += others.retried;
        let widened = Dimension::ALL.into_iter().zip(before);
        let widened = widened.filter(|(dimension, before)| self.doublings(*dimension) != *before);
        Reshaped {
            widened: widened.map(|(dimension, _)| dimension).collect(),
            forgotten,
        }
    }

    /// Adds a row whose slice begins with this one of the least width.
    pub(crate) fn add_row(&mut self, row: &Row<'_>, slice: i64) -> Vec<Label> {
        let mut forgotten = Vec::new();
        let timed = self.timed(row.command, row.side);
        for (bucket, count) in row.buckets.cells() {
            let met = Met {
                slice,
                bucket,
                count,
            };
            let gone = match &row.label {
                Label::All => {
                    self.commands.record(&(), timed, met);
                    None
                }
                Label::Strategy(kind) => {
                    self.strategies.record(&kind.number(), timed, met);
                    None
                }
                Label::Stream(stream) => {
                    let gone = self.streams.record(stream, timed, met);
                    gone.map(Label::Stream)
                }
                Label::Connection(conn) => {
                    let gone = self.connections.record(conn, timed, met);
                    gone.map(Label::Connection)
                }
            };
            forgotten.extend(gone);
        }
        forgotten
    }

    /// Every slice of every series of a dimension.
    pub(crate) fn rows(&self, dimension: Dimension) -> Vec<Row<'_>> {
        let mut rows = Vec::new();
        for (label, command, side, slices) in self.all(dimension) {
            rows.extend(slices.iter().map(|(slice, buckets)| Row {
                label: label.clone(),
                command,
                side,
                slice: *slice,
                buckets,
            }));
        }
        rows
    }

    /// What is in a slice.
    pub(crate) fn slice(&self, row: &Row<'_>, slice: i64) -> Option<&Buckets> {
        let timed = Timed::new(self.names.number(row.command)?, row.side);
        match &row.label {
            Label::All => self.commands.slice(&(), timed, slice),
            Label::Strategy(kind) => self.strategies.slice(&kind.number(), timed, slice),
            Label::Stream(stream) => self.streams.slice(stream, timed, slice),
            Label::Connection(conn) => self.connections.slice(conn, timed, slice),
        }
    }

    /// How often a dimension's slices have doubled their width.
    pub(crate) const fn doublings(&self, dimension: Dimension) -> u32 {
        match dimension {
            Dimension::Command => self.commands.doublings(),
            Dimension::Strategy => self.strategies.doublings(),
            Dimension::Stream => self.streams.doublings(),
            Dimension::Connection => self.connections.doublings(),
        }
    }

    pub(crate) fn widen(&mut self, dimension: Dimension, doublings: u32) {
        match dimension {
            Dimension::Command => self.commands.widen(doublings),
            Dimension::Strategy => self.strategies.widen(doublings),
            Dimension::Stream => self.streams.widen(doublings),
            Dimension::Connection => self.connections.widen(doublings),
        }
    }

    /// Counts latencies of which nothing but the number is left.
    pub(crate) const fn not_recorded(&mut self, dimension: Dimension, count: u64) {
        match dimension {
            Dimension::Command => self.commands.not_recorded(count),
            Dimension::Strategy => self.strategies.not_recorded(count),
            Dimension::Stream => self.streams.not_recorded(count),
            Dimension::Connection => self.connections.not_recorded(count),
        }
    }

    /// Every latency that was recorded, in microseconds and to the precision of the
    /// histograms, and how often.
    pub fn recorded(&self) -> impl Iterator<Item = (Side, &str, u64, u64)> {
        self.commands
            .series(&self.names)
            .flat_map(|((), command, side, slices)| {
                let whole = series::sum(slices.iter().map(|(_, buckets)| buckets));
                let recorded: Vec<_> = whole.recorded().collect();
                let with_series = recorded.into_iter();
                with_series.map(move |(micros, count)| (side, command, micros, count))
            })
    }

    /// The series by command and side, over all time.
    pub fn series(&self) -> impl Iterator<Item = (&str, Side, Histogram<u64>)> {
        self.commands
            .series(&self.names)
            .filter_map(|((), command, side, slices)| {
                let buckets = slices.iter().map(|(_, buckets)| buckets);
                Some((command, side, series::histogram(buckets)?))
            })
    }

    /// Whether there is no latency at all.
    pub fn is_empty(&self) -> bool {
        self.commands.span().is_none()
    }

    /// The begin of the latest slice of time with anything in it.
    pub fn latest(&self) -> Option<Timestamp> {
        let (_, last) = self.commands.span()?;
        series::begin_of(last, self.commands.doublings())
    }

    /// A dimension's series, over time.
    pub fn by(&self, dimension: Dimension) -> LatencyTimeline {
        let (doublings, span) = match dimension {
            Dimension::Command => (self.commands.doublings(), self.commands.span()),
            Dimension::Strategy => (self.strategies.doublings(), self.strategies.span()),
            Dimension::Stream => (self.streams.doublings(), self.streams.span()),
            Dimension::Connection => (self.connections.doublings(), self.connections.span()),
        };
        let series = self.all(dimension).into_iter();
        let series = series.map(|(label, command, side, slices)| {
            LatencySeries::new(label, command.to_owned(), side, slices.clone())
        });
        LatencyTimeline {
            dimension,
            doublings,
            span,
            series: series.collect(),
            unrecorded: self.unrecorded_by(dimension),
            retried: self.retried,
        }
    }

    fn all(&self, dimension: Dimension) -> Vec<(Label, &str, Side, &timeline::Slices)> {
        match dimension {
            Dimension::Command => {
                let series = self.commands.series(&self.names);
                series
                    .map(|((), c, s, all)| (Label::All, c, s, all))
                    .collect()
            }
            Dimension::Strategy => {
                let strategy = |number: u8| {
                    let mut known = PollingKind::ALL.into_iter();
                    known.find(|kind| kind.number() == number)
                };
                let series = self.strategies.series(&self.names);
                series
                    .filter_map(|(number, c, s, all)| {
                        Some((Label::Strategy(strategy(*number)?), c, s, all))
                    })
                    .collect()
            }
            Dimension::Stream => {
                let series = self.streams.series(&self.names);
                series
                    .map(|(stream, c, s, all)| (Label::Stream(stream.clone()), c, s, all))
                    .collect()
            }
            Dimension::Connection => {
                let series = self.connections.series(&self.names);
                series
                    .map(|(conn, c, s, all)| (Label::Connection(*conn), c, s, all))
                    .collect()
            }
        }
    }

    /// Latencies that are in no series by command, because there were too many or too
    /// much in them.
    pub const fn unrecorded(&self) -> u64 {
        self.unrecorded_by(Dimension::Command)
    }

    /// Latencies that belong to a dimension and are in no series of it.
    pub const fn unrecorded_by(&self, dimension: Dimension) -> u64 {
        match dimension {
            Dimension::Command => self.commands.unrecorded(),
            Dimension::Strategy => self.strategies.unrecorded(),
            Dimension::Stream => self.streams.unrecorded(),
            Dimension::Connection => self.connections.unrecorded(),
        }
    }

    /// How many of the latencies are of operations that were told "not now": each counts
    /// once, from its first attempt to its end (case E9).
    pub const fn retried(&self) -> u64 {
        self.retried
    }

    /// Counts operations as [`retried`](Self::retried), as they were kept.
    pub(crate) const fn add_retried(&mut self, count: u64) {
        self.retried += count;
    }
}
