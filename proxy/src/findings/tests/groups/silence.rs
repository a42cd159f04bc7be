use parallax_codec::primitives::ConsumerKind::{Consumer, Group};

use super::*;

#[test]
fn px310_a_stale_client_was_silent_before() {
    let mut story = Story::of(Consumer);
    story.next(0..5).passes(30).tries(Request::Ping, 30);
    assert_eq!(codes(story.findings()), [310]);
    let text = told(story.findings(), 310);
    for word in [
        "31000 ms without a request",
        "ping was refused: 30 stale_client",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn px310_a_member_that_was_silent_no_longer_is_one() {
    let mut story = Story::of(Group);
    joins(&mut story, 0);
    story.next(0..5).passes(9).refused(Next, 5006);
    assert_eq!(codes(story.findings()), [103, 310]);
    // Once: after that it is known to be no member.
    story.passes(9).refused(Next, 5006);
    assert_eq!(codes(story.findings()), [103, 103, 310]);
}

#[test]
fn without_silence_nothing_is_said_of_it() {
    let mut story = Story::of(Group);
    joins(&mut story, 0);
    for _ in 0..10 {
        story.passes(1).tries(Request::Ping, 0);
    }
    story.refused(Next, 5006).tries(Request::Ping, 30);
    assert_eq!(codes(story.findings()), [103]);
    // Each connection has its own silence.
    let mut story = Story::of(Consumer);
    story.next(0..5).passes(30);
    story.conn = 2;
    story.tries(Request::Ping, 30);
    assert_eq!(codes(story.findings()), NONE);
    // A long wait for an answer is followed at once by the next request.
    let mut story = Story::of(Consumer);
    story.next(0..5).passes(30).tries(Request::Ping, 0);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn who_never_joined_or_left_or_lost_the_group_was_not_evicted() {
    let mut never = Story::of(Group);
    never.next(0..5);
    let mut left = Story::of(Group);
    joins(&mut left, 0);
    leaves(&mut left, 0);
    let mut deleted = Story::of(Group);
    joins(&mut deleted, 0);
    deleted.conn = 2;
    deletes(&mut deleted, 0);
    deleted.conn = 1;
    let mut new_session = Story::of(Group);
    joins(&mut new_session, 0);
    new_session.tries(Request::LogoutUser, 0);
    for story in [&mut never, &mut left, &mut deleted, &mut new_session] {
        story.passes(30).refused(Next, 5006);
        assert_eq!(codes(story.findings()), [103]);
    }
}
