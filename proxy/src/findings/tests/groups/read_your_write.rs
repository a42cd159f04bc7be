use parallax_codec::primitives::ConsumerKind::{Consumer, Group};

use super::*;

#[test]
fn px207_a_stored_offset_is_read_back_as_none_or_lower() {
    for kind in [Consumer, Group] {
        let mut story = Story::of(kind);
        story.store(49, 0).asks(None, 60);
        assert_eq!(codes(story.findings()), [207]);
        let mut story = Story::of(kind);
        story.store(49, 0).asks(Some(7), 60);
        assert_eq!(codes(story.findings()), [207]);
        let text = told(story.findings(), 207);
        assert!(
            text.contains("stored 49, read 7: exchange 1 stored it"),
            "{text}"
        );
        // Said once: now 7 is what is known.
        story.asks(Some(7), 60);
        assert_eq!(codes(story.findings()), [207]);
    }
    let mut story = Story::of(Group);
    story.next(0..50).asks(Some(7), 60);
    assert_eq!(codes(story.findings()), [207]);
}

#[test]
fn what_was_written_or_is_newer_is_read_back() {
    let mut story = Story::of(Group);
    story.store(49, 0).asks(Some(49), 60).asks(Some(60), 60);
    story.store(9, 0).asks(Some(9), 60);
    story.store(59, 5006).asks(Some(9), 60);
    story.deletes_the_offset().asks(None, 60);
    assert_eq!(codes(story.findings()), [103, 214]);
}

#[test]
fn after_a_purge_or_a_new_group_an_offset_may_be_gone() {
    let mut story = Story::of(Group);
    story.store(49, 0).purges_the_topic().asks(None, 0);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Group);
    story.store(49, 0);
    deletes(&mut story, 0);
    creates(&mut story, 0);
    story.asks(None, 0);
    assert_eq!(codes(story.findings()), NONE);
    // Of another reader nothing is said.
    let mut story = Story::of(Group);
    story.store(49, 0);
    story.partition_id = 1;
    story.asks(None, 60);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn a_store_on_another_connection_at_the_same_time_explains_it() {
    let mut story = Story::of(Group);
    story.store(49, 0);
    let mut lower = crate::findings::sample::store(7);
    if let Request::StoreConsumerOffset(store) = &mut lower {
        store.consumer.id = named("sink");
    }
    let slow = lasting(story.exchange(lower, 0), 3);
    story.asks(Some(7), 60);
    story.conn = 2;
    story.see(slow);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn an_auto_commit_of_a_vsr_server_moves_no_offset_back() {
    use parallax_codec::primitives::PollingKind::First;
    for (dialect, expected) in [(Dialect::Vsr, vec![]), (Dialect::Classic, vec![202])] {
        let mut story = Story::of(Consumer);
        story.store(49, 0);
        let request = story.poll_request(First, 0);
        let mut exchange = answered(story.exchange(request, 0), &answer(2, 59, 0..10));
        exchange.dialect = dialect;
        story.see(exchange);
        story.asks(Some(49), 60).store(49, 0);
        let request = story.poll_request(First, 0);
        let mut exchange = answered(story.exchange(request, 0), &answer(2, 59, 0..10));
        exchange.dialect = dialect;
        story.see(exchange).next(50..60);
        assert_eq!(codes(story.findings()), expected, "{dialect:?}");
    }
}
