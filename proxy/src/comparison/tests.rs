//! Questions and verdicts, case by case.

mod again;
mod also;

use jiff::Timestamp;
use parallax_captures::known::COUNT_OF_ZERO;
use parallax_captures::poll::{Poll, UserHeaders};
use parallax_captures::verdict::{MirrorOutcome, Verdict, VerdictKind};
use parallax_codec::ErrorCode;
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{self, First, Next};

use super::TcpOutcome::{Answered, Refused};
use super::sample::{answer, message, mirrored, named, poll, refusal};
use super::{Plan, Questions, TcpOutcome, When, judge, nothing_to_ask, outcome, plan};

const INVALID_OFFSET: TcpOutcome = Refused(ErrorCode(4100));

fn questions(poll: &Poll, tcp: &TcpOutcome, partitions_count: Option<u32>) -> Questions {
    match plan(poll, tcp, partitions_count, None) {
        Plan::Ask(questions) => questions,
        other => panic!("{other:?}"),
    }
}

fn not_comparable(poll: &Poll, tcp: &TcpOutcome) -> String {
    match plan(poll, tcp, Some(3), None) {
        Plan::NotComparable(reason) => reason,
        other => panic!("{other:?}"),
    }
}

/// The verdict where HTTP gives these outcomes to the planned questions, asked
/// after the poll, which was sent before any message was appended.
fn verdict(
    poll: &Poll,
    tcp: &TcpOutcome,
    outcomes: impl IntoIterator<Item = MirrorOutcome>,
) -> Verdict {
    verdict_at(-60, true, poll, tcp, outcomes)
}

/// The verdict on a poll sent this many seconds after the messages were appended.
fn verdict_at(
    seconds: i64,
    http_is_later: bool,
    poll: &Poll,
    tcp: &TcpOutcome,
    outcomes: impl IntoIterator<Item = MirrorOutcome>,
) -> Verdict {
    let appended = i64::try_from(message(0).timestamp).unwrap();
    let when = When {
        tcp: Timestamp::from_microsecond(appended + seconds * 1_000_000).unwrap(),
        http_is_later,
    };
    let questions = questions(poll, tcp, Some(3));
    let ids = questions
        .polls
        .iter()
        .map(|poll| poll.partition_id.unwrap());
    let answers: Vec<_> = ids
        .zip(outcomes)
        .map(|(id, outcome)| mirrored(id, outcome))
        .collect();
    assert_eq!(
        answers.len(),
        questions.polls.len(),
        "an answer for each question"
    );
    judge(poll, tcp, when, &questions, answers)
}

fn ok(partition_id: u32, current_offset: u64, offsets: std::ops::Range<u64>) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(partition_id, current_offset, offsets))
}

fn expect(verdict: &Verdict, kind: VerdictKind, words: &[&str]) {
    assert_eq!(verdict.kind, kind, "{verdict:?}");
    for word in words {
        assert!(
            verdict.reason.contains(word),
            "{word:?} in {:?}",
            verdict.reason
        );
    }
}

#[test]
fn every_question_names_its_partition_commits_nothing_and_asks_as_parallax() {
    let tcp = Answered(answer(1, 30, 10..20));
    for (poll, tcp) in [
        (poll(Group, None, Next), &tcp),
        (poll(Consumer, Some(1), First), &tcp),
        (poll(Group, None, First), &INVALID_OFFSET),
        (poll(Consumer, None, Next), &INVALID_OFFSET),
    ] {
        for asked in questions(&poll, tcp, Some(3)).polls {
            assert!(!asked.auto_commit);
            assert_ne!(asked.partition_id, None);
            assert_ne!(asked.strategy, Next);
            assert_eq!(
                (asked.consumer_kind, asked.consumer),
                (Consumer, named("parallax"))
            );
            assert_eq!((&asked.stream, &asked.topic), (&poll.stream, &poll.topic));
        }
    }
}

#[test]
fn first_asks_the_requests_partition_else_the_replys() {
    let tcp = Answered(answer(2, 30, 0..10));
    let asked = questions(&poll(Consumer, Some(2), First), &tcp, None);
    assert_eq!(asked.polls[0].partition_id, Some(2));
    assert!(asked.basis.contains("which the request names"));
    let asked = questions(&poll(Group, None, First), &tcp, None);
    assert_eq!(
        (asked.polls[0].partition_id, asked.polls[0].strategy),
        (Some(2), First)
    );
    assert!(asked.basis.contains("which the reply names"));
}

#[test]
fn after_an_error_every_partition_that_it_may_have_been_is_asked() {
    let ids = |poll: &Poll, count| -> Vec<_> {
        let asked = questions(poll, &INVALID_OFFSET, count);
        asked
            .polls
            .iter()
            .map(|poll| poll.partition_id.unwrap())
            .collect()
    };
    assert_eq!(ids(&poll(Group, None, First), Some(3)), [0, 1, 2]);
    assert_eq!(ids(&poll(Group, Some(2), First), None), [2]);
    // A consumer that names none reads partition 0.
    assert_eq!(ids(&poll(Consumer, None, First), None), [0]);
    let unknown = plan(&poll(Group, None, First), &INVALID_OFFSET, None, None);
    assert_eq!(unknown, Plan::NeedsPartitions);
    let many = plan(&poll(Group, None, First), &INVALID_OFFSET, Some(65), None);
    assert!(matches!(many, Plan::NotComparable(reason) if reason.contains("65")));
}

#[test]
fn case_a1_first_fails_on_tcp_and_http_answers_for_every_partition() {
    let seen = verdict(
        &poll(Consumer, Some(2), First),
        &INVALID_OFFSET,
        [ok(2, 26, 0..10)],
    );
    expect(&seen, VerdictKind::Diverge, &["4100", "first at offset 0"]);
    assert_eq!(seen.differences.len(), 1);
    let seen = verdict(
        &poll(Group, None, First),
        &INVALID_OFFSET,
        [ok(0, 26, 0..10), ok(1, 23, 0..10), ok(2, 0, 0..0)],
    );
    expect(&seen, VerdictKind::Diverge, &["4100", "no message"]);
}

#[test]
fn case_a1_both_refuse_and_http_has_the_number() {
    let invalid = || refusal(400, Some(4100), "Invalid offset: 7");
    let seen = verdict(
        &poll(Consumer, Some(2), First),
        &INVALID_OFFSET,
        [invalid()],
    );
    expect(
        &seen,
        VerdictKind::Agree,
        &["partition 2", "Invalid offset: 7"],
    );
    for (strategy, kind) in [
        (First, VerdictKind::Agree),
        (Next, VerdictKind::NotComparable),
    ] {
        let seen = verdict(
            &poll(Group, None, strategy),
            &INVALID_OFFSET,
            [ok(0, 26, 0..10), ok(1, 23, 0..10), invalid()],
        );
        let words = [
            "partition 2",
            "Invalid offset: 7",
            "partitions 0 and 1 answer",
        ];
        expect(&seen, kind, &words);
    }
}

#[test]
fn a_failed_next_is_explained_or_not_comparable_and_never_a_divergence() {
    let group = poll(Group, None, Next);
    let seen = verdict(
        &group,
        &INVALID_OFFSET,
        [ok(0, 26, 0..1), ok(1, 23, 0..1), ok(2, 26, 0..1)],
    );
    expect(
        &seen,
        VerdictKind::NotComparable,
        &["partitions 0, 1 and 2 answer First"],
    );
    assert!(seen.basis.contains("Not the same question"));
    let seen = verdict(
        &group,
        &INVALID_OFFSET,
        [
            ok(0, 26, 0..1),
            refusal(404, Some(3007), "no partition"),
            ok(2, 26, 0..1),
        ],
    );
    expect(&seen, VerdictKind::NotComparable, &["3007"]);
    for asked in questions(&group, &INVALID_OFFSET, Some(3)).polls {
        assert_eq!((asked.strategy, asked.count), (First, 1));
    }
}

#[test]
fn one_partition_answers_and_several_answer() {
    let next = poll(Consumer, Some(2), Next);
    let seen = verdict(&next, &INVALID_OFFSET, [ok(2, 26, 0..1)]);
    expect(
        &seen,
        VerdictKind::NotComparable,
        &["partition 2 answers First"],
    );
}

#[test]
fn another_error_over_http_is_a_divergence_for_first() {
    let seen = verdict(
        &poll(Consumer, Some(9), First),
        &INVALID_OFFSET,
        [refusal(
            404,
            Some(3007),
            "Partition with ID: 9 was not found.",
        )],
    );
    expect(&seen, VerdictKind::Diverge, &["another error", "3007"]);
}

#[test]
fn an_instrument_that_fails_decides_nothing_unless_the_answer_is_known_already() {
    let timeout = || MirrorOutcome::Failed("timed out".to_owned());
    let group = poll(Group, None, First);
    let seen = verdict(
        &group,
        &INVALID_OFFSET,
        [ok(0, 26, 0..10), timeout(), ok(2, 26, 0..10)],
    );
    expect(
        &seen,
        VerdictKind::MirrorFailed,
        &["partition 1", "timed out"],
    );
    let invalid = refusal(400, Some(4100), "Invalid offset: 24");
    let seen = verdict(
        &group,
        &INVALID_OFFSET,
        [ok(0, 26, 0..10), timeout(), invalid],
    );
    expect(&seen, VerdictKind::Agree, &["partition 2"]);
    let tcp = Answered(answer(2, 26, 0..10));
    let seen = verdict(&poll(Consumer, Some(2), First), &tcp, [timeout()]);
    expect(&seen, VerdictKind::MirrorFailed, &["timed out"]);
}

#[test]
fn case_c1_next_of_a_group_is_compared_by_the_contents_at_its_offsets() {
    let group = poll(Group, None, Next);
    let tcp = Answered(answer(1, 80, 50..60));
    let asked = questions(&group, &tcp, None);
    let question = &asked.polls[0];
    assert_eq!(
        (question.strategy, question.value, question.count),
        (PollingKind::Offset, 50, 10)
    );
    assert_eq!(question.partition_id, Some(1));
    assert!(asked.basis.starts_with("Contents only"));
    expect(
        &verdict(&group, &tcp, [ok(1, 80, 50..60)]),
        VerdictKind::Agree,
        &["All 10"],
    );
    // An empty answer leaves no offset to ask from.
    let reason = not_comparable(&group, &Answered(answer(1, 80, 0..0)));
    assert!(reason.contains("From which offset"), "{reason}");
}

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
fn case_c3_names_that_http_reads_as_numbers_are_not_compared() {
    for name in ["7", "0", "4294967295", "+7", "007"] {
        for tcp in [Answered(answer(0, 9, 0..10)), INVALID_OFFSET] {
            let mut asked = poll(Consumer, Some(0), First);
            asked.topic = named(name);
            assert!(not_comparable(&asked, &tcp).contains("number"), "{name}");
            asked.topic = named("metrics");
            asked.stream = named(name);
            assert!(not_comparable(&asked, &tcp).contains("stream"), "{name}");
        }
    }
    for name in [".", ".."] {
        let mut asked = poll(Consumer, Some(0), First);
        asked.stream = named(name);
        assert!(not_comparable(&asked, &INVALID_OFFSET).contains("URL"));
    }
    let mut asked = poll(Consumer, Some(0), First);
    asked.topic = named("4294967296");
    questions(&asked, &INVALID_OFFSET, None);
}

#[test]
fn case_c4_two_partitions_are_not_compared() {
    let tcp = Answered(answer(0, 26, 0..10));
    let seen = verdict(&poll(Group, None, First), &tcp, [ok(1, 23, 0..10)]);
    expect(
        &seen,
        VerdictKind::NotComparable,
        &["partition 0", "partition 1"],
    );
    for strategy in [First, Next] {
        let reason = not_comparable(&poll(Consumer, Some(1), strategy), &tcp);
        assert!(reason.contains("another partition, 0"), "{reason}");
    }
}

#[test]
fn case_c7_ids_and_offsets_are_compared_exactly() {
    let mut ours = answer(0, 1 << 54, (1 << 53)..(1 << 53) + 1);
    ours.messages[0].id = u128::MAX;
    let mut theirs = ours.clone();
    let first = poll(Consumer, Some(0), First);
    let tcp = Answered(ours);
    let agree = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs.clone())]);
    assert_eq!(agree.kind, VerdictKind::Agree);
    theirs.messages[0].offset += 1;
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs.clone())]);
    expect(
        &seen,
        VerdictKind::Diverge,
        &["messages[0].offset", "9007199254740993"],
    );
    theirs.messages[0].offset -= 1;
    theirs.messages[0].id -= 1;
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs)]);
    assert_eq!(seen.differences[0].http, (u128::MAX - 1).to_string());
}

#[test]
fn case_c8_headers_are_compared_in_any_order_and_opaque_ones_by_bytes() {
    let header = |key: &str, value: &str| UserHeader {
        key: HeaderField {
            kind: HeaderKind::STRING,
            bytes: key.as_bytes().to_vec(),
        },
        value: HeaderField {
            kind: HeaderKind::STRING,
            bytes: value.as_bytes().to_vec(),
        },
    };
    let decoded = |headers: &[UserHeader]| UserHeaders::Decoded(headers.to_vec());
    let (a, b) = (header("a", "1"), header("b", "2"));
    let opaque = |bytes: &'static [u8]| UserHeaders::Opaque(bytes.into());
    for (tcp, http, same) in [
        (decoded(&[]), decoded(&[]), true),
        (
            decoded(&[a.clone(), b.clone()]),
            decoded(&[b.clone(), a.clone()]),
            true,
        ),
        // HTTP keeps the last of two with one key.
        (
            decoded(&[header("a", "0"), a.clone()]),
            decoded(std::slice::from_ref(&a)),
            true,
        ),
        (decoded(std::slice::from_ref(&a)), decoded(&[]), false),
        (decoded(&[a]), decoded(&[header("a", "2")]), false),
        (opaque(b"\xff\x01"), opaque(b"\xff\x01"), true),
        (opaque(b"\xff\x01"), opaque(b"\xff\x02"), false),
        (opaque(b"\xff\x01"), decoded(&[b]), false),
    ] {
        let with = |headers: UserHeaders| {
            let mut answer = answer(0, 0, 0..1);
            answer.messages[0].user_headers = headers;
            answer
        };
        let seen = verdict(
            &poll(Consumer, Some(0), First),
            &Answered(with(tcp.clone())),
            [MirrorOutcome::Answered(with(http.clone()))],
        );
        assert_eq!(
            seen.kind == VerdictKind::Agree,
            same,
            "{tcp:?} {http:?}: {seen:?}"
        );
    }
}

#[test]
fn every_field_of_a_message_is_compared() {
    type Change = fn(&mut parallax_captures::poll::PolledMessage);
    let changes: [(&str, Change); 6] = [
        ("offset", |m| m.offset += 1),
        ("id", |m| m.id += 1),
        ("timestamp", |m| m.timestamp += 1),
        ("origin_timestamp", |m| m.origin_timestamp += 1),
        ("checksum", |m| m.checksum = !m.checksum),
        ("payload", |m| m.payload = "message 9".into()),
    ];
    for (field, change) in changes {
        let mut theirs = answer(0, 26, 0..10);
        change(&mut theirs.messages[3]);
        let seen = verdict(
            &poll(Consumer, Some(0), First),
            &Answered(answer(0, 26, 0..10)),
            [MirrorOutcome::Answered(theirs)],
        );
        assert_eq!(seen.kind, VerdictKind::Diverge);
        assert_eq!(seen.differences[0].field, format!("messages[3].{field}"));
    }
    let mut lying = answer(0, 26, 0..10);
    lying.count = 11;
    let seen = verdict(
        &poll(Consumer, Some(0), First),
        &Answered(answer(0, 26, 0..10)),
        [MirrorOutcome::Answered(lying)],
    );
    expect(&seen, VerdictKind::Diverge, &["count"]);
}

#[test]
fn a_verdict_lists_no_more_differences_than_its_limit() {
    let mut first = poll(Consumer, Some(0), First);
    first.count = 1_000;
    let mut theirs = answer(0, 999, 0..1_000);
    for message in &mut theirs.messages {
        message.id += 1;
    }
    let tcp = Answered(answer(0, 999, 0..1_000));
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs)]);
    assert_eq!(
        seen.differences.len(),
        parallax_captures::limits::VERDICT_DIFFERENCES
    );
}

#[test]
fn a_healthy_growing_log_is_never_a_divergence() {
    let first = poll(Consumer, Some(0), First);
    for (here, end, there, later) in [
        (0..10, 26, 0..10, 40), // full both times, the end moved
        (0..3, 2, 0..10, 11),   // TCP read to the end, then more came
        (0..0, 0, 0..5, 4),     // the partition was empty
        (0..3, 2, 0..3, 2),     // nothing came
    ] {
        let tcp = Answered(answer(0, end, here));
        let seen = verdict(&first, &tcp, [ok(0, later, there)]);
        assert!(
            matches!(seen.kind, VerdictKind::Agree | VerdictKind::Stale),
            "{seen:?}"
        );
    }
    let tcp = Answered(answer(0, 2, 0..3));
    let grew = verdict(&first, &tcp, [ok(0, 11, 0..10)]);
    expect(&grew, VerdictKind::Stale, &["which grew"]);
    // Case A2, A5: fewer than there were by TCP's own word. Growth is no excuse,
    // and without asking again it is no proof either.
    let tcp = Answered(answer(0, 24, 0..0));
    let short = verdict(&first, &tcp, [ok(0, 24, 0..10)]);
    expect(&short, VerdictKind::Stale, &["does not explain it"]);
    let back = verdict(&first, &Answered(answer(0, 26, 0..10)), [ok(0, 20, 0..10)]);
    expect(&back, VerdictKind::Diverge, &["current_offset"]);
}

#[test]
fn known_harmless_differences_agree_and_are_named() {
    let first = |topic: &str| {
        let mut poll = poll(Consumer, Some(0), First);
        poll.topic = named(topic);
        poll
    };
    let tcp = Refused(ErrorCode(2010));
    let text = "Topic with ID: otel for stream with ID: nope was not found.";
    let seen = verdict(&first("nope"), &tcp, [refusal(404, Some(2010), text)]);
    expect(&seen, VerdictKind::Agree, &["Known, harmless", "0.8"]);
    let seen = verdict(
        &first("nope"),
        &tcp,
        [refusal(404, None, "Resource not found")],
    );
    expect(&seen, VerdictKind::Agree, &["Known, harmless", "0.9"]);
    let none = Poll {
        count: 0,
        ..poll(Consumer, Some(0), First)
    };
    let planned = plan(&none, &Refused(ErrorCode(4009)), None, None);
    assert_eq!(planned, Plan::Known(&COUNT_OF_ZERO));
    let seen = nothing_to_ask(&COUNT_OF_ZERO);
    expect(
        &seen,
        VerdictKind::NotComparable,
        &["Known, harmless", "count_of_zero"],
    );
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
fn placeholders_for_no_partition_are_never_asked_about() {
    for id in [0xFFFF_FFFF, 0xFFFF_FFFE] {
        let reply = Answered(answer(id, 0, 0..0));
        for strategy in [First, Next] {
            not_comparable(&poll(Group, None, strategy), &reply);
            not_comparable(&poll(Group, Some(id), strategy), &INVALID_OFFSET);
        }
    }
}

#[test]
fn what_is_no_question_for_http_is_not_comparable() {
    for code in [3, 30, 40, 53, 57, 58, 5000, 5006] {
        for strategy in [First, Next] {
            let reason = not_comparable(&poll(Group, None, strategy), &Refused(ErrorCode(code)));
            assert!(reason.contains(&code.to_string()), "{reason}");
        }
    }
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
fn a_failed_next_agrees_with_nothing_for_first_is_another_question() {
    let poll = poll(Group, None, Next);
    let invalid = || refusal(400, Some(4100), "Invalid offset: 24");
    let verdict = verdict(
        &poll,
        &INVALID_OFFSET,
        [ok(0, 9, 0..1), ok(1, 9, 0..1), invalid()],
    );
    assert_eq!(verdict.kind, VerdictKind::NotComparable, "{verdict:?}");
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
fn messages_gone_since_the_poll_are_no_divergence() {
    // Retention or a purge between the two.
    for (poll, tcp, http, words) in [
        (
            poll(Group, None, Next),
            answer(1, 99, 50..60),
            answer(1, 99, 55..65),
            ["offsets 50 to 54, which TCP gave", "The 5 messages"],
        ),
        (
            poll(Consumer, Some(1), First),
            answer(1, 99, 0..10),
            answer(1, 99, 3..13),
            ["offsets 0 to 2", "The 7 messages"],
        ),
        (
            poll(Consumer, Some(1), First),
            answer(1, 99, 0..10),
            answer(1, 99, 40..50),
            ["offsets 0 to 9", "Nothing is left"],
        ),
    ] {
        let seen = verdict(
            &poll,
            &Answered(tcp.clone()),
            [MirrorOutcome::Answered(http.clone())],
        );
        expect(&seen, VerdictKind::NotComparable, &words);
        // What both have must be the same all the same.
        let mut changed = http.clone();
        changed.messages[0].payload = "changed".into();
        let seen = verdict(
            &poll,
            &Answered(tcp.clone()),
            [MirrorOutcome::Answered(changed)],
        );
        let both = tcp.messages.last().unwrap().offset >= http.messages[0].offset;
        assert_eq!(seen.kind == VerdictKind::Diverge, both, "{seen:?}");
    }
    // The other way round: what HTTP lacks in between, or has below.
    let mut holed = answer(1, 99, 0..10);
    holed.messages.remove(4);
    holed.count = 9;
    let first = poll(Consumer, Some(1), First);
    let whole = Answered(answer(1, 99, 0..10));
    let seen = verdict(&first, &whole, [MirrorOutcome::Answered(holed)]);
    expect(&seen, VerdictKind::Diverge, &["messages[4].offset"]);
    let later = Answered(answer(1, 99, 3..13));
    let seen = verdict(&first, &later, [ok(1, 99, 0..10)]);
    expect(&seen, VerdictKind::Diverge, &["message at offset 0"]);
    let seen = verdict_at(-60, false, &first, &later, [ok(1, 99, 0..10)]);
    expect(
        &seen,
        VerdictKind::NotComparable,
        &["0 to 2, which HTTP gave"],
    );
}

#[test]
fn a_log_that_was_begun_anew_between_the_two_is_not_compared() {
    let mut anew = answer(0, 2, 0..3);
    for message in &mut anew.messages {
        message.id += 9_000;
        message.timestamp += 1_000_000;
        message.payload = "new".into();
    }
    let first = poll(Consumer, Some(0), First);
    let tcp = Answered(answer(0, 4, 0..5));
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(anew.clone())]);
    expect(&seen, VerdictKind::NotComparable, &["begun anew"]);
    // One that was there before says that it is the same log.
    anew.messages[2] = message(2);
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(anew)]);
    expect(&seen, VerdictKind::Diverge, &["messages[0].id"]);
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
