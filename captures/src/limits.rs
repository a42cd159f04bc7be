//! Every limit of this crate, in one place.

/// Exchanges that a journal keeps in memory. The oldest are dropped, and
/// counted.
pub const JOURNAL_EXCHANGES: usize = 100_000;

/// Bytes of frames that a journal keeps in memory. The oldest exchanges are
/// dropped, and counted.
pub const JOURNAL_BYTES: usize = 256 * 1024 * 1024;

/// Closed connections that a journal remembers, the latest.
pub const JOURNAL_CLOSED_CONNECTIONS: usize = 1_000;

/// Findings, told apart by code and place, that a journal keeps. Further ones
/// are counted as dropped.
pub const JOURNAL_FINDINGS: usize = 10_000;

/// Exchanges that one finding names: half of them its first, half its latest.
pub const FINDING_EXCHANGES: usize = 20;

/// Changes that a slow page may fall behind before it has to read anew.
pub const JOURNAL_CHANGES: usize = 1_024;

/// Latency series (side and command). More are not recorded, and counted.
pub const LATENCY_SERIES: usize = 256;

/// Longest latency that a histogram tells apart, in microseconds: an hour.
/// Longer ones are recorded as this.
pub const LATENCY_MAX_US: u64 = 3_600_000_000;
