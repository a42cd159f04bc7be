//! The task that reads, and sends what it read.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::trace::v1::Span;
use parallax_captures::Journal;
use prost::Message as _;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::config::{OtlpConfig, OtlpError};
use super::counters::{OtlpCounters, Reason, Signal};
use super::encode::{Origin, metrics, record, span};
use super::findings::Findings;
use super::ids::Ids;
use super::queue::Queue;
use super::sampled::Sampled;
use super::sender::{Outcome, Sender};
use crate::limits::{
    OTLP_BACKOFF, OTLP_BATCH, OTLP_FINDINGS, OTLP_FLUSH, OTLP_READ_EVERY, OTLP_SETTLES, OTLP_SPANS,
};
use crate::telemetry::Figures;

/// Sends to a collector while a proxy runs.
#[derive(Debug)]
pub struct Exporter {
    ending: CancellationToken,
    task: JoinHandle<()>,
}

impl Exporter {
    /// Starts to send what `journal` records from now on, and `figures`, on the current tokio
    /// runtime. What is sent and what is not is counted in `counters`.
    ///
    /// # Errors
    /// The HTTP client cannot be set up.
    pub fn start(
        config: &OtlpConfig,
        journal: Arc<Journal>,
        figures: Arc<Figures>,
        counters: Arc<OtlpCounters>,
    ) -> Result<Self, OtlpError> {
        let ids = Ids::new(config.sample);
        let (_, metrics_every) = config.times();
        let work = Work {
            sampled: Sampled::of(&journal, ids),
            findings: Findings::of(&journal),
            ids,
            journal,
            figures,
            origin: Origin::new(config),
            logs: Queue::new(Signal::Logs, OTLP_FINDINGS, Arc::clone(&counters)),
            spans: Queue::new(Signal::Traces, OTLP_SPANS, Arc::clone(&counters)),
            metrics_every,
            metrics_at: Instant::now() + metrics_every,
            retry: None,
            kept: None,
            endpoint: config.endpoint().to_owned(),
            is_ending: false,
            counters,
        };
        let sender = Sender::new(config)?;
        let ending = CancellationToken::new();
        let task = tokio::spawn(work.run(sender, ending.clone()));
        Ok(Self { ending, task })
    }

    /// Sends what is left, for [`OTLP_FLUSH`] at most. What is left then is counted.
    pub async fn finish(self) {
        self.ending.cancel();
        let _ = self.task.await;
    }
}

/// What is read, and what is still to be sent.
#[derive(Debug)]
struct Work {
    journal: Arc<Journal>,
    figures: Arc<Figures>,
    counters: Arc<OtlpCounters>,
    origin: Origin,
    ids: Ids,
    sampled: Sampled,
    findings: Findings,
    logs: Queue<LogRecord>,
    spans: Queue<Span>,
    metrics_every: Duration,
    metrics_at: Instant,
    /// When to try again, and how long that is after the last attempt.
    retry: Option<(Instant, Duration)>,
    /// What is to be tried again.
    kept: Option<Batch>,
    endpoint: String,
    /// Whether nothing is to be waited for any more.
    is_ending: bool,
}

/// A message on its way.
#[derive(Debug, Clone)]
struct Batch {
    signal: Signal,
    items: u64,
    body: Bytes,
}

impl Work {
    async fn run(mut self, sender: Sender, ending: CancellationToken) {
        let mut reading = interval(OTLP_READ_EVERY);
        reading.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let Some(batch) = self.next(false) else {
                let due = self.retry.map_or_else(far_away, |(at, _)| at);
                tokio::select! {
                    () = ending.cancelled() => break,
                    _ = reading.tick() => self.read(),
                    () = sleep_until(due), if self.retry.is_some() => self.retry_now(),
                }
                continue;
            };
            let mut sending = std::pin::pin!(sender.clone().send(batch.signal, batch.body.clone()));
            // It is read on while it is sent.
            let outcome = loop {
                tokio::select! {
                    outcome = &mut sending => break Some(outcome),
                    () = ending.cancelled() => break None,
                    _ = reading.tick() => self.read(),
                }
            };
            let Some(outcome) = outcome else {
                self.kept = Some(batch);
                break;
            };
            self.sent(batch, outcome);
        }
        self.finish(&sender).await;
    }

    /// Reads what is new, into queues.
    fn read(&mut self) {
        let settles = if self.is_ending {
            Duration::ZERO
        } else {
            OTLP_SETTLES
        };
        let now = Timestamp::now();
        let room = self.spans.room();
        let taken = self
            .sampled
            .take(&self.journal, (now, settles), room, &self.counters);
        for (exchange, id) in taken {
            self.spans.push(span(&exchange, id));
        }
        for finding in self
            .findings
            .take(&self.journal, std::time::Instant::now(), self.is_ending)
        {
            let latest = finding.exchanges.last().map(|n| self.ids.of(*n));
            let trace = latest.filter(|id| id.is_sampled);
            self.logs.push(record(&finding, now, trace));
        }
    }

    /// What is to be sent next, unless it is to be waited.
    fn next(&mut self, is_last: bool) -> Option<Batch> {
        if self.retry.is_some_and(|(at, _)| Instant::now() < at) {
            return None;
        }
        if let Some(kept) = self.kept.take() {
            return Some(kept);
        }
        if !self.logs.is_empty() {
            let records = self.logs.take(OTLP_BATCH);
            let items = records.len() as u64;
            let body = self.origin.logs(records).encode_to_vec();
            return Some(Batch::new(Signal::Logs, items, body));
        }
        if is_last || Instant::now() >= self.metrics_at {
            self.metrics_at = Instant::now() + self.metrics_every;
            return Some(self.metrics());
        }
        if self.spans.is_empty() && self.sampled.is_behind() {
            self.read();
        }
        if !self.spans.is_empty() {
            let spans = self.spans.take(OTLP_BATCH);
            let items = spans.len() as u64;
            let body = self.origin.spans(spans).encode_to_vec();
            return Some(Batch::new(Signal::Traces, items, body));
        }
        None
    }

    fn metrics(&self) -> Batch {
        let families = self.figures.gather();
        let metrics = metrics(&families, self.figures.started, Timestamp::now());
        let items: usize = metrics
            .iter()
            .map(|metric| points(metric.data.as_ref()))
            .sum();
        let body = self.origin.metrics(metrics).encode_to_vec();
        Batch::new(Signal::Metrics, items as u64, body)
    }

    fn sent(&mut self, batch: Batch, outcome: Outcome) {
        let Batch { signal, items, .. } = batch;
        match outcome {
            Outcome::Taken { refused, why } => {
                let refused = refused.min(items);
                self.counters.add_sent(signal, items - refused);
                if refused > 0 {
                    let part = format!("{refused} of {items} {}", signal.name());
                    self.refused(signal, refused, &part, &why);
                }
                if self.retry.take().is_some() {
                    tracing::info!("{} answers again", self.endpoint);
                }
            }
            Outcome::Later { why, after } => {
                self.counters.add_failure();
                let (first, longest) = OTLP_BACKOFF;
                let (_, waited) = self.retry.unwrap_or((Instant::now(), Duration::ZERO));
                if waited.is_zero() {
                    let endpoint = &self.endpoint;
                    tracing::warn!(
                        "{endpoint} cannot be told: {why}; it is tried again, clients are not affected"
                    );
                }
                let wait = (waited * 2).clamp(first, longest);
                self.retry = Some((Instant::now() + after.unwrap_or(wait), wait));
                // Figures are gathered anew: those that come later say it all.
                if signal == Signal::Metrics {
                    self.metrics_at = Instant::now();
                } else {
                    self.kept = Some(batch);
                }
            }
            Outcome::Refused { why } => {
                self.refused(signal, items, signal.name(), &why);
                self.retry = None;
            }
        }
    }

    /// Counts what the collector does not take; said once of each signal.
    fn refused(&self, signal: Signal, items: u64, what: &str, why: &str) {
        if self.counters.dropped(signal, Reason::Refused) == 0 {
            let endpoint = &self.endpoint;
            let why = if why.is_empty() {
                "it does not say why"
            } else {
                why
            };
            tracing::warn!("{endpoint} refused {what}: {why}. Others are counted without a word");
        }
        self.counters.add_dropped(signal, Reason::Refused, items);
    }

    /// Sends what is left, once. Whatever is not sent is counted.
    async fn finish(mut self, sender: &Sender) {
        self.is_ending = true;
        self.read();
        self.retry = None;
        let sent = timeout(OTLP_FLUSH, self.flush(sender)).await;
        let left = self.kept.take();
        if let Some(batch) = left {
            let (signal, items) = (batch.signal, batch.items);
            self.counters.add_dropped(signal, Reason::Ended, items);
        }
        self.logs.end();
        self.spans.end();
        self.sampled.end(&self.journal, &self.counters);
        let lost: u64 = [Signal::Logs, Signal::Traces]
            .map(|signal| self.counters.dropped(signal, Reason::Ended))
            .iter()
            .sum();
        if sent.is_err() || lost > 0 {
            tracing::warn!(
                "{} was not told of {lost} findings and exchanges before the end",
                self.endpoint
            );
        }
    }

    async fn flush(&mut self, sender: &Sender) {
        let mut metrics_are_sent = false;
        while let Some(batch) = self.next(!metrics_are_sent) {
            metrics_are_sent |= batch.signal == Signal::Metrics;
            self.kept = Some(batch.clone());
            let outcome = sender.clone().send(batch.signal, batch.body.clone()).await;
            self.kept = None;
            let is_over = matches!(outcome, Outcome::Later { .. });
            self.sent(batch, outcome);
            if is_over {
                break;
            }
        }
    }

    /// The time to try again has come. How long it was waited stays known.
    fn retry_now(&mut self) {
        self.retry = self.retry.map(|(_, waited)| (Instant::now(), waited));
    }
}

impl Batch {
    fn new(signal: Signal, items: u64, body: Vec<u8>) -> Self {
        Self {
            signal,
            items,
            body: body.into(),
        }
    }
}

fn points(data: Option<&Data>) -> usize {
    match data {
        Some(Data::Gauge(gauge)) => gauge.data_points.len(),
        Some(Data::Sum(sum)) => sum.data_points.len(),
        Some(Data::Histogram(histogram)) => histogram.data_points.len(),
        _ => 0,
    }
}

fn far_away() -> Instant {
    Instant::now() + Duration::from_hours(1)
}
