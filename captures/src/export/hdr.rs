//! Latencies as an interval log of HdrHistogram, version 2.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::time::Duration;

use hdrhistogram::Histogram;

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{
    IntervalLogWriterBuilder, IntervalLogWriterError, Tag,
};
use jiff::Timestamp;
use parallax_codec::primitives::Identifier;

use crate::exchange::Exchange;
use crate::latency::{Label, Latencies, LatencySeries, LatencyTimeline};
use crate::retries::{Attempt, Retries};

/// How long an interval is.
pub const INTERVAL: Duration = Duration::from_secs(10);

/// Of the largest value in a line, which people read: milliseconds.
const DIVISOR: f64 = 1_000.0;

/// Writes, for each [`INTERVAL`], a histogram for each side and command, in
/// microseconds, tagged `tcp.poll_messages`. These are the latencies of the page: of a
/// request that was told "not now" from its first attempt on; over HTTP the mirror's.
///
/// An exchange counts in the interval in which it was asked; one that comes late, in the
/// interval that is open then.
pub struct HdrWriter<W> {
    out: W,
    serializer: V2DeflateSerializer,
    open: Option<Interval>,
    retries: Retries,
    unrecorded: u64,
}

struct Interval {
    begin: Timestamp,
    end: Timestamp,
    latencies: Latencies,
}

impl<W: Write> HdrWriter<W> {
    /// A log of which nothing is written before there is an exchange.
    pub fn new(out: W) -> Self {
        Self {
            out,
            serializer: V2DeflateSerializer::new(),
            open: None,
            retries: Retries::default(),
            unrecorded: 0,
        }
    }

    /// Counts an exchange.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn exchange(&mut self, exchange: &Exchange) -> io::Result<()> {
        let time = exchange.times.request_first;
        let whole = self.whole_latency(exchange);
        let latencies = &mut self.interval(time)?.latencies;
        if let Some((latency, retried)) = whole {
            latencies.record_exchange(exchange, latency, retried);
        }
        if let Some(verdict) = &exchange.verdict {
            latencies.record_answers(exchange, verdict);
        }
        Ok(())
    }

    /// Ends the log, and gives back what it was written to, and how many latencies had
    /// no room.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn finish(mut self) -> io::Result<(W, u64)> {
        if let Some(interval) = self.open.take() {
            self.write(&interval)?;
        }
        self.out.flush()?;
        Ok((self.out, self.unrecorded))
    }

    fn whole_latency(&mut self, exchange: &Exchange) -> Option<(Duration, bool)> {
        exchange.binary()?;
        match self.retries.attempt(exchange) {
            Attempt::NotNow => None,
            Attempt::Last(None) => Some((exchange.latency()?, false)),
            Attempt::Last(Some(before)) => Some((before.until(exchange), true)),
        }
    }

    fn interval(&mut self, time: Timestamp) -> io::Result<&mut Interval> {
        let begin = match self.open.take() {
            Some(interval) if time < interval.end => return Ok(self.open.insert(interval)),
            Some(interval) => {
                self.write(&interval)?;
                let since = time.duration_since(interval.end).as_secs();
                let whole = i64::try_from(INTERVAL.as_secs()).unwrap_or(1);
                let skipped = jiff::SignedDuration::from_secs(since - since % whole);
                interval.end.saturating_add(skipped).unwrap_or(time)
            }
            None => {
                head(&mut self.out, &mut self.serializer, time)?;
                time
            }
        };
        let end = begin.saturating_add(INTERVAL).unwrap_or(begin);
        Ok(self.open.insert(Interval {
            begin,
            end,
            latencies: Latencies::default(),
        }))
    }

    fn write(&mut self, interval: &Interval) -> io::Result<()> {
        self.unrecorded += interval.latencies.unrecorded();
        for (command, side, histogram) in interval.latencies.series() {
            let line = Line {
                begin: interval.begin,
                length: INTERVAL,
                tag: &format!("{}.{command}", side.name()),
                histogram: &histogram,
            };
            line.write(&mut self.out, &mut self.serializer)?;
        }
        Ok(())
    }
}

/// Writes these series of a timeline, in these of its slices: for each slice and series
/// a histogram in microseconds, tagged `tcp.poll_messages` and, by another dimension than
/// the command, with its label behind it: `tcp.poll_messages.next`. A stream's number is
/// written `#7`; what a tag cannot hold is percent-encoded.
///
/// # Errors
/// As `out` has them.
pub fn write_timeline(
    mut out: impl Write,
    timeline: &LatencyTimeline,
    series: &[&LatencySeries],
    slices: &Range<i64>,
) -> io::Result<()> {
    let mut serializer = V2DeflateSerializer::new();
    head(&mut out, &mut serializer, timeline.begin_of(slices.start))?;
    let tags: Vec<_> = series.iter().map(|one| tag(one)).collect();
    for slice in slices.clone() {
        for (one, tag) in series.iter().zip(&tags) {
            let only = slice..slice + 1;
            if let Some(histogram) = one.histogram(&only).filter(|all| !all.is_empty()) {
                let line = Line {
                    begin: timeline.begin_of(slice),
                    length: timeline.slice_width(),
                    tag,
                    histogram: &histogram,
                };
                line.write(&mut out, &mut serializer)?;
            }
        }
    }
    out.flush()
}

fn tag(series: &LatencySeries) -> String {
    let label = match &series.label {
        Label::All => String::new(),
        Label::Strategy(kind) => format!(".{}", kind.name()),
        Label::Stream(Identifier::Numeric(number)) => format!(".#{number}"),
        Label::Stream(Identifier::Named(name)) => format!(".{}", in_a_tag(name)),
        Label::Connection(conn) => format!(".{}", conn.0),
    };
    format!("{}.{}{label}", series.side.name(), series.command)
}

/// A name without what separates the fields of a log.
fn in_a_tag(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn head(
    out: &mut impl Write,
    serializer: &mut V2DeflateSerializer,
    start: Timestamp,
) -> io::Result<()> {
    IntervalLogWriterBuilder::new()
        .add_comment("[Histogram log format version 1.3]")
        .add_comment(concat!(
            "parallax ",
            env!("CARGO_PKG_VERSION"),
            ": microseconds; Interval_Max in milliseconds"
        ))
        .with_start_time(start.into())
        .begin_log_with(out, serializer)?;
    writeln!(
        out,
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""
    )
}

/// A line of a log.
struct Line<'a> {
    begin: Timestamp,
    length: Duration,
    tag: &'a str,
    histogram: &'a Histogram<u64>,
}

impl Line<'_> {
    fn write(&self, out: &mut impl Write, serializer: &mut V2DeflateSerializer) -> io::Result<()> {
        // Into memory: the head of a log, which says the divisor, is not to come again.
        let mut text = Vec::new();
        let mut lines = IntervalLogWriterBuilder::new();
        lines.with_max_value_divisor(DIVISOR);
        let mut lines = lines.begin_log_with(&mut text, serializer)?;
        let begin = Duration::try_from(self.begin.as_duration()).unwrap_or_default();
        let tag = Tag::new(self.tag);
        let written = lines.write_histogram(self.histogram, begin, self.length, tag);
        written.map_err(|error| match error {
            IntervalLogWriterError::IoError(error) => error,
            IntervalLogWriterError::SerializeError(error) => io::Error::other(error),
        })?;
        let text = String::from_utf8_lossy(&text);
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

impl<W> std::fmt::Debug for HdrWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HdrWriter").finish_non_exhaustive()
    }
}
