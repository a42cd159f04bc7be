//! What the README says of filters.

use std::path::Path;

use crate::{accepted, expression, reading};

fn section() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let from = text
        .split_once("\n## Filter\n")
        .expect("it has a section")
        .1;
    let to = from.find("\n## ").unwrap_or(from.len());
    from[..to].to_owned()
}

#[test]
fn every_example_in_the_readme_is_understood() {
    let section = section();
    let in_a_shell = section.split("--where '").skip(1);
    let in_a_shell: Vec<_> = in_a_shell
        .map(|rest| rest.split('\'').next().unwrap())
        .collect();
    let in_the_table = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let in_the_table: Vec<_> = in_the_table
        .map(|row| row.split('`').next().unwrap())
        .collect();
    assert!(
        in_a_shell.len() >= 2 && in_the_table.len() >= 8,
        "{section}"
    );
    for example in in_a_shell.iter().chain(&in_the_table) {
        // In a table a bar is escaped.
        expression(&example.replace("\\|", "|"));
    }
    let first = in_a_shell.first().unwrap();
    let reading = reading("broken-segment_server-0.8.0/group-next-4100.pcap");
    assert!(!accepted(&reading, first).is_empty(), "{first}");
}
