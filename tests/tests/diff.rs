//! `parallax diff` over recordings of the same scenes with two servers and SDKs.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::process::Output;

use parallax_tests::{parallax, recording};
use serde_json::Value;

const CLASSIC: &str = "server-0.8.0_sdk-0.10.0";
const VSR: &str = "server-0.9-edge_sdk-0.11-edge";

fn diff(a: &str, b: &str, more: &[&str]) -> Output {
    let [a, b] = [a, b].map(recording);
    let mut arguments = vec!["diff", a.to_str().unwrap(), b.to_str().unwrap()];
    arguments.extend(more);
    parallax(&arguments)
}

fn rows(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn of_kind<'a>(rows: &'a [Value], kind: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| row["row"] == kind).collect()
}

#[test]
fn no_recording_differs_from_itself() {
    for folder in [CLASSIC, VSR] {
        for scene in [
            "admin", "consumer", "empty", "group", "polls", "purge", "segments", "setup",
        ] {
            let file = format!("{folder}/{scene}.pcap");
            let output = diff(&file, &file, &["--json"]);
            assert_eq!(output.status.code(), Some(0), "{file}: {output:?}");
            let rows = rows(&output);
            assert_eq!(
                of_kind(&rows, "connections").len() + 1,
                rows.len(),
                "{file}"
            );
        }
    }
    let file = "http_server-0.8.0/http.pcap";
    assert_eq!(diff(file, file, &[]).status.code(), Some(0));
}

#[test]
fn two_servers_answer_the_polls_alike_and_only_the_login_and_an_ack_differ() {
    let (a, b) = (format!("{CLASSIC}/polls.pcap"), format!("{VSR}/polls.pcap"));
    let output = diff(&a, &b, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let rows = rows(&output);
    let differ = of_kind(&rows, "differs");
    for row in &differ {
        let fields = row["differences"].as_array().unwrap();
        let paths: Vec<_> = fields
            .iter()
            .map(|one| one["field"].as_str().unwrap())
            .collect();
        match row["command"].as_str().unwrap() {
            "login_user" => assert!(paths.contains(&"response.server_version")),
            "delete_consumer_offset" | "store_consumer_offset" => {
                assert_eq!(paths, ["request.ack"]);
            }
            other => panic!("{other}: {row}"),
        }
    }
    assert_eq!(differ.len(), 7);
    assert_eq!(
        of_kind(&rows, "only_in_a").len() + of_kind(&rows, "only_in_b").len(),
        0
    );
}

#[test]
fn what_a_purge_leaves_is_the_difference_between_the_two_servers() {
    let (a, b) = (format!("{CLASSIC}/purge.pcap"), format!("{VSR}/purge.pcap"));
    let output = diff(&a, &b, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    // Server 0.8.0 still serves what was purged (PX210), 0.9.0-edge.5 does not.
    assert!(text.contains("response.count: A 5, B 0"), "{text}");
}

#[test]
fn a_rule_that_hides_nothing_is_told_and_one_that_cannot_be_read_ends_it() {
    let folder = std::env::temp_dir().join(format!("parallax-diff-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let rules = folder.join("rules");
    let (a, b) = (format!("{CLASSIC}/polls.pcap"), format!("{VSR}/polls.pcap"));
    std::fs::write(
        &rules,
        "# known\nlogin_*: *\n*: request.ack\nget_stats: *\n",
    )
    .unwrap();
    let ignore = ["--ignore", rules.to_str().unwrap()];
    let output = diff(&a, &b, &ignore);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("unused rule: get_stats: *"), "{text}");

    std::fs::write(&rules, "status\nrespons.count\n").unwrap();
    let output = diff(&a, &b, &ignore);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("rules, line 2, column 1"), "{said}");
}
