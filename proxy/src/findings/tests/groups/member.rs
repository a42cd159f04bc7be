use parallax_codec::primitives::ConsumerKind::Group;

use super::*;

const RESYNC: u32 = u32::MAX;

#[test]
fn px302_a_commit_after_leaving_is_refused_and_lost() {
    let mut story = Story::of(Group);
    story.auto_commit = false;
    joins(&mut story, 0);
    story.store(39, 0).next(40..50);
    leaves(&mut story, 0);
    story.store(49, 5006);
    assert_eq!(codes(story.findings()), [103, 302]);
    let text = told(story.findings(), 302);
    for word in [
        "exchange 4 left the group",
        "10 offsets lost",
        "reads again from 40",
        "exchange 2 stored it",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn px302_says_so_where_what_is_stored_is_not_known() {
    let mut story = Story::of(Group);
    leaves(&mut story, 0);
    story.store(49, 5000);
    assert!(told(story.findings(), 302).contains("is not known"));
}

#[test]
fn a_commit_that_is_no_late_one_is_no_px302() {
    // Joined again.
    let mut story = Story::of(Group);
    leaves(&mut story, 0);
    joins(&mut story, 0);
    story.store(49, 5006);
    // The group was deleted and created anew, of which nobody is a member.
    let mut anew = Story::of(Group);
    leaves(&mut anew, 0);
    anew.conn = 2;
    deletes(&mut anew, 0);
    creates(&mut anew, 0);
    anew.conn = 1;
    anew.store(49, 5006);
    // Never left, or by another connection.
    let mut other = Story::of(Group);
    leaves(&mut other, 0);
    other.conn = 2;
    other.store(49, 5006);
    // The leave was refused.
    let mut refused = Story::of(Group);
    leaves(&mut refused, 5006);
    refused.store(49, 5006);
    // Taken all the same, or refused for another reason.
    let mut taken = Story::of(Group);
    leaves(&mut taken, 0);
    taken.store(49, 0).store(50, 4100);
    for story in [&mut story, &mut anew, &mut other, &mut refused, &mut taken] {
        assert!(!codes(story.findings()).contains(&302));
    }
}

#[test]
fn px303_polls_are_fenced_and_the_client_never_asks_for_its_assignment() {
    let mut story = Story::of(Group);
    joins(&mut story, 0);
    for _ in 0..2 {
        empty_poll_of(&mut story, RESYNC);
    }
    assert_eq!(codes(story.findings()), NONE, "twice is not yet stuck");
    empty_poll_of(&mut story, RESYNC);
    empty_poll_of(&mut story, RESYNC);
    assert_eq!(codes(story.findings()), [303, 303]);
    let findings = story.findings();
    assert_eq!(findings[0].exchanges, [2, 3, 4]);
    assert_eq!((findings[0].count, findings[1].count), (3, 1));
    let text = told(findings, 303);
    assert!(text.contains("0xFFFFFFFF"), "{text}");
    assert!(!text.contains("4294967295"), "it is no partition: {text}");
    assert!(!findings[0].place.contains("4294967295"));
}

#[test]
fn whoever_asks_for_its_assignment_or_joins_is_not_stuck() {
    let mut story = Story::of(Group);
    for _ in 0..5 {
        empty_poll_of(&mut story, RESYNC);
        empty_poll_of(&mut story, RESYNC);
        syncs(&mut story, Some(&[0, 1]));
    }
    empty_poll_of(&mut story, RESYNC);
    empty_poll_of(&mut story, RESYNC);
    joins(&mut story, 0);
    empty_poll_of(&mut story, RESYNC);
    // A partition again, empty or not.
    for _ in 0..3 {
        empty_poll_of(&mut story, RESYNC);
        empty_poll_of(&mut story, 1);
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn each_connections_fenced_polls_count_by_themselves() {
    let mut story = Story::of(Group);
    for conn in 1..=5 {
        story.conn = conn;
        empty_poll_of(&mut story, RESYNC);
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn polls_that_were_sent_at_once_are_fenced_once() {
    let mut story = Story::of(Group);
    for _ in 0..5 {
        let request = naming_no_partition(story.poll_request(Next, 0));
        let exchange = lasting(story.exchange(request, 0), 9);
        story.see(answered(exchange, &answer(RESYNC, 0, 0..0)));
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px304_told_that_it_is_no_member_the_client_polls_on() {
    let mut story = Story::of(Group);
    syncs(&mut story, None);
    for _ in 0..3 {
        empty_poll_of(&mut story, RESYNC);
    }
    assert_eq!(codes(story.findings()), [304]);
    let text = told(story.findings(), 304);
    assert!(text.contains("exchange 1 asked"), "{text}");
    let mut story = Story::of(Group);
    syncs(&mut story, None);
    for _ in 0..3 {
        story.refused(Next, 5006);
    }
    assert!(codes(story.findings()).contains(&304));
}

#[test]
fn who_joins_after_an_empty_sync_is_a_member() {
    // As SDK 0.11 does before its first poll (recording `group` of 0.9).
    let mut story = Story::of(Group);
    syncs(&mut story, None);
    joins(&mut story, 0);
    syncs(&mut story, Some(&[2]));
    for _ in 0..5 {
        empty_poll_of(&mut story, 2);
    }
    // A member without a partition is one.
    syncs(&mut story, Some(&[]));
    for _ in 0..5 {
        empty_poll_of(&mut story, 2);
    }
    // Messages show that it is one.
    syncs(&mut story, None);
    for at in 0..5 {
        story.next(at..at + 1);
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn an_empty_answer_without_a_partition_is_ambiguous_and_no_finding() {
    // Case B4: no partition is assigned, or partition 0 is empty.
    let mut story = Story::of(Group);
    joins(&mut story, 0);
    for _ in 0..50 {
        empty_poll_of(&mut story, 0);
    }
    assert_eq!(codes(story.findings()), NONE);
    assert!(story.badges.is_empty());
}
