//! What the recordings show of the connections in them, and what rules mute of
//! them.

use std::path::Path;

use parallax_captures::{Connection, Dialect, Finding, Mutes, VerdictKind};
use parallax_codec::messages::HeaderLayout;
use parallax_codec::primitives::PartitionLayout;
use parallax_codec::vsr::StatusLayout;

use super::{Reading, read_capture, read_capture_muting};

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

const BROKEN_SEGMENT: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

fn read_muting(name: &str, rules: &str) -> Reading {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    let mutes = Mutes::parse("mute.toml", rules).unwrap();
    read_capture_muting(&root.join(name), mutes).unwrap()
}

fn codes(findings: &[Finding]) -> Vec<u16> {
    let mut codes: Vec<_> = findings.iter().map(|finding| finding.code.0).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn what_a_rule_mutes_moves_from_the_findings_to_the_muted_and_nothing_is_lost() {
    let whole = read(BROKEN_SEGMENT);
    let rules = "[[mute]]\ncodes = [\"PX103\", \"PX501\"]\nconsumer = \"qw_sink_*\"\n";
    let muted = read_muting(BROKEN_SEGMENT, rules);
    assert_eq!(codes(&muted.muted_findings), [103, 501]);
    // Of the findings with these codes one is not of this consumer.
    let mut others = codes(&whole.findings);
    others.retain(|code| *code != 501);
    assert_eq!(codes(&muted.findings), others);
    let left = muted.findings.iter().filter(|one| one.code.0 == 103);
    let places: Vec<_> = left.map(|one| one.place.as_str()).collect();
    assert!(matches!(places[..], [place] if place.contains("create_consumer_group")));
    let count = |findings: &[Finding]| findings.iter().map(|one| one.count).sum::<u64>();
    assert_eq!(
        count(&whole.findings),
        count(&muted.findings) + count(&muted.muted_findings)
    );
    let elsewhere = "[[mute]]\ncodes = [\"PX103\", \"PX501\"]\ntopic = \"other\"\n";
    let muted = read_muting(BROKEN_SEGMENT, elsewhere);
    assert!(muted.muted_findings.is_empty());
}

#[test]
fn a_muted_verdict_keeps_its_kind_and_says_by_what_it_is_muted() {
    let rules = "[[mute]]\ncodes = [\"not_comparable\"]\nbecause = \"known\"\n";
    let reading = read_muting(BROKEN_SEGMENT, rules);
    let mut muted = 0;
    for exchange in &reading.exchanges {
        let Some(verdict) = &exchange.verdict else {
            continue;
        };
        let is_muted = verdict.kind == VerdictKind::NotComparable;
        assert_eq!(verdict.muted.is_some(), is_muted);
        muted += usize::from(is_muted);
    }
    assert!(muted > 0);
}
