use parallax_captures::verdict::MirrorOutcome;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Offset};

use super::*;

fn oldest_is(offset: u64) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(1, 300, offset..offset + 1))
}

/// Partition 0 was read to 100; partition 1 is begun at 101.
fn one_offset_for_both(story: &mut Story) {
    story.partition_id = 0;
    story.poll(Offset, 91, 91..101);
    story.partition_id = 1;
    story.poll(Offset, 101, 101..111);
}

#[test]
fn px309_the_offset_of_one_partition_is_asked_of_the_next_one() {
    let mut story = Story::of(Consumer);
    story.over_http(oldest_is(0));
    story.partition_id = 1;
    story.asks(None, 300);
    one_offset_for_both(&mut story);
    assert_eq!(codes(story.findings()), [309]);
    let text = told(story.findings(), 309);
    for word in [
        "partition 1 asks for offset 101",
        "go on in partition 0",
        "answers with offset 0",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert_eq!(story.asked[0].strategy, First);
    assert_eq!(story.asked[0].partition_id, Some(1));
}

#[test]
fn px309_is_told_once_the_partition_is_committed_and_without_http_as_well() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story.partition_id = 1;
    story.asks(Some(9), 300);
    one_offset_for_both(&mut story);
    assert_eq!(codes(story.findings()), NONE);
    story.store(110, 0);
    assert_eq!(codes(story.findings()), [309]);
    assert!(told(story.findings(), 309).contains("HTTP was not asked"));
}

#[test]
fn px309_of_a_group_whose_partition_the_server_chooses_needs_no_more() {
    let mut story = Story::of(Group);
    for (partition_id, from) in [(0, 91), (1, 101)] {
        let request = naming_no_partition(story.poll_request(Offset, from));
        let exchange = story.exchange(request, 0);
        story.see(answered(
            exchange,
            &answer(partition_id, 300, from..from + 10),
        ));
    }
    assert_eq!(codes(story.findings()), [309]);
}

#[test]
fn px309_may_be_chance_once_and_not_twice_where_nothing_is_known_of_the_partition() {
    let mut story = Story::of(Consumer);
    one_offset_for_both(&mut story);
    assert_eq!(codes(story.findings()), NONE);
    story.partition_id = 2;
    story.poll(Offset, 111, 111..121);
    assert_eq!(codes(story.findings()), [309]);
}

#[test]
fn who_goes_on_at_its_own_place_is_no_px309() {
    let mut story = Story::of(Consumer);
    story.over_http(oldest_is(0));
    story.partition_id = 1;
    story.asks(Some(100), 300);
    one_offset_for_both(&mut story);
    // Its second request for it, or after somebody read it.
    let mut second = Story::of(Consumer);
    second.partition_id = 1;
    second.asks(None, 300).poll(Offset, 1, 1..5);
    one_offset_for_both(&mut second);
    // Another offset than the other one's.
    let mut other = Story::of(Consumer);
    other.partition_id = 1;
    other.asks(None, 300);
    other.partition_id = 0;
    other.poll(Offset, 80, 80..90);
    other.partition_id = 1;
    other.poll(Offset, 101, 101..111);
    // Another client's.
    let mut client = Story::of(Consumer);
    client.partition_id = 1;
    client.asks(None, 300);
    client.partition_id = 0;
    client.poll(Offset, 91, 91..101);
    client.conn = 2;
    client.partition_id = 1;
    client.poll(Offset, 101, 101..111);
    // Nothing is left before it.
    let mut gone = Story::of(Consumer);
    gone.over_http(oldest_is(101));
    gone.partition_id = 1;
    gone.asks(None, 300);
    one_offset_for_both(&mut gone);
    // Never committed.
    let mut look = Story::of(Consumer);
    look.auto_commit = false;
    look.partition_id = 1;
    look.asks(None, 300);
    one_offset_for_both(&mut look);
    for story in [
        &mut story,
        &mut second,
        &mut other,
        &mut client,
        &mut gone,
        &mut look,
    ] {
        assert_eq!(codes(story.findings()), NONE);
    }
}
