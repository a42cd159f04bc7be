//! PX209 and PX210: what must not happen after a purge (case A12).

use parallax_captures::poll::PollAnswer;
use parallax_captures::verdict::MirrorOutcome;
use parallax_captures::{Dialect, Exchange};
use parallax_codec::primitives::ConsumerKind::Group;
use parallax_codec::primitives::PollingKind::{First, Next};

use super::story::{Story, during, lasting};
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
    let exchange = next(story, &others(offsets));
    story.see(exchange);
}

/// Messages other than the ones before the purge.
fn others(offsets: std::ops::Range<u64>) -> PollAnswer {
    let mut others = answer(2, 8, offsets);
    for message in &mut others.messages {
        message.id += 10_000;
    }
    others
}

/// A poll of Next and its answer, not seen yet.
fn next(story: &mut Story, answer: &PollAnswer) -> Exchange {
    answered(story.exchange(story.poll_request(Next, 0), 0), answer)
}

fn purge(story: &mut Story) -> Exchange {
    story.exchange(story.purge_request(), 0)
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
        let mut exchange = next(story, &answer(2, 49, 0..50));
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
    // It may have read, and committed, after the purge.
    story.see(answered(lasting(slow, 3), &others(0..3)));
    story.over_http(http(0..1)).passes(5);
    next_of_others(&mut story, 3..6);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn of_two_purges_at_one_time_the_one_that_is_over_last_ends_the_old_log() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    let (early, late) = (purge(&mut story), purge(&mut story));
    let (first, second) = (answer(2, 0, 0..1), others(0..1));
    // The server purges, appends, serves, purges, appends and serves; the replies are
    // seen in another order.
    let script = [
        (late, 20..60),
        (early, 10..30),
        (next(&mut story, &first), 40..41),
        (next(&mut story, &second), 70..71),
    ];
    for (exchange, seconds) in script {
        story.see(during(exchange, seconds));
    }
    assert_eq!(codes(story.findings()), NONE);
    // Once both are over, no purge explains it.
    let third = next(&mut story, &first);
    story.see(during(third, 80..81));
    assert_eq!(codes(story.findings()), [205]);
}

#[test]
fn a_purge_that_is_seen_late_does_not_undo_what_was_learned_since() {
    let mut story = Story::of(Group);
    let (early, late) = (purge(&mut story), purge(&mut story));
    let script = [
        (late, 30..40),
        (next(&mut story, &answer(2, 2, 0..3)), 50..51),
        (early, 10..20),
        // The server held 2 as consumed.
        (next(&mut story, &answer(2, 2, 0..3)), 60..61),
    ];
    for (exchange, seconds) in script {
        story.see(during(exchange, seconds));
    }
    assert_eq!(codes(story.findings()), [301]);
}

#[test]
fn what_was_seen_just_before_a_purge_it_was_under_way_with_may_still_be_stored() {
    let mut story = Story::of(Group);
    story.next(0..50).over_http(http(0..1));
    let purge = purge(&mut story);
    let script = [
        // The server purges before it serves and commits.
        (next(&mut story, &others(0..3)), 20..30),
        (purge, 10..40),
        (next(&mut story, &others(3..6)), 50..51),
    ];
    for (exchange, seconds) in script {
        story.see(during(exchange, seconds));
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn a_poll_that_was_under_way_when_the_first_one_ended_may_have_come_after_it() {
    let mut story = purged();
    story.over_http(http(0..1));
    let script = [
        (next(&mut story, &others(0..3)), 10..20),
        (next(&mut story, &others(3..6)), 20..30),
    ];
    for (exchange, seconds) in script {
        story.see(during(exchange, seconds));
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn a_poll_that_may_be_of_before_the_purge_explains_what_was_seen_before_it() {
    let mut story = Story::of(Group);
    story.over_http(http(0..1));
    let script = [
        (purge(&mut story), 10..20),
        // The server has committed 2 by then, to the poll that is answered last.
        (next(&mut story, &others(3..6)), 30..31),
        (next(&mut story, &others(0..3)), 15..40),
    ];
    for (exchange, seconds) in script {
        story.see(during(exchange, seconds));
    }
    assert_eq!(codes(story.findings()), NONE);
}
