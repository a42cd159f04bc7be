use parallax_captures::ConnectionId;
use parallax_codec::primitives::ConsumerKind::Consumer;
use parallax_codec::primitives::PollingKind::Offset;

use super::*;
use crate::findings::Findings;
use crate::findings::sample::exchange;
use crate::limits::{CONTINUATIONS, GROUPS_JOINED, GROUPS_WATCHED};

#[test]
fn no_more_members_and_connections_are_remembered_than_their_limit() {
    let mut findings = Findings::new();
    let most = u64::try_from(GROUPS_WATCHED).unwrap();
    for conn in 1..=most + 1 {
        let mut join = exchange(conn, 0, Request::JoinConsumerGroup(the_group()), 0);
        join.conn = ConnectionId(conn);
        findings.on_exchange(&join);
    }
    // One half of the members, and of the connections.
    assert!(findings.forgotten() >= most, "{}", findings.forgotten());
}

#[test]
fn no_more_groups_of_one_connection_are_known_than_their_limit() {
    let mut findings = Findings::new();
    for n in 1..=GROUPS_JOINED as u64 + 3 {
        let mut group = the_group();
        group.group = named(&format!("sink-{n}"));
        findings.on_exchange(&exchange(n, 0, Request::JoinConsumerGroup(group), 0));
    }
    assert_eq!(findings.forgotten(), 3);
}

#[test]
fn a_way_through_more_partitions_than_the_limit_is_forgotten_and_begun_anew() {
    let mut story = Story::of(Consumer);
    for partition_id in 0..u32::try_from(CONTINUATIONS).unwrap() + 2 {
        story.partition_id = partition_id;
        story.poll(Offset, 0, 0..10);
    }
    assert_eq!(story.forgotten(), 1);
    // None of them is new, whatever offset is asked for next.
    for partition_id in 0..4 {
        story.partition_id = partition_id;
        story.poll(Offset, 10, 10..20);
    }
    assert_eq!(codes(story.findings()), NONE);
}
