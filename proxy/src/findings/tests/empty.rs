//! PX201 and PX212: polls that bring nothing.

use parallax_captures::verdict::MirrorOutcome;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Last, Next, Offset};

use super::story::Story;
use super::{NONE, codes, told};
use crate::comparison::sample::{answer, refusal};
use crate::limits::EMPTY_POLLS_THAT_STALL;

fn http(offsets: std::ops::Range<u64>) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(2, 24, offsets))
}

#[test]
fn px201_first_is_empty_and_http_has_the_last_message() {
    let mut story = Story::of(Consumer);
    story.over_http(http(24..25)).poll_of(First, 0, 24, 0..0);
    assert_eq!(codes(story.findings()), [201]);
    assert_eq!(story.asked[0].strategy, Last);
    assert!(told(story.findings(), 201).contains("answers with offset 24"));
}

#[test]
fn an_empty_first_proves_nothing_without_a_message_that_was_there() {
    // A new partition says 0 as one with one message does.
    let mut story = Story::of(Consumer);
    story.over_http(http(0..1)).poll_of(First, 0, 0, 0..0);
    assert_eq!(codes(story.findings()), NONE);
    assert!(story.asked.is_empty());
    // Everything was deleted by retention; or appended since.
    for outcome in [http(0..0), http(25..26)] {
        let mut story = Story::of(Consumer);
        story.over_http(outcome).poll_of(First, 0, 24, 0..0);
        assert_eq!(codes(story.findings()), NONE);
    }
}

#[test]
fn px217_nobody_could_be_asked_whether_messages_are_there() {
    let mut story = Story::of(Consumer);
    story.poll_of(First, 0, 24, 0..0);
    assert_eq!(codes(story.findings()), [217]);
    let mut story = Story::of(Consumer);
    story.over_http(refusal(504, None, ""));
    story.poll_of(First, 0, 24, 0..0);
    assert_eq!(codes(story.findings()), [217]);
    // Who is at the end is owed nothing.
    let mut story = Story::of(Group);
    story.poll_of(Next, 0, 4, 0..5);
    for _ in 0..5 {
        story.poll_of(Next, 0, 4, 0..0);
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn an_empty_first_that_brings_messages_a_moment_later_was_case_a5() {
    let mut story = Story::of(Consumer);
    story.over_http(http(24..25)).poll_of(First, 0, 24, 0..0);
    story.poll_of(First, 0, 24, 0..5);
    assert_eq!(codes(story.findings()), NONE);
    assert!(story.asked.is_empty());
    // That Last brings one is what is wrong.
    let mut story = Story::of(Consumer);
    story.over_http(http(24..25)).poll_of(First, 0, 24, 0..0);
    story.poll_of(Last, 0, 24, 24..25);
    assert_eq!(codes(story.findings()), [201]);
}

#[test]
fn px212_next_of_a_reader_of_which_nothing_is_stored_begins_nowhere() {
    // Case A2: the first segment is gone, and First and Offset 0 find nothing.
    let mut story = Story::of(Group);
    story.over_http(http(24..25)).asks(None, 24);
    for _ in 0..EMPTY_POLLS_THAT_STALL {
        story.poll_of(Next, 0, 24, 0..0);
    }
    assert_eq!(codes(story.findings()), [212]);
    assert!(told(story.findings(), 212).contains("held nothing as consumed"));
    assert_eq!(story.asked[0].strategy, Last);
}

#[test]
fn px212_a_reader_that_is_owed_messages_gets_none_again_and_again() {
    let mut story = Story::of(Group);
    story.over_http(http(5..6)).poll_of(Next, 0, 24, 0..5);
    for _ in 0..EMPTY_POLLS_THAT_STALL {
        assert_eq!(codes(story.findings()), NONE);
        story.poll_of(Next, 0, 24, 0..0);
    }
    assert_eq!(codes(story.findings()), [212]);
    let text = told(story.findings(), 212);
    assert!(
        text.contains("3 polls in a row") && text.contains("exchange 1"),
        "{text}"
    );
    assert_eq!((story.asked[0].strategy, story.asked[0].value), (Offset, 5));
    // It goes on, and is not asked about again.
    story.poll_of(Next, 0, 24, 0..0).poll_of(Next, 0, 24, 0..0);
    assert_eq!(codes(story.findings()), [212]);
}

#[test]
fn who_is_caught_up_or_served_in_between_is_not_stalled() {
    let mut story = Story::of(Group);
    story.over_http(http(5..6)).poll_of(Next, 0, 4, 0..5);
    for _ in 0..5 {
        story.poll_of(Next, 0, 4, 0..0);
    }
    // Case A5: nothing is readable for a moment.
    story.poll_of(Next, 0, 24, 0..0).poll_of(Next, 0, 24, 0..0);
    story.poll_of(Next, 0, 24, 5..10);
    story.poll_of(Next, 0, 24, 0..0).poll_of(Next, 0, 24, 0..0);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn what_retention_deleted_stalls_nobody() {
    let mut story = Story::of(Group);
    story.over_http(http(0..0)).poll_of(Next, 0, 24, 0..5);
    for _ in 0..EMPTY_POLLS_THAT_STALL {
        story.poll_of(Next, 0, 24, 0..0);
    }
    assert_eq!(story.asked.len(), 0);
    assert_eq!(codes(story.findings()), NONE);
    assert_eq!(story.asked.len(), 1);
}

#[test]
fn a_member_without_a_partition_is_not_stalled() {
    // Case B4: partition 0, offset 0, no message.
    let mut story = Story::of(Group);
    story.partition_id = 0;
    story.over_http(http(5..6)).poll_of(Next, 0, 24, 0..5);
    for _ in 0..5 {
        story.poll_of(Next, 0, 0, 0..0);
    }
    assert_eq!(codes(story.findings()), NONE);
}
