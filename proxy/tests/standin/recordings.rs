//! Recorded requests put to the state: its replies are the recorded ones, but for
//! what no two servers share.

use parallax_codec::commands::{PolledMessages, Stats};
use parallax_codec::messages::Message;
use parallax_codec::{Encode as _, Reply, Request};
use parallax_proxy::standin::{Fault, Model, PlacedFault, StandinConfig, checksum};

use super::recorded::{Exchange, exchanges};

/// Ids from here on were drawn by a server; producers count from 0.
const DRAWN_IDS: u128 = 1 << 64;

const SCENARIOS: [&str; 5] = ["setup", "polls", "empty", "group", "purge"];

#[test]
fn every_scenario_is_answered_as_the_real_server_did() {
    let mut model = model(None);
    for scenario in SCENARIOS {
        let recording = format!("server-0.8.0_sdk-0.10.0/{scenario}.pcap");
        let differences = replay(&mut model, &exchanges(&recording), Origin::Same);
        assert_eq!(differences, [""; 0], "{scenario}");
    }
}

#[test]
fn a_false_first_offset_fails_every_third_poll_of_the_group_for_ever() {
    let mut model = broken_model();
    let setup = exchanges("server-0.8.0_sdk-0.10.0/setup.pcap");
    assert_eq!(replay(&mut model, &setup, Origin::Same), [""; 0]);
    let recorded = exchanges("broken-segment_server-0.8.0/group-next-4100.pcap");
    let refused = recorded.iter().filter(|exchange| exchange.status == 4100);
    assert!(
        refused.clone().count() >= 3,
        "the recording shows the fault"
    );
    assert!(refused.clone().all(|exchange| exchange.reply.is_empty()));
    assert_eq!(replay(&mut model, &recorded, Origin::Other), [""; 0]);
}

#[test]
fn the_checksum_is_the_one_that_servers_put_on_their_messages() {
    let mut seen = 0;
    for exchange in exchanges("server-0.8.0_sdk-0.10.0/polls.pcap") {
        if let (100, 0) = (exchange.code, exchange.status) {
            for message in polled(&exchange.reply).messages {
                assert_eq!(checksum(&message), message.header.checksum);
                seen += 1;
            }
        }
    }
    assert!(seen > 100);
}

/// Whether recorded messages come from the very setup that was replayed.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Same,
    Other,
}

fn model(fault: Option<PlacedFault>) -> Model {
    let config = StandinConfig {
        fault,
        ..StandinConfig::default()
    };
    Model::new(&config, (config.tcp, config.http), 1)
}

fn broken_model() -> Model {
    model(Some(PlacedFault {
        fault: Fault::FalseFirstOffset,
        stream: "otel".to_owned(),
        topic: "metrics".to_owned(),
        partition_id: 2,
    }))
}

/// Puts the requests of one connection to the model; says where it differs.
fn replay(model: &mut Model, recorded: &[Exchange], origin: Origin) -> Vec<String> {
    let client = model.connect(StandinConfig::default().tcp);
    let mut differences = Vec::new();
    for (number, exchange) in recorded.iter().enumerate() {
        let request = Request::decode(
            parallax_codec::Dialect::Classic,
            exchange.code,
            &exchange.body,
        )
        .unwrap();
        let (status, reply) = match model.answer(client, request, exchange.time) {
            Ok(reply) => (0, reply.encode()),
            Err(refusal) => (refusal.code.0, bytes::Bytes::new()),
        };
        let theirs = comparable(exchange.code, &exchange.reply, origin);
        let ours = comparable(exchange.code, &reply, origin);
        if status != exchange.status || ours != theirs {
            differences.push(format!(
                "exchange {number}, command {}: recorded {} {theirs:?}, got {status} {ours:?}",
                exchange.code, exchange.status,
            ));
        }
    }
    model.disconnect(client);
    differences
}

/// A reply without what must differ: times, drawn ids, checksums over them,
/// addresses, and what a process says of itself.
fn comparable(code: u32, body: &bytes::Bytes, origin: Origin) -> Reply {
    let (mut reply, fault) = Reply::decode(parallax_codec::Dialect::Classic, code, body).unwrap();
    assert_eq!(fault, None);
    match &mut reply {
        Reply::PolledMessages(polled) => polled
            .messages
            .iter_mut()
            .for_each(|message| blank(message, origin)),
        Reply::CreatedStream(stream) => stream.created_at = 0,
        Reply::Stream(details) => {
            details.stream.created_at = 0;
            details.topics.iter_mut().for_each(|t| t.created_at = 0);
        }
        Reply::Topic(details) => {
            details.topic.created_at = 0;
            details.partitions.iter_mut().for_each(|p| p.created_at = 0);
        }
        Reply::ClusterMetadata(cluster) => {
            for node in &mut cluster.nodes {
                let ports = [
                    &mut node.tcp_port,
                    &mut node.http_port,
                    &mut node.quic_port,
                    &mut node.websocket_port,
                ];
                for port in ports {
                    *port = 0;
                }
            }
        }
        Reply::Client(details) => {
            details.client.client_id = 0;
            details.client.address.clear();
        }
        Reply::Stats(stats) => **stats = counts_of(stats),
        _ => {}
    }
    reply
}

fn blank(message: &mut Message, origin: Origin) {
    assert_eq!(checksum(message), message.header.checksum);
    let header = &mut message.header;
    header.checksum = 0;
    header.timestamp = 0;
    if header.id >= DRAWN_IDS {
        header.id = DRAWN_IDS;
    }
    if origin == Origin::Other {
        header.origin_timestamp = 0;
    }
}

fn counts_of(stats: &Stats) -> Stats {
    Stats {
        process_id: 0,
        cpu_usage: 0.0,
        total_cpu_usage: 0.0,
        memory_usage: 0,
        total_memory: 0,
        available_memory: 0,
        run_time: 0,
        start_time: 0,
        read_bytes: 0,
        written_bytes: 0,
        hostname: String::new(),
        os_name: String::new(),
        os_version: String::new(),
        kernel_version: String::new(),
        resources: None,
        ..stats.clone()
    }
}

fn polled(body: &bytes::Bytes) -> PolledMessages {
    match Reply::decode(parallax_codec::Dialect::Classic, 100, body).unwrap() {
        (Reply::PolledMessages(polled), None) => polled,
        other => panic!("not a poll reply: {other:?}"),
    }
}
