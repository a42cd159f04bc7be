//! Every limit of this crate, in one place.

use std::time::Duration;

/// Client connections open at once, by default; fewer where the system allows fewer open
/// files, which is said on starting. One more is accepted, closed at once, counted and
/// shown. Each needs two file descriptors, and while it is idle less than 16 KiB, so that
/// so many take less than 256 MiB.
pub const MAX_CONNECTIONS: usize = 16_384;

/// File descriptors that are left for everything but clients: the page, the mirror, the
/// recording.
pub const DESCRIPTORS_RESERVED: u64 = 256;

/// Sizes, in bytes, that a direction's read buffer moves through: up when a read
/// filled it, down when reads stay small. The largest is also the most that one
/// direction holds of bytes its peer has not taken yet.
pub const READ_BUFFER_SIZES: [usize; 3] = [8 * 1024, 64 * 1024, 256 * 1024];

/// A read that fills less than this part of its buffer is copied out for the tap
/// and the buffer is used again; a fuller one hands the buffer itself over. So
/// what waits in the tap holds at most this many times its own bytes.
pub const READ_BUFFER_SHARE: usize = 4;

/// Threads that carry connections, at most; one for each processor up to here.
pub const RELAY_THREADS: usize = 16;

/// Reads after which a busy direction lets the other one have its turn.
pub const READS_PER_TURN: u32 = 8;

/// Observations that may wait for the tap's reader. What comes on top is
/// dropped, counted and announced as lost.
pub const TAP_OBSERVATIONS: usize = 65_536;

/// Observed bytes that may wait for the tap's reader. What comes on top is
/// dropped, counted and announced as lost.
pub const TAP_BYTES: usize = 64 * 1024 * 1024;

/// Observations that are taken out of the tap at once.
pub const OBSERVATIONS_AT_ONCE: usize = 1024;

/// Observations after which an observer that keeps up lets other threads have the
/// processor, of which there may be only one: some 200 microseconds of work.
pub const OBSERVATIONS_A_TURN: usize = 16;

/// How long observations are let gather in the tap after it was emptied. Waking whoever
/// reads it for each of them would cost the relay's threads more than passing on its
/// bytes does.
pub const OBSERVE_EVERY: Duration = Duration::from_millis(2);

/// Ended connections that may wait, their sockets closed, for room in the tap to
/// say that they ended. One more gives up at once and is counted.
pub const TAP_FAREWELLS: usize = 1024;

/// How long an ended connection waits for room in the tap.
pub const TAP_FAREWELL_WAIT: Duration = Duration::from_secs(5);

/// How long a connection to the upstream server may take to be made.
pub const DIAL_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a TLS handshake may take, on each side by itself; on the client's side from
/// its connecting on, its first byte included.
pub const TLS_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of a file with certificates or a key that are read. A system's whole list of
/// authorities is a quarter of that.
pub const TLS_FILE_BYTES: u64 = 1024 * 1024;

/// Names of a certificate that are said where it is not for the right one, and how many
/// characters of each: whoever made it chose them.
pub const TLS_NAMES_SAID: (usize, usize) = (4, 80);

/// First and longest wait after a failed accept; each failure in a row doubles it.
pub const ACCEPT_BACKOFF: (Duration, Duration) = (Duration::from_millis(5), Duration::from_secs(1));

/// How often it is told at most that accepting fails, by each listener.
pub const ACCEPT_TOLD_EVERY: Duration = Duration::from_secs(10);

/// How long a pair of connections lives on after one end has closed its half
/// and no byte has moved either way.
pub const HALF_CLOSED_IDLE: Duration = Duration::from_mins(5);

/// Silence after which the kernel begins to ask a peer whether it is still there.
pub const KEEPALIVE_IDLE: Duration = Duration::from_mins(1);

/// Time between two such questions.
pub const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// How long a peer may leave bytes or keepalive questions unanswered
/// (`TCP_USER_TIMEOUT`) before it counts as gone. Linux also ends a live peer
/// that keeps its receive window shut for as long (`tcp_probe_timer`), so it is
/// long: a client that stands at a breakpoint must not lose its connection.
pub const PEER_SILENCE: Duration = Duration::from_mins(10);

/// How long open connections may go on after shutdown was asked for.
pub const DRAIN: Duration = Duration::from_secs(10);

/// Silence after which a draining connection whose last byte went to the client
/// counts as having no request in flight.
pub const DRAIN_QUIET: Duration = Duration::from_millis(250);

/// Bytes of one frame's body that are held back so that they can be looked at before they
/// are passed on, where that is asked for. Of a longer one nothing is held back: it streams
/// through unchanged, and is counted.
pub const IN_PATH_GATHERED: usize = 1024 * 1024;

/// How long the first bytes of a request are held back until enough of them are there to
/// tell what is asked. Then they are passed on, and the request is left alone.
pub const IN_PATH_HOLD: Duration = Duration::from_secs(1);

/// Requests without a reply that a session keeps for one connection. A client
/// of the binary protocol waits for each reply; one that pipelines more than
/// this is no longer paired.
pub const OPEN_REQUESTS: usize = 4_096;

/// Threads for decoding, mirror and page. They are not the relay's: what they do
/// costs a client nothing but its share of the processor.
pub const ANALYSIS_THREADS: usize = 2;

/// How far those threads, and the recorder's, stand behind the relay's where both want
/// the processor: Linux's nice value, 0 to 19. At 10 they get about a tenth of what the
/// relay gets, so that under a load that fills every processor observations are lost
/// sooner than clients wait.
pub const BEHIND_THE_RELAY: i32 = 10;

/// Largest body of a frame that is gathered of a live connection to look at it, in bytes:
/// as much as the mirror reads of an HTTP answer. A longer one is passed over as it streams
/// through; its exchange says so. Of files the protocol's longest is read,
/// [`parallax_codec::limits::MAX_FRAME_BODY`].
pub const GATHERED_BODY_BYTES: usize = MIRROR_BODY_BYTES;

/// Bytes of bodies that the requests without a reply of one connection may hold:
/// four of the largest that are looked at. What would exceed it is cut, and still
/// finds its reply.
pub const OPEN_REQUEST_BYTES: usize = 64 * 1024 * 1024;

/// Bytes that all live connections together hold of what is not told yet: frames that are
/// not whole, and requests without a reply. Beyond it, bytes of connections that hold more
/// than their share are not looked at: counted and shown where they are, as what the tap
/// had no room for. Clients notice nothing.
pub const SESSIONS_BYTES: usize = 256 * 1024 * 1024;

/// Bytes that are kept of a body that is cut.
pub const CUT_REQUEST_BYTES: usize = 1_024;

/// How long the end waits for the last observations to be looked at.
pub const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the end waits for the disk to take what is left to be recorded.
pub const RECORD_FINISH: Duration = Duration::from_secs(10);

/// Partitions that the mirror asks about after one failed poll. Where a topic has
/// more, the poll is not compared.
pub const PARTITIONS_ASKED: u32 = 64;

/// How far the server's clock, which stamps messages, may be from that which
/// times polls, when the two are compared.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(1);

/// How far apart in time a poll and an HTTP poll of one capture may be, either way
/// round, for the one to say something about the other.
pub const CAPTURED_NEAR: Duration = Duration::from_mins(1);

/// HTTP polls of a capture, before and after a TCP poll, that are looked through
/// for one to compare it with.
pub const CAPTURED_NEIGHBOURS: usize = 1_000;

/// HTTP polls of a capture that are remembered at once, to compare polls on TCP with.
/// The oldest is forgotten, and counted; so it is with the next two.
pub const CAPTURED_POLLS: usize = 10_000;

/// Bytes of their answers.
pub const CAPTURED_POLL_BYTES: usize = 64 * 1024 * 1024;

/// Purges, deletions and creations of a capture that are remembered at once. The two
/// oldest become one that may have changed anything.
pub const CAPTURED_CHANGES: usize = 1_024;

/// Topics of which it is remembered that they were once polled over HTTP.
pub const CAPTURED_TOPICS: usize = 10_000;

/// Exchanges of a capture that wait at once for one that was asked earlier and whose
/// end was not seen yet. The earliest goes on without it, and is counted; likewise for
/// the next limit.
pub const WINDOW_EXCHANGES: usize = 50_000;

/// Bytes of these.
pub const WINDOW_BYTES: usize = 64 * 1024 * 1024;

/// How long, in capture time, exchanges wait for one that was asked earlier. What has
/// no reply for longer is told out of its order, and counted.
pub const WINDOW_SPAN: Duration = Duration::from_secs(10);

/// How far, in capture time, packets may be out of order without an exchange being
/// told out of its order.
pub const WINDOW_SLACK: Duration = Duration::from_millis(250);

/// Exchanges of a capture that wait at once for what may still be learned of them. The
/// first goes on with what is known, and is counted; likewise for the next limit. Less
/// than a journal keeps.
pub const SETTLING_EXCHANGES: usize = 50_000;

/// Bytes of these.
pub const SETTLING_BYTES: usize = 128 * 1024 * 1024;

/// How long, by a clock, something of a capture that is still being made waits: first
/// for its order, then for what may still be learned of it.
pub const LIVE_PATIENCE: Duration = Duration::from_secs(1);

/// How long after an exchange a file of parallax's own may say more of it, by the
/// file's clock: then it goes on with what is known. The mirror answers within seconds.
pub const AMENDED_WITHIN: Duration = Duration::from_mins(1);

/// Bytes of the exchanges of a capture that are kept because a finding names them. The
/// latest of what has no room are not shown beside their findings.
pub const EVIDENCE_BYTES: usize = 64 * 1024 * 1024;

/// Size of a capture file, in bytes, from which on it is worth to show how far its
/// reading is.
pub const PROGRESS_FROM: u64 = 16 * 1024 * 1024;

/// HTTP exchanges on ports that are not Iggy's, none of them of its API, after which
/// their stream is passed over.
pub const FOREIGN_EXCHANGES: u64 = 64;

/// Changes of direction after which a stream on such ports that was under way, and in
/// which no frame was found, is passed over.
pub const FOREIGN_TURNS: u64 = 64;

/// What is kept of what could not be decoded in a capture: sentences. Further ones are
/// counted.
pub const CAPTURE_NOTES: usize = 1_000;

/// Segments that are handed at once from the reader of a capture to its decoder.
pub const BATCH_SEGMENTS: usize = 512;

/// Bytes of these, about.
pub const BATCH_BYTES: usize = 512 * 1024;

/// Batches that may wait for the decoder before the reader does.
pub const BATCHES_WAITING: usize = 8;

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

// The stand-in server.

/// Connections that the stand-in serves at a time, on TCP and over HTTP each.
/// Further ones on TCP are closed at once, and counted; over HTTP they wait to be
/// accepted.
pub const STANDIN_CONNECTIONS: usize = 1_024;

/// Largest request body that the stand-in reads, in bytes. A longer one is
/// stepped over and refused with 3; a server takes 10 MiB, and more for messages
/// alone.
pub const STANDIN_FRAME_BODY: usize = 16 * 1024 * 1024;

/// Bytes that one read from a connection may bring.
pub const STANDIN_READ_BUFFER: usize = 64 * 1024;

/// Largest HTTP request body, in bytes.
pub const STANDIN_HTTP_BODY: usize = 1024 * 1024;

/// How long HTTP requests may go on after the stand-in was told to stop.
pub const STANDIN_HTTP_DRAIN: Duration = Duration::from_secs(1);

/// Messages that a partition of the stand-in keeps. The oldest are dropped, and
/// counted.
pub const STANDIN_MESSAGES_PER_PARTITION: usize = 100_000;

/// Bytes of messages that a partition of the stand-in keeps. The oldest are
/// dropped, and counted.
pub const STANDIN_BYTES_PER_PARTITION: usize = 64 * 1024 * 1024;

/// Offsets, of consumers and of groups each, that a partition remembers. Further
/// ones are refused with 3024.
pub const STANDIN_OFFSETS_PER_PARTITION: usize = 10_000;

/// Streams of the stand-in. Further ones are refused with 1020.
pub const STANDIN_STREAMS: usize = 256;

/// Topics of a stream. Further ones are refused with 2021.
pub const STANDIN_TOPICS_PER_STREAM: usize = 256;

/// Partitions of a topic, as on server 0.8.0. Further ones are refused with 2015.
pub const STANDIN_PARTITIONS_PER_TOPIC: usize = 1_000;

/// Consumer groups of a topic. Further ones are refused with 5.
pub const STANDIN_GROUPS_PER_TOPIC: usize = 1_000;

/// Personal access tokens of the one user. Further ones are refused with 52.
pub const STANDIN_PERSONAL_ACCESS_TOKENS: usize = 100;

/// HTTP access tokens that are good at a time. The oldest is forgotten.
pub const STANDIN_ACCESS_TOKENS: usize = 1_000;

/// Polls that may wait for the mirror. What comes on top is not mirrored, and
/// counted.
pub const MIRROR_QUEUE: usize = 1_024;

/// Polls that are mirrored at once, by default.
pub const MIRROR_IN_FLIGHT: usize = 4;

/// Requests a second that the mirror sends at most, by default.
pub const MIRROR_REQUESTS_PER_SECOND: u32 = 100;

/// Logins that are remembered, one for each open connection. Of further
/// connections the polls cannot be mirrored.
pub const MIRROR_LOGINS: usize = MAX_CONNECTIONS;

/// Users whose token the mirror keeps. The one not used for longest logs in
/// again.
pub const MIRROR_USERS: usize = 64;

/// How long connecting to HTTP may take.
pub const MIRROR_CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long an HTTP request may take from connecting to the last byte, by default.
pub const MIRROR_TIMEOUT: Duration = Duration::from_secs(5);

/// Bytes of an HTTP answer that the mirror reads.
pub const MIRROR_BODY_BYTES: usize = 16 * 1024 * 1024;

/// First and longest wait after HTTP failed or refused a user; each failure in a
/// row doubles it. A server that asks for more time (`Retry-After`) gets it, up
/// to the longest.
pub const MIRROR_BACKOFF: (Duration, Duration) =
    (Duration::from_millis(250), Duration::from_secs(30));

/// Longest frame, in bytes, whose fields `inspect --verbose` prints. A field costs
/// some hundred bytes of memory, and a small message has a dozen.
pub const VERBOSE_FRAME: usize = 1024 * 1024;

/// How often `parallax run` looks for something new to say.
pub const TELL_INTERVAL: Duration = Duration::from_secs(1);

/// How long a trouble that goes on is not said again.
pub const TROUBLE_REPEAT: Duration = Duration::from_secs(10);

/// Troubles that are said at once; further ones are counted, and the page has
/// them.
pub const TROUBLE_LINES: usize = 10;

/// Partitions whose log the ledger knows. When there is one more, the half that
/// was not touched for longest is forgotten, and counted; likewise below.
pub const LEDGER_PARTITIONS: usize = 4_096;

/// Readers, each a consumer or a group on a partition, that the ledger knows.
pub const LEDGER_READERS: usize = 16_384;

/// Names of streams, of topics and of groups, whose numbers the ledger knows.
pub const LEDGER_NAMES: usize = 4_096;

/// Messages of one partition that the ledger remembers, to notice an offset that is
/// given to another message. The ones with the lowest offsets are forgotten.
pub const LEDGER_MESSAGES: usize = 32;

/// How long a claim about offsets waits for what may explain it: replies that were
/// under way on other connections at the same time.
pub const CLAIM_SETTLES: Duration = Duration::from_secs(1);

/// Claims that wait so. One more, and the oldest is made at once, and counted.
pub const CLAIMS_WAITING: usize = 1_024;

/// Polls in a row without a message, over no less than [`CLAIM_SETTLES`], after which
/// a reader that is owed messages counts as stalled.
pub const EMPTY_POLLS_THAT_STALL: u64 = 3;

/// Requests, on a poll that differs, that both sides are asked again at most.
/// Where a poll may have been about more partitions, its first verdict stays.
pub const PARTITIONS_ASKED_AGAIN: usize = 8;

/// Polls a second that both sides are asked again about. The verdict on further
/// ones stays the first, and says so.
pub const ASKED_AGAIN_PER_SECOND: u32 = 10;

/// Users whose own TCP connection the mirror keeps. The one not used for longest
/// is closed.
pub const OWN_CONNECTIONS: usize = 8;

/// How long an own TCP connection is kept without being used.
pub const OWN_CONNECTION_IDLE: Duration = Duration::from_secs(10);

/// Bytes of a reply that is read on an own TCP connection.
pub const OWN_REPLY_BYTES: usize = MIRROR_BODY_BYTES;

/// Bytes that one read from an own TCP connection may bring.
pub const OWN_READ_BUFFER: usize = 16 * 1024;

/// Readers, members of groups, groups and connections that the rules about them
/// remember, each rule by itself. When there is one more, the half that was not
/// touched for longest is forgotten, and counted.
pub const GROUPS_WATCHED: usize = 8_192;

/// Polls in a row that tell a member to ask for its assignment, without its doing
/// so, that make it stuck.
pub const FENCED_POLLS: u64 = 3;

/// Polls of a client that was told that it is no member, without its joining, that
/// make it stuck.
pub const POLLS_WITHOUT_MEMBERSHIP: u64 = 3;

/// Commits of one reader that are refused in a row, while it is given new messages,
/// that make its progress lost.
pub const COMMITS_REFUSED: u64 = 3;

/// Batches in a row of which a client took the first message alone.
pub const BATCHES_CUT_SHORT: u64 = 3;

/// Polls of one partition, before one that names none, that make it the consumer's
/// partition.
pub const POLLS_OF_ONE_PARTITION: u64 = 3;

/// Silence of a connection that may have made the server evict it. Servers 0.8.0
/// and 0.9 evict after 1.2 times `heartbeat.interval`, which is 5 s by default,
/// where they are told to evict at all.
pub const EVICTING_SILENCE: Duration = Duration::from_secs(5);

/// How long it counts that a group was not there. Later somebody who does not pass
/// through here may have made it.
pub const ABSENCE_COUNTS: Duration = Duration::from_secs(10);

/// Topics whose list of groups is remembered. When there is one more, the half that
/// was not touched for longest is forgotten, and counted.
pub const GROUP_LISTS: usize = 256;

/// Groups of a list that is remembered. What a longer one leaves out is not taken for
/// missing.
pub const GROUPS_LISTED: usize = 64;

/// Partitions of one topic that one client's way is remembered through. Then it is
/// forgotten, counted, and begun anew.
pub const CONTINUATIONS: usize = 64;

/// Groups that one connection is known to have joined. Further ones are counted, and
/// not known.
pub const GROUPS_JOINED: usize = 64;

/// Connections of which the findings remember what they need: open ones, ones that
/// the server closed on. When there is one more, the half that was not touched for
/// longest is forgotten, and counted; likewise below.
pub const CONNECTIONS_KNOWN: usize = MAX_CONNECTIONS;

/// Client addresses that were led to another address lately.
pub const CLIENTS_KNOWN: usize = 1_024;

/// Connections in a row that are led on before that is a loop: as often as SDKs
/// follow (`iggy` 0.10.0, `leader_aware.rs`).
pub const REDIRECTS_OF_A_LOOP: usize = 3;

/// How soon a client that was led on is back, where that is a loop.
pub const REDIRECT_RETURNS: Duration = Duration::from_secs(1);

/// How long a client may take to connect again after the server closed on it.
pub const RECONNECTS_WITHIN: Duration = Duration::from_secs(30);

/// Sends without a reply that are remembered, to notice that they are sent again.
pub const SENDS_UNANSWERED: usize = 1_024;

/// Readers whose latest batch is remembered.
pub const READERS_OF_A_BATCH: usize = 4_096;

/// Polls in a row with the same batch that make a reader stuck.
pub const BATCHES_THAT_REPEAT: u64 = 5;

/// How long a request may be told "not now" (57, 58) before that counts as a
/// failure that repeats. SDKs go on for as long (case E9).
pub const NOT_NOW_LASTS: Duration = Duration::from_secs(30);

/// Addresses that servers advertise, by the listener behind which they were named, of which
/// it is remembered that they were told of. One that is forgotten is told of again.
pub const ADVERTISED_ADDRESSES: usize = 1_024;

/// Tokens that clients logged in with, told by a keyed hash, that are remembered.
pub const TOKENS_KNOWN: usize = 1_024;

/// The latest logins by one token that are remembered.
pub const TOKEN_LOGINS: usize = 20;

/// How long a client may poll Next for the same batch before it counts as stuck: the
/// SDKs' own intervals of committing are a second.
pub const COMMIT_INTERVAL: Duration = Duration::from_secs(10);

/// How long after a purge was acknowledged the log may still change: server
/// 0.9.0-edge.5 purges a moment after it has said so.
pub const PURGE_SETTLES: Duration = Duration::from_secs(10);

/// The lowest offset at which a request says something: that a client asks one
/// partition for a small number which is another's too is chance.
pub const TELLING_OFFSET: u64 = 32;

/// Connections that a replay opens; a capture with more is played on one.
pub const REPLAY_CONNECTIONS: usize = 256;

/// How long a replay waits for a connection or a reply, by default.
pub const REPLAY_TIMEOUT: Duration = Duration::from_secs(5);

/// Answers that may wait to be compared; more than that are not read.
pub const REPLAY_ANSWERS: usize = 64;

/// Connections that a tape serves at once, over TCP and over HTTP each. One more is
/// closed at once over TCP, and waits over HTTP.
pub const TAPE_CONNECTIONS: usize = 1_024;

/// Longest body of a request to a tape, in bytes. A longer one is answered as what is
/// not on the tape.
pub const TAPE_REQUEST_BODY: usize = 64 * 1024 * 1024;

/// Requests that a tape does not have, told apart, that are each said once. Further
/// ones are counted.
pub const TAPE_TOLD: usize = 1_000;

/// How long HTTP exchanges that are under way may go on once a tape is to end.
pub const TAPE_DRAIN: Duration = Duration::from_secs(1);

/// Connections of a capture that an export remembers, the latest.
pub const EXPORT_CONNECTIONS: usize = 16_384;

/// Exchanges with findings of which an export remembers the connection, the latest.
pub const EXPORT_NAMED: usize = 100_000;

/// Bytes of a part of an upload; S3 takes none below 5 MiB but the last.
pub const EXPORT_PART_BYTES: usize = 8 * 1024 * 1024;

/// Parts of an upload that are on their way at once.
pub const EXPORT_PARTS_IN_FLIGHT: usize = 4;

/// Findings that wait to be sent to a collector. Further ones are counted.
pub const OTLP_FINDINGS: usize = 2_048;

/// Exchanges that wait to be sent to a collector. Further ones wait in the journal's memory;
/// those that it drops meanwhile are counted.
pub const OTLP_SPANS: usize = 2_048;

/// Findings or exchanges in one message to a collector.
pub const OTLP_BATCH: usize = 512;

/// How often the journal is read for a collector.
pub const OTLP_READ_EVERY: Duration = Duration::from_millis(500);

/// How long after its end an exchange is sent: verdict and findings are mostly in then.
pub const OTLP_SETTLES: Duration = Duration::from_secs(1);

/// How often figures are sent to a collector, unless `OTEL_METRIC_EXPORT_INTERVAL` says
/// otherwise.
pub const OTLP_METRICS_EVERY: Duration = Duration::from_mins(1);

/// How long after it was sent a finding that is seen again is sent again, at least.
pub const OTLP_FINDING_AGAIN: Duration = Duration::from_mins(1);

/// How long a request to a collector may take, unless `OTEL_EXPORTER_OTLP_TIMEOUT` says
/// otherwise.
pub const OTLP_TIMEOUT: Duration = Duration::from_secs(10);

/// How long connecting to a collector may take.
pub const OTLP_CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a connection to a collector is kept that nothing is sent on.
pub const OTLP_IDLE: Duration = Duration::from_secs(5);

/// How long is waited after a collector failed, at first and at most; also where it says
/// how long.
pub const OTLP_BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// Bytes of a collector's answer that are read. A longer one is taken for none.
pub const OTLP_ANSWER_BYTES: usize = 64 * 1024;

/// How long a collector may take at the end for what is left.
pub const OTLP_FLUSH: Duration = Duration::from_secs(5);

/// Bytes of a `parallax.toml`. A longer file is refused.
pub const CONFIG_FILE_BYTES: u64 = 256 * 1024;

/// Routes of one proxy. More are refused.
pub const ROUTES: usize = 64;

/// Bytes of a file with a password that are read.
pub const PASSWORD_BYTES: u64 = 4 * 1024;

/// How long `parallax doctor` waits for each answer.
pub const DOCTOR_PATIENCE: Duration = Duration::from_secs(3);

/// A clock that goes on by this much more or less than the time that passes was set, or
/// the machine slept. Slewing changes it by a two thousandth.
pub const CLOCK_STEP: Duration = Duration::from_millis(100);

/// Clocks that are further apart than this are told. HTTP tells whole seconds.
pub const CLOCKS_DIFFER: Duration = Duration::from_secs(3);

/// Microseconds by which two starts of one process may differ: servers reckon them in
/// seconds, from the start of the machine.
pub const STARTS_DIFFER: u64 = 2_000_000;
