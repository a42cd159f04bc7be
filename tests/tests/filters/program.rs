//! `inspect --where` as a user calls it.

use std::process::Output;

use parallax_tests::{parallax, recording};
use serde_json::Value;

fn inspect(arguments: &[&str]) -> Output {
    let file = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let mut all = vec!["inspect", file.to_str().unwrap()];
    all.extend(arguments);
    parallax(&all)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn only_what_is_accepted_is_printed_and_counts() {
    let refused = inspect(&[
        "--where",
        "status == 4100 and consumer_kind == group",
        "--json",
    ]);
    assert_eq!(refused.status.code(), Some(1));
    let out = text(&refused.stdout);
    let lines: Vec<Value> = out.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["status"] == 4100));

    let well = inspect(&["--where", "command == ping"]);
    assert_eq!(well.status.code(), Some(0), "{well:?}");
    let out = text(&well.stdout);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("ping"), "{out}");
}

#[test]
fn of_findings_only_those_that_name_what_is_accepted_are_printed() {
    let of_refused = inspect(&["--where", "findings == PX104", "--findings", "--json"]);
    assert_eq!(of_refused.status.code(), Some(1));
    assert!(text(&of_refused.stdout).contains("PX104"));

    let of_others = inspect(&["--where", "not findings", "--findings"]);
    assert_eq!(of_others.status.code(), Some(0));
    assert!(
        text(&of_others.stdout).starts_with("no findings in "),
        "{of_others:?}"
    );
}

#[test]
fn a_mistake_is_pointed_at_before_anything_is_read() {
    let wrong = inspect(&["--where", "command == poll_mesages"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(wrong.stdout.is_empty());
    let said = text(&wrong.stderr);
    let expected = "parallax: --where, character 12: there is no command poll_mesages; did you mean poll_messages?
command == poll_mesages
           ^
";
    assert_eq!(said, expected);
}

#[test]
fn the_help_names_the_operators_and_where_the_fields_are() {
    let help = text(&parallax(&["inspect", "--help"]).stdout);
    for words in [
        "== != < <= > >=",
        "in {a, b}",
        "contains",
        "matches",
        "parallax explain filters",
    ] {
        assert!(help.contains(words), "{words}: {help}");
    }
    let fields = text(&parallax(&["explain", "filters"]).stdout);
    for words in [
        "request.stream or stream",
        "verdict in {diverge, stale}",
        "&& || !",
    ] {
        assert!(fields.contains(words), "{words}: {fields}");
    }
    let fields = text(&parallax(&["explain", "filters", "--json"]).stdout);
    let status = fields.lines().map(|line| line.parse::<Value>().unwrap());
    let status = status
        .into_iter()
        .find(|field| field["name"] == "status")
        .unwrap();
    assert_eq!(status["type"], "number");
}
