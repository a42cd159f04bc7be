use parallax_codec::primitives::ConsumerKind::{Consumer, Group};

use super::*;

fn refused_while_reading(story: &mut Story, times: u64) {
    for batch in 1..=times {
        let from = batch * 10;
        let poll = parallax_codec::primitives::PollingKind::Offset;
        story
            .poll(poll, from, from..from + 10)
            .store(from + 9, 3024);
    }
}

#[test]
fn px305_commits_are_refused_while_messages_flow() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story.next(0..10).store(9, 0);
    refused_while_reading(&mut story, 3);
    assert_eq!(codes(story.findings()), [305]);
    let text = told(story.findings(), 305);
    for word in [
        "3 commits in a row",
        "3024",
        "from offset 19 to 39",
        "a restart will replay from 10",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert_eq!(story.findings()[0].exchanges, [4, 6, 8]);
}

#[test]
fn px305_does_not_pretend_to_know_where_a_restart_begins() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    refused_while_reading(&mut story, 3);
    assert!(told(story.findings(), 305).contains("not seen here"));
}

#[test]
fn a_commit_that_works_in_the_end_is_no_px305() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for _ in 0..4 {
        refused_while_reading(&mut story, 1);
        story.store(19, 0);
    }
    refused_while_reading(&mut story, 2);
    story.store(29, 0);
    assert!(!codes(story.findings()).contains(&305));
    // What another connection commits counts as well.
    refused_while_reading(&mut story, 2);
    story.conn = 2;
    story.store(29, 0);
    story.conn = 1;
    refused_while_reading(&mut story, 1);
    assert!(!codes(story.findings()).contains(&305));
}

#[test]
fn refused_commits_without_new_messages_or_of_several_readers_are_no_px305() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story.poll(parallax_codec::primitives::PollingKind::Offset, 10, 10..20);
    for offset in 11..17 {
        story.store(offset, 4100);
    }
    assert!(!codes(story.findings()).contains(&305));
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for partition_id in 1..5 {
        story.partition_id = partition_id;
        refused_while_reading(&mut story, 2);
    }
    assert!(!codes(story.findings()).contains(&305));
}

#[test]
fn commits_that_are_to_be_sent_again_are_no_px305() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for at in 0..5 {
        story.next(at..at + 1).store(at, 58);
    }
    assert!(!codes(story.findings()).contains(&305));
}

#[test]
fn commits_of_what_another_member_was_given_are_no_px305() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    for batch in 0..5 {
        story.conn = 1;
        story.next(batch..batch + 1);
        story.conn = 2;
        story.store(batch, 3022);
    }
    assert!(!codes(story.findings()).contains(&305));
}
