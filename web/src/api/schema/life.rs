use utoipa::ToSchema;

use super::value::{Identifier, Number};

/// What happened to a partition. Every entry says which exchange tells it, on which
/// connection, and when.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Life {
    /// The stream, by name where that is known.
    stream: Identifier,
    /// The topic, by name where that is known.
    topic: Identifier,
    /// The partition.
    partition_id: u32,
    /// What it is called by number; `null` where that is not known, or it is by number.
    #[schema(required)]
    by_number: Option<Topic>,
    /// What may be the same, which is not known.
    perhaps: Vec<Topic>,
    /// Where the time begins that was asked for; what is told may begin before.
    #[schema(format = DateTime)]
    from: String,
    /// Where it ends.
    #[schema(format = DateTime)]
    to: String,
    /// Before this exchange there are others, which were not read; `null`: none.
    #[schema(required)]
    older: Option<u64>,
    /// Consumers and groups, in the order in which they were first seen.
    readers: Vec<LifeReader>,
    /// Messages sent where the request names the partition.
    sends: Vec<LifeSend>,
    /// The log's last offset, whenever it was told and new.
    ends: Vec<LifeEnd>,
    /// Purges and deletions.
    breaks: Vec<LifeBreak>,
    /// What failed on the topic without naming a partition.
    unknown: Vec<LifeUnknown>,
    /// Exchanges that it is told from.
    exchanges: u64,
    /// Exchanges of further readers.
    left_out: u64,
}

/// Stream and topic.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Topic {
    /// The stream.
    stream: Identifier,
    /// The topic.
    topic: Identifier,
}

/// A consumer or a group.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeConsumer {
    /// `consumer` or `group`.
    #[schema(pattern = "^(consumer|group)$")]
    kind: String,
    /// Its name or number.
    id: Identifier,
}

/// How one reader read.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeReader {
    /// Who.
    consumer: LifeConsumer,
    /// What it was given, a run of consecutive offsets each.
    deliveries: Vec<LifeDelivery>,
    /// What is stored for it as consumed.
    stored: Vec<LifeStored>,
    /// Polls and stores that failed.
    failures: Vec<LifeFailure>,
    /// Exchanges: polls that were answered with no message.
    empty_polls: Vec<u64>,
    /// Offsets that it was not given.
    gaps: Vec<LifeGap>,
    /// Offsets that it was given again.
    replays: Vec<LifeReplay>,
    /// Times in which it got nothing though there was something.
    stalls: Vec<LifeStall>,
    /// Gaps, replays and stalls beyond those.
    troubles_left_out: u64,
}

/// Messages that a poll brought.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeDelivery {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// The first offset.
    first: Number,
    /// The last offset.
    last: Number,
    /// From where the poll was to read.
    strategy: String,
    /// Whether the server was to store it as consumed.
    auto_commit: bool,
    /// The findings that name the exchange.
    findings: Vec<String>,
    /// Whether it diverges from HTTP.
    diverges: bool,
}

/// An offset that is stored as consumed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeStored {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// The offset; `null`: none.
    #[schema(required)]
    offset: Option<Number>,
    /// How it is known: `store`, `auto_commit`, `told` or `deletion`; `log_began_anew`:
    /// it is not known any more.
    #[schema(pattern = "^(store|auto_commit|told|deletion|log_began_anew)$")]
    how: String,
}

/// A poll, or a store of an offset, that failed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeFailure {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// `poll_messages` or `store_consumer_offset`.
    command: String,
    /// The error; `null`: no reply.
    #[schema(required)]
    error: Option<String>,
    /// Where the reader was, or which offset was to be stored; `null`: not known.
    #[schema(required)]
    offset: Option<Number>,
}

/// Offsets that a reader was not given: what came next lies beyond them.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeGap {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// The first of them.
    from: Number,
    /// The last of them.
    to: Number,
    /// How many.
    offsets: Number,
    /// Who passed over them: `served` (the server, and nothing that was seen explains it),
    /// `gone` (the log began beyond them), `stored` (what was stored had been moved) or
    /// `asked` (the request names another place).
    #[schema(pattern = "^(served|gone|stored|asked)$")]
    cause: String,
    /// The delivery before; `null`: none was seen.
    #[schema(required)]
    after_exchange: Option<u64>,
}

/// Offsets that a reader was given again.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeReplay {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// The first of them.
    first: Number,
    /// The last of them.
    last: Number,
    /// How many times in a row.
    times: u64,
    /// Why: `served` (the server went back, and nothing that was seen explains it),
    /// `stored` (what was stored had been moved back or deleted), `not_stored` or `asked`.
    #[schema(pattern = "^(served|stored|not_stored|asked)$")]
    cause: String,
    /// The delivery before.
    after_exchange: u64,
    /// The last time.
    last_exchange: u64,
}

/// Polls in a row that brought nothing though there was something.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeStall {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// The offset that was to come.
    at: Number,
    /// The log's last offset, known before the latest of them.
    end: Number,
    /// How many polls.
    polls: u64,
    /// The last of them.
    last_exchange: u64,
    /// When that was.
    #[schema(format = DateTime)]
    until: String,
}

/// Messages sent. Their offsets are not on the wire.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeSend {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// How many.
    messages: u64,
    /// Whether it failed.
    failed: bool,
    /// The error; `null`: none, or no reply.
    #[schema(required)]
    error: Option<String>,
}

/// The log's end.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeEnd {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// The last offset.
    offset: Number,
}

/// What changed the log, or what is stored.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeBreak {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// `purged`, `deleted`, `segments_deleted` or `group_deleted`.
    #[schema(pattern = "^(purged|deleted|segments_deleted|group_deleted)$")]
    kind: String,
}

/// A failure that names no partition: it may have been this one.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LifeUnknown {
    /// Which exchange tells it.
    exchange: u64,
    /// When.
    #[schema(format = DateTime)]
    time: String,
    /// On which connection.
    conn: u64,
    /// Whose.
    consumer: LifeConsumer,
    /// `poll_messages` or `store_consumer_offset`.
    command: String,
    /// The error; `null`: no reply.
    #[schema(required)]
    error: Option<String>,
    /// What HTTP was answered for this partition; `null`: it was not asked.
    #[schema(required)]
    http: Option<String>,
    /// Whether that was the same error.
    http_fails_too: bool,
}
