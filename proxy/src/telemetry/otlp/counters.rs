//! What is sent and what is not, counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is sent: one of the three kinds of OTLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Findings.
    Logs,
    /// Figures.
    Metrics,
    /// Exchanges.
    Traces,
}

/// Why something was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The journal's memory dropped it before it was read.
    Missed,
    /// There was no room in the queue.
    Full,
    /// The collector refused it.
    Refused,
    /// The program ended before.
    Ended,
}

/// Counts since the program began.
#[derive(Debug, Default)]
pub struct OtlpCounters {
    sent: [AtomicU64; Signal::ALL.len()],
    dropped: [[AtomicU64; Reason::ALL.len()]; Signal::ALL.len()],
    queued: [AtomicU64; Signal::ALL.len()],
    failures: AtomicU64,
}

impl Signal {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Logs, Self::Metrics, Self::Traces];

    /// The name that it is counted by, and that its path ends with.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logs => "logs",
            Self::Metrics => "metrics",
            Self::Traces => "traces",
        }
    }
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Missed, Self::Full, Self::Refused, Self::Ended];

    /// The name that it is counted by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Full => "full",
            Self::Refused => "refused",
            Self::Ended => "ended",
        }
    }
}

impl OtlpCounters {
    /// Findings, figures or exchanges that the collector took.
    pub fn sent(&self, signal: Signal) -> u64 {
        self.sent[signal as usize].load(Ordering::Relaxed)
    }

    /// Those that it did not get.
    pub fn dropped(&self, signal: Signal, reason: Reason) -> u64 {
        self.dropped[signal as usize][reason as usize].load(Ordering::Relaxed)
    }

    /// Those that wait.
    pub fn queued(&self, signal: Signal) -> u64 {
        self.queued[signal as usize].load(Ordering::Relaxed)
    }

    /// Requests that failed and are tried again.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    pub(super) fn add_sent(&self, signal: Signal, count: u64) {
        self.sent[signal as usize].fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn add_dropped(&self, signal: Signal, reason: Reason, count: u64) {
        self.dropped[signal as usize][reason as usize].fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn set_queued(&self, signal: Signal, count: usize) {
        self.queued[signal as usize].store(count as u64, Ordering::Relaxed);
    }

    pub(super) fn add_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }
}
