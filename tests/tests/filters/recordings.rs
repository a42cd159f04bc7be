//! What a filter finds is what the client printed.

use parallax_tests::recording;

use crate::{accepted, reading};

const SERVERS: [&str; 2] = ["server-0.8.0_sdk-0.10.0", "server-0.9-edge_sdk-0.11-edge"];

/// Lines of what the client program printed that hold `words`.
fn printed(name: &str, words: &str) -> usize {
    let text = std::fs::read_to_string(recording(name)).unwrap();
    text.lines().filter(|line| line.contains(words)).count()
}

#[test]
fn of_a_groups_polls_of_a_broken_partition_every_third_is_refused() {
    // As the README of the recordings tells it.
    let reading = reading("broken-segment_server-0.8.0/group-next-4100.pcap");
    let of_the_group = r#"command == poll_messages and topic == "metrics" and strategy == next and partition_id == null and dialect == classic"#;
    let polls = accepted(
        &reading,
        &format!("{of_the_group} and status in {{0, 4100}}"),
    );
    let refused = accepted(&reading, &format!("{of_the_group} and status == 4100"));
    let every_third: Vec<_> = polls.iter().skip(2).step_by(3).copied().collect();
    assert_eq!(refused, every_third);
    assert_eq!(refused.len(), 3);
    // And over HTTP partition 2 alone.
    let over_http = accepted(&reading, "dialect == http and error == invalid_offset");
    let partition = accepted(
        &reading,
        "dialect == http and partition_id == 2 and http_status == 400",
    );
    assert_eq!(over_http, partition);
    assert!(!over_http.is_empty());
}

#[test]
fn refused_stores_are_as_many_as_the_client_printed() {
    for server in SERVERS {
        let printed = printed(&format!("{server}/empty.out"), "InvalidOffset(0)");
        let reading = reading(&format!("{server}/empty.pcap"));
        let found = accepted(
            &reading,
            "command == store_consumer_offset and error == invalid_offset",
        );
        assert_eq!(found.len(), printed, "{server}");
        assert!(printed > 0);
    }
}

#[test]
fn polls_are_as_many_of_each_strategy_and_count_as_the_client_printed() {
    for server in SERVERS {
        let reading = reading(&format!("{server}/polls.pcap"));
        for (filter, words) in [
            ("response.count == 5", "count=5 "),
            ("response.count == 0", "count=0 "),
            ("response.messages.offset == 26", ", 26]"),
            (
                "response.partition_id == 1 and current_offset == 23",
                "partition=1 current=23",
            ),
            ("strategy == timestamp", "timestamp: "),
            ("strategy == last", "last: "),
            ("strategy == offset and value == 10", "offset 10: "),
            ("strategy == next and response.messages.offset == 6", " 6, "),
        ] {
            let printed = printed(&format!("{server}/polls.out"), words);
            let polls =
                format!("command in {{poll_messages, poll_messages_on_primary}} and {filter}");
            assert_eq!(
                accepted(&reading, &polls).len(),
                printed,
                "{server}: {filter}"
            );
            assert!(printed > 0, "{server}: {words}");
        }
    }
}
