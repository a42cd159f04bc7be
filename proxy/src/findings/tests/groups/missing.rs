use parallax_codec::commands::{ConsumerGroup, TopicRef};
use parallax_codec::primitives::ConsumerKind::Group;

use super::super::story::during;
use super::*;

fn asks_for_the_group_in_vain(story: &mut Story) {
    story.does(Request::GetConsumerGroup(the_group()), Reply::Empty);
}

#[test]
fn px312_joining_leaving_or_deleting_a_group_that_is_not_there_is_ok() {
    for act in [joins, leaves, deletes] {
        let mut story = Story::of(Group);
        asks_for_the_group_in_vain(&mut story);
        act(&mut story, 0);
        assert_eq!(codes(story.findings()), [312]);
        let text = told(story.findings(), 312);
        assert!(text.contains("exchange 1, get_consumer_group"), "{text}");
        let mut story = Story::of(Group);
        story.store(4, 5000);
        act(&mut story, 0);
        assert_eq!(codes(story.findings()), [103, 312]);
    }
}

fn asks_for_all_groups(story: &mut Story, names: &[(u32, &str)]) {
    let group = |(id, name): &(u32, &str)| ConsumerGroup {
        id: *id,
        partitions_count: 3,
        members_count: 0,
        name: (*name).to_owned(),
    };
    let topic = TopicRef {
        stream: named("otel"),
        topic: named("metrics"),
    };
    let groups = names.iter().map(group).collect();
    story.does(
        Request::GetConsumerGroups(topic),
        Reply::ConsumerGroups(groups),
    );
}

#[test]
fn px312_the_list_of_groups_was_without_it() {
    let mut story = Story::of(Group);
    asks_for_all_groups(&mut story, &[(0, "other")]);
    joins(&mut story, 0);
    assert_eq!(codes(story.findings()), [312]);
    assert!(told(story.findings(), 312).contains("get_consumer_groups, was answered: without it"));
    // It is in the list, though it was missing before.
    let mut there = Story::of(Group);
    asks_for_the_group_in_vain(&mut there);
    asks_for_all_groups(&mut there, &[(0, "other"), (1, "sink")]);
    joins(&mut there, 0);
    // The list is too long to be remembered.
    let mut long = Story::of(Group);
    let many: Vec<(u32, &str)> = (0..=64).map(|id| (id, "other")).collect();
    assert_eq!(many.len(), crate::limits::GROUPS_LISTED + 1);
    asks_for_all_groups(&mut long, &many);
    joins(&mut long, 0);
    // It was made after that.
    let mut made = Story::of(Group);
    asks_for_all_groups(&mut made, &[]);
    creates(&mut made, 0);
    joins(&mut made, 0);
    // Somebody made it who does not pass here.
    let mut found = Story::of(Group);
    asks_for_all_groups(&mut found, &[]);
    syncs(&mut found, Some(&[0]));
    joins(&mut found, 0);
    for story in [&mut there, &mut long, &mut made, &mut found] {
        assert_eq!(codes(story.findings()), NONE);
    }
}

#[test]
fn px312_a_group_that_is_deleted_twice() {
    let mut story = Story::of(Group);
    deletes(&mut story, 0);
    assert_eq!(codes(story.findings()), NONE);
    deletes(&mut story, 0);
    assert_eq!(codes(story.findings()), [312]);
}

#[test]
fn a_group_that_may_have_been_made_in_between_is_no_px312() {
    // By this client or by another one that was quicker.
    for status in [0, 5004] {
        let mut story = Story::of(Group);
        asks_for_the_group_in_vain(&mut story);
        creates(&mut story, status);
        joins(&mut story, 0);
        assert!(!codes(story.findings()).contains(&312));
    }
    // By somebody who does not pass here: it is long ago.
    let mut story = Story::of(Group);
    asks_for_the_group_in_vain(&mut story);
    story.passes(60);
    joins(&mut story, 0);
    assert_eq!(codes(story.findings()), NONE);
    // At the same time.
    let mut story = Story::of(Group);
    let asks = story.exchange(Request::GetConsumerGroup(the_group()), 0);
    let mut asks = lasting(asks, 3);
    if let Content::Binary(content) = &mut asks.content {
        content.reply = Some(Reply::Empty);
    }
    story.see(asks);
    joins(&mut story, 0);
    assert_eq!(codes(story.findings()), NONE);
    // While it was missing, which is seen late.
    let mut story = Story::of(Group);
    let script = [
        (story.exchange(create_request(), 0), 10..30),
        (
            story.exchange(Request::LeaveConsumerGroup(the_group()), 5000),
            20..40,
        ),
        (
            story.exchange(Request::JoinConsumerGroup(the_group()), 0),
            50..51,
        ),
    ];
    for (exchange, seconds) in script {
        story.see(during(exchange, seconds));
    }
    assert!(!codes(story.findings()).contains(&312));
}

#[test]
fn a_refusal_and_a_group_that_is_there_are_no_px312() {
    let mut story = Story::of(Group);
    asks_for_the_group_in_vain(&mut story);
    joins(&mut story, 5000);
    leaves(&mut story, 5006);
    assert!(!codes(story.findings()).contains(&312));
    let mut story = Story::of(Group);
    joins(&mut story, 0);
    story.next(0..5);
    leaves(&mut story, 0);
    deletes(&mut story, 0);
    creates(&mut story, 0);
    deletes(&mut story, 0);
    assert_eq!(codes(story.findings()), NONE);
}
