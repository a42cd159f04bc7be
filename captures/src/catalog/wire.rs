//! `PX4xx`: the wire and its protocol.

use super::Description;
use crate::finding::{FindingCode, Severity};

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

pub(super) const DESCRIPTIONS: &[Description] = &[
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
];
