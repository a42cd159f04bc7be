//! `PX2xx`: skips, gaps and logs that were written anew.

use parallax_captures::verdict::MirrorOutcome;
use parallax_codec::commands::DeleteSegments;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next, Offset};

use parallax_codec::{Reply, Request};

use super::story::{Story, lasting};
use super::{NONE, codes, told};
use crate::comparison::sample::{answer, refusal};
use crate::findings::sample::answered;

fn http(offsets: std::ops::Range<u64>) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(2, 104, offsets))
}

#[test]
fn px203_next_skips_messages_that_http_still_has() {
    for kind in [Consumer, Group] {
        let mut story = Story::of(kind);
        story.over_http(http(5..6)).next(0..5).next(100..105);
        assert_eq!(codes(story.findings()), [203]);
        let text = told(story.findings(), 203);
        assert!(text.contains("95 offsets were skipped"), "{text}");
        assert!(
            text.contains("exchange 1 was served it with auto_commit"),
            "{text}"
        );
        let question = &story.asked[0];
        assert_eq!((question.strategy, question.value), (Offset, 5));
        assert_eq!(
            (question.partition_id, question.auto_commit),
            (Some(2), false)
        );
    }
}

#[test]
fn px204_what_was_skipped_is_gone() {
    let mut story = Story::of(Consumer);
    story.over_http(http(100..101)).next(0..5).next(100..105);
    assert_eq!(codes(story.findings()), [204]);
}

#[test]
fn px204_needs_no_http_where_first_has_shown_where_the_log_begins() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story
        .store(4, 0)
        .poll_of(First, 0, 239, 104..106)
        .poll_of(Next, 0, 239, 104..106);
    assert_eq!(codes(story.findings()), [204]);
    assert!(story.asked.is_empty());
}

#[test]
fn px215_what_a_client_had_deleted_is_not_retentions_doing() {
    // As in the recordings `segments`.
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    let deletion = Request::DeleteSegments(DeleteSegments {
        stream: story.stream.clone(),
        topic: story.topic.clone(),
        partition_id: 2,
        segments_count: 1,
    });
    story.store(4, 0).does(deletion.clone(), Reply::Empty);
    story
        .poll_of(First, 0, 239, 104..106)
        .poll_of(Next, 0, 239, 104..106);
    assert_eq!(codes(story.findings()), [215]);
    // Where no First has shown it, HTTP may; a skip it stays where messages are there.
    for (outcome, code) in [
        (None, 215),
        (Some(http(104..105)), 215),
        (Some(http(5..6)), 203),
    ] {
        let mut story = Story::of(Consumer);
        story.auto_commit = false;
        if let Some(outcome) = outcome {
            story.over_http(outcome);
        }
        story.store(4, 0).does(deletion.clone(), Reply::Empty);
        story.poll_of(Next, 0, 239, 104..106);
        assert_eq!(codes(story.findings()), [code]);
        assert!(told(story.findings(), code).contains("exchange 2 deleted segments"));
    }
}

#[test]
fn px202_whether_what_was_skipped_is_there_is_not_known() {
    let mut story = Story::of(Group);
    story.next(0..5).next(100..105);
    assert_eq!(codes(story.findings()), [202]);
    let mut story = Story::of(Group);
    story
        .over_http(refusal(504, None, ""))
        .next(0..5)
        .next(100..105);
    assert_eq!(codes(story.findings()), [202]);
}

#[test]
fn a_poll_of_an_offset_that_is_answered_with_a_later_one_is_a_jump() {
    let mut story = Story::of(Consumer);
    story.over_http(http(7..8)).poll(Offset, 7, 100..105);
    assert_eq!(codes(story.findings()), [203]);
    let mut story = Story::of(Consumer);
    story.poll(Offset, 7, 7..17).poll(Offset, 40, 40..50);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn who_goes_on_where_it_stored_has_not_skipped() {
    // Case A9: the stored offset is the last one consumed.
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story.next(0..5).store(0, 0).next(1..6);
    assert_eq!(codes(story.findings()), NONE);
    // Forward, by its own will, and back.
    story.store(49, 0).next(50..55).store(9, 0).next(10..15);
    assert_eq!(codes(story.findings()), [214, 216]);
    // What is stored is not known before it was seen.
    let mut story = Story::of(Group);
    assert_eq!(codes(story.next(70..80).findings()), NONE);
    // A refused store stores nothing.
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.store(4, 0).store(99, 3024).next(5..10);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn what_the_server_says_is_stored_is_where_next_goes_on() {
    let mut story = Story::of(Group);
    story.asks(Some(49), 104).next(50..60).asks(Some(59), 104);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Group);
    story.asks(Some(49), 104).next(60..70);
    assert_eq!(codes(story.findings()), [202]);
}

#[test]
fn a_deleted_offset_a_purge_and_a_first_poll_disarm_the_jump() {
    let mut story = Story::of(Consumer);
    story.next(0..5).deletes_the_offset().next(20..25);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Consumer);
    story
        .over_http(http(100..101))
        .next(0..50)
        .purges_the_topic()
        .next(100..105);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story.next(0..5).poll_of(First, 0, 30, 20..30);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn readers_and_partitions_are_told_apart() {
    let mut story = Story::of(Group);
    story.next(0..5);
    story.partition_id = 1;
    story.next(70..80);
    story.kind = Consumer;
    story.next(20..25);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn a_poll_under_way_on_another_connection_explains_the_gap_whichever_is_seen_first() {
    let mut story = Story::of(Group);
    story.next(0..5);
    let request = story.poll_request(Next, 0);
    let slow = story.exchange(request, 0);
    let slow = answered(lasting(slow, 3), &answer(2, 20, 5..10));
    // Seen while the slow one, which took 5 to 9, is still open.
    story.next(10..15);
    story.conn = 2;
    story.see(slow);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn what_is_stored_is_not_known_after_two_stores_at_one_time() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    story.store(4, 0);
    story.auto_commit = true;
    let request = story.poll_request(Next, 0);
    let one = story.exchange(request.clone(), 0);
    let other = story.exchange(request, 0);
    story.see(answered(lasting(one, 2), &answer(2, 40, 5..10)));
    story.conn = 2;
    story.see(answered(lasting(other, 2), &answer(2, 40, 10..15)));
    // 9 or 14: no claim about where it goes on.
    story.passes(5).poll_of(Next, 0, 40, 30..35);
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px205_an_offset_is_given_to_another_message() {
    let mut story = Story::of(Consumer);
    story.next(0..5);
    let mut other = answer(2, 8, 3..8);
    other.messages[1].id += 500;
    let request = story.poll_request(Offset, 3);
    let exchange = story.exchange(request, 0);
    story.see(answered(exchange, &other));
    assert_eq!(codes(story.findings()), [205]);
    let text = told(story.findings(), 205);
    assert!(
        text.contains("offset 4") && text.contains("exchange 1"),
        "{text}"
    );
}

#[test]
fn the_same_messages_again_are_no_reuse_nor_are_others_after_a_purge() {
    let mut story = Story::of(Consumer);
    story.next(0..5).poll_of(Offset, 0, 4, 0..5);
    assert_eq!(codes(story.findings()), NONE);
    let mut story = Story::of(Consumer);
    story.next(0..5).purges_the_topic();
    let mut other = answer(2, 4, 0..5);
    for message in &mut other.messages {
        message.id += 500;
    }
    let request = story.poll_request(Next, 0);
    let exchange = story.exchange(request, 0);
    story.see(answered(exchange, &other));
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px213_the_log_ends_earlier_than_it_did() {
    let mut story = Story::of(Consumer);
    story
        .poll_of(Offset, 0, 100, 0..5)
        .poll_of(Offset, 5, 50, 5..10);
    assert_eq!(codes(story.findings()), [213]);
    // It is said once: the lower end is what is known from then on.
    story.poll_of(Offset, 5, 50, 5..10);
    assert_eq!(codes(story.findings()), [213]);
    // An older answer to a question of the same time is none.
    let mut story = Story::of(Consumer);
    let request = story.poll_request(Offset, 0);
    let slow = story.exchange(request, 0);
    story.poll_of(Offset, 0, 100, 0..5);
    story.see(answered(lasting(slow, 3), &answer(2, 50, 0..5)));
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn a_stream_and_topic_are_the_same_by_name_and_by_number() {
    use parallax_codec::commands::{Stream, StreamDetails, StreamRef, Topic};
    use parallax_codec::primitives::Identifier;
    let mut story = Story::of(Group);
    story.next(0..5);
    let topic = Topic {
        id: 3,
        created_at: 0,
        partitions_count: 3,
        message_expiry: 0,
        compression_algorithm: 1,
        max_topic_size: 0,
        replication_factor: Some(1),
        size_bytes: 0,
        messages_count: 0,
        name: "metrics".to_owned(),
        options: None,
    };
    let details = StreamDetails {
        stream: Stream {
            id: 7,
            created_at: 0,
            topics_count: 1,
            size_bytes: 0,
            messages_count: 0,
            name: "otel".to_owned(),
            options: None,
        },
        topics: vec![topic],
    };
    let asked = StreamRef {
        stream: story.stream.clone(),
    };
    story.does(Request::GetStream(asked), Reply::Stream(details));
    (story.stream, story.topic) = (Identifier::Numeric(7), Identifier::Numeric(3));
    story.next(50..55);
    assert_eq!(codes(story.findings()), [202]);
}

#[test]
fn a_poll_that_began_elsewhere_is_explained_by_what_was_under_way_with_it() {
    let mut story = Story::of(Group);
    story.next(0..5);
    let slow = story.exchange(story.poll_request(Next, 0), 0);
    let slow = answered(lasting(slow, 3), &answer(2, 20, 5..10));
    story.next(10..15);
    assert!(!story.start_is_explained(3), "nothing explains it yet");
    story.conn = 2;
    story.see(slow);
    assert!(story.start_is_explained(3));
    story.passes(5).next(30..35);
    assert!(!story.start_is_explained(9), "nothing was under way");
}
