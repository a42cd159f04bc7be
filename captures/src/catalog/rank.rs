//! Which of several findings at one place explains the others.

use super as px;
use crate::finding::FindingCode;

/// How near a finding is to the root of what is wrong: the nearest first. One that this
/// table does not have comes last.
pub fn rank(code: FindingCode) -> usize {
    let found = ORDER.iter().position(|(one, _)| *one == code);
    found.unwrap_or(ORDER.len())
}

/// Each with what it explains of those after it, or why others explain it.
#[rustfmt::skip]
const ORDER: &[(FindingCode, &str)] = &[
    // Where the bytes are not understood, all that is read of them is in doubt.
    (px::FRAMING_MISMATCH, "nobody understands anybody, so nothing else can succeed"),
    (px::VERSION_REFUSED, "the login fails, and whatever needs it"),
    (px::CLIENT_CANNOT_DECODE, "the client reads other messages than were sent"),
    (px::BODY_DOES_NOT_TILE, "what was read of the messages differs from HTTP's"),
    // Whoever is not let in, put out or led away fails in what it does next.
    (px::CANNOT_ACCEPT, "whoever waits for parallax looks stalled, or lost (PX507)"),
    (px::REDIRECT_LOOP, "each round of it looks like a client that leaves"),
    (px::ADVERTISES_AROUND, "a client that goes there leaves (PX503)"),
    (px::EVICTED_AFTER_SILENCE, "the session ended because of it"),
    (px::SESSION_ENDED_UNASKED, "replies are one off after it"),
    (px::NOT_A_MEMBER, "commits and polls of the group are refused"),
    (px::FENCED, "commits and polls of the group are refused"),
    (px::COMMIT_AFTER_LEAVE, "commits are refused"),
    (px::OK_FOR_MISSING_GROUP, "what was answered OK had no effect"),
    (px::OMITTED_PARTITION_IS_ZERO, "the offset went to another partition"),
    (px::REQUEST_MALFORMED, "the server refuses it, or takes it for something else"),
    (px::UNKNOWN_CODE, "the server refuses it"),
    (px::TOKEN_HALF_ACCEPTED, "logins fail again and again"),
    // What became of the log explains what readers of it are given.
    (px::PURGE_WITHOUT_EFFECT, "old messages are served, whose offsets cannot be stored (PX208)"),
    (px::SKIP_AFTER_PURGE, "the skip (PX202, PX203) is what the purge left behind"),
    (px::LOG_WENT_BACK, "offsets are given anew (PX205), stored ones are ahead (PX206)"),
    (px::OFFSET_REUSED, "what TCP and HTTP serve at an offset differs (PX105)"),
    (px::PARTITION_START_SKIPPED, "the client itself asked for the later offset (PX203)"),
    (px::FRESH_READER_AT_TAIL, "the reader began behind the backlog (PX203)"),
    (px::RETENTION_GAP, "TCP and HTTP were asked before and after a deletion (PX105)"),
    (px::STORED_AHEAD, "Next brings nothing (PX212), and skips what comes (PX203)"),
    (px::OFFSET_NOT_READ_BACK, "the reader begins again before where it committed (PX301)"),
    // Then what a reader is given, and what it comes to beside HTTP.
    (px::SILENT_SKIP, "the messages that were skipped are what HTTP has more (PX105)"),
    (px::OFFSET_JUMP, "the messages that were skipped are what HTTP has more (PX105)"),
    (px::MASKED_ERROR, "a failure hides behind the empty answer (PX201, PX212)"),
    (px::EMPTY_BELOW_THE_END, "HTTP has the messages that TCP does not show (PX105, PX212)"),
    (px::BEFORE_TIMESTAMP, "TCP and HTTP begin at different messages (PX105)"),
    (px::REPLAY, "the same batch comes again (PX502)"),
    (px::SERVED_BUT_NOT_STORED, "commits are refused (PX305), again and again (PX501)"),
    (px::STALLED, "HTTP has the messages that TCP does not show (PX105)"),
    (px::TCP_FAILS_HTTP_ANSWERS, "the partition fails on one way in alone"),
    (px::NUMBER_LOST_ON_TCP, "HTTP names the number that is behind the failure (PX501)"),
    (px::OTHER_PARTITION_ASKED, "the partition that fails is another one than it seems"),
    (px::DUPLICATE_SEND, "the same messages are there twice"),
    // The rest says that something is so, and not why.
    (px::ANSWERS_DIFFER, "that answers differ is seen of each fault of a log or a reader"),
    (px::COMMITS_FAILING, "why they fail, others say"),
    (px::SAME_BATCH_AGAIN, "why it comes again, others say"),
    (px::REPLY_LEFT_UNREAD, "replies are one off after it (PX406)"),
    (px::STATUS_AMBIGUOUS, "how the reply is read decides what else is seen"),
    (px::REPLY_TO_NOTHING, "what went before it explains it"),
    (px::LED_AROUND, "the client went on elsewhere"),
    (px::NO_RECONNECT, "what ended the connection, others say"),
    (px::MESSAGES_MAY_BE_MISSING, "it is not known to be so"),
    (px::CLOCK_SET, "times and latencies around it are in doubt, not what was said"),
    (px::MIRROR_UNAUTHENTICATED, "it is about parallax alone"),
    (px::SAME_FAILURE_AGAIN, "why it fails, others say"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::finding::Severity;

    #[test]
    fn each_finding_that_something_is_wrong_has_its_rank_and_a_reason() {
        let ranked: BTreeSet<_> = ORDER.iter().map(|(code, _)| *code).collect();
        assert_eq!(ranked.len(), ORDER.len(), "no code twice");
        assert!(ORDER.iter().all(|(_, reason)| reason.len() > 10));
        for entry in px::all().filter(|entry| entry.severity != Severity::Info) {
            assert!(ranked.contains(&entry.code), "{}", entry.code);
        }
    }

    #[test]
    fn what_explains_comes_before_what_it_explains() {
        for (cause, effect) in [(203, 105), (210, 208), (213, 206), (207, 301), (102, 501)] {
            assert!(rank(FindingCode(cause)) < rank(FindingCode(effect)));
        }
    }
}
