//! Which questions are fair.

use super::*;

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
