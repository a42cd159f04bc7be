//! `PX3xx`: consumer groups and commits.

use super::Description;
use crate::finding::{FindingCode, Severity};

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

pub(super) const DESCRIPTIONS: &[Description] = &[
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
        severity: Severity::Info,
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
        not_to_be_confused_with: "A client whose commits lag behind its polls, as those of the \
                                  Rust SDK 0.10's consumer that commits each message in the \
                                  background: the bytes are the same. A reply that cannot be \
                                  read (PX403).",
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
];
