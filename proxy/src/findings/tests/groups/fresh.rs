use parallax_captures::verdict::MirrorOutcome;
use parallax_codec::commands::{ConsumerGroup, ConsumerGroupDetails, CreateTopic};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Last, Offset};

use super::super::story::during;
use super::*;

fn oldest_is(offset: u64) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(2, 104, offset..offset + 1))
}

#[test]
fn px306_a_new_group_begins_at_the_tail_and_http_has_what_was_before() {
    let mut story = Story::of(Group);
    story.over_http(oldest_is(0));
    creates(&mut story, 0);
    story.poll(Last, 0, 95..105);
    assert_eq!(codes(story.findings()), [306]);
    let text = told(story.findings(), 306);
    for word in [
        "exchange 1 created it",
        "offsets 95 to 104",
        "answers with offset 0",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let question = &story.asked[0];
    assert_eq!((question.strategy, question.count), (First, 1));
    assert!(!question.auto_commit);
}

#[test]
fn px306_is_told_once_the_tail_is_committed() {
    let mut story = Story::of(Consumer);
    story.over_http(oldest_is(0));
    story.auto_commit = false;
    story.asks(None, 0).poll(Last, 0, 95..105);
    assert_eq!(codes(story.findings()), NONE, "a look at the end");
    story.store(50, 3024).store(104, 0);
    assert_eq!(codes(story.findings()), [306]);
}

#[test]
fn px306_next_that_begins_late_is_one_too() {
    let mut story = Story::of(Consumer);
    story.over_http(oldest_is(0)).asks(None, 0).next(60..70);
    assert_eq!(codes(story.findings()), [306]);
    let mut story = Story::of(Consumer);
    story.over_http(oldest_is(0)).deletes_the_offset();
    story.next(60..70);
    assert_eq!(codes(story.findings()), [306]);
}

#[test]
fn px306_needs_a_proof_that_something_was_before() {
    let mut gone = Story::of(Group);
    gone.over_http(oldest_is(95));
    let mut refused = Story::of(Group);
    refused.over_http(crate::comparison::sample::refusal(504, None, ""));
    let mut nobody_asks = Story::of(Group);
    // Appended after the poll: another log.
    let mut purged = Story::of(Group);
    let mut later = answer(2, 104, 0..1);
    later.messages[0].timestamp += 1;
    purged.over_http(MirrorOutcome::Answered(later));
    for story in [&mut gone, &mut refused, &mut nobody_asks, &mut purged] {
        story.asks(None, 0).poll(Last, 0, 95..105);
        assert_eq!(codes(story.findings()), NONE);
    }
}

#[test]
fn a_healthy_reader_at_the_tail_is_no_px306() {
    // It has an offset.
    let mut story = Story::of(Group);
    story.over_http(oldest_is(0)).asks(Some(94), 104);
    story.poll(Last, 0, 95..105);
    // Whether it has one is not known.
    let mut unknown = Story::of(Group);
    unknown.over_http(oldest_is(0)).poll(Last, 0, 95..105);
    // It began when the partition was empty.
    let mut empty = Story::of(Consumer);
    empty.over_http(oldest_is(0)).asks(None, 0);
    empty.poll_of(Last, 0, 0, 0..0).poll(Last, 0, 5..15);
    // From the first message on.
    let mut all = Story::of(Consumer);
    all.over_http(oldest_is(0))
        .asks(None, 0)
        .poll(Last, 0, 0..10);
    // It asked for that offset by itself.
    let mut offset = Story::of(Consumer);
    offset.over_http(oldest_is(0)).asks(None, 0);
    offset.poll(Offset, 95, 95..105);
    // It has polled before.
    let mut second = Story::of(Consumer);
    second.auto_commit = false;
    second.over_http(oldest_is(0)).asks(None, 0);
    second
        .poll(First, 0, 0..10)
        .poll(Last, 0, 95..105)
        .store(104, 0);
    for story in [
        &mut story,
        &mut unknown,
        &mut empty,
        &mut all,
        &mut offset,
        &mut second,
    ] {
        assert_eq!(codes(story.findings()), NONE);
    }
}

#[test]
fn what_was_under_way_while_the_group_was_created_may_have_been_committed() {
    // Each was dealt with after the creation, and seen before it or after it.
    for is_seen_before in [true, false] {
        let mut story = Story::of(Group);
        story.over_http(oldest_is(0));
        creates(&mut story, 0);
        deletes(&mut story, 0);
        let created = created(&mut story);
        let created = during(created, 10..40);
        let polled = during(tail(&mut story, 0..10), 20..30);
        let seen = if is_seen_before {
            [polled, created]
        } else {
            [created, polled]
        };
        for exchange in seen {
            story.see(exchange);
        }
        let next = tail(&mut story, 10..20);
        story.see(during(next, 50..51));
        assert_eq!(codes(story.findings()), NONE);
    }
}

#[test]
fn a_poll_that_is_seen_after_the_groups_deletion_begins_nothing() {
    let mut story = Story::of(Group);
    story.over_http(oldest_is(0));
    let topic = Request::CreateTopic(CreateTopic {
        stream: named("otel"),
        partitions_count: 3,
        compression_algorithm: 1,
        message_expiry: 0,
        max_topic_size: 0,
        replication_factor: 1,
        name: "metrics".to_owned(),
    });
    story.tries(topic, 0);
    let group = ConsumerGroup {
        id: 4,
        partitions_count: 3,
        members_count: 0,
        name: "sink".to_owned(),
    };
    let members = Vec::new();
    story.does(
        create_request(),
        Reply::ConsumerGroup(ConsumerGroupDetails { group, members }),
    );
    story.next(0..10);
    let next = tail(&mut story, 10..20);
    let deleted = story.exchange(Request::DeleteConsumerGroup(the_group()), 0);
    for (exchange, seconds) in [(deleted, 40..50), (next, 20..30)] {
        story.see(during(exchange, seconds));
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px306_a_group_created_anew_begins_at_the_tail_whatever_it_read_before() {
    let mut story = Story::of(Group);
    story.over_http(oldest_is(0));
    creates(&mut story, 0);
    story.poll(Last, 0, 0..10);
    // The poll was over when the group was created anew.
    deletes(&mut story, 0);
    let created = created(&mut story);
    story.see(during(created, 10..40));
    let next = tail(&mut story, 95..105);
    story.see(during(next, 50..51));
    assert_eq!(codes(story.findings()), [306]);
}

#[test]
fn a_commit_that_names_no_partition_leaves_open_which_ones_the_group_has_begun() {
    let mut story = Story::of(Group);
    story.over_http(oldest_is(0));
    story.auto_commit = false;
    creates(&mut story, 0);
    story.poll(Next, 0, 0..10);
    let request = naming_no_partition(story.store_request(9));
    story.tries(request, 0);
    story.auto_commit = true;
    story.poll(Next, 0, 10..20);
    assert_eq!(codes(story.findings()), NONE);
}

/// The group is created, not seen yet.
fn created(story: &mut Story) -> Exchange {
    story.exchange(create_request(), 0)
}

/// A poll of Next, not seen yet, which brings these of 105 messages.
fn tail(story: &mut Story, offsets: std::ops::Range<u64>) -> Exchange {
    let exchange = story.exchange(story.poll_request(Next, 0), 0);
    answered(exchange, &answer(2, 104, offsets))
}

#[test]
fn px307_is_told_once_for_all_partitions() {
    let mut story = Story::of(Group);
    story.next(0..5).next(5..10);
    story.partition_id = 1;
    next_of_any(&mut story, 0..5);
    assert_eq!(story.badges.len(), 1);
    assert_eq!(story.badges[0].place, "otel/metrics, group sink");
    story.kind = Consumer;
    story.next(5..10);
    assert_eq!(story.badges.len(), 2);
}

#[test]
fn px307_needs_messages_that_were_committed() {
    let mut story = Story::of(Group);
    story.poll_of(Next, 0, 4, 0..0).refused(Next, 40);
    story.auto_commit = false;
    story.next(0..5);
    assert!(story.badges.is_empty());
}
