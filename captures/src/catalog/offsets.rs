//! `PX2xx`: offsets.

use super::Description;
use crate::finding::{FindingCode, Severity};

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
/// A reader may be missing messages, and nobody could be asked.
pub const MESSAGES_MAY_BE_MISSING: FindingCode = FindingCode(217);

pub(super) const DESCRIPTIONS: &[Description] = &[
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
        code: MESSAGES_MAY_BE_MISSING,
        title: "A reader may be missing messages; whether there are any is not known",
        severity: Severity::Info,
        meaning: "Polls bring nothing though the partition's last offset lies beyond, or a reader \
                  began beyond the first message after a purge. That is a fault if the messages are \
                  there (PX201, PX209, PX212), and nothing if retention has deleted them all.",
        recognised_by: "As PX201, PX209 and PX212, without an answer over HTTP to the question that decides: \
                  there is no mirror, or it could not ask.",
        what_to_do: "Ask for the last message of the partition, or for the offset named here: a message \
                  there means that it is kept from the reader. With the mirror on, parallax asks that \
                  itself.",
        not_to_be_confused_with: "An idle consumer at the end of its partition.",
    },
];
