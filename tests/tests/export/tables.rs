use std::fs;

use parallax_tests::all_recordings;
use serde_json::Value;

use super::{export, inspected, stem, values};

#[test]
fn lines_of_json_are_those_of_inspect() {
    for capture in all_recordings() {
        let file = export(
            &capture,
            &format!("{}.jsonl", stem(&capture)),
            &["--format", "jsonl"],
        );
        let written = fs::read_to_string(file).unwrap();
        let lines: Vec<_> = written.lines().map(str::to_owned).collect();
        assert_eq!(lines, inspected(&capture, &[]));
    }
}

/// What a cell says of a value.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[test]
fn a_row_of_the_table_is_an_exchange_and_a_column_a_path_into_its_json() {
    for capture in all_recordings() {
        let file = export(
            &capture,
            &format!("{}.csv", stem(&capture)),
            &["--format", "csv"],
        );
        let mut table = csv::Reader::from_path(file).unwrap();
        let columns = table.headers().unwrap().clone();
        let rows: Vec<_> = table.records().map(Result::unwrap).collect();
        let exchanges = values(&inspected(&capture, &[]));
        assert_eq!(rows.len(), exchanges.len());
        for (row, exchange) in rows.iter().zip(&exchanges) {
            for (column, found) in columns.iter().zip(row) {
                let value = column.split('.').fold(exchange, |value, name| &value[name]);
                assert_eq!(found.trim_start_matches('\''), cell(value), "{column}");
            }
        }
    }
}
