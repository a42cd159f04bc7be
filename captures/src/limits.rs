//! Every limit of this crate, in one place.

use std::time::Duration;

/// Exchanges that a journal keeps in memory. The oldest are dropped, and
/// counted.
pub const JOURNAL_EXCHANGES: usize = 100_000;

/// Bytes that a journal keeps in memory: frames, what they were decoded to, and
/// verdicts. The oldest exchanges are dropped, and counted.
pub const JOURNAL_BYTES: usize = 256 * 1024 * 1024;

/// What a byte of a frame counts once more where the frame was decoded to
/// something else than messages: numbers and names take more room than on the
/// wire.
pub const DECODED_BYTES_PER_BYTE: usize = 4;

/// Payload bytes that are kept of one answer to the mirror, beside those that
/// equal TCP's: of the rest only the length is kept.
pub const MIRRORED_PAYLOAD_BYTES: usize = 16 * 1024;

/// Bytes that are kept of the reason in an HTTP error, or of a sentence about an
/// answer that cannot be read.
pub const HTTP_REASON_BYTES: usize = 1_024;

/// Closed connections that a journal remembers, the latest.
pub const JOURNAL_CLOSED_CONNECTIONS: usize = 1_000;

/// Bytes of each text that a client or server says of itself at login (user,
/// version, context) that are kept of a connection.
pub const CONNECTION_TEXT_BYTES: usize = 256;

/// Gaps, where something was not looked at, that are kept of a connection, the latest.
/// Further ones are counted.
pub const CONNECTION_GAPS: usize = 16;

/// Differences that a verdict lists. Where the list is full, more may differ.
pub const VERDICT_DIFFERENCES: usize = 50;

/// Bytes of a file of mute rules. A longer one is refused.
pub const MUTE_FILE_BYTES: u64 = 1024 * 1024;

/// Mute rules. More are refused.
pub const MUTE_RULES: usize = 1_000;

/// Findings, told apart by code and place, that a journal keeps. Further ones
/// are counted as dropped.
pub const JOURNAL_FINDINGS: usize = 10_000;

/// Kinds of exchanges (dialect, command, outcome) that are counted each on its own, since
/// the journal began. Those of further kinds are counted together.
pub const TALLIED_EXCHANGES: usize = 1_024;

/// Exchanges that one finding names: half of them its first, half its latest.
pub const FINDING_EXCHANGES: usize = 20;

/// Changes that a slow page may fall behind before it has to read anew.
pub const JOURNAL_CHANGES: usize = 1_024;

/// Latency series by command and side. More are not recorded, and counted.
pub const LATENCY_SERIES: usize = 256;

/// Latency series by polling strategy, command and side. More are not recorded, and
/// counted.
pub const LATENCY_STRATEGY_SERIES: usize = 64;

/// Latency series by stream, command and side. More are not recorded, and counted: a
/// client that invents names does not push out those that were there.
pub const LATENCY_STREAM_SERIES: usize = 512;

/// Latency series by connection, command and side. With more, those of the connection
/// that was silent for longest are forgotten, and counted.
pub const LATENCY_CONNECTION_SERIES: usize = 1_024;

/// Commands whose names latencies remember: of which there are series, and as many more
/// before those without any are forgotten.
pub const LATENCY_COMMANDS: usize = 2
    * (LATENCY_SERIES
        + LATENCY_STRATEGY_SERIES
        + LATENCY_STREAM_SERIES
        + LATENCY_CONNECTION_SERIES);

/// Slices of time that latencies are told apart by. With more, each two become one.
pub const LATENCY_SLICES: i64 = 128;

/// Width of such a slice at first, in microseconds: a 64th of a second, which doubles
/// to whole seconds.
pub const LATENCY_SLICE_US: i64 = 15_625;

/// Buckets that were met, 8 bytes each in tables of which at least three eighths are
/// filled, of all slices of all series of a dimension (command, strategy, stream,
/// connection). With more, each two slices become one; where
/// there is one only, latencies in further buckets are not recorded, and counted.
pub const LATENCY_CELLS: usize = 256 * 1024;

/// Longest latency that a histogram tells apart, in microseconds: an hour.
/// Longer ones are recorded as this.
pub const LATENCY_MAX_US: u64 = 3_600_000_000;

/// Bytes of a packet capture that are read at a time, and the size that its
/// buffer has at first.
pub const CAPTURE_BUFFER: usize = 64 * 1024;

/// Largest record of a packet capture, in bytes. Wireshark refuses longer
/// pcapng blocks too; tcpdump's own longest packet is 256 KiB.
pub const MAX_CAPTURE_RECORD: usize = 16 * 1024 * 1024;

/// Most interfaces that one section of a pcapng file may describe.
pub const MAX_CAPTURE_INTERFACES: usize = 4096;

/// Most TCP streams followed at once. One more ends the stream that has been
/// silent for longest.
pub const MAX_OPEN_STREAMS: usize = 4096;

/// Most closed TCP streams remembered, so that their stragglers are not taken
/// for a new stream.
pub const MAX_CLOSED_STREAMS: usize = 4096;

/// Bytes that one direction of one stream may hold back while an earlier
/// segment is missing. Linux' default largest receive window is 6 MiB; more
/// than what is on its way at once cannot be out of order.
pub const MAX_OUT_OF_ORDER: usize = 6 * 1024 * 1024;

/// Bytes that all streams together may hold back.
pub const MAX_OUT_OF_ORDER_TOTAL: usize = 128 * 1024 * 1024;

/// What a held back piece counts beside its bytes, so that many tiny segments
/// are bounded as well as few large ones.
pub const OUT_OF_ORDER_PIECE: usize = 128;

/// Farthest that a sequence number may lie from the expected one, in bytes: the
/// largest window that TCP can announce (RFC 7323, section 2.3).
pub const MAX_SEQUENCE_JUMP: u64 = 1 << 30;

/// Bytes last handed out that one direction of a stream keeps to compare a
/// retransmission with.
pub const COMPARED_TAIL: usize = 4096;

/// Longest head (first line and headers) of an HTTP message, in bytes.
pub const MAX_HTTP_HEAD: usize = 64 * 1024;

/// Most headers of an HTTP message.
pub const MAX_HTTP_HEADERS: usize = 128;

/// Bytes of an HTTP body that are kept; the rest is counted.
pub const MAX_HTTP_BODY: usize = 16 * 1024 * 1024;

/// Most HTTP requests that may wait for their response on one connection.
pub const MAX_HTTP_WAITING: usize = 256;

/// Segments of one stream that wait for the bytes that they acknowledge. More are
/// taken as they come.
pub const MAX_EARLY_SEGMENTS: usize = 64;

/// Bytes of the segments of all streams that wait so.
pub const MAX_EARLY_BYTES: usize = 16 * 1024 * 1024;

/// Streams whose order is watched at once. Beyond, what waits is taken as it is
/// and watching begins anew.
pub const MAX_EARLY_STREAMS: usize = 65_536;

/// Operations that were told "not now" and that are remembered until something
/// else comes of them. The one whose last attempt is oldest is forgotten, and
/// counted.
pub const OPERATIONS_RETRIED: usize = 1_024;

/// Bytes of one record in a file of parallax's own. A longer one is written without
/// what the mirror was answered, and says so.
pub const CAPTURE_RECORD: usize = 4 * 1024 * 1024;

/// Connections whose sequence numbers a file's writer remembers, and whose unread
/// bytes its reader does. Those of the oldest begin anew.
pub const CAPTURE_STREAMS: usize = 16_384;

/// Bytes of a filter expression. A longer one is refused.
pub const FILTER_BYTES: usize = 4096;

/// Parentheses and `not`s of a filter expression within each other. Deeper ones
/// are refused.
pub const FILTER_DEPTH: usize = 32;

/// Conditions and values of sets in a filter expression. More are refused.
pub const FILTER_CONDITIONS: usize = 256;

/// Regular expressions in a filter expression. More are refused.
pub const FILTER_PATTERNS: usize = 8;

/// Bytes that a regular expression of a filter may take once compiled, and those
/// that matching it may cache. A larger one is refused.
pub const FILTER_PATTERN_BYTES: usize = 512 * 1024;

/// Characters of a filter expression shown around an error in it.
pub const FILTER_ERROR_CHARACTERS: usize = 100;

/// Changes of recorded exchanges that memory no longer holds (a late verdict, a late
/// finding) that wait to be recorded. Further ones are counted as not kept.
pub const RECORD_LATE: usize = 10_000;

/// How long after its end an exchange is recorded: verdict and findings are mostly in
/// then and need no amendment. Less where memory might drop it before.
pub const RECORD_SETTLES: Duration = Duration::from_millis(500);

/// How often a recorder looks for what is new: a crash of the program loses this and
/// [`RECORD_SETTLES`] at most.
pub const RECORD_INTERVAL: Duration = Duration::from_millis(100);

/// Exchanges that a recorder takes at a time.
pub const RECORD_BATCH: usize = 2_000;

/// Exchanges after which a recorder that keeps up lets other threads have the processor,
/// of which there may be only one: some 50 microseconds of work.
pub const RECORD_TURN: usize = 8;

/// How long it does so in one batch: where other programs fill the processors, each time
/// may take it tens of milliseconds.
pub const RECORD_TURNS_FOR: Duration = Duration::from_millis(100);

/// Exchanges that may wait to be recorded while a recorder does so.
pub const RECORD_TURNS_WAITING: usize = 16_000;

/// The part of [`JOURNAL_EXCHANGES`] and [`JOURNAL_BYTES`] that may wait to be recorded
/// and settle: one in so many. Beyond it exchanges are recorded at once.
pub const RECORD_SETTLING_PART: usize = 4;

/// Exchanges in a row of which an index keeps which values stand in them: a search looks
/// at all of them or at none.
pub const RECORD_RUN: usize = 64;

/// Bytes of exchanges that a recorder takes at a time, about: the journal may have dropped
/// them when it has written them, so that they count on top of [`JOURNAL_BYTES`].
pub const RECORD_BATCH_BYTES: usize = 32 * 1024 * 1024;

/// Bytes of a segment of a recording, unless told otherwise.
pub const RECORD_SEGMENT_BYTES: u64 = 64 * 1024 * 1024;

/// Least bytes of a segment that can be asked for.
pub const RECORD_SEGMENT_MIN: u64 = 64 * 1024;

/// Bytes of a recording that are kept, unless told otherwise. The oldest segments are
/// dropped, and counted.
pub const RECORD_KEEP_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// How long a recording is kept, unless told otherwise. The oldest segments are
/// dropped, and counted.
pub const RECORD_KEEP_FOR: Duration = Duration::from_hours(7 * 24);

/// How long a recorder waits after a disk refused something, at first and at most.
pub const RECORD_RETRY: (Duration, Duration) =
    (Duration::from_millis(250), Duration::from_secs(10));

/// How often the figures of connections and findings that are otherwise the same are
/// written again.
pub const RECORD_FIGURES: Duration = Duration::from_secs(5);

/// Exchanges that are put into an index at a time where it is made from segments.
pub const REPLAY_BATCH: usize = 2_000;

/// Bytes of segments that are put into an index at a time.
pub const REPLAY_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes of memory that exchanges may take while an index is made.
pub const REPLAY_MEMORY: usize = 256 * 1024 * 1024;

/// First bytes of a file by which parallax knows its own.
pub const CAPTURE_HEAD: u64 = 256 * 1024;

/// Bytes of frames that an import holds before it writes them.
pub const IMPORT_BYTES: usize = 16 * 1024 * 1024;

/// Sentences on what could not be read of a recording. The rest is left out.
pub const RECORDING_NOTES: usize = 20;

/// Places in an index that are taken at a time where each exchange has to be looked at.
pub const ARCHIVE_BATCH: usize = 256;

/// Recorded exchanges that are read and looked at for one list, where the index cannot
/// tell whether they are wanted. The list goes on where it ended.
pub const ARCHIVE_SCANNED: usize = 20_000;

/// Recorded exchanges, the latest, that are looked through for a list before an index
/// is chosen: what is frequent is found there.
pub const ARCHIVE_RECENT: u64 = 20_000;

/// Bytes of a file of noise rules. A longer one is refused.
pub const IGNORE_FILE_BYTES: u64 = 1024 * 1024;

/// Noise rules of a file. More are refused.
pub const IGNORE_RULES: usize = 1_000;

/// Exchanges that two connections may differ by (one that only one of them has
/// counts one) and still be aligned in their order. Beyond, equal requests are
/// paired by occurrence, and this is said. The table that it takes grows with the
/// square: 16 MiB.
pub const ALIGNED_EDITS: usize = 2_000;

/// Fields, told apart by command and path, whose differences are counted each.
/// Those of further ones are counted together.
pub const DIFFERING_FIELDS: usize = 10_000;

/// Fields that the dissector for Wireshark reads of one body; it says so where there are
/// more.
pub const DISSECTED_FIELDS: usize = 500_000;

/// Fields that the dissector for Wireshark puts into the tree for one frame. Wireshark
/// itself ends a packet's dissection with an error at 1,000,000.
pub const SHOWN_FIELDS: usize = 50_000;

/// Requests without a reply that the dissector for Wireshark keeps of one connection;
/// with more, replies are not paired any longer.
pub const DISSECTED_OPEN_REQUESTS: usize = 10_000;

/// Segments of a connection to another port than Iggy's that the dissector for Wireshark
/// looks at for a request; after them the connection is none of Iggy's.
pub const DISSECTOR_TRIES: usize = 16;

/// Exchanges that a search through the journal takes at a time. It holds the lock
/// while it copies as many pointers, never while it looks at what they point to: a slow
/// filter does not hold up what is recorded.
pub const JOURNAL_SLICE: usize = 256;

/// Names that an anonymized file remembers the aliases of. With more, sentences are left
/// out, which might hold one that is not known any more.
pub const ANONYMIZED_NAMES: usize = 100_000;

/// Aliases that are tried until one is free; then one is shared.
pub const ANONYMIZED_NAME_ATTEMPTS: u64 = 1_000;

/// Members within members of a JSON body that is redacted; a deeper one is replaced
/// whole.
pub const REDACTED_JSON_DEPTH: usize = 64;

/// Rows that wait in memory before they are encoded as Parquet.
pub const PARQUET_BATCH_ROWS: usize = 1_024;

/// Messages in these rows.
pub const PARQUET_BATCH_MESSAGES: usize = 65_536;

/// Rows of a Parquet row group, which is in memory until it is whole.
pub const PARQUET_GROUP_ROWS: usize = 65_536;

/// Encoded bytes after which a row group is ended all the same.
pub const PARQUET_GROUP_BYTES: usize = 32 * 1024 * 1024;

/// How long a slot of what is counted over time lasts at least. Where there are too many
/// slots, two become one.
pub const SLOT_WIDTH: Duration = Duration::from_millis(125);

/// Slots of what passed over time.
pub const ACTIVITY_SLOTS: usize = 120;

/// Slots of how often one finding was seen over time.
pub const FINDING_SLOTS: usize = 60;

/// Partitions, by the names that requests use, of which a journal counts what it keeps.
/// Exchanges of further ones are counted together.
pub const JOURNAL_PARTITIONS: usize = 2_000;

/// Names and numbers of streams, topics and groups that are known to belong together.
/// Further ones are not learned, and counted.
pub const PARTITION_NAMES: usize = 4_096;

/// Exchanges of a recording, the latest that describe streams, topics or groups, that
/// names are learned from when it is opened.
pub const PARTITION_NAMES_READ: usize = 1_000;

/// Exchanges about a partition, the latest, that are read to tell whether it has held a
/// message.
pub const PARTITION_READS: usize = 20;

/// Exchanges, the latest of a time, that a partition's life is made of.
pub const PARTITION_EXCHANGES: usize = 5_000;

/// Consumers and groups of a partition's life. Exchanges of further ones are counted as
/// left out.
pub const PARTITION_READERS: usize = 50;

/// Gaps, and likewise replays and stalls, of one reader. Further ones are counted.
pub const PARTITION_TROUBLES: usize = 1_000;

/// Polls in a row that bring nothing though there is something before it is a stall: a
/// server may be unable to serve for a moment (case A5).
pub const PARTITION_STALL: u64 = 3;

/// Bytes that are quoted of each side where two payloads begin to differ; a quarter of
/// them are equal ones before that.
pub const DIFFERENCE_QUOTED_BYTES: usize = 64;

/// Bytes of a comment on an exchange. A longer one is cut, and says so.
pub const COMMENT_BYTES: usize = 2_048;

/// Marks and comments that memory holds on exchanges that it holds no longer. Where
/// they are recorded the oldest make room; where not, further ones are refused.
pub const ANNOTATIONS_HELD: usize = 10_000;

/// Findings, the gravest, that are looked at to tell which connections are stuck.
pub const STANDING_FINDINGS: usize = 50;

/// Exchanges, the latest, of each of these findings whose connections are told so.
pub const STANDING_EXCHANGES: usize = 4;

/// How long after it was last seen a client is taken to be stuck still, at least; where
/// it tries again less often, three times as long as it takes to.
pub const STILL_STUCK: Duration = Duration::from_secs(10);

/// How long a request may wait for its reply before that is told.
pub const REQUEST_WAITS_LONG: Duration = Duration::from_secs(10);

/// Bytes of a route's name. A longer one is refused.
pub const ROUTE_NAME_BYTES: usize = 64;

/// Seconds over which the mirror's rate is told.
pub const MIRROR_RATE_SECONDS: usize = 10;
