//! Cases that chance would not find.

use bytes::Bytes;
use parallax_codec::commands::{ClusterMetadata, ClusterNode};
use parallax_codec::vsr::{EvictionHeader, EvictionReason};
use parallax_codec::{Dialect, Encode as _, classic, code};
use parallax_proxy::cluster::{Rewritten, rewrite};

use crate::{listeners, reached};

fn node(ip: &str, tcp_port: u16) -> ClusterNode {
    ClusterNode {
        name: format!("node at {ip}"),
        ip: ip.to_owned(),
        tcp_port,
        quic_port: 8080,
        http_port: 3000,
        websocket_port: 8092,
        role: 1,
        status: 0,
    }
}

fn cluster(nodes: Vec<ClusterNode>) -> Bytes {
    let name = "cluster".to_owned();
    classic::encode_reply(0, &ClusterMetadata { name, nodes }.encode())
}

fn rewritten(frame: &Bytes) -> Rewritten {
    let command = code::GET_CLUSTER_METADATA;
    rewrite(Dialect::Classic, command, frame, &listeners(), reached()).unwrap()
}

fn told(rewritten: &Rewritten) -> Vec<String> {
    let replaced = rewritten.replaced.iter();
    let replaced = replaced.map(|one| format!("{}: {} is {}", one.node, one.from, one.to));
    let left = rewritten.left.iter().map(|one| format!("{one} is left"));
    replaced.chain(left).collect()
}

#[test]
fn it_says_which_nodes_it_replaced_and_which_lead_around() {
    let frame = cluster(vec![
        node("10.0.0.0", 8090),
        node("10.0.0.4", 8090),
        // It does not speak TCP, so that nobody goes there.
        node("10.0.0.5", 0),
    ]);
    assert_eq!(
        told(&rewritten(&frame)),
        [
            "node at 10.0.0.0: 10.0.0.0:8090 is 127.0.0.1:8190",
            "10.0.0.4:8090 is left"
        ]
    );
}

#[test]
fn a_server_that_advertises_parallax_itself_is_right_and_stays() {
    let frame = cluster(vec![
        node("localhost", 8190),
        node("192.0.2.77", 8191),
        node("A-longer-name.example", 9999),
    ]);
    let rewritten = rewritten(&frame);
    assert_eq!(rewritten.frame, frame);
    assert!(told(&rewritten).is_empty());
}

#[test]
fn refusals_and_the_end_of_a_session_are_no_replies_with_nodes() {
    let refused = classic::encode_reply(40, &[]);
    assert_eq!(rewritten(&refused).frame, refused);
    let evicted = EvictionHeader::new(7, EvictionReason::STALE_CLIENT).encode();
    let command = code::GET_CLUSTER_METADATA;
    let rewritten = rewrite(Dialect::Vsr, command, &evicted, &listeners(), reached()).unwrap();
    assert_eq!(rewritten.frame, evicted);
}
