//! Latencies as an interval log of HdrHistogram, version 2.

use std::io::{self, Write};
use std::time::Duration;

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{
    IntervalLogWriterBuilder, IntervalLogWriterError, Tag,
};
use jiff::Timestamp;

use crate::exchange::Exchange;
use crate::latency::{Latencies, Side};
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
        let latency = self.whole_latency(exchange);
        let latencies = &mut self.interval(time)?.latencies;
        if let Some(latency) = latency {
            latencies.record(Side::Tcp, &exchange.command(), latency);
        }
        let answers = exchange.verdict.iter().flat_map(|verdict| &verdict.answers);
        for answer in answers {
            if let (Some(command), Some(latency)) = (answer.outcome.command(), answer.latency) {
                latencies.record(Side::Http, command, latency);
            }
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

    fn whole_latency(&mut self, exchange: &Exchange) -> Option<Duration> {
        exchange.binary()?;
        match self.retries.attempt(exchange) {
            Attempt::NotNow => None,
            Attempt::Last(None) => exchange.latency(),
            Attempt::Last(Some(before)) => Some(before.until(exchange)),
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
                self.head(time)?;
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

    fn head(&mut self, start: Timestamp) -> io::Result<()> {
        IntervalLogWriterBuilder::new()
            .add_comment("[Histogram log format version 1.3]")
            .add_comment(concat!(
                "parallax ",
                env!("CARGO_PKG_VERSION"),
                ": microseconds; Interval_Max in milliseconds"
            ))
            .with_start_time(start.into())
            .begin_log_with(&mut self.out, &mut self.serializer)?;
        writeln!(
            self.out,
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""
        )
    }

    fn write(&mut self, interval: &Interval) -> io::Result<()> {
        self.unrecorded += interval.latencies.unrecorded();
        // Into memory: the head of a log, which says the divisor, is not to come again.
        let mut text = Vec::new();
        let mut lines = IntervalLogWriterBuilder::new();
        lines.with_max_value_divisor(DIVISOR);
        let mut lines = lines.begin_log_with(&mut text, &mut self.serializer)?;
        let begin = Duration::try_from(interval.begin.as_duration()).unwrap_or_default();
        for (command, side, histogram) in interval.latencies.series() {
            let tag = format!("{}.{command}", side.name());
            let written = lines.write_histogram(histogram, begin, INTERVAL, Tag::new(&tag));
            written.map_err(|error| match error {
                IntervalLogWriterError::IoError(error) => error,
                IntervalLogWriterError::SerializeError(error) => io::Error::other(error),
            })?;
        }
        let text = String::from_utf8_lossy(&text);
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

impl<W> std::fmt::Debug for HdrWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HdrWriter").finish_non_exhaustive()
    }
}
