//! An empty answer, and a failure that may be hidden in it.

use super::*;

#[test]
fn case_c2_a_failure_shown_as_an_empty_answer_is_a_divergence() {
    let tcp = Answered(answer(0, 0, 0..0));
    for (status, body) in [
        (
            504,
            r#"{"id":57,"code":"partition_read_timeout","reason":"timed out","field":null}"#,
        ),
        (
            404,
            r#"{"id":3007,"code":"partition_not_found","reason":"gone","field":null}"#,
        ),
        (
            400,
            r#"{"id":4100,"code":"invalid_offset","reason":"Invalid offset: 3","field":null}"#,
        ),
    ] {
        let seen = verdict(
            &poll(Consumer, Some(0), First),
            &tcp,
            [outcome(status, body.as_bytes())],
        );
        let words = ["empty answer", &format!("HTTP {status}")];
        expect(&seen, VerdictKind::Diverge, &words);
    }
}

#[test]
fn case_c2_of_the_statuses_of_http_only_a_refusal_of_the_poll_is_an_answer() {
    let iggy = r#"{"id":40,"code":"unauthenticated","reason":"Unauthenticated","field":null}"#;
    let invalid =
        r#"{"id":4100,"code":"invalid_offset","reason":"Invalid offset: 24","field":"offset"}"#;
    let topic = r#"{"id":404,"code":"not_found","reason":"Resource not found","field":null}"#;
    for (status, body, refused, word) in [
        (400, invalid, true, "24"),
        (
            400,
            "Failed to deserialize query string: Invalid command",
            false,
            "deserialize",
        ),
        (401, iggy, false, "not logged in"),
        (401, "", false, "not logged in"),
        (404, topic, true, "not found"),
        (404, "", false, "HTTP address"),
        (307, "", false, "elsewhere"),
        (413, "", false, "too large"),
        (429, "slow down", false, "fewer requests"),
        (503, "", false, "now"),
        (504, "", false, "timed out"),
        (500, "oops", false, "in front"),
        (200, "<html>", false, "no answer to a poll"),
    ] {
        let text = match outcome(status, body.as_bytes()) {
            MirrorOutcome::Refused(refusal) if refused => refusal.to_string(),
            MirrorOutcome::Failed(why) if !refused => why,
            other => panic!("HTTP {status} {body}: {other:?}"),
        };
        assert!(text.contains(word), "HTTP {status}: {text}");
        let seen = verdict(
            &poll(Consumer, Some(2), First),
            &Answered(answer(2, 26, 0..10)),
            [outcome(status, body.as_bytes())],
        );
        let expected = match (refused, status) {
            // What TCP has just read is not there: deleted, or another server.
            (true, 404) => VerdictKind::NotComparable,
            (true, _) => VerdictKind::Diverge,
            (false, _) => VerdictKind::MirrorFailed,
        };
        assert_eq!(seen.kind, expected, "HTTP {status}");
    }
}

#[test]
fn an_empty_answer_over_http_may_tell_neither_partition_nor_current_offset() {
    // Server 0.8.0 over HTTP, whichever partition was asked.
    let blank = || ok(0, 0, 0..0);
    let first = poll(Consumer, Some(2), First);
    let seen = verdict(&first, &Answered(answer(2, 0, 0..0)), [blank()]);
    expect(&seen, VerdictKind::Agree, &["no message"]);
    let seen = verdict(&first, &Answered(answer(2, 24, 0..0)), [blank()]);
    expect(&seen, VerdictKind::Agree, &["Known, harmless", "0.8"]);
    let seen = verdict(&first, &Answered(answer(2, 24, 0..10)), [blank()]);
    expect(&seen, VerdictKind::NotComparable, &["0 to 9", "gone"]);
}

#[test]
fn a_members_blank_answer_is_ambiguous_case_b4() {
    let group = poll(Group, None, First);
    let blank = Answered(answer(0, 0, 0..0));
    expect(
        &verdict(&group, &blank, [ok(0, 26, 0..10)]),
        VerdictKind::NotComparable,
        &["no partition"],
    );
    expect(
        &verdict(&group, &blank, [ok(0, 0, 0..0)]),
        VerdictKind::NotComparable,
        &["no partition"],
    );
    let invalid = refusal(400, Some(4100), "Invalid offset: 3");
    expect(
        &verdict(&group, &blank, [invalid]),
        VerdictKind::NotComparable,
        &["no partition"],
    );
    let gone = refusal(404, Some(2010), "no such topic");
    expect(
        &verdict(&group, &blank, [gone]),
        VerdictKind::Diverge,
        &["hidden"],
    );
}

#[test]
fn a_user_who_may_not_read_over_http_is_the_instruments_trouble() {
    let first = poll(Consumer, Some(0), First);
    let forbidden = || refusal(403, Some(41), "Unauthorized");
    let seen = verdict(&first, &Answered(answer(0, 0, 0..1)), [forbidden()]);
    expect(&seen, VerdictKind::MirrorFailed, &["may not read"]);
    let seen = verdict(&first, &Refused(ErrorCode(41)), [forbidden()]);
    expect(&seen, VerdictKind::Agree, &["Unauthorized"]);
}

#[test]
fn an_empty_answer_hides_something_where_http_has_older_messages() {
    // Cases A5 and C2: the partition is named, and the messages were there.
    let first = poll(Consumer, Some(0), First);
    for tcp in [answer(0, 0, 0..0), answer(0, 24, 0..0)] {
        let tcp = Answered(tcp);
        let seen = verdict_at(60, true, &first, &tcp, [ok(0, 24, 0..10)]);
        expect(
            &seen,
            VerdictKind::Diverge,
            &["empty", "10 of 10", "hidden"],
        );
        // Appended afterwards, or so near that two clocks cannot tell.
        for seconds in [-60, 0] {
            let seen = verdict_at(seconds, true, &first, &tcp, [ok(0, 24, 0..10)]);
            assert_eq!(seen.kind, VerdictKind::Stale, "{seen:?}");
        }
    }
}

#[test]
fn an_http_time_out_or_failure_is_no_divergence_from_messages_that_tcp_gave() {
    let first = poll(Consumer, Some(0), First);
    let timeout = r#"{"id":504,"code":"partition_read_timeout","reason":"timed out","field":null}"#;
    let error = r#"{"id":1,"code":"error","reason":"boom","field":null}"#;
    for (status, body) in [(504, timeout), (500, error), (503, error), (429, error)] {
        let http = || [outcome(status, body.as_bytes())];
        for tcp in [Answered(answer(0, 9, 0..5)), INVALID_OFFSET] {
            let seen = verdict(&first, &tcp, http());
            assert_eq!(seen.kind, VerdictKind::MirrorFailed, "{seen:?}");
        }
        let empty = verdict(&first, &Answered(answer(0, 0, 0..0)), http());
        let expected = match status {
            429 | 503 => VerdictKind::MirrorFailed,
            _ => VerdictKind::Diverge,
        };
        assert_eq!(empty.kind, expected, "{empty:?}");
        assert!(!empty.reason.contains("unknown"), "{}", empty.reason);
    }
}
