//! The fields that are read without making JSON of an exchange.

/// A field of the exchange itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    N,
    Conn,
    Route,
    Time,
    Dialect,
    Command,
    Code,
    Status,
    Error,
    Latency,
    Verdict,
    VerdictMuted,
    Findings,
    MutedFindings,
    Undecoded,
    Basis,
    Reason,
    Bytes,
    Marked,
    Comment,
    Injected,
    Rewritten,
    ServerStatus,
    ServerLength,
}

/// A field of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    ConsumerKind,
    Consumer,
    Stream,
    Topic,
    PartitionId,
    Strategy,
    Value,
    Count,
    AutoCommit,
}

/// A field of a response to a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    PartitionId,
    CurrentOffset,
    Count,
    Message(OfMessage),
}

/// A field of each message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfMessage {
    Offset,
    Id,
    Timestamp,
    OriginTimestamp,
    Checksum,
    PayloadLength,
}
