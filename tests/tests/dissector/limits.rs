//! Each limit of the dissector, reached.

use parallax_captures::limits::{
    DISSECTED_FIELDS, DISSECTED_OPEN_REQUESTS, DISSECTOR_TRIES, SHOWN_FIELDS,
};
use parallax_codec::Direction::{ToClient, ToServer};
use parallax_codec::commands::{
    ConsumerGroup, ConsumerGroupDetails, ConsumerGroupMember, GroupRef,
};
use parallax_codec::primitives::Identifier;
use parallax_codec::{Encode as _, classic, code};

use super::content::{logged_in, poll};
use super::pcap::Pcap;
use super::tshark::{frames, tshark, tshark_is_there};

/// A connection on which a group is asked for, and its one member has so many partitions.
fn group_of(partitions: usize) -> Pcap {
    let count = u32::try_from(partitions).unwrap();
    let details = ConsumerGroupDetails {
        group: ConsumerGroup {
            id: 1,
            partitions_count: count,
            members_count: 1,
            name: "group".to_owned(),
        },
        members: vec![ConsumerGroupMember {
            id: 1,
            partitions: (0..count).collect(),
        }],
    };
    let [stream, topic, group] = [1, 2, 3].map(Identifier::Numeric);
    let asked = GroupRef {
        stream,
        topic,
        group,
    };
    let asked = classic::encode_request(code::GET_CONSUMER_GROUP, &asked.encode());
    let mut capture = logged_in(8090);
    capture.send(ToServer, &asked);
    let answered = classic::encode_reply(0, &details.encode());
    capture.send_cut(ToClient, &answered, 60_000);
    capture
}

#[test]
fn more_fields_than_are_shown_are_read_and_counted() {
    if !tshark_is_there() {
        return;
    }
    let shown = frames(&group_of(SHOWN_FIELDS + 100).save("shown.pcap"));
    let reply = shown.last().unwrap();
    let partitions = reply
        .all("iggy.get_consumer_group.reply.member.partition_id")
        .len()
        + reply
            .all("iggy.get_consumer_group.reply.partition_id")
            .len();
    assert!(
        (SHOWN_FIELDS - 100..SHOWN_FIELDS).contains(&partitions),
        "{partitions}"
    );
    assert!(!reply.all("iggy.hidden").is_empty());
    assert!(reply.all("iggy.malformed").is_empty());
}

#[test]
fn more_fields_than_are_read_are_no_damage() {
    if !tshark_is_there() {
        return;
    }
    let file = group_of(DISSECTED_FIELDS + 100).save("read.pcap");
    let lines = tshark(
        &file,
        &[
            "-Y",
            "iggy.hidden && !iggy.malformed",
            "-T",
            "fields",
            "-e",
            "iggy.command",
        ],
    );
    assert_eq!(lines, "get_consumer_group\n");
}

#[test]
fn with_too_many_open_requests_no_reply_is_paired_any_longer() {
    if !tshark_is_there() {
        return;
    }
    let paired = |requests: usize, name: &str| {
        let mut capture = Pcap::to_port(8090);
        let ping = classic::encode_request(code::PING, &[]);
        capture.send_cut(ToServer, &ping.repeat(requests), 8000);
        capture.send(ToClient, &classic::encode_reply(0, &[]));
        let file = capture.save(name);
        let lines = tshark(
            &file,
            &[
                "-Y",
                "iggy.response_to",
                "-T",
                "fields",
                "-e",
                "frame.number",
            ],
        );
        lines.lines().count()
    };
    assert_eq!(paired(DISSECTED_OPEN_REQUESTS, "open.pcap"), 1);
    assert_eq!(paired(DISSECTED_OPEN_REQUESTS + 1, "too-many-open.pcap"), 0);
}

#[test]
fn a_connection_that_does_not_begin_with_requests_is_given_up() {
    if !tshark_is_there() {
        return;
    }
    let found = |before: usize, name: &str| {
        let mut capture = Pcap::to_port(5555);
        for _ in 0..before {
            capture.send(ToServer, b"no request, this");
        }
        capture.send(ToServer, &poll());
        frames(&capture.save(name)).len()
    };
    assert_eq!(found(DISSECTOR_TRIES - 1, "tries.pcap"), 1);
    assert_eq!(found(DISSECTOR_TRIES, "too-many-tries.pcap"), 0);
}
