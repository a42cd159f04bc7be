//! What `inspect` says of a recording equals what the client printed while it
//! was recorded.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use parallax_tests::{parallax, recording};
use serde_json::Value;

const CLASSIC: &str = "server-0.8.0_sdk-0.10.0";
const VSR: &str = "server-0.9-edge_sdk-0.11-edge";

/// What a line of a client's output says of one exchange.
#[derive(Debug, PartialEq)]
enum Told {
    /// `first: partition=0 current=26 count=2 offsets=[0, 1]`
    Polled {
        partition: u64,
        current: u64,
        offsets: Vec<u64>,
    },
    /// `ERR 4009 Invalid messages count`
    Error(u64),
    /// `Err(InvalidOffset(0))`: the variant's name in `snake_case`.
    ErrorName(String),
    /// `Ok(Some(ConsumerOffsetInfo { partition_id: 0, current_offset: 26, stored_offset: 9 }))`
    Stored {
        partition: u64,
        current: u64,
        stored: u64,
    },
    /// `Ok(())`, `Ok(None)` or anything else that went well.
    Well,
}

fn told(line: &str) -> Told {
    let (_, said) = line.split_once(": ").unwrap();
    let number_after = |label: &str| -> u64 {
        let rest = said.split_once(label).unwrap().1;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    };
    if said.starts_with("partition=") {
        let list = said
            .split_once("offsets=[")
            .unwrap()
            .1
            .trim_end_matches(']');
        let offsets: Vec<u64> = list
            .split(", ")
            .filter(|offset| !offset.is_empty())
            .map(|offset| offset.parse().unwrap())
            .collect();
        assert_eq!(number_after("count="), offsets.len() as u64, "{line}");
        return Told::Polled {
            partition: number_after("partition="),
            current: number_after("current="),
            offsets,
        };
    }
    if said.starts_with("ERR ") {
        return Told::Error(number_after("ERR "));
    }
    if let Some(error) = said.strip_prefix("Err(") {
        let variant: String = error.chars().take_while(|c| c.is_alphanumeric()).collect();
        return Told::ErrorName(snake_case(&variant));
    }
    if said.starts_with("Ok(Some(ConsumerOffsetInfo") {
        return Told::Stored {
            partition: number_after("partition_id: "),
            current: number_after("current_offset: "),
            stored: number_after("stored_offset: "),
        };
    }
    Told::Well
}

fn snake_case(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// The same, of an exchange that `inspect` printed, in the form in which the
/// client told it.
fn decoded(exchange: &Value, as_told: &Told) -> Told {
    if exchange["status"] != 0 {
        return match as_told {
            Told::ErrorName(_) => Told::ErrorName(exchange["error"].as_str().unwrap().to_owned()),
            _ => Told::Error(exchange["status"].as_u64().unwrap()),
        };
    }
    let response = &exchange["response"];
    let number = |field: &str| response[field].as_u64().unwrap();
    match exchange["command"].as_str().unwrap() {
        "poll_messages" => {
            let messages = response["messages"].as_array().unwrap();
            assert_eq!(number("count"), messages.len() as u64);
            Told::Polled {
                partition: number("partition_id"),
                current: number("current_offset"),
                offsets: messages
                    .iter()
                    .map(|message| message["offset"].as_u64().unwrap())
                    .collect(),
            }
        }
        "get_consumer_offset" if !response.is_null() => Told::Stored {
            partition: number("partition_id"),
            current: number("current_offset"),
            stored: number("stored_offset"),
        },
        _ => Told::Well,
    }
}

fn inspect(path: &str) -> Vec<Value> {
    let file = recording(path);
    let output = parallax(&["inspect", "--json", file.to_str().unwrap()]);
    assert_ne!(output.status.code(), Some(2), "{path}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Commands that the SDK sends of itself, or that a line does not tell of.
const UNTOLD: [&str; 6] = [
    "get_cluster_metadata",
    "login_register",
    "login_user",
    "logout_user",
    "ping",
    "sync_consumer_group",
];

/// What the SDK answers without asking the server for it: a poll of no message
/// (`iggy` 0.10.0, `clients/binary_message.rs`); and SDK 0.11 a group's poll
/// without an assignment, which it has asked for beforehand.
fn is_the_sdks_own(folder: &str, line: &str) -> bool {
    line.starts_with("first count 0: ERR 4009")
        || folder == VSR && line.starts_with("group next before join: ERR 5006")
}

fn compare(scenario: &str) {
    for folder in [CLASSIC, VSR] {
        let exchanges = inspect(&format!("{folder}/{scenario}.pcap"));
        let out = std::fs::read_to_string(recording(&format!("{folder}/{scenario}.out"))).unwrap();
        let is_told = |exchange: &&Value| {
            let command = exchange["command"].as_str().unwrap();
            // SDK 0.11 asks how many partitions it has to balance over.
            let balances = scenario == "setup" && command == "get_topic";
            !balances && !UNTOLD.contains(&command)
        };
        let by_client: Vec<_> = exchanges.iter().filter(is_told).collect();
        let lines = out.lines();
        let lines: Vec<_> = lines
            .filter(|line| !is_the_sdks_own(folder, line))
            .collect();
        assert_eq!(
            by_client.len(),
            lines.len(),
            "{folder}/{scenario}: one exchange a line"
        );
        for (exchange, line) in by_client.into_iter().zip(lines) {
            let told = told(line);
            assert_eq!(
                decoded(exchange, &told),
                told,
                "{folder}/{scenario}: {line}\n{exchange}"
            );
        }
    }
}

#[test]
fn polls_are_decoded_as_the_client_printed_them() {
    compare("polls");
}

#[test]
fn a_groups_polls_are_decoded_as_the_client_printed_them() {
    compare("group");
}

#[test]
fn polls_and_refused_stores_of_an_empty_topic_are_decoded_as_printed() {
    compare("empty");
}

#[test]
fn polls_across_a_purge_are_decoded_as_printed() {
    compare("purge");
}

#[test]
fn polls_across_deleted_segments_are_decoded_as_printed() {
    compare("segments");
}

#[test]
fn creating_and_sending_is_decoded_as_printed() {
    compare("setup");
}

#[test]
fn a_refused_store_is_told_with_the_offset_that_the_client_asked_to_store() {
    let both = [CLASSIC, VSR].map(|folder| inspect(&format!("{folder}/empty.pcap")));
    let stores: Vec<_> = both
        .into_iter()
        .flatten()
        .filter(|exchange| exchange["command"] == "store_consumer_offset")
        .map(|exchange| {
            (
                exchange["request"]["offset"].clone(),
                exchange["status"].clone(),
            )
        })
        .collect();
    assert!(stores.iter().all(|(_, status)| *status == 4100));
    assert!(stores.iter().any(|(offset, _)| *offset == 7));
    assert!(stores.iter().any(|(offset, _)| *offset == 5000));
}

#[test]
fn nothing_is_undecoded_in_any_recording() {
    for (folder, dialect) in [(CLASSIC, "classic"), (VSR, "vsr")] {
        nothing_is_undecoded_in(folder, dialect);
    }
}

fn nothing_is_undecoded_in(folder: &str, dialect: &str) {
    for entry in std::fs::read_dir(recording(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pcap") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let exchanges = inspect(&format!("{folder}/{name}"));
        assert!(exchanges.len() > 5, "{name}");
        for exchange in exchanges {
            assert_eq!(exchange["undecoded"], Value::Null, "{name}: {exchange}");
            assert_eq!(exchange["dialect"], dialect);
        }
    }
}

#[test]
fn the_high_level_consumer_got_what_it_counted() {
    for folder in [CLASSIC, VSR] {
        let out = std::fs::read_to_string(recording(&format!("{folder}/consumer.out"))).unwrap();
        let consumed = out.trim().strip_prefix("consumed ").unwrap();
        let consumed: u64 = consumed.parse().unwrap();
        let delivered: u64 = inspect(&format!("{folder}/consumer.pcap"))
            .iter()
            .filter(|exchange| exchange["command"] == "poll_messages")
            .map(|exchange| exchange["response"]["count"].as_u64().unwrap())
            .sum();
        assert_eq!(delivered, consumed, "{folder}");
    }
}

#[test]
fn the_broken_partition_is_named_from_the_http_requests_in_the_same_capture() {
    let file = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let output = parallax(&["inspect", "--findings", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "PX102",
        "PX103",
        "PX104",
        "PX501",
        "partition 2",
        "Invalid offset: 24",
        "InvalidOffset(0)",
    ] {
        assert!(text.contains(expected), "{expected} is not in:\n{text}");
    }
    let well = |partition: &str| {
        text.lines()
            .any(|line| line.contains(partition) && line.contains("messages"))
    };
    assert!(well("partition 0") && well("partition 1"), "{text}");
}

#[test]
fn a_vsr_client_on_a_classic_server_is_told_with_both_sides() {
    let file = recording("skew_python-0.9.0_server-0.8.0/login.pcap");
    let output = parallax(&["inspect", "--findings", "--json", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let finding: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(finding["code"], "PX401");
    let evidence = finding["evidence"].to_string();
    for expected in [
        "VSR dialect",
        "classic dialect",
        "protocol 0.11.0",
        "status 3",
    ] {
        assert!(
            evidence.contains(expected),
            "{expected} is not in {evidence}"
        );
    }
}

/// Byte range of a field that `inspect --verbose` printed, and whether it holds
/// other fields.
fn printed_field(line: &str) -> Option<(usize, usize, bool)> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once("..")?;
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    let holds_others = words.count() < 2 && start < end;
    Some((start, end, holds_others))
}

#[test]
fn every_byte_of_every_frame_is_some_fields() {
    for folder in [CLASSIC, VSR] {
        for scenario in ["setup", "polls", "group", "admin", "segments", "purge"] {
            let file = recording(&format!("{folder}/{scenario}.pcap"));
            let output = parallax(&["inspect", "--verbose", file.to_str().unwrap()]);
            let text = String::from_utf8(output.stdout).unwrap();
            let (mut end, mut length, mut frames) = (0, 0, 0);
            for line in text.lines() {
                let words = line.trim();
                let mut begins = ["request, ", "reply, "].iter();
                if let Some(rest) = begins.find_map(|what| words.strip_prefix(what)) {
                    assert_eq!(end, length, "{folder}/{scenario}, before: {line}");
                    let bytes = rest.trim_end_matches(" bytes");
                    (end, length, frames) = (0, bytes.parse().unwrap(), frames + 1);
                } else if let Some((start, stop, holds_others)) = printed_field(words) {
                    assert_eq!(start, end, "{folder}/{scenario}: {line}");
                    end = if holds_others { end } else { stop };
                }
            }
            assert_eq!(end, length, "{folder}/{scenario}");
            assert!(frames > 10, "{folder}/{scenario}: {frames} frames");
        }
    }
}
