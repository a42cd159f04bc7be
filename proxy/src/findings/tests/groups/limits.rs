use parallax_codec::primitives::ConsumerKind::Group;

use super::*;
use crate::findings::Findings;
use crate::findings::sample::exchange;
use crate::limits::GROUPS_WATCHED;
use parallax_captures::ConnectionId;

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
    let forgotten = findings.forgotten();
    assert!(forgotten > most / 2 && forgotten <= most + 4, "{forgotten}");
    let mut story = Story::of(Group);
    assert_eq!(codes(story.findings()), NONE);
}
