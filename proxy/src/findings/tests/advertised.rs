//! PX508: a server advertises addresses that lead around parallax.

use std::sync::Arc;

use parallax_captures::{ConnectionId, Content, Finding};
use parallax_codec::commands::{
    AttachConsumerSession, ClusterMetadata, ClusterNode, GetConsumerOffset, PollRouting,
};
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier, PartitionLayout};
use parallax_codec::{Reply, Request};

use super::{NONE, codes, told};
use crate::cluster::{Listener, Listeners};
use crate::findings::sample::exchange;
use crate::findings::{ConnectionEvent, Findings, Happening};
use crate::limits::ADVERTISED_ADDRESSES;

/// Parallax at 127.0.0.1:8190 and 8191, before 10.0.0.1:8090 and 10.0.0.2:8090.
fn behind_two() -> Findings {
    let listener = |port: u16, node: &str| Listener {
        bound: ([127, 0, 0, 1], port).into(),
        advertise: None,
        node: node.parse().unwrap(),
        is_tls: false,
    };
    Findings::new().behind(Arc::new(Listeners::new(vec![
        listener(8190, "10.0.0.1:8090"),
        listener(8191, "10.0.0.2:8090"),
    ])))
}

/// A client connects to parallax at this port, and is answered so.
fn answers(
    findings: &mut Findings,
    n: u64,
    port: u16,
    request: &Request,
    reply: Reply,
) -> Vec<Finding> {
    let mut exchange = exchange(n, 0, request.clone(), 0);
    exchange.conn = ConnectionId(n);
    let opened = Happening::Opened {
        client: "10.0.0.7:40000".parse().unwrap(),
        reached: ([127, 0, 0, 1], port).into(),
    };
    findings.on_connection(&ConnectionEvent {
        conn: exchange.conn,
        time: exchange.times.request_first,
        what: opened,
    });
    if let Content::Binary(content) = &mut exchange.content {
        content.reply = Some(reply);
    }
    findings.on_exchange(&exchange)
}

fn names(findings: &mut Findings, n: u64, port: u16, nodes: &[ClusterNode]) -> Vec<Finding> {
    let metadata = ClusterMetadata {
        name: "cluster".to_owned(),
        nodes: nodes.to_vec(),
    };
    let reply = Reply::ClusterMetadata(metadata);
    answers(findings, n, port, &Request::GetClusterMetadata, reply)
}

fn node(ip: &str, tcp_port: u16, role: u8) -> ClusterNode {
    ClusterNode {
        name: format!("node-{ip}"),
        ip: ip.to_owned(),
        tcp_port,
        quic_port: 0,
        http_port: 0,
        websocket_port: 0,
        role,
        status: 0,
    }
}

fn routed_to(findings: &mut Findings, n: u64, primary: ClusterNode) -> Vec<Finding> {
    let request = Request::GetConsumerOffsetRouting(GetConsumerOffset {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Numeric(1),
        },
        stream: Identifier::Numeric(1),
        topic: Identifier::Numeric(1),
        partition_id: Some(0),
        partition_layout: PartitionLayout::Flagged,
    });
    let consumer_session = AttachConsumerSession {
        client_id: 1,
        session: 1,
        metadata_watermark: 0,
    };
    let reply = Reply::PollRouting(PollRouting {
        consumer_session,
        primary,
    });
    answers(findings, n, 8190, &request, reply)
}

#[test]
fn px508_nodes_are_advertised_where_parallax_is_not() {
    let mut findings = behind_two();
    let nodes = [node("10.0.0.1", 8090, 1), node("10.0.0.2", 8090, 0)];
    let drawn = names(&mut findings, 1, 8190, &nodes);
    assert_eq!(codes(&drawn), [508]);
    let text = told(&drawn, 508);
    for words in [
        "node-10.0.0.1 at 10.0.0.1:8090, node-10.0.0.2 at 10.0.0.2:8090 (leader)",
        "parallax listens at 127.0.0.1:8190, 127.0.0.1:8191",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert_eq!(drawn[0].place, "clients of 127.0.0.1:8190");
}

#[test]
fn px503_keeps_silent_of_a_client_that_goes_on_to_another_listener_of_parallaxs() {
    for (port, found) in [(8191, &NONE[..]), (8090, &[503, 508])] {
        let mut findings = behind_two();
        let nodes = [node("127.0.0.1", 8190, 1), node("127.0.0.1", port, 0)];
        let mut drawn = names(&mut findings, 1, 8190, &nodes);
        drawn.extend(findings.on_connection(&ConnectionEvent {
            conn: ConnectionId(1),
            time: exchange(1, 1, Request::Ping, 0).times.request_first,
            what: Happening::Closed { by_client: true },
        }));
        assert_eq!(codes(&drawn), found);
    }
}

#[test]
fn px508_is_told_once_of_each_address_and_listener() {
    let mut findings = behind_two();
    let mut nodes = vec![node("10.0.0.1", 8090, 0), node("127.0.0.1", 8191, 1)];
    assert_eq!(codes(&names(&mut findings, 1, 8190, &nodes)), [508]);
    // Another leader is no other address.
    nodes[0].role = 1;
    nodes[1].role = 0;
    assert_eq!(codes(&names(&mut findings, 2, 8190, &nodes)), NONE);
    assert_eq!(codes(&names(&mut findings, 3, 8191, &nodes)), [508]);
    nodes.push(node("10.0.0.3", 8090, 1));
    assert_eq!(codes(&names(&mut findings, 4, 8190, &nodes)), [508]);
    assert_eq!(codes(&names(&mut findings, 5, 8190, &nodes)), NONE);
}

#[test]
fn px508_a_poll_is_routed_past_parallax() {
    let mut findings = behind_two();
    let drawn = routed_to(&mut findings, 1, node("10.0.0.2", 8090, 0));
    assert_eq!(codes(&drawn), [508]);
    assert!(told(&drawn, 508).contains("polls that commit"));
    let drawn = routed_to(&mut findings, 2, node("127.0.0.1", 8191, 0));
    assert_eq!(codes(&drawn), NONE, "to parallax");
}

#[test]
fn px508_keeps_silent_of_addresses_that_are_or_may_be_parallaxs() {
    for nodes in [
        // A server alone, which advertises itself.
        vec![node("10.0.0.1", 8090, 0)],
        // Parallax is what is advertised.
        vec![node("127.0.0.1", 8190, 0), node("localhost", 8191, 1)],
        // Whether that name is parallax's is not known.
        vec![node("127.0.0.1", 8190, 0), node("iggy.example", 8191, 1)],
        // It does not speak TCP.
        vec![node("127.0.0.1", 8190, 0), node("10.0.0.9", 0, 1)],
    ] {
        let drawn = names(&mut behind_two(), 1, 8190, &nodes);
        assert_eq!(codes(&drawn), NONE, "{nodes:?}");
    }
}

#[test]
fn px508_keeps_silent_of_a_capture_where_there_is_no_parallax() {
    let nodes = [node("10.0.0.1", 8090, 1), node("10.0.0.2", 8090, 0)];
    let drawn = names(&mut Findings::new(), 1, 8190, &nodes);
    assert_eq!(codes(&drawn), NONE);
}

#[test]
fn px508_forgets_addresses_beyond_its_limit_and_counts_them() {
    let mut findings = behind_two();
    for n in 0..=ADVERTISED_ADDRESSES as u64 {
        assert_eq!(findings.forgotten(), 0);
        let [.., high, low] = n.to_be_bytes();
        let other = node(&format!("10.1.{high}.{low}"), 8090, 1);
        let nodes = [node("127.0.0.1", 8190, 0), other];
        assert_eq!(codes(&names(&mut findings, n, 8190, &nodes)), [508]);
    }
    assert!(findings.forgotten() >= (ADVERTISED_ADDRESSES / 2) as u64);
}
