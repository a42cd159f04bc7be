//! `PX1xx`: TCP against HTTP.

use super::Description;
use crate::finding::{FindingCode, Severity};

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

pub(super) const DESCRIPTIONS: &[Description] = &[
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
];
