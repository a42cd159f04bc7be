//! PX206, PX208, PX211, PX214, PX216: what the server holds as consumed.

use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{Next, Offset};

use super::story::{Story, lasting};
use super::{NONE, codes, told};
use crate::comparison::sample::answer;
use crate::findings::sample::answered;

#[test]
fn px206_the_stored_offset_is_ahead_of_the_end() {
    let mut story = Story::of(Consumer);
    story.asks(Some(980), 951);
    assert_eq!(codes(story.findings()), [206]);
    assert!(told(story.findings(), 206).contains("holds 980"));
}

#[test]
fn the_end_itself_may_be_stored_and_one_that_grows_may_be_read_too_early() {
    let mut story = Story::of(Consumer);
    story.asks(Some(951), 951).asks(None, 0);
    assert_eq!(codes(story.findings()), NONE);
    // A poll that was under way at the same time went on to 980.
    let mut story = Story::of(Consumer);
    let poll = story.poll_request(Next, 0);
    let slow = story.exchange(poll, 0);
    story.asks(Some(980), 951);
    story.see(answered(lasting(slow, 3), &answer(2, 980, 971..981)));
    assert_eq!(codes(story.findings()), NONE);
    // And one that was complete before.
    let mut story = Story::of(Consumer);
    story.poll_of(Next, 0, 980, 971..981).asks(Some(980), 951);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px208_the_server_refuses_to_store_what_it_served() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(491..501).store(500, 4100);
    assert_eq!(codes(story.findings()), [103, 208]);
    let text = told(story.findings(), 208);
    assert!(
        text.contains("served offsets 491 to 500: exchange 1"),
        "{text}"
    );
}

#[test]
fn what_was_not_served_may_be_refused() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(491..501).store(501, 4100);
    assert_eq!(codes(story.findings()), [103]);
    // Nor for another reason, nor after a purge.
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(491..501).store(500, 5006);
    assert_eq!(codes(story.findings()), [103]);
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(491..501).purges_the_topic().store(500, 4100);
    assert_eq!(codes(story.findings()), [103]);
}

#[test]
fn px211_back_to_zero_leaves_message_0_consumed() {
    let mut story = Story::of(Consumer);
    story.next(0..10).store(0, 0);
    story.auto_commit = false;
    story.next(1..10);
    assert_eq!(codes(story.findings()), [211]);
    assert!(told(story.findings(), 211).contains("to go on at 1"));
    // Zero after nothing is where one begins.
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story.next(0..1).store(0, 0).next(1..2).store(1, 0);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px214_a_lower_offset_is_stored() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.store(49, 0).store(9, 0).next(10..15);
    assert_eq!(codes(story.findings()), [214]);
    let mut story = Story::of(Group);
    story.store(49, 0).store(49, 0).store(9, 3024);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px216_an_offset_beyond_what_was_given_is_stored() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.poll_of(Next, 0, 59, 0..10).store(59, 0);
    assert_eq!(codes(story.findings()), [216]);
    assert!(told(story.findings(), 216).contains("50 offsets in between"));
}

#[test]
fn who_stores_what_it_was_given_or_was_given_nothing_is_not_set_forward() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.poll_of(Next, 0, 59, 0..10).store(9, 0).store(9, 0);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.store(59, 0).poll_of(Offset, 3, 59, 3..5).store(59, 0);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.poll_of(Next, 0, 59, 0..10).store(99, 4100);
    assert!(!codes(story.findings()).contains(&216));
}
