//! PX209 and PX210: what must not happen after a purge (case A12).

use parallax_captures::Dialect;
use parallax_captures::verdict::MirrorOutcome;
use parallax_codec::primitives::ConsumerKind::Group;
use parallax_codec::primitives::PollingKind::{First, Next};

use super::story::{Story, lasting};
use super::{NONE, codes, told};
use crate::comparison::sample::answer;
use crate::findings::sample::answered;
use crate::limits::PURGE_SETTLES;

fn http(offsets: std::ops::Range<u64>) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(2, 8, offsets))
}

/// After fifty messages and a purge others are there from 0 on.
fn purged() -> Story {
    let mut story = Story::of(Group);
    story.next(0..50).purges_the_topic();
    story
}

/// A poll of Next that brings messages other than the ones before the purge.
fn next_of_others(story: &mut Story, offsets: std::ops::Range<u64>) {
    let mut others = answer(2, 8, offsets);
    for message in &mut others.messages {
        message.id += 10_000;
    }
    let exchange = story.exchange(story.poll_request(Next, 0), 0);
    story.see(answered(exchange, &others));
}

#[test]
fn px209_next_begins_at_3_where_http_has_0_to_2() {
    let mut story = purged();
    story.over_http(http(0..1));
    next_of_others(&mut story, 3..6);
    assert_eq!(codes(story.findings()), [209]);
    assert_eq!(story.asked[0].strategy, First);
    let text = told(story.findings(), 209);
    assert!(text.contains("exchange 2 purged the topic"), "{text}");
}

#[test]
fn a_reader_that_begins_where_the_log_does_has_skipped_nothing() {
    let mut story = purged();
    story.over_http(http(0..1));
    next_of_others(&mut story, 0..3);
    next_of_others(&mut story, 3..6);
    assert_eq!(codes(story.findings()), NONE);
    // The first messages were deleted since.
    let mut story = purged();
    story.over_http(http(3..4));
    next_of_others(&mut story, 3..6);
    assert_eq!(codes(story.findings()), NONE);
    // It stored an offset after the purge.
    let mut story = purged();
    story.over_http(http(0..1)).store(2, 0);
    next_of_others(&mut story, 3..6);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px210_a_message_from_before_the_purge_is_served_after_it() {
    let mut story = purged();
    story.poll_of(Next, 0, 49, 0..50);
    assert_eq!(codes(story.findings()), [210]);
    let text = told(story.findings(), 210);
    assert!(
        text.contains("offset 0") && text.contains("exchange 1"),
        "{text}"
    );
}

#[test]
fn a_poll_under_way_during_the_purge_may_have_read_before_it() {
    let mut story = Story::of(Group);
    story.next(0..50);
    let request = story.poll_request(First, 0);
    let slow = story.exchange(request, 0);
    story.purges_the_topic();
    story.see(answered(lasting(slow, 4), &answer(2, 49, 0..50)));
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn server_0_9_purges_a_moment_after_it_has_said_so() {
    let old = |story: &mut Story| {
        let exchange = story.exchange(story.poll_request(Next, 0), 0);
        let mut exchange = answered(exchange, &answer(2, 49, 0..50));
        exchange.dialect = Dialect::Vsr;
        exchange
    };
    let mut story = purged();
    let early = old(&mut story);
    story.see(early);
    assert_eq!(codes(story.findings()), NONE);
    // Long after, that is no excuse.
    let mut story = purged();
    story.passes(PURGE_SETTLES.as_secs());
    let late = old(&mut story);
    story.see(late);
    assert_eq!(codes(story.findings()), [210]);
}

#[test]
fn what_was_under_way_while_a_log_began_anew_leaves_open_what_is_stored() {
    let mut story = Story::of(Group);
    story.next(0..50);
    let slow = story.exchange(story.poll_request(Next, 0), 0);
    story.purges_the_topic();
    let mut others = answer(2, 8, 0..3);
    for message in &mut others.messages {
        message.id += 10_000;
    }
    // It may have read, and committed, after the purge.
    story.see(answered(lasting(slow, 3), &others));
    story.over_http(http(0..1)).passes(5);
    next_of_others(&mut story, 3..6);
    assert_eq!(codes(story.findings()), NONE);
}
