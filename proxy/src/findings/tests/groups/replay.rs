use parallax_codec::primitives::ConsumerKind::{Consumer, Group};

use super::*;

#[test]
fn px301_a_group_begins_again_after_its_member_changed() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(0..50).store(49, 0);
    story.conn = 2;
    story.next(0..50);
    assert_eq!(codes(story.findings()), [301]);
    let text = told(story.findings(), 301);
    for word in [
        "committed 49, resumed at 0",
        "after member change",
        "exchange 2 stored it",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn px301_is_told_of_one_connection_and_of_a_single_consumer_too() {
    let mut story = Story::of(Consumer);
    story.next(0..10).next(5..15);
    assert_eq!(codes(story.findings()), [301]);
    assert!(!told(story.findings(), 301).contains("member change"));
    let mut story = Story::of(Group);
    story.asks(Some(49), 100).next(49..59);
    assert_eq!(codes(story.findings()), [301]);
}

#[test]
fn who_was_set_back_does_not_begin_again_by_itself() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(0..50).store(49, 0).store(9, 0).next(10..20);
    assert_eq!(codes(story.findings()), [214]);
    let mut story = Story::of(Group);
    story.next(0..50).deletes_the_offset().next(0..50);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Group);
    story.next(0..50).purges_the_topic();
    let mut new = answer(2, 4, 0..5);
    new.messages
        .iter_mut()
        .for_each(|message| message.id += 500);
    let request = story.poll_request(Next, 0);
    let exchange = story.exchange(request, 0);
    story.see(answered(exchange, &new));
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Group);
    story.next(0..50);
    deletes(&mut story, 0);
    creates(&mut story, 0);
    story.next(0..50);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn without_a_commit_that_was_seen_nothing_begins_again() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.next(0..10).next(0..10);
    assert_eq!(codes(story.findings()), NONE);
    // A refused commit commits nothing.
    story.store(9, 3024).next(0..10);
    assert_eq!(codes(story.findings()), NONE);
    // Its own wish to read from there.
    let mut story = Story::of(Consumer);
    story.next(0..10);
    story.poll(parallax_codec::primitives::PollingKind::Offset, 3, 3..5);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn a_store_backwards_that_is_under_way_at_the_same_time_explains_it() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.store(49, 0);
    let store = crate::findings::sample::store(9);
    let Request::StoreConsumerOffset(mut store) = store else {
        unreachable!()
    };
    store.consumer.id = named("sink");
    let slow = story.exchange(Request::StoreConsumerOffset(store), 0);
    story.next(10..20);
    story.conn = 2;
    story.see(lasting(slow, 3));
    assert_eq!(codes(story.findings()), NONE);
}
