//! A poll that TCP refused.

use parallax_captures::known::COUNT_OF_ZERO;

use super::*;
use crate::comparison::nothing_to_ask;

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
