// What holds in both dialects; included by each, with the crate that is its judge.

use bytes::Bytes;
use iggy_binary_protocol::codec::{WireDecode as _, WireEncode as _};
use iggy_binary_protocol::responses::system::get_cluster_metadata::{
    ClusterMetadataResponse, ClusterNodeResponse,
};
use parallax_codec::code;
use parallax_proxy::cluster::rewrite;
use proptest::prelude::*;

use crate::{Node, listeners, nodes, reached, replacement, split, told};

fn written(node: &Node) -> ClusterNodeResponse {
    ClusterNodeResponse {
        name: node.name.clone(),
        ip: node.ip.clone(),
        tcp_port: node.ports[0],
        quic_port: node.ports[1],
        http_port: node.ports[2],
        websocket_port: node.ports[3],
        role: node.role,
        status: node.status,
    }
}

fn read(node: &ClusterNodeResponse) -> Node {
    Node {
        name: node.name.clone(),
        ip: node.ip.clone(),
        ports: [node.tcp_port, node.quic_port, node.http_port, node.websocket_port],
        role: node.role,
        status: node.status,
    }
}

fn metadata(name: &str, nodes: &[Node]) -> Bytes {
    let metadata = ClusterMetadataResponse {
        name: name.to_owned(),
        nodes: nodes.iter().map(written).collect(),
    };
    metadata.to_bytes()
}

proptest! {
    #[test]
    fn of_a_cluster_hosts_and_tcp_ports_of_nodes_with_a_listener_change_and_nothing_else(
        name in "[a-zé ]{0,300}",
        nodes in nodes(),
        header in header(),
    ) {
        let frame = framed(&header, &metadata(&name, &nodes));
        let rewritten =
            rewrite(DIALECT, code::GET_CLUSTER_METADATA, &frame, &listeners(), reached()).unwrap();
        let (new_header, new_body) = split(&rewritten.frame, HEADER);
        let reading = ClusterMetadataResponse::decode_from(new_body).unwrap();
        let expected: Vec<Node> = nodes.iter().map(told).collect();
        prop_assert_eq!(reading.name, name);
        prop_assert_eq!(reading.nodes.iter().map(read).collect::<Vec<_>>(), expected);
        assert_header(split(&frame, HEADER).0, new_header, new_body);
        let replaced = nodes.iter().filter(|node| replacement(node).is_some());
        prop_assert_eq!(rewritten.replaced.len(), replaced.count());
        let left = nodes.iter().filter(|node| replacement(node).is_none() && node.ports[0] != 0);
        prop_assert_eq!(rewritten.left.len(), left.count());
        if rewritten.replaced.is_empty() {
            prop_assert_eq!(rewritten.frame, frame);
        }
    }

    #[test]
    fn no_other_reply_is_touched(
        command in any::<u32>().prop_filter("names no node", |command| {
            !parallax_proxy::cluster::names_nodes(*command)
        }),
        nodes in nodes(),
        header in header(),
    ) {
        let frame = framed(&header, &metadata("", &nodes));
        let rewritten = rewrite(DIALECT, command, &frame, &listeners(), reached()).unwrap();
        prop_assert_eq!(rewritten.frame, frame);
        prop_assert!(rewritten.replaced.is_empty() && rewritten.left.is_empty());
    }

    #[test]
    fn what_is_cut_short_is_passed_on_as_it_is_or_is_an_error(
        nodes in nodes(),
        header in header(),
        cut in any::<proptest::sample::Index>(),
    ) {
        let whole = metadata("", &nodes);
        let body = whole.slice(..cut.index(whole.len()));
        // Announced as it is: the frame is whole, the body is not.
        let frame = framed(&header, &body);
        let rewritten =
            rewrite(DIALECT, code::GET_CLUSTER_METADATA, &frame, &listeners(), reached());
        prop_assert!(rewritten.is_err() || body.is_empty());
        // Announced longer than it is: no whole frame.
        let frame = framed(&header, &whole);
        let frame = frame.slice(..frame.len() - 1);
        let rewritten =
            rewrite(DIALECT, code::GET_CLUSTER_METADATA, &frame, &listeners(), reached()).unwrap();
        prop_assert_eq!(rewritten.frame, frame);
    }
}
