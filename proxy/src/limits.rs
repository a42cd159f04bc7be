//! Every limit of this crate, in one place.

/// Partitions that the mirror asks about after one failed poll. Where a topic has
/// more, the poll is not compared.
pub const PARTITIONS_ASKED: u32 = 64;

/// Differences that a verdict lists.
pub const DIFFERENCES: usize = 50;

/// Failures of one request, with one error, that make it a repeated failure.
pub const FAILURES_THAT_REPEAT: u64 = 3;

/// Successes in a row after which a group's failing poll counts as past its
/// failure. A group's polls take its partitions in turn, so that one broken
/// partition of many fails a poll now and then, for ever.
pub const SUCCESSES_THAT_CLEAR: u64 = 1_000;

/// Failing requests that are remembered. The one that was seen longest ago is
/// forgotten, and counted.
pub const REPEATED_REQUESTS: usize = 1_024;

/// Errors, told apart by code, that are remembered of one failing request. The
/// first of them is forgotten.
pub const ERRORS_OF_ONE_REQUEST: usize = 8;
