//! Replies that the published crates write, with addresses replaced by parallax, and read
//! by the published crates again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::net::SocketAddr;

use bytes::Bytes;
use parallax_proxy::cluster::{Listener, Listeners};
use proptest::collection::vec;
use proptest::prelude::*;

mod edges;

/// The same laws, against the crate of each dialect.
macro_rules! laws {
    ($dialect:ident, $theirs:ident) => {
        mod $dialect {
            use $theirs as iggy_binary_protocol;

            include!("laws.rs");
            include!(concat!(stringify!($dialect), ".rs"));
        }
    };
}

laws!(classic, iggy_binary_protocol);
laws!(vsr, iggy_binary_protocol_11);

/// A node as plain values: name, host, ports and two bytes.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    name: String,
    ip: String,
    ports: [u16; 4],
    role: u8,
    status: u8,
}

/// Where clients reach parallax.
fn reached() -> SocketAddr {
    "192.0.2.77:8191".parse().unwrap()
}

/// Nodes 10.0.0.0 to 10.0.0.4, the first three of which have a listener: at an address, on
/// every address, and by a name.
fn listeners() -> Listeners {
    let listener = |n: u16, bound: &str, advertise: Option<&str>| Listener {
        bound: bound.parse().unwrap(),
        advertise: advertise.map(|text| text.parse().unwrap()),
        node: format!("10.0.0.{n}:8090").parse().unwrap(),
        is_tls: false,
    };
    Listeners::new(vec![
        listener(0, "127.0.0.1:8190", None),
        listener(1, "0.0.0.0:8191", None),
        listener(2, "[::1]:8192", Some("a-longer-name.example:9999")),
    ])
}

/// Where a client is to be told that a node is, and `None` where it is to stay.
fn replacement(node: &Node) -> Option<(&'static str, u16)> {
    match (node.ip.as_str(), node.ports[0]) {
        ("10.0.0.0", 8090) => Some(("127.0.0.1", 8190)),
        ("10.0.0.1", 8090) => Some(("192.0.2.77", 8191)),
        ("10.0.0.2", 8090) => Some(("a-longer-name.example", 9999)),
        _ => None,
    }
}

/// As a client is to be told of a node.
fn told(node: &Node) -> Node {
    let mut told = node.clone();
    if let Some((host, port)) = replacement(node) {
        host.clone_into(&mut told.ip);
        told.ports[0] = port;
    }
    told
}

fn node() -> impl Strategy<Value = Node> {
    let host = prop_oneof![
        4 => (0..5_u8).prop_map(|n| format!("10.0.0.{n}")),
        1 => "[a-zé0-9.:-]{0,40}",
    ];
    let tcp = prop_oneof![4 => Just(8090), 1 => any::<u16>()];
    let numbers = any::<(u16, u16, u16, u8, u8)>();
    ("[a-zé0-9-]{0,300}", host, tcp, numbers).prop_map(|(name, ip, tcp, numbers)| Node {
        name,
        ip,
        ports: [tcp, numbers.0, numbers.1, numbers.2],
        role: numbers.3,
        status: numbers.4,
    })
}

fn nodes() -> impl Strategy<Value = Vec<Node>> {
    vec(node(), 0..6)
}

/// The bytes before what follows them, and those.
fn split(frame: &Bytes, at: usize) -> (&[u8], &[u8]) {
    frame.split_at(at)
}
