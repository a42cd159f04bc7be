//! Every finding: number, title, severity, and what a person should know of it.
//! The one source for code, page and `parallax explain`.

use crate::finding::{FindingCode, Severity};

/// What a finding means.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// Its number.
    pub code: FindingCode,
    /// One line.
    pub title: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it means.
    pub meaning: &'static str,
    /// How it is recognised: the evidence that it needs.
    pub recognised_by: &'static str,
    /// What to do.
    pub what_to_do: &'static str,
    /// What looks like it but is not.
    pub not_to_be_confused_with: &'static str,
}

/// A poll failed on TCP, and the same partition's HTTP poll succeeds.
pub const TCP_FAILS_HTTP_ANSWERS: FindingCode = FindingCode(101);
/// A poll failed on both, and HTTP carries the number that TCP lost.
pub const NUMBER_LOST_ON_TCP: FindingCode = FindingCode(102);
/// An error argument that a client prints is not on the wire.
pub const ARGUMENT_NOT_ON_WIRE: FindingCode = FindingCode(103);
/// TCP and HTTP only seem to differ: they were asked about two partitions.
pub const OTHER_PARTITION_ASKED: FindingCode = FindingCode(104);
/// TCP and HTTP give different answers to one question.
pub const ANSWERS_DIFFER: FindingCode = FindingCode(105);
/// A failure that TCP shows as an empty answer.
pub const MASKED_ERROR: FindingCode = FindingCode(106);
/// TCP and HTTP name one failure by two codes.
pub const OTHER_CODE_SAME_FAILURE: FindingCode = FindingCode(107);
/// A name that HTTP reads as a number.
pub const NUMERIC_NAME: FindingCode = FindingCode(108);
/// First brings nothing of a partition that has messages.
pub const EMPTY_BELOW_THE_END: FindingCode = FindingCode(201);
/// A reader was given messages from beyond where it was to go on; why is not known.
pub const OFFSET_JUMP: FindingCode = FindingCode(202);
/// A reader was led past messages that are there.
pub const SILENT_SKIP: FindingCode = FindingCode(203);
/// A reader was led past messages that are no longer there.
pub const RETENTION_GAP: FindingCode = FindingCode(204);
/// An offset was given to another message.
pub const OFFSET_REUSED: FindingCode = FindingCode(205);
/// The stored offset is ahead of the partition's end.
pub const STORED_AHEAD: FindingCode = FindingCode(206);
/// A stored offset is not what is read back.
pub const OFFSET_NOT_READ_BACK: FindingCode = FindingCode(207);
/// The server refuses to store an offset that it has served.
pub const SERVED_BUT_NOT_STORED: FindingCode = FindingCode(208);
/// After a purge a reader begins beyond the first message.
pub const SKIP_AFTER_PURGE: FindingCode = FindingCode(209);
/// Messages from before a purge are served after it.
pub const PURGE_WITHOUT_EFFECT: FindingCode = FindingCode(210);
/// A reader was set back to offset 0, which counts as consumed.
pub const SET_BACK_TO_ZERO: FindingCode = FindingCode(211);
/// A reader is owed messages and gets none.
pub const STALLED: FindingCode = FindingCode(212);
/// A partition's log ends earlier than it did.
pub const LOG_WENT_BACK: FindingCode = FindingCode(213);
/// A reader was set back.
pub const SET_BACK: FindingCode = FindingCode(214);
/// A reader was led past messages that a client had deleted.
pub const DELETED_BEFORE_READ: FindingCode = FindingCode(215);
/// A reader was set forward, past messages that it was not given.
pub const SET_FORWARD: FindingCode = FindingCode(216);
/// A reader begins again before where it committed.
pub const REPLAY: FindingCode = FindingCode(301);
/// A commit is refused after the client has left the group.
pub const COMMIT_AFTER_LEAVE: FindingCode = FindingCode(302);
/// A member is told to ask for its assignment anew and does not.
pub const FENCED: FindingCode = FindingCode(303);
/// A client is told that it is no member, polls on and does not join.
pub const NOT_A_MEMBER: FindingCode = FindingCode(304);
/// Commits are refused while polls go on.
pub const COMMITS_FAILING: FindingCode = FindingCode(305);
/// A reader without a stored offset begins at the tail.
pub const FRESH_READER_AT_TAIL: FindingCode = FindingCode(306);
/// Polls commit what they bring.
pub const AUTO_COMMIT_ON_POLL: FindingCode = FindingCode(307);
/// A partition that was left out is partition 0, not the one that is read.
pub const OMITTED_PARTITION_IS_ZERO: FindingCode = FindingCode(308);
/// A client begins a partition where it was to go on in another one.
pub const PARTITION_START_SKIPPED: FindingCode = FindingCode(309);
/// A client is evicted after it has been silent.
pub const EVICTED_AFTER_SILENCE: FindingCode = FindingCode(310);
/// A client takes the first message of each batch alone.
pub const CLIENT_BEHIND_WIRE: FindingCode = FindingCode(311);
/// What was done to a group that is not there was answered OK.
pub const OK_FOR_MISSING_GROUP: FindingCode = FindingCode(312);
/// Client and server frame differently.
pub const FRAMING_MISMATCH: FindingCode = FindingCode(401);
/// The server refused the client's protocol version.
pub const VERSION_REFUSED: FindingCode = FindingCode(402);
/// A reply's messages do not fill its body exactly.
pub const BODY_DOES_NOT_TILE: FindingCode = FindingCode(403);
/// The server ended the session without being asked.
pub const SESSION_ENDED_UNASKED: FindingCode = FindingCode(404);
/// A reply's status can be read in two ways, and nothing decides.
pub const STATUS_AMBIGUOUS: FindingCode = FindingCode(405);
/// A reply answers no open request.
pub const REPLY_TO_NOTHING: FindingCode = FindingCode(406);
/// The body of a request is not what its command takes.
pub const REQUEST_MALFORMED: FindingCode = FindingCode(407);
/// A reply has a body that the SDK leaves unread.
pub const REPLY_LEFT_UNREAD: FindingCode = FindingCode(408);
/// One token is accepted on some connections and refused on others.
pub const TOKEN_HALF_ACCEPTED: FindingCode = FindingCode(409);
/// A command or an error that no known version has.
pub const UNKNOWN_CODE: FindingCode = FindingCode(410);
/// A poll of a time was answered with messages from before it.
pub const BEFORE_TIMESTAMP: FindingCode = FindingCode(411);
/// A poll's reply is laid out in a way that its client does not read.
pub const CLIENT_CANNOT_DECODE: FindingCode = FindingCode(412);
/// The same request fails the same way again and again.
pub const SAME_FAILURE_AGAIN: FindingCode = FindingCode(501);
/// A reader is given the same batch again and again, without an error.
pub const SAME_BATCH_AGAIN: FindingCode = FindingCode(502);
/// A client left for an address that the server advertises.
pub const LED_AROUND: FindingCode = FindingCode(503);
/// A client is led on and comes back, again and again.
pub const REDIRECT_LOOP: FindingCode = FindingCode(504);
/// Messages may have been appended twice.
pub const DUPLICATE_SEND: FindingCode = FindingCode(505);
/// One operation was sent several times until its time had come.
pub const RETRIED: FindingCode = FindingCode(506);
/// The server closed on a client that waited, and that did not come back.
pub const NO_RECONNECT: FindingCode = FindingCode(507);
/// HTTP does not let parallax in.
pub const MIRROR_UNAUTHENTICATED: FindingCode = FindingCode(901);

/// The description of a finding. Every code that parallax raises has one; for
/// any other the description says that it is not known.
pub fn describe(code: FindingCode) -> &'static Description {
    find(code).unwrap_or(&UNKNOWN)
}

/// The description of a finding by its number, if there is such a finding.
pub fn find(code: FindingCode) -> Option<&'static Description> {
    CATALOG.iter().find(|entry| entry.code == code)
}

const UNKNOWN: Description = Description {
    code: FindingCode(0),
    title: "A finding that this version does not know",
    severity: Severity::Info,
    meaning: "The finding was made by another version of parallax.",
    recognised_by: "Its number is not in this version's catalog.",
    what_to_do: "Use the version that made it to read about it.",
    not_to_be_confused_with: "",
};

/// Every finding, by its number.
pub const CATALOG: &[Description] = &[
    Description {
        code: TCP_FAILS_HTTP_ANSWERS,
        title: "A poll fails on TCP, and HTTP answers it for the same partition",
        severity: Severity::Error,
        meaning: "The client asked and was refused. The same question, put to HTTP for the \
                  partition that the client asked, was answered. The two ways into the server \
                  do not tell the same story about one partition.",
        recognised_by: "The TCP reply has an error status. The request names its partition, or \
                        every partition that it may have meant was asked over HTTP, and each \
                        of them answered with status 200.",
        what_to_do: "Open the exchange and compare the two answers. If the poll stays refused \
                     while HTTP goes on answering, the fault is in the server's TCP path: \
                     report it with this exchange. If it passes when asked again, the log was \
                     moving between the two questions.",
        not_to_be_confused_with: "PX104: HTTP answers because it was asked about another \
                                  partition. PX102: HTTP refuses too.",
    },
    Description {
        code: NUMBER_LOST_ON_TCP,
        title: "A poll fails on TCP and on HTTP, and only HTTP says with which number",
        severity: Severity::Error,
        meaning: "Both transports refuse the poll with the same error. An error reply on TCP is \
                  a code and nothing else, HTTP's has a text, and in the text stands the number \
                  that the server meant: for InvalidOffset the offset that it found where it \
                  looked.",
        recognised_by: "The TCP reply has an error status; a partition that the poll may have \
                        meant, asked over HTTP, is refused with the same code and a text.",
        what_to_do: "Take partition and number from here, not from the client's log. \
                     InvalidOffset on a poll of First or Next points to that partition's segment \
                     files: the first message found there does not carry the offset that was \
                     looked for.",
        not_to_be_confused_with: "PX103, which is about the number that the client prints.",
    },
    Description {
        code: ARGUMENT_NOT_ON_WIRE,
        title: "The number that the client prints with this error was never on the wire",
        severity: Severity::Info,
        meaning: "An error reply carries only a code. The SDK makes its error value from the \
                  code alone and fills the rest with defaults, so that a log reads \
                  InvalidOffset(0) whatever offset the server meant.",
        recognised_by: "The reply's status is an error whose value in the Rust SDK has an \
                        argument, and the reply has no body.",
        what_to_do: "Do not conclude anything from the number or name in the client's message. \
                     If HTTP was asked the same question, its text has the real one.",
        not_to_be_confused_with: "An error about offset 0. That one looks the same in the log.",
    },
    Description {
        code: OTHER_PARTITION_ASKED,
        title: "TCP and HTTP only seem to differ: they were asked about different partitions",
        severity: Severity::Warning,
        meaning: "The client's poll names no partition, so the server chooses: a member of a \
                  group gets its partitions in turn. An HTTP poll that names none always gets \
                  one and the same, partition 0 on servers from 0.6. So a group's poll that \
                  fails on one partition stands against an HTTP poll that succeeds on another.",
        recognised_by: "The TCP poll names no partition and was refused; over HTTP the default \
                        partition answers while another partition is refused with the same \
                        code.",
        what_to_do: "Name the partition when you compare by hand: add partition_id to the HTTP \
                     poll. The partition that is refused is the one to look at.",
        not_to_be_confused_with: "PX101: there the same partition was asked both ways.",
    },
    Description {
        code: ANSWERS_DIFFER,
        title: "TCP and HTTP give different answers to the same question",
        severity: Severity::Error,
        meaning: "The client's poll and parallax's, put to HTTP about the same messages of the \
                  same partition, came out differently, and neither growth of the log nor \
                  messages that were gone by then explain it. Either one of the two ways into \
                  the server tells something wrong, or an empty answer hides a failure.",
        recognised_by: "The verdict is diverge: a field of a message at one offset, a message \
                        that is missing in between, the current offset or the count differs; or \
                        TCP shows no message where HTTP has messages older than the poll, or \
                        refuses; or both refuse, each with another error.",
        what_to_do: "Open the exchange: the differing fields stand side by side. Poll the same \
                     partition and offset again both ways. If the difference stays, look at the \
                     server's log and at that partition's segment files, and report it with \
                     this exchange.",
        not_to_be_confused_with: "PX101: there TCP refuses and HTTP answers. PX104: there two \
                                  partitions were asked. The verdict stale, where the log grew \
                                  between the two.",
    },
    Description {
        code: MASKED_ERROR,
        title: "TCP says that there is no message, and HTTP refuses the same poll",
        severity: Severity::Error,
        meaning: "Over HTTP the server names a failure; on TCP it answers with status 0 and no \
                  message, as if the partition were empty. A consumer that is answered so waits \
                  for messages that it cannot be given, without an error.",
        recognised_by: "The TCP reply has status 0 and no message; the same question over HTTP is \
                        refused by the server, with Iggy's error in the body. Where both could be \
                        asked again, it stayed so.",
        what_to_do: "Take the failure from HTTP's answer, and look at that partition in the \
                     server's log. Do not take the empty answer on TCP for the end of the log.",
        not_to_be_confused_with: "An empty partition, which HTTP answers with no message too. A \
                                  mirror that is not let in or times out, which is a verdict of \
                                  mirror_failed.",
    },
    Description {
        code: OTHER_CODE_SAME_FAILURE,
        title: "TCP and HTTP name the same failure by different codes",
        severity: Severity::Info,
        meaning: "Both refuse the poll because something that it names is not there, a stream, a \
                  topic or a partition, but each with another code. A client that handles one \
                  code misses the other.",
        recognised_by: "Both refuse, the codes differ, and each of them says that something was \
                        not found.",
        what_to_do: "Handle both codes. Which of stream, topic and partition is missing the texts \
                     say; HTTP's is longer.",
        not_to_be_confused_with: "Two different failures, which is PX105. A stream or topic named \
                                  once by number and once by name (1009 and 1010, 2010 and 2011), \
                                  which is one code in two spellings.",
    },
    Description {
        code: NUMERIC_NAME,
        title: "A name that is all digits cannot be asked about over HTTP",
        severity: Severity::Info,
        meaning: "On TCP an identifier says whether it is a number or a name. In an HTTP path it is \
                  text, and text that is a number is read as one: the topic named 7 is then the \
                  topic with the number 7, another one or none at all.",
        recognised_by: "The poll gives the stream or topic by a name that is a number.",
        what_to_do: "To have these polls compared, let the client name the stream and topic by \
                     their numbers, or give them names that are no numbers.",
        not_to_be_confused_with: "A stream or topic given by its number, which HTTP reads as it is \
                                  meant.",
    },
    Description {
        code: EMPTY_BELOW_THE_END,
        title: "First brings nothing of a partition that has messages",
        severity: Severity::Error,
        meaning: "A poll of First was answered with success and no message, though the partition has \
                  messages. A reader that begins there waits for ever, and no error says so.",
        recognised_by: "The reply has no message and a last offset above 0; HTTP, asked for the last message \
                  of the same partition, answers with one at or below that offset.",
        what_to_do: "Read from a known offset with a poll of Offset to get past it. On servers of the 0.5 \
                  line before 2025-05-29 it is the known fault of a partition whose first segment was \
                  deleted (case A2): update.",
        not_to_be_confused_with: "A partition that is empty, or whose messages were all deleted by retention: HTTP has \
                  none either, and nothing is said.",
    },
    Description {
        code: OFFSET_JUMP,
        title: "A reader was given messages from beyond where it was to go on",
        severity: Severity::Warning,
        meaning: "Offsets were skipped: a poll of Next began after the offset that follows the \
                  stored one, or a poll of an offset was answered with a later one. Whether the \
                  skipped messages are still there is not known.",
        recognised_by: "What the server holds as consumed was seen here (a store, an auto_commit, \
                        an answer to the question for it), and the first offset of the poll's \
                        reply is more than one above it. Nothing that passed here within a second \
                        explains it.",
        what_to_do: "Ask over HTTP for the first skipped offset (kind=offset): messages there mean \
                     a silent skip, none mean that retention was faster than the reader. With the \
                     mirror on, parallax asks that itself.",
        not_to_be_confused_with: "A reader that was set forward by somebody who does not pass \
                                  through parallax: another member of the group, or a tool that \
                                  stored an offset. parallax cannot see those.",
    },
    Description {
        code: SILENT_SKIP,
        title: "A reader was led past messages that are there",
        severity: Severity::Error,
        meaning: "Offsets were skipped, and the messages at them are readable: the reader will \
                  never see them, and no error says so.",
        recognised_by: "As PX202; and HTTP, asked for the first offset that was skipped, answers \
                        with a message that TCP left out.",
        what_to_do: "Read the skipped range with polls of Offset, to know what was lost. Report \
                     the poll before and this one: both are named here.",
        not_to_be_confused_with: "PX204, where the messages are gone. A reader that was set \
                                  forward by somebody who does not pass through parallax.",
    },
    Description {
        code: RETENTION_GAP,
        title: "A reader was led past messages that are no longer there",
        severity: Severity::Warning,
        meaning: "The reader was slower than retention: messages that it had not read were \
                  deleted, and the server went on at the first that is left.",
        recognised_by: "As PX202; and a poll of First was answered with no lower offset before, or \
                        HTTP, asked for the first offset that was skipped, answers with nothing \
                        before the offset that TCP began at.",
        what_to_do: "Give the topic more time or space, or the reader more speed.",
        not_to_be_confused_with: "PX203, where the messages are there.",
    },
    Description {
        code: OFFSET_REUSED,
        title: "An offset was given to another message",
        severity: Severity::Error,
        meaning: "Two polls of one offset of one partition brought two different messages. The \
                  log was written anew from some point: readers that were past it have lost \
                  what they have not read, or will read offsets twice with other contents.",
        recognised_by: "Of some messages that were served (the first and the last of each reply) \
                        id and checksum are remembered by offset. One came again with another id \
                        or checksum, and no purge, deletion or creation passed in between.",
        what_to_do: "Look at what the server did between the two exchanges: a restart after which \
                     it began below its last offset (case A4) is the known cause. Compare the \
                     segment files.",
        not_to_be_confused_with: "A topic that was purged or made anew by somebody who does not \
                                  pass through parallax.",
    },
    Description {
        code: STORED_AHEAD,
        title: "The stored offset is ahead of the partition's end",
        severity: Severity::Error,
        meaning: "The server holds an offset as consumed that the partition does not have. Next stays \
                  empty until the partition has grown past it, and what is appended until then is \
                  skipped.",
        recognised_by: "A reply to a question for the stored offset has a stored offset above the last \
                  offset beside it, and no poll has shown the partition to go that far.",
        what_to_do: "Store the partition's last offset, or delete the stored one. A restart that lost \
                  messages which had been consumed already is the known cause (case A4).",
        not_to_be_confused_with: "A partition that grew between the server's two readings: claims wait a second for a \
                  poll that shows it.",
    },
    Description {
        code: OFFSET_NOT_READ_BACK,
        title: "A stored offset is not what is read back",
        severity: Severity::Error,
        meaning: "The server acknowledged that it has stored an offset, and answers the question \
                  for it with none or a lower one. A reader that restarts there reads again what \
                  it had done with, or goes on from another reader's place.",
        recognised_by: "A store or a poll with auto_commit was answered OK, a later question for \
                        the same consumer's or group's offset on the same partition (120) got none \
                        or a lower one, and no store, deletion, purge or creation that passed here \
                        lies between or was under way at the same time.",
        what_to_do: "Compare the two exchanges: consumer kind, id and partition are the same. Ask \
                     again; if the number comes back later, the answer was from a replica that \
                     lags. If not, report it: servers before 0.6 kept a group's offset where they \
                     did not look for it (case B2).",
        not_to_be_confused_with: "PX301, where the reader itself is set back. An offset that \
                                  somebody who does not pass through parallax set back or deleted.",
    },
    Description {
        code: SERVED_BUT_NOT_STORED,
        title: "The server refuses to store an offset that it has just served",
        severity: Severity::Error,
        meaning: "A reader was served a message and is not allowed to store its offset as consumed: \
                  the server's two ideas of the partition's end contradict each other.",
        recognised_by: "A store of an offset was refused with 4100; the last poll of the same reader on the \
                  same partition was served that very offset, and no purge lies between.",
        what_to_do: "The reader will be served the same messages again after a restart. Report both \
                  exchanges.",
        not_to_be_confused_with: "A store of an offset beyond what was served: the server is right to refuse it.",
    },
    Description {
        code: SKIP_AFTER_PURGE,
        title: "After a purge a reader begins beyond the first message",
        severity: Severity::Error,
        meaning: "A topic was purged, and the reader's first poll of Next after that begins beyond the \
                  first message: an offset from before the purge was kept, or came back.",
        recognised_by: "A purge was acknowledged; the first poll of Next since, of a reader that stored \
                  nothing since, begins above 0; HTTP, asked for First, answers with an earlier \
                  offset.",
        what_to_do: "Delete the reader's stored offset, and read the skipped messages by Offset. A poll \
                  that was under way during the purge is the known cause (case A12).",
        not_to_be_confused_with: "PX204: messages that are no longer there. A reader that stored an offset by another \
                  way than through parallax.",
    },
    Description {
        code: PURGE_WITHOUT_EFFECT,
        title: "Messages from before a purge are served after it",
        severity: Severity::Error,
        meaning: "A purge was acknowledged, and a message that had been served before it was served \
                  again, with the same id and checksum, by a poll that was sent after it.",
        recognised_by: "Of some messages that were served id and checksum are remembered by offset, across a \
                  purge.",
        what_to_do: "The purge did not reach the partition's data: purge again, and look at the server's \
                  log.",
        not_to_be_confused_with: "A poll that was under way during the purge: it may have read before it, and nothing \
                  is said.",
    },
    Description {
        code: SET_BACK_TO_ZERO,
        title: "A reader was set back to offset 0, which counts as consumed",
        severity: Severity::Info,
        meaning: "The stored offset is the last one consumed. With 0 stored, Next begins at 1: message \
                  0 is not delivered again.",
        recognised_by: "A store of offset 0 was acknowledged; a higher one was stored before.",
        what_to_do: "To begin at the start delete the stored offset (code 122) instead (case A9).",
        not_to_be_confused_with: "A skip: the server does what it was told.",
    },
    Description {
        code: STALLED,
        title: "A reader is owed messages and gets none",
        severity: Severity::Error,
        meaning: "Polls go on to bring nothing, with success, though the partition has messages beyond \
                  where the reader is.",
        recognised_by: "Three or more polls in a row, over a second or more, brought no message where the \
                  next offset is known and below the last offset in the replies; HTTP, asked for that \
                  offset, answers with a message within.",
        what_to_do: "Compare with a poll of Offset at that place. If it brings the message, store an \
                  offset to get past it, and report the exchanges.",
        not_to_be_confused_with: "A short time in which messages are being written to disk and cannot be read (case \
                  A5): one poll is not enough. A group's member without a partition.",
    },
    Description {
        code: LOG_WENT_BACK,
        title: "A partition's log ends earlier than it did",
        severity: Severity::Warning,
        meaning: "The server said that the partition's last offset is lower than what it had said \
                  before. Messages at the end were lost, or the log begins anew.",
        recognised_by: "The current_offset of a poll's reply is lower than that of an earlier \
                        reply that was complete before this poll was sent, and no purge, deletion \
                        or creation passed in between.",
        what_to_do: "Look at what the server did in between: restarted without having written \
                     everything to disk, or answered from another replica. Readers whose stored \
                     offset is above the new end get nothing until the log has grown past it.",
        not_to_be_confused_with: "A topic that was purged or made anew by somebody who does not \
                                  pass through parallax.",
    },
    Description {
        code: SET_BACK,
        title: "A reader was set back",
        severity: Severity::Info,
        meaning: "An offset lower than the stored one was stored: what lies between is delivered \
                  again.",
        recognised_by: "A store was acknowledged whose offset is lower than the one known to be stored.",
        what_to_do: "Nothing, where that was meant. Where it was not: two members that store for one \
                  partition, or stores that overtake each other.",
        not_to_be_confused_with: "PX301, where the server goes back by itself.",
    },
    Description {
        code: DELETED_BEFORE_READ,
        title: "A reader was led past messages that a client had deleted",
        severity: Severity::Info,
        meaning: "A client asked the server to delete segments; a reader that was to go on within them \
                  goes on behind them.",
        recognised_by: "As PX202; a deletion of segments of the partition was acknowledged, and a poll of \
                  First was answered with an offset that is not below the one where the reader goes \
                  on.",
        what_to_do: "Nothing, where the deletion was meant.",
        not_to_be_confused_with: "PX204, where retention deleted the messages by itself. PX203, where they are there.",
    },
    Description {
        code: REPLAY,
        title: "A reader begins again before where it committed",
        severity: Severity::Error,
        meaning: "A poll of Next was answered from an offset that the server had already \
                  acknowledged as consumed: what was done with is delivered again. If the \
                  connection is another one than before, the group's offset did not survive the \
                  change of its member.",
        recognised_by: "What the server holds as consumed was seen here (a store, an auto_commit, \
                        an answer to the question for it), and the reply's first offset is not \
                        above it. Nothing that passed here within a second explains it.",
        what_to_do: "Ask for the stored offset (120) on both connections. Servers before 0.6 kept \
                     a group's offset under the member's id (case B1), so that it was gone with \
                     the member. Make the consumer ready for messages that come twice.",
        not_to_be_confused_with: "A rewind: a store of a lower offset, a deletion of the offset, a \
                                  purge, a group made anew. Those that pass here are known; those \
                                  of somebody who does not pass through parallax cannot be.",
    },
    Description {
        code: COMMIT_AFTER_LEAVE,
        title: "A commit is refused because the client has left the group",
        severity: Severity::Warning,
        meaning: "The client left the group and committed afterwards, on the same connection. The \
                  server refuses that, so whoever gets the partition next reads again what this \
                  client had done with.",
        recognised_by: "A leave (605) was answered OK; after it, with no join (604) between, a \
                        store (121) for that group on that connection is refused with an error \
                        about groups (5000 to 5009).",
        what_to_do: "Commit before leaving. SDKs up to 0.10.2 leave first when a consumer is \
                     closed (case B6): a newer one, or a commit of one's own before closing, \
                     helps.",
        not_to_be_confused_with: "Commits that are refused for another reason (PX305), and those \
                                  of a client that was evicted (PX310).",
    },
    Description {
        code: FENCED,
        title: "A member is told to ask for its assignment anew, and does not",
        severity: Severity::Error,
        meaning: "The group's partitions were given out anew. Until the client asks which ones it \
                  has now, every poll of its is answered with no message, without an error: it \
                  hangs in silence.",
        recognised_by: "Polls in a row, at least three, on one connection for one group are \
                        answered with no message and 0xFFFFFFFF in the partition's place, and \
                        neither a sync (606) nor a join (604) of that group passes in between.",
        what_to_do: "Make the client sync (606), or join again (604), when it gets that number; an \
                     SDK that does not know it has to be updated. A consumer of a group that names \
                     a fixed partition which is not its own ends up here too.",
        not_to_be_confused_with: "An empty partition, which names itself in the reply. 4294967295 \
                                  is no partition.",
    },
    Description {
        code: NOT_A_MEMBER,
        title: "A client is told that it is no member of the group, and polls on without joining",
        severity: Severity::Error,
        meaning: "The client asked for its assignment and the reply was empty: it is not a member. \
                  It goes on polling and gets nothing, for ever.",
        recognised_by: "A sync (606) is answered OK with an empty body. After it at least three \
                        polls for that group on that connection bring nothing, and no join (604) \
                        and no sync with an assignment passes.",
        what_to_do: "Make the client join again (604) after an empty sync. SDKs that take the \
                     empty body for no news hang here (case B5).",
        not_to_be_confused_with: "PX303: there it is a member and has to ask. A member that has no \
                                  partition, because there are more members than partitions, gets \
                                  a sync with an empty list.",
    },
    Description {
        code: COMMITS_FAILING,
        title: "Commits are refused while polls go on",
        severity: Severity::Error,
        meaning: "The reader is given new messages and its commits of them are refused, each time. \
                  Nothing looks wrong until it restarts: then it reads everything again from the \
                  last commit that worked.",
        recognised_by: "At least three stores (121) in a row of one reader are refused, whatever \
                        the error, and the last message delivered went forward between the first \
                        and the latest of them.",
        what_to_do: "Look at the error. 3024 means that the server's table of offsets is full \
                     (case B11): remove consumers that are no longer used. The evidence says where \
                     a restart would begin.",
        not_to_be_confused_with: "One refused commit with a good one after it. PX302, where the \
                                  client had left the group.",
    },
    Description {
        code: FRESH_READER_AT_TAIL,
        title: "A reader without a stored offset begins at the tail, and the backlog is skipped \
                for ever",
        severity: Severity::Warning,
        meaning: "The server held no offset for the reader, its first poll was answered from near \
                  the end, and that is committed. What was there before will never be delivered to \
                  it.",
        recognised_by: "It was seen here that no offset was stored (the question for it was \
                        answered with none, it was deleted, or the group or topic was created \
                        here). The first poll, of Last or Next, begins above 0 and is committed. \
                        HTTP, asked for the first message of that partition, has an older one.",
        what_to_do: "If the backlog matters, begin with First, or delete the stored offset (122) \
                     and poll Next. If only new messages are wanted, this is what was asked for: \
                     mute it.",
        not_to_be_confused_with: "A reader that goes on where it stored. A reader at the tail of \
                                  an empty partition. A look at the last messages without a \
                                  commit.",
    },
    Description {
        code: AUTO_COMMIT_ON_POLL,
        title: "Polls commit what they bring: at-most-once",
        severity: Severity::Info,
        meaning: "With auto_commit the server counts messages as consumed when it sends them. If \
                  the client fails after that and before it is done with them, they are not \
                  delivered again.",
        recognised_by: "A poll with auto_commit set was answered with messages. Told once for a \
                        consumer or group of a topic.",
        what_to_do: "Where no message may be lost, poll without auto_commit and store the offset \
                     (121) when the work is done; then messages may come twice.",
        not_to_be_confused_with: "An SDK's own automatic commits, which are stores (121) of their \
                                  own after the poll.",
    },
    Description {
        code: OMITTED_PARTITION_IS_ZERO,
        title: "A partition that was left out is partition 0, but the consumer reads another one",
        severity: Severity::Warning,
        meaning: "A request of a single consumer that names no partition is about partition 0. \
                  This consumer reads another partition: what it meant to read, store or delete \
                  there happened to partition 0.",
        recognised_by: "A store, a deletion of an offset or a poll of a single consumer names no \
                        partition, while all its polls before, on the same connection, named one \
                        and the same other partition (for a poll: at least three).",
        what_to_do: "Name the partition in every request. Look at what is stored for this consumer \
                     on partition 0 and on its own.",
        not_to_be_confused_with: "A member of a group, for whom the server chooses the partition. \
                                  The protocol of servers before 0.6, which counts partitions from \
                                  1.",
    },
    Description {
        code: PARTITION_START_SKIPPED,
        title: "A client begins a partition where it was to go on in another one",
        severity: Severity::Warning,
        meaning: "The client keeps one offset for all partitions: having read one, it asks the \
                  next one from there, and by its commit what lies before counts as consumed, \
                  though nobody has read it. The request is at fault, not the reply.",
        recognised_by: "The first request for a partition asks for an offset above 0 that is the \
                        last delivered offset of another partition plus one, for the same client \
                        and topic, and something of it is committed. The reader's own stored \
                        offset was not that; where that is not known and the client chose the \
                        partition, two partitions have to show it. HTTP, where it can be asked, \
                        has older messages.",
        what_to_do: "Keep an offset for each partition. The Rust SDK's consumer did this for any \
                     strategy but Next (case B9). Read the skipped beginning with polls of Offset.",
        not_to_be_confused_with: "A client that goes on where it has stored, which may be the same \
                                  number by chance.",
    },
    Description {
        code: EVICTED_AFTER_SILENCE,
        title: "A client is evicted after it has been silent",
        severity: Severity::Warning,
        meaning: "The connection sent nothing for a while, not even a ping, and what it sent next \
                  was refused because the server no longer knows it, or its membership. Its \
                  partitions went to other members in the meantime.",
        recognised_by: "At least five seconds without a request on the connection, then \
                        stale_client (30), an eviction for that reason, or 5006 for a group that \
                        this connection had joined and not left.",
        what_to_do: "Send pings in time, also while messages are being worked on; then connect and \
                     join again. The server's heartbeat.interval says how often. HTTP keeps no \
                     session, so it cannot show this.",
        not_to_be_confused_with: "5006 of a client that has never joined, or that has left, or \
                                  whose group was deleted.",
    },
    Description {
        code: CLIENT_BEHIND_WIRE,
        title: "A client takes the first message of each batch alone",
        severity: Severity::Warning,
        meaning: "The server delivered several messages, and all of them can be read. The client \
                  goes on after the first one, as if there had been no other: it reads the same \
                  messages again and again, one further each time, or loses them where something \
                  else commits for it.",
        recognised_by: "Three batches in a row, of two messages or more, without auto_commit: \
                        nothing but the first offset is committed, or nothing, and the next poll \
                        begins at the second.",
        what_to_do: "Look at the client's decoder. Known ones that stopped after the first \
                     message: the Node SDK before 0.5 (case D1), the Java SDK where a message has \
                     user headers (case D2).",
        not_to_be_confused_with: "A client that commits each message: it commits the last one too \
                                  before it polls again. A reply that cannot be read (PX403).",
    },
    Description {
        code: OK_FOR_MISSING_GROUP,
        title: "What was done to a group that is not there was answered OK",
        severity: Severity::Warning,
        meaning: "The server said that the group does not exist, and then answered OK to joining, \
                  leaving or deleting it. A client that trusts that believes it is a member, and \
                  gets nothing.",
        recognised_by: "A question for the group was answered with none, or for all groups \
                        of the topic with others alone, or a request with 5000 or \
                        5003, or the group was deleted; within ten seconds a join (604), leave \
                        (605) or delete (603) is answered with status 0, and no creation passed \
                        here in between.",
        what_to_do: "Ask for the group (600) before joining, and create it. Servers before \
                     0.9.0-edge.2 answer so (case C12).",
        not_to_be_confused_with: "A group that somebody who does not pass through parallax made in \
                                  between.",
    },
    Description {
        code: SET_FORWARD,
        title: "A reader was set forward, past messages that it was not given",
        severity: Severity::Info,
        meaning: "An offset was stored that lies beyond the last message the reader was given. What \
                  lies between will not be delivered to it.",
        recognised_by: "A store was acknowledged whose offset is above the last one delivered to that reader \
                  and above the one known to be stored.",
        what_to_do: "Nothing, where that was meant: a broken message was stepped over, or a tool went to \
                  the end. Where a client resets to the latest offset after an error, this is the \
                  backlog that it loses (docs/recoveries.md).",
        not_to_be_confused_with: "PX202 to PX204, where the server goes forward by itself. A reader whose other \
                  members do not pass through parallax: they may have been given the rest.",
    },
    Description {
        code: FRAMING_MISMATCH,
        title: "Client and server frame differently: one speaks classic, the other VSR",
        severity: Severity::Error,
        meaning: "Servers up to 0.8 and SDKs up to 0.10 frame with 8-byte headers (classic), \
                  servers from 0.9 and SDK 0.11 with 256-byte headers (VSR). Neither reads the \
                  other's bytes for what they are. Often nobody says a word: each waits for the \
                  rest of a frame that never comes, and the client hangs at its login.",
        recognised_by: "The client's first bytes are a request of one dialect, the server's \
                        first bytes are a frame of the other.",
        what_to_do: "Use an SDK that goes with the server: SDK 0.11 with servers from 0.9, an \
                     older SDK with servers up to 0.8. The evidence has both sides' versions as \
                     far as they are on the wire.",
        not_to_be_confused_with: "PX402: there both speak VSR, and the server refuses the \
                                  version. A client that speaks TLS or HTTP to this port is \
                                  named as such on its connection.",
    },
    Description {
        code: VERSION_REFUSED,
        title: "The server refuses the client's protocol version",
        severity: Severity::Error,
        meaning: "Client and server both speak the VSR dialect, but the client's protocol \
                  version is outside the window that the server accepts. The server ends the \
                  session with an eviction.",
        recognised_by: "An eviction with reason 14, or status 14003, in answer to a login.",
        what_to_do: "Use an SDK whose protocol version lies in the window that the evidence \
                     gives, or a server that accepts the client's.",
        not_to_be_confused_with: "A wrong password, which an eviction tells as well, with \
                                  another reason.",
    },
    Description {
        code: BODY_DOES_NOT_TILE,
        title: "The messages of a poll reply do not fill its body",
        severity: Severity::Error,
        meaning: "A reply says how many messages follow and each message says how long it is. \
                  Here the count, the lengths and the bytes contradict each other, so a client \
                  that goes by one of them gets other messages than one that goes by another, \
                  often without an error.",
        recognised_by: "Walking the messages by their lengths ends before or beyond the body's \
                        end, or the number of messages is not the one announced.",
        what_to_do: "Open the exchange: the byte where reading stopped is marked. Compare with \
                     what the same poll gives over HTTP. Client and server versions that differ \
                     in the message layout show themselves this way.",
        not_to_be_confused_with: "Payloads or user headers that a client has encrypted: they are \
                                  bytes like any others and tile well.",
    },
    Description {
        code: SESSION_ENDED_UNASKED,
        title: "The server ended the session without being asked",
        severity: Severity::Warning,
        meaning: "A VSR server may evict a client at any time, for instance when it has not \
                  heard a ping for too long. The frame answers no request. A client that takes \
                  it for the answer to its open one is one answer off from then on, without an \
                  error.",
        recognised_by: "An eviction frame while no login is open for that client.",
        what_to_do: "Read the reason. After it the client has to register anew; if it goes on \
                     under the old session, look at how its SDK treats frames that it did not \
                     ask for.",
        not_to_be_confused_with: "An eviction in answer to a login, which refuses that login.",
    },
    Description {
        code: STATUS_AMBIGUOUS,
        title: "A reply can be read as a denial and as a success",
        severity: Severity::Warning,
        meaning: "The status of a VSR reply moved twice between versions. In this header the \
                  number stands where one version has the status and another has something else, \
                  so that one client reads an error and another reads success with nothing in it.",
        recognised_by: "A VSR reply without a body, a number at byte 216 and 0 at byte 224, on a \
                        connection whose login, which tells the server's version, was not seen or \
                        names a version from before the move.",
        what_to_do: "Find out the server's version. From 0.9.0-edge.2 on the number at byte 216 \
                     is the error, and an SDK from before reads every denial as success: update \
                     it. A denial never has a body, so an empty reply to a question that should \
                     have an answer speaks for the denial.",
        not_to_be_confused_with: "A reply on a connection whose login was seen: there the version \
                                  decides, and nothing is said.",
    },
    Description {
        code: REPLY_TO_NOTHING,
        title: "A reply answers no request that is open",
        severity: Severity::Warning,
        meaning: "A VSR reply carries the number of its request. This one names a request that \
                  nobody waits for. A client that takes whatever comes next for its answer is one \
                  answer off from then on, without an error; parallax pairs by number and is not.",
        recognised_by: "A reply frame whose request number and operation are those of no open \
                        request of the connection, on a connection of which no byte was missed.",
        what_to_do: "Look at what came before it on the same connection: an eviction that the \
                     client took for an answer, or a request that it had given up. Compare the \
                     client's log with the exchanges here.",
        not_to_be_confused_with: "PX404, an eviction: that frame never answers anything. A \
                                  capture that began in the middle of a connection, where the \
                                  request was not seen.",
    },
    Description {
        code: REQUEST_MALFORMED,
        title: "A request's body is not what its command takes",
        severity: Severity::Warning,
        meaning: "The client wrote a body that cannot be read as the command that it names: a \
                  byte too many or too few, a flag that is missing, a length that is wrong. Some \
                  servers refuse that, some read what they can and go on with wrong values, some \
                  crash.",
        recognised_by: "The command is known, the whole body was seen, and reading it stops at \
                        the byte that the evidence names. What the server answered stands beside \
                        it.",
        what_to_do: "Open the exchange: the byte is marked. Compare with how another SDK writes \
                     the same command, and report it to the client's SDK.",
        not_to_be_confused_with: "A body of a version that this parallax does not know: then \
                                  other clients of that version show the same, and the server \
                                  accepts it. Messages whose layout cannot be told, which is no \
                                  fault.",
    },
    Description {
        code: REPLY_LEFT_UNREAD,
        title: "A reply has a body that the Rust SDK does not take off the connection",
        severity: Severity::Warning,
        meaning: "The Rust SDK of the classic dialect reads no body where the status is an error, \
                  nor where the length is 1. If there is one it stays on the connection, and the \
                  next reply is read from the wrong byte on: every later answer is wrong.",
        recognised_by: "A classic reply with status 0 and length 1, or with an error status and \
                        any length but 0. No recorded server sends either.",
        what_to_do: "Look at who wrote the reply: a proxy, a test server, a damaged connection. \
                     Connect the client anew; look at its next exchanges, which will make no \
                     sense to it.",
        not_to_be_confused_with: "An error reply as servers send it: status and length 0. A \
                                  client in another language may well read the body.",
    },
    Description {
        code: TOKEN_HALF_ACCEPTED,
        title: "One token is accepted on some connections and refused on others",
        severity: Severity::Warning,
        meaning: "The same personal access token logs in on one connection and is refused as \
                  unknown on another. A server that keeps tokens for each of its shards, and does \
                  not tell the others of a new or deleted one, behaves like that.",
        recognised_by: "Logins with one and the same token, told by a keyed hash that never \
                        leaves memory: one is refused with 53 on one connection, after it was \
                        accepted, and accepted once more on a later one, or refused, accepted and \
                        refused again.",
        what_to_do: "Restart the server, or make the token anew and see whether it happens again. \
                     Servers from 0.6.1-edge.6 tell all shards.",
        not_to_be_confused_with: "A token that was made or deleted between the logins: there is \
                                  one change, and no way back. An expired token is refused with \
                                  54.",
    },
    Description {
        code: UNKNOWN_CODE,
        title: "A command or an error that no known version has",
        severity: Severity::Info,
        meaning: "A number on the wire is in no table of any version that parallax knows. It is \
                  passed on like all others; what it means is not known.",
        recognised_by: "A request whose code is no command of any dialect, or a reply whose \
                        status is no known error. Shown as a number, and in hexadecimal.",
        what_to_do: "If client or server is newer than this parallax, look the number up in its \
                     sources. If not, look for bytes that are out of step: PX403, PX407 and PX408 \
                     are near then.",
        not_to_be_confused_with: "A known command that the server does not know: that is answered \
                                  with error 3, invalid_command.",
    },
    Description {
        code: BEFORE_TIMESTAMP,
        title: "A poll of a time is answered with messages from before it",
        severity: Severity::Warning,
        meaning: "The client asked for messages from a time on, and the timestamps of some that \
                  it was given lie before it. Each message has two: when the server appended it, \
                  and when its producer made it. Some servers filter by one and report the other.",
        recognised_by: "A poll of Timestamp whose reply has a message with a timestamp below the \
                        time that was asked for. Which of the two clocks the filter may have \
                        followed is in the evidence.",
        what_to_do: "Drop such messages in the client if their timestamps matter. If all their \
                     origin timestamps lie at or after the time, the server filters by the \
                     producer's clock: servers from 0.9.0-edge.2 filter by the one they report.",
        not_to_be_confused_with: "A poll of Timestamp that begins later than asked: nothing was \
                                  appended in between.",
    },
    Description {
        code: CLIENT_CANNOT_DECODE,
        title: "The server lays out messages in a way that this client does not read",
        severity: Severity::Error,
        meaning: "Messages were laid out in three ways over the versions: with headers of 56 \
                  bytes, with headers of 64, and in batch records. This client speaks a version \
                  from before the layout that it was given, and will read wrong messages or none, \
                  often without an error.",
        recognised_by: "The layout of a poll's reply is told by its bytes beyond doubt, and \
                        contradicts the client: its login names a protocol from before batch \
                        records, or the messages that it sends itself on the same connection have \
                        the other header.",
        what_to_do: "Update the client's SDK to one of the server's time, or use an older server.",
        not_to_be_confused_with: "PX403, where the bytes fit no layout. A body that fits two: \
                                  nothing is said of that.",
    },
    Description {
        code: SAME_FAILURE_AGAIN,
        title: "The same request fails the same way again and again",
        severity: Severity::Error,
        meaning: "A client repeats a request that is refused each time with the same code. It \
                  makes no progress on whatever it asks for, though other requests of its may \
                  succeed in between.",
        recognised_by: "On one connection or for one consumer: the same request with the same \
                        error, at least three times.",
        what_to_do: "Look at the error of one of them. Repeating will not help unless what it \
                     complains about is passing (a leader being elected, a quota).",
        not_to_be_confused_with: "A consumer that polls an empty partition: that succeeds, with \
                                  no message.",
    },
    Description {
        code: SAME_BATCH_AGAIN,
        title: "A reader is given the same batch again and again",
        severity: Severity::Warning,
        meaning: "The same poll brings the same messages each time, and nothing is stored in \
                  between: the client does not get on, and no error says so. Consumers that poll \
                  First, Last or a time in a loop do that, and those that poll Next and never \
                  store.",
        recognised_by: "On one connection the same poll of one reader of one partition is \
                        answered five times in a row with the same first and last offset, at \
                        least one message, and no store or delete of its offset in between.",
        what_to_do: "Poll Next with auto_commit, or store the offset of what was handled, or ask \
                     from the last offset plus one.",
        not_to_be_confused_with: "A tool that peeks at the newest message now and then, which is \
                                  harmless. A consumer that polls an empty partition. A batch \
                                  that is read twice on purpose.",
    },
    Description {
        code: LED_AROUND,
        title: "A client left for an address that the server advertises",
        severity: Severity::Warning,
        meaning: "After its login a client asks who leads the cluster, and goes on to the address \
                  in the answer if that is not the one it is connected to. It connects there \
                  directly: its traffic does not pass through parallax any more, and this \
                  connection ends here.",
        recognised_by: "The last thing on the connection was the answer to get_cluster_metadata, \
                        with several nodes and a healthy leader at an address that is not the one \
                        that the client had connected to; then the client closed. That is the \
                        rule of the Rust SDK 0.10 and 0.11. It keeps no redirect where there is \
                        one node.",
        what_to_do: "Put parallax in front of the leader and let the server advertise parallax's \
                     address, or run one parallax for each node.",
        not_to_be_confused_with: "A capture that ends there: look for the client's next \
                                  connection at the address in the evidence. A cluster of one \
                                  node, which redirects nobody.",
    },
    Description {
        code: REDIRECT_LOOP,
        title: "A client is led to the leader and comes back, again and again",
        severity: Severity::Warning,
        meaning: "Two servers each name another one as the leader, or the advertised address \
                  leads back to where the client came from. The client logs in, asks who leads, \
                  closes, connects, and does it again; SDKs stop after a few rounds, wherever \
                  they are then.",
        recognised_by: "Three connections of one address, each opened within a second after the \
                        one before had closed, each of which ended with the answer to \
                        get_cluster_metadata that leads elsewhere.",
        what_to_do: "Compare what the nodes say of the leader (get_cluster_metadata on each), and \
                     what they advertise.",
        not_to_be_confused_with: "Three programs on one machine, started one after the other, \
                                  each led away once: there PX503 is all.",
    },
    Description {
        code: DUPLICATE_SEND,
        title: "Messages may have been appended twice",
        severity: Severity::Warning,
        meaning: "A client sent messages, its connection ended before the answer came, and the \
                  very same messages were sent again on a new connection and accepted. Whether \
                  the first ones had been appended the client could not know. A server's own \
                  guard against doubles goes by the session, and the new connection has a new \
                  one.",
        recognised_by: "Two send_messages requests whose bodies are the same, byte for byte, with \
                        message ids or times in them: the first without a reply when its \
                        connection closed, the second later, on another connection, with status \
                        0.",
        what_to_do: "Poll the partition and look for two messages with the same id. If doubles \
                     matter, have consumers skip ids that they have seen.",
        not_to_be_confused_with: "A producer that sends equal messages regularly: each is \
                                  answered before the next. A batch that is sent again after an \
                                  error reply, which appended nothing.",
    },
    Description {
        code: RETRIED,
        title: "One operation was sent several times until its time had come",
        severity: Severity::Info,
        meaning: "The server answered that it could not do it now (57, not committed; 58, not \
                  accepted), and the client sent the same frame again until something else came \
                  of it. That is one operation, however often it was sent, and its latency is \
                  counted as one, from the first request to the last reply.",
        recognised_by: "The same frame, answered with 57 or 58 at least once, and then with \
                        something else or not at all.",
        what_to_do: "Nothing, if it is rare. Look at the total time: a leader that changes often, \
                     or a disk that is slow, show there.",
        not_to_be_confused_with: "PX501: the same failure without an end.",
    },
    Description {
        code: NO_RECONNECT,
        title: "The server closed on a client that was waiting, and the client has not come back",
        severity: Severity::Warning,
        meaning: "The server's side of a connection ended while a request was open, so that its \
                  outcome is not known, and no new connection of the same client came. SDKs that \
                  do not take this for a reason to connect anew go on waiting on a dead \
                  connection.",
        recognised_by: "The server closed or reset the connection with a request unanswered; for \
                        half a minute no connection came from the client's address.",
        what_to_do: "Look at the client: is it still running, and what does it wait for? Restart \
                     it; report it to its SDK if it hangs. Look at the server's log for why it \
                     closed.",
        not_to_be_confused_with: "A client that was ended on purpose, or that moved to another \
                                  address (PX503). A client that waits longer than that before it \
                                  tries again.",
    },
    Description {
        code: MIRROR_UNAUTHENTICATED,
        title: "HTTP does not let parallax in, so polls are not compared",
        severity: Severity::Warning,
        meaning: "parallax logs in over HTTP as the client's user, or as the one that it was told, \
                  and is refused, or its token is. Nothing is known about the polls of that user. \
                  It says nothing about the client's own connection, and is no divergence.",
        recognised_by: "HTTP refuses the login, or answers 401 to a token that it has just given \
                        out.",
        what_to_do: "Give credentials that HTTP takes: --http-user and PARALLAX_HTTP_PASSWORD. A \
                     token may be good on one node of a cluster alone: give the HTTP address of \
                     the node that the client talks to.",
        not_to_be_confused_with: "A token that expired, which is renewed without a word. A client \
                                  whose own login is refused.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_is_sorted_and_says_everything() {
        assert!(CATALOG.is_sorted_by_key(|entry| entry.code));
        for entry in CATALOG {
            for text in [
                entry.title,
                entry.meaning,
                entry.recognised_by,
                entry.what_to_do,
                entry.not_to_be_confused_with,
            ] {
                assert!(text.len() > 20, "{} leaves something unsaid", entry.code);
                assert!(!text.contains("  "), "{} has a gap in: {text}", entry.code);
            }
        }
    }
}
