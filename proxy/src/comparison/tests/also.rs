//! Polls of an offset, a time or the last messages, and stored offsets.

use parallax_captures::verdict::{MirrorOutcome, StoredOffset, VerdictKind};
use parallax_codec::ErrorCode;
use parallax_codec::commands::GetConsumerOffset;
use parallax_codec::primitives::ConsumerKind::{self, Consumer};
use parallax_codec::primitives::PollingKind::{Last, Offset, Timestamp};
use parallax_codec::primitives::{Identifier, PartitionLayout};

use super::{INVALID_OFFSET, expect, ok, questions, verdict};
use crate::comparison::TcpOutcome::Answered;
use crate::comparison::sample::{answer, message, mirrored, named, poll, refusal};
use crate::comparison::{TcpOffset, judge_offset, offset_partition};

#[test]
fn each_is_the_same_question_over_http_with_its_value() {
    for (strategy, value, asked) in [
        (Offset, 24, 24),
        (Timestamp, 1_796_000_000_000_000, 1_796_000_000_000_000),
        // A server does not read the value of Last.
        (Last, 9, 0),
    ] {
        let mut client = poll(Consumer, Some(2), strategy);
        client.value = value;
        for tcp in [Answered(answer(2, 30, 0..10)), INVALID_OFFSET] {
            let asks = questions(&client, &tcp, None);
            let question = &asks.polls[0];
            assert_eq!((question.strategy, question.value), (strategy, asked));
            assert!(asks.basis.starts_with("The same question"));
        }
    }
}

#[test]
fn last_of_a_log_that_went_on_is_compared_where_both_have_messages() {
    let last = poll(Consumer, Some(2), Last);
    let tcp = Answered(answer(2, 26, 17..27));
    let same = verdict(&last, &tcp, [ok(2, 26, 17..27)]);
    expect(&same, VerdictKind::Agree, &["All 10"]);
    let grown = verdict(&last, &tcp, [ok(2, 28, 19..29)]);
    expect(&grown, VerdictKind::Agree, &["The 8", "The log moved"]);
    let far = verdict(&last, &tcp, [ok(2, 46, 37..47)]);
    expect(&far, VerdictKind::NotComparable, &["no message in common"]);
    let mut other = answer(2, 28, 19..29);
    other.messages[0].id += 1;
    let other = verdict(&last, &tcp, [MirrorOutcome::Answered(other)]);
    expect(&other, VerdictKind::Diverge, &["id"]);
}

#[test]
fn case_a7_a_time_that_is_taken_for_the_producers_is_noted() {
    let mut asked = poll(Consumer, Some(2), Timestamp);
    asked.value = message(0).timestamp;
    let on_time = verdict(&asked, &Answered(answer(2, 26, 0..3)), [ok(2, 26, 0..3)]);
    expect(&on_time, VerdictKind::Agree, &["All 3"]);
    assert!(!on_time.reason.contains("before the time"));
    let mut early = answer(2, 26, 0..3);
    early.messages[0].timestamp = asked.value - 1;
    early.messages[0].origin_timestamp = asked.value + 1;
    let http = MirrorOutcome::Answered(early.clone());
    let noted = verdict(&asked, &Answered(early), [http]);
    expect(
        &noted,
        VerdictKind::Agree,
        &["before the time", "origin_timestamp"],
    );
}

fn stored(stored_offset: u64) -> StoredOffset {
    StoredOffset {
        partition_id: 2,
        current_offset: 26,
        stored_offset,
    }
}

#[test]
fn stored_offsets_are_compared_by_what_is_stored() {
    let judge = |tcp, http| judge_offset(tcp, mirrored(2, http), None).kind;
    let same = MirrorOutcome::Stored(Some(stored(7)));
    assert_eq!(
        judge(TcpOffset::Stored(Some(stored(7))), same.clone()),
        VerdictKind::Agree
    );
    let none = MirrorOutcome::Stored(None);
    assert_eq!(
        judge(TcpOffset::Stored(None), none.clone()),
        VerdictKind::Agree
    );
    assert_eq!(
        judge(TcpOffset::Stored(Some(stored(7))), none.clone()),
        VerdictKind::Diverge
    );
    assert_eq!(judge(TcpOffset::Stored(None), same), VerdictKind::Diverge);
    let missing = TcpOffset::Refused(ErrorCode(3007));
    assert_eq!(judge(missing, none), VerdictKind::Agree);
    let refused = refusal(404, Some(3007), "gone");
    assert_eq!(judge(missing, refused), VerdictKind::Agree);
    let failed = MirrorOutcome::Failed("timed out".to_owned());
    assert_eq!(
        judge(TcpOffset::Stored(None), failed),
        VerdictKind::MirrorFailed
    );
}

#[test]
fn a_stored_offset_is_asked_of_the_partition_that_was_named_or_0() {
    let question = |kind: ConsumerKind, consumer: Identifier, partition_id| GetConsumerOffset {
        consumer: parallax_codec::primitives::Consumer { kind, id: consumer },
        stream: named("otel"),
        topic: named("metrics"),
        partition_id,
        partition_layout: PartitionLayout::Flagged,
    };
    let of = |kind, consumer, id| offset_partition(&question(kind, consumer, id));
    assert_eq!(of(Consumer, named("sink"), Some(2)), Ok(2));
    assert_eq!(of(Consumer, Identifier::Numeric(7), None), Ok(0));
    let ambiguous = of(Consumer, named("7"), Some(2)).unwrap_err();
    assert!(ambiguous.contains("number 7"), "{ambiguous}");
    let group = of(ConsumerKind::Group, named("sink"), Some(2)).unwrap_err();
    assert!(group.contains("no groups"), "{group}");
}
