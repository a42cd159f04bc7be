//! Both sides asked once more: TCP, HTTP, TCP again.

use std::time::Duration;

use jiff::Timestamp;
use parallax_captures::poll::Poll;
use parallax_captures::verdict::{MirrorOutcome, TcpAnswer, Verdict, VerdictKind};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};

use super::{INVALID_OFFSET, expect, ok};
use crate::comparison::TcpOutcome::{Answered, Refused};
use crate::comparison::sample::{answer, message, mirrored, poll, refusal};
use crate::comparison::{
    Again, ExpectedStart, Plan, Questions, Start, TcpOutcome, When, asks_again, judge, judge_again,
    plan,
};

/// What was answered in the second round, of one partition.
struct Round(TcpOutcome, MirrorOutcome, TcpOutcome);

/// A poll that was sent a minute after the messages were appended.
fn time() -> Timestamp {
    let appended = i64::try_from(message(0).timestamp).unwrap();
    Timestamp::from_microsecond(appended + 60_000_000).unwrap()
}

fn questions(poll: &Poll, tcp: &TcpOutcome, start: Option<&Start>) -> Questions {
    match plan(poll, tcp, Some(3), start) {
        Plan::Ask(questions) => questions,
        other => panic!("{other:?}"),
    }
}

fn first_verdict(
    poll: &Poll,
    tcp: &TcpOutcome,
    questions: &Questions,
    http: impl IntoIterator<Item = MirrorOutcome>,
) -> Verdict {
    let when = When {
        tcp: time(),
        http_is_later: true,
    };
    let ids = questions
        .polls
        .iter()
        .map(|poll| poll.partition_id.unwrap());
    let answers = ids
        .zip(http)
        .map(|(id, outcome)| mirrored(id, outcome))
        .collect();
    judge(poll, tcp, when, questions, answers)
}

/// The verdict of both rounds; of a Next that was to begin at `start`.
fn judged(
    poll: &Poll,
    tcp: &TcpOutcome,
    start: Option<u64>,
    http: impl IntoIterator<Item = MirrorOutcome>,
    rounds: Vec<Round>,
) -> Verdict {
    let start = start.map(|offset| {
        Start::At(ExpectedStart {
            offset,
            learned: "It stored the offset before.".to_owned(),
        })
    });
    let questions = questions(poll, tcp, start.as_ref());
    let first = first_verdict(poll, tcp, &questions, http);
    assert!(asks_again(tcp, &questions, &first), "{first:?}");
    let mut again = Again {
        time: time(),
        tcp_before: Vec::new(),
        answers: Vec::new(),
        tcp_after: Vec::new(),
    };
    for (question, Round(before, http, after)) in questions.polls.iter().zip(rounds) {
        let partition_id = question.partition_id.unwrap();
        let answer = |outcome| TcpAnswer {
            partition_id,
            strategy: question.strategy,
            value: question.value,
            latency: Duration::ZERO,
            times: None,
            outcome,
        };
        again.tcp_before.push(answer(before));
        again.answers.push(mirrored(partition_id, http));
        again.tcp_after.push(answer(after));
    }
    judge_again(tcp, &questions, first, again)
}

fn gave(offsets: std::ops::Range<u64>) -> TcpOutcome {
    Answered(answer(2, 26, offsets))
}

fn http(offsets: std::ops::Range<u64>) -> MirrorOutcome {
    ok(2, 26, offsets)
}

fn invalid() -> MirrorOutcome {
    refusal(400, Some(4100), "Invalid offset: 24")
}

#[test]
fn case_a1_a_refusal_that_stays_while_http_answers_diverges() {
    let first = poll(Consumer, Some(2), First);
    let stays = Round(INVALID_OFFSET, http(0..10), INVALID_OFFSET);
    let verdict = judged(&first, &INVALID_OFFSET, None, [http(0..10)], vec![stays]);
    expect(&verdict, VerdictKind::Diverge, &["4100", "in the same way"]);
    assert_eq!(verdict.differences[0].field, "outcome (partition 2)");
    let again = verdict.asked_again.unwrap();
    assert_eq!(again.kind, VerdictKind::Diverge);
    assert_eq!(
        (
            again.tcp_before.len(),
            again.answers.len(),
            again.tcp_after.len()
        ),
        (1, 1, 1)
    );
}

#[test]
fn case_a1_a_refusal_that_passes_is_transient() {
    let first = poll(Consumer, Some(2), First);
    let passes = Round(gave(0..10), http(0..10), gave(0..10));
    let verdict = judged(&first, &INVALID_OFFSET, None, [http(0..10)], vec![passes]);
    expect(
        &verdict,
        VerdictKind::Transient,
        &["both agree", "At first", "4100"],
    );
    assert!(verdict.differences.is_empty());
    // Or HTTP comes to refuse as TCP does.
    let both = Round(INVALID_OFFSET, invalid(), INVALID_OFFSET);
    let verdict = judged(&first, &INVALID_OFFSET, None, [http(0..10)], vec![both]);
    expect(&verdict, VerdictKind::Transient, &["Invalid offset: 24"]);
}

#[test]
fn case_a5_messages_that_one_side_did_not_show_for_a_moment_are_transient() {
    let first = poll(Consumer, Some(2), First);
    let full = || vec![Round(gave(0..10), http(0..10), gave(0..10))];
    let tcp_was_empty = judged(&first, &gave(0..0), None, [http(0..10)], full());
    expect(&tcp_was_empty, VerdictKind::Transient, &["empty answer"]);
    let http_was_empty = judged(&first, &gave(0..10), None, [http(0..0)], full());
    expect(&http_was_empty, VerdictKind::Transient, &["offsets 0 to 9"]);
}

#[test]
fn messages_that_one_side_never_shows_diverge() {
    let first = poll(Consumer, Some(2), First);
    let tcp_empty = vec![Round(gave(0..0), http(0..10), gave(0..0))];
    let verdict = judged(&first, &gave(0..0), None, [http(0..10)], tcp_empty);
    expect(&verdict, VerdictKind::Diverge, &["in the same way"]);
    let http_empty = vec![Round(gave(0..10), http(0..0), gave(0..10))];
    let verdict = judged(&first, &gave(0..10), None, [http(0..0)], http_empty);
    expect(&verdict, VerdictKind::Diverge, &["they are not gone"]);
    assert_eq!(verdict.differences[0].http, "none");
    // The beginning alone.
    let http_later = vec![Round(gave(0..10), http(5..10), gave(0..10))];
    let verdict = judged(&first, &gave(0..10), None, [http(5..10)], http_later);
    expect(&verdict, VerdictKind::Diverge, &["offsets 0 to 4"]);
}

#[test]
fn another_log_over_http_diverges_where_tcp_keeps_its_own() {
    let first = poll(Consumer, Some(2), First);
    let mut newer = answer(2, 26, 0..10);
    for message in &mut newer.messages {
        message.id += 1_000;
        message.timestamp += 5_000_000;
    }
    let other = || MirrorOutcome::Answered(newer.clone());
    let keeps = vec![Round(gave(0..10), other(), gave(0..10))];
    let verdict = judged(&first, &gave(0..10), None, [other()], keeps);
    expect(&verdict, VerdictKind::Diverge, &["messages[0].id"]);
    // Begun anew: TCP has the new one too.
    let anew = || Answered(newer.clone());
    let purged = vec![Round(anew(), other(), anew())];
    let verdict = judged(&first, &gave(0..10), None, [other()], purged);
    expect(&verdict, VerdictKind::Transient, &["begun anew"]);
}

#[test]
fn messages_that_are_gone_both_ways_were_deleted() {
    let first = poll(Consumer, Some(2), First);
    let gone = vec![Round(gave(5..15), http(5..15), gave(5..15))];
    let verdict = judged(&first, &gave(0..10), None, [http(5..15)], gone);
    expect(&verdict, VerdictKind::Transient, &["both agree"]);
}

#[test]
fn a_log_that_moved_between_two_tcp_answers_proves_nothing() {
    let first = poll(Consumer, Some(2), First);
    for (before, after) in [
        (gave(0..10), gave(5..15)),
        (gave(0..10), gave(0..0)),
        (gave(0..10), INVALID_OFFSET),
        (INVALID_OFFSET, Refused(ErrorCode(3007))),
    ] {
        let round = vec![Round(before, http(0..10), after)];
        let verdict = judged(&first, &INVALID_OFFSET, None, [http(0..10)], round);
        expect(
            &verdict,
            VerdictKind::NotComparable,
            &["Nothing is claimed", "two answers differ"],
        );
        assert!(verdict.differences.is_empty());
    }
}

#[test]
fn a_log_that_grows_all_the_time_is_stale_and_never_a_divergence() {
    let first = poll(Consumer, Some(2), First);
    let fits = vec![Round(gave(0..4), http(0..5), gave(0..6))];
    let verdict = judged(&first, &gave(0..2), None, [http(0..3)], fits);
    expect(&verdict, VerdictKind::Stale, &["still ahead"]);
    // An empty answer, and one message of the moment before.
    let empty = vec![Round(gave(0..0), http(0..1), gave(0..1))];
    let verdict = judged(&first, &gave(0..0), None, [http(0..1)], empty);
    expect(&verdict, VerdictKind::Transient, &["the log went on"]);
    // Once it pauses, both agree.
    let pause = vec![Round(gave(0..4), http(0..4), gave(0..4))];
    let verdict = judged(&first, &gave(0..2), None, [http(0..3)], pause);
    expect(&verdict, VerdictKind::Transient, &[]);
}

#[test]
fn another_message_at_an_offset_diverges_though_the_log_grows() {
    let first = poll(Consumer, Some(2), First);
    let mut other = answer(2, 26, 0..5);
    other.messages[1].id += 1;
    let http = || MirrorOutcome::Answered(other.clone());
    let round = vec![Round(gave(0..4), http(), gave(0..6))];
    let verdict = judged(&first, &gave(0..3), None, [http()], round);
    expect(&verdict, VerdictKind::Diverge, &["messages[1].id"]);
}

#[test]
fn an_http_that_fails_in_the_second_round_leaves_the_first_verdict() {
    let first = poll(Consumer, Some(2), First);
    let failed = MirrorOutcome::Failed("timed out".to_owned());
    let round = vec![Round(INVALID_OFFSET, failed, INVALID_OFFSET)];
    let verdict = judged(&first, &INVALID_OFFSET, None, [http(0..10)], round);
    expect(&verdict, VerdictKind::Diverge, &["4100", "timed out"]);
}

#[test]
fn of_several_partitions_one_that_differs_decides() {
    let any = poll(Group, None, First);
    let answers = || (0..3).map(|id| ok(id, 26, 0..10));
    let fine = |id| {
        let tcp = || Answered(answer(id, 26, 0..10));
        Round(tcp(), ok(id, 26, 0..10), tcp())
    };
    let all = (0..3).map(fine).collect();
    let verdict = judged(&any, &INVALID_OFFSET, None, answers(), all);
    expect(&verdict, VerdictKind::Transient, &[]);
    let broken = Round(INVALID_OFFSET, ok(2, 26, 0..10), INVALID_OFFSET);
    let verdict = judged(
        &any,
        &INVALID_OFFSET,
        None,
        answers(),
        vec![fine(0), fine(1), broken],
    );
    expect(&verdict, VerdictKind::Diverge, &["in the same way"]);
    assert_eq!(verdict.asked_again.unwrap().tcp_before.len(), 3);
}

#[test]
fn a_next_that_began_elsewhere_diverges_though_both_have_the_same_log() {
    let next = poll(Group, None, Next);
    let round = || vec![Round(gave(6..16), http(6..16), gave(6..16))];
    let verdict = judged(&next, &gave(20..26), Some(6), [http(6..16)], round());
    expect(
        &verdict,
        VerdictKind::Diverge,
        &["Next began at offset 20", "where Next began that differs"],
    );
    assert_eq!(verdict.differences[0].tcp, "20");
    assert_eq!(verdict.differences[0].http, "6");
    // One that was empty for a moment did not begin elsewhere.
    let verdict = judged(&next, &gave(0..0), Some(6), [http(6..16)], round());
    expect(&verdict, VerdictKind::Transient, &[]);
}

#[test]
fn what_agrees_or_cannot_be_asked_fairly_is_not_asked_again() {
    let first = poll(Consumer, Some(2), First);
    let asks = |poll: &Poll, tcp: &TcpOutcome, http: Vec<MirrorOutcome>| {
        let questions = questions(poll, tcp, None);
        asks_again(tcp, &questions, &first_verdict(poll, tcp, &questions, http))
    };
    assert!(asks(&first, &INVALID_OFFSET, vec![http(0..10)]));
    assert!(!asks(&first, &gave(0..10), vec![http(0..10)]));
    assert!(!asks(&first, &INVALID_OFFSET, vec![invalid()]));
    let failed = MirrorOutcome::Failed("timed out".to_owned());
    assert!(!asks(&first, &gave(0..10), vec![failed]));
    // First in the place of a failed Next.
    let probe = poll(Group, None, Next);
    let answers = (0..3).map(|id| ok(id, 26, 0..10)).collect();
    assert!(!asks(&probe, &INVALID_OFFSET, answers));
}
