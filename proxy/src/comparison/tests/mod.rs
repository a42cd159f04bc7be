//! Questions and verdicts, case by case.

mod again;
mod also;
mod empty;
mod fair;
mod messages;
mod refused;

use jiff::Timestamp;
use parallax_captures::poll::{Poll, UserHeaders};
use parallax_captures::verdict::{MirrorOutcome, Verdict, VerdictKind};
use parallax_codec::ErrorCode;
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{self, First, Next};

use super::TcpOutcome::{Answered, Refused};
use super::sample::{answer, message, mirrored, named, poll, refusal};
use super::{Plan, Questions, TcpOutcome, When, judge, outcome, plan};

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
