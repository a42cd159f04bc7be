use parallax_codec::commands::{DeleteConsumerOffset, StoreConsumerOffset};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PartitionLayout;

use super::*;

fn sink(kind: parallax_codec::primitives::ConsumerKind) -> parallax_codec::primitives::Consumer {
    parallax_codec::primitives::Consumer {
        kind,
        id: named("sink"),
    }
}

fn deletion(layout: PartitionLayout) -> Request {
    Request::DeleteConsumerOffset(DeleteConsumerOffset {
        consumer: sink(Consumer),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: None,
        partition_layout: layout,
        ack: None,
    })
}

fn store(kind: parallax_codec::primitives::ConsumerKind) -> Request {
    Request::StoreConsumerOffset(StoreConsumerOffset {
        consumer: sink(kind),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: None,
        partition_layout: PartitionLayout::Flagged,
        offset: 4,
        ack: None,
    })
}

#[test]
fn px308_the_offset_of_partition_0_is_deleted_by_a_reader_of_partition_3() {
    let mut story = Story::of(Consumer);
    story.partition_id = 3;
    story.next(0..5);
    story.does(deletion(PartitionLayout::Flagged), Reply::Empty);
    assert_eq!(codes(story.findings()), [308]);
    let text = told(story.findings(), 308);
    for word in ["partition 0", "partition 3", "deletion", "it was done"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let mut story = Story::of(Consumer);
    story.next(0..5).tries(store(Consumer), 4100);
    assert!(codes(story.findings()).contains(&308));
}

#[test]
fn px308_of_a_poll_needs_several_of_another_partition() {
    let mut story = Story::of(Consumer);
    story.next(0..5).next(5..10);
    empty_poll_of(&mut story, 0);
    let mut often = Story::of(Consumer);
    often.next(0..5).next(5..10).next(10..15);
    empty_poll_of(&mut often, 0);
    empty_poll_of(&mut often, 0);
    assert_eq!(codes(story.findings()), NONE);
    assert_eq!(codes(often.findings()), [308], "then it reads both");
}

#[test]
fn who_reads_partition_0_or_leaves_the_choice_to_the_server_is_no_px308() {
    let mut zero = Story::of(Consumer);
    zero.partition_id = 0;
    zero.next(0..5);
    let mut several = Story::of(Consumer);
    several.next(0..5);
    several.partition_id = 0;
    several.next(0..5);
    let mut nothing_seen = Story::of(Consumer);
    let mut other_client = Story::of(Consumer);
    other_client.next(0..5);
    other_client.conn = 2;
    for story in [
        &mut zero,
        &mut several,
        &mut nothing_seen,
        &mut other_client,
    ] {
        story.does(deletion(PartitionLayout::Flagged), Reply::Empty);
        story.does(store(Consumer), Reply::Empty);
        assert_eq!(codes(story.findings()), NONE);
    }
    let mut group = Story::of(Group);
    group.next(0..5).does(store(Group), Reply::Empty);
    assert_eq!(codes(group.findings()), NONE);
    // Servers before 0.6 count from 1.
    let mut old = Story::of(Consumer);
    old.next(0..5);
    old.does(deletion(PartitionLayout::Plain), Reply::Empty);
    assert_eq!(codes(old.findings()), NONE);
}
