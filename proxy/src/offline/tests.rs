//! What the recordings show of the connections in them.

use std::path::Path;

use parallax_captures::{Connection, Dialect};
use parallax_codec::messages::HeaderLayout;
use parallax_codec::primitives::PartitionLayout;
use parallax_codec::vsr::StatusLayout;

use super::{Reading, read_capture};

const CLASSIC: &str = "server-0.8.0_sdk-0.10.0";
const VSR: &str = "server-0.9-edge_sdk-0.11-edge";

fn read(name: &str) -> Reading {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    read_capture(&root.join(name)).unwrap()
}

/// The connections of the binary protocol.
fn binary(reading: &Reading) -> Vec<&Connection> {
    let binary = |one: &&Connection| one.dialect != Some(Dialect::Http);
    reading.connections.iter().filter(binary).collect()
}

#[test]
fn server_0_8_speaks_64_byte_headers_and_flagged_partitions() {
    for scenario in ["setup", "polls", "group", "consumer", "segments"] {
        let reading = read(&format!("{CLASSIC}/{scenario}.pcap"));
        for connection in binary(&reading) {
            let layouts = &connection.layouts;
            let messages = if scenario == "setup" {
                &layouts.messages_sent
            } else {
                &layouts.messages_polled
            };
            assert_eq!(messages.all(), [HeaderLayout::Headers64], "{scenario}");
            if scenario != "setup" {
                assert_eq!(layouts.partition.all(), [PartitionLayout::Flagged]);
            }
            assert!(layouts.status.all().is_empty(), "{scenario}");
            assert_eq!(connection.dialect, Some(Dialect::Classic));
        }
    }
}

#[test]
fn server_0_9_speaks_batch_records_and_has_its_status_at_byte_216() {
    for scenario in ["setup", "polls", "group", "consumer", "segments"] {
        let reading = read(&format!("{VSR}/{scenario}.pcap"));
        for connection in binary(&reading) {
            let layouts = &connection.layouts;
            let messages = if scenario == "setup" {
                &layouts.messages_sent
            } else {
                &layouts.messages_polled
            };
            assert_eq!(messages.all(), [HeaderLayout::Batches], "{scenario}");
            assert_eq!(layouts.status.all(), [StatusLayout::At216], "{scenario}");
        }
    }
}

#[test]
fn where_no_message_passed_its_layout_is_not_known() {
    for folder in [CLASSIC, VSR] {
        let reading = read(&format!("{folder}/empty.pcap"));
        let empty = |one: &&Connection| one.layouts.messages_polled.only().is_none();
        assert!(binary(&reading).iter().any(empty), "{folder}");
    }
    let skewed = read("skew_python-0.9.0_server-0.8.0/login.pcap");
    for connection in binary(&skewed) {
        assert_eq!(connection.layouts, parallax_captures::Layouts::default());
    }
}

#[test]
fn no_recorded_connection_contradicts_itself() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    let mut captures = 0;
    for folder in std::fs::read_dir(root).unwrap() {
        let folder = folder.unwrap().path();
        for file in std::fs::read_dir(&folder).into_iter().flatten() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|kind| kind != "pcap") {
                continue;
            }
            captures += 1;
            for connection in read_capture(&file).unwrap().connections {
                let said = connection.layouts.contradiction();
                assert_eq!(said, None, "{}", file.display());
            }
        }
    }
    assert!(captures > 15, "{captures}");
}

#[test]
fn a_connection_is_told_with_who_logged_in_and_what_passed() {
    let reading = read(&format!("{VSR}/polls.pcap"));
    let [connection] = binary(&reading)[..] else {
        panic!("one connection");
    };
    assert_eq!(connection.user.as_deref(), Some("iggy"));
    assert!(connection.server_version.is_some());
    let of_it = |one: &&std::sync::Arc<_>| {
        let one: &parallax_captures::Exchange = one;
        one.conn == connection.id
    };
    let passed = reading.exchanges.iter().filter(of_it).count();
    assert_eq!(connection.exchanges, passed as u64);
    assert!(connection.bytes_to_client > connection.bytes_to_server);
    assert_eq!(connection.bytes_unobserved, 0);
}
