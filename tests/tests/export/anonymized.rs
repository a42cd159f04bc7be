use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use parallax_tests::all_recordings;
use serde_json::{Value, json};

use super::redacted::{contains, forms};
use super::{export, inspected, stem, values};

/// Members whose texts are names that somebody chose.
const NAMES: [&str; 7] = [
    "consumer", "group", "name", "stream", "topic", "user", "username",
];

/// The names in what was said of a capture. Those of fewer than three letters are in
/// every file by chance.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                match value.as_str() {
                    Some(name) if NAMES.contains(&member.as_str()) => {
                        let is_number = name.parse::<u64>().is_ok();
                        if name.len() > 2 && !is_number {
                            found.insert(name.to_owned());
                        }
                    }
                    _ => names(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

/// What is the same, whatever things are called.
fn story(exchange: &Value) -> Value {
    let same = [
        "n",
        "conn",
        "time",
        "dialect",
        "layout",
        "command",
        "code",
        "status",
        "error",
        "latency_us",
        "verdict",
        "findings",
        "muted_findings",
    ];
    let mut story: Value = same
        .iter()
        .map(|name| (*name, exchange[*name].clone()))
        .collect();
    let (request, response) = (&exchange["request"], &exchange["response"]);
    for name in [
        "partition_id",
        "strategy",
        "value",
        "count",
        "auto_commit",
        "offset",
    ] {
        story[format!("asked {name}")] = request[name].clone();
    }
    for name in ["partition_id", "current_offset", "stored_offset", "count"] {
        story[format!("answered {name}")] = response[name].clone();
    }
    let messages = response["messages"].as_array().into_iter().flatten();
    let message = |one: &Value| {
        json!([
            one["offset"],
            one["id"],
            one["timestamp"],
            one["payload_length"]
        ])
    };
    story["messages"] = messages.map(message).collect();
    story["undecoded"] = exchange["undecoded"].is_null().into();
    story
}

/// Whether a text stands there as a word: letters that replace a payload may spell a
/// short name, and members are called `cache_metrics`.
fn says(bytes: &[u8], text: &str) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut places = bytes.windows(text.len()).enumerate();
    places.any(|(at, window)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(at + text.len());
        window == text.as_bytes() && !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn diagnosis(finding: &Value) -> Value {
    let same = ["code", "severity", "count", "first", "last", "exchanges"];
    let told: Value = same
        .iter()
        .map(|name| (*name, finding[*name].clone()))
        .collect();
    told
}

/// Whether a text stands in an export. A short one may be among random letters, but not
/// twice.
fn leaks(capture: &Path, bytes: &[u8], text: &str) -> bool {
    let again = || {
        let name = format!("{}-anonymous-again.pcapng", stem(capture));
        fs::read(export(capture, &name, &["--anonymize"])).unwrap()
    };
    says(bytes, text) && (text.len() > 5 || says(&again(), text))
}

#[test]
fn an_anonymized_capture_tells_the_same_story_without_a_name_or_a_payload() {
    let mut all = BTreeSet::new();
    for capture in all_recordings() {
        let name = stem(&capture);
        let file = export(
            &capture,
            &format!("{name}-anonymous.pcapng"),
            &["--anonymize"],
        );
        let (was, is) = (
            values(&inspected(&capture, &[])),
            values(&inspected(&file, &[])),
        );
        let stories = |all: &[Value]| all.iter().map(story).collect::<Vec<_>>();
        assert_eq!(stories(&is), stories(&was), "{name}");
        let diagnoses = |file| {
            let mut told: Vec<_> = values(&inspected(file, &["--findings", "--muted"]))
                .iter()
                .map(|finding| diagnosis(finding).to_string())
                .collect();
            told.sort();
            told
        };
        assert_eq!(diagnoses(&file), diagnoses(&capture), "{name}");

        let mut found = BTreeSet::new();
        for exchange in &was {
            names(exchange, &mut found);
        }
        let payloads = ["\"text\":\"message 900\"", "trace-id"];
        let printed = [
            inspected(&file, &[]),
            inspected(&file, &["--findings", "--muted"]),
        ];
        let printed = printed.concat().join("\n");
        let bytes = fs::read(&file).unwrap();
        for text in found.iter().map(String::as_str).chain(payloads) {
            assert!(!leaks(&capture, &bytes, text), "{name} holds {text}");
            assert!(!says(printed.as_bytes(), text), "{name} says {text}");
            // What is long is not there by chance, in whatever form.
            for form in forms(text).iter().skip(1) {
                assert!(!contains(&bytes, form), "{name} holds {text}");
            }
        }
        all.extend(found);
    }
    // The names that the recordings are known to hold.
    for known in ["otel", "metrics", "iggy", "qw_sink_metrics"] {
        assert!(all.contains(known), "{all:?}");
    }
}

#[test]
fn every_form_of_export_is_anonymized() {
    for capture in all_recordings() {
        let mut found = BTreeSet::new();
        for exchange in &values(&inspected(&capture, &[])) {
            names(exchange, &mut found);
        }
        for (form, end) in [
            ("jsonl", "jsonl"),
            ("csv", "csv"),
            ("hdr", "hlog"),
            ("parquet", "parquet"),
        ] {
            let name = format!("{}-anonymous.{end}", stem(&capture));
            let file = export(&capture, &name, &["--format", form, "--anonymize"]);
            let bytes = fs::read(file).unwrap();
            for text in &found {
                assert!(!leaks(&capture, &bytes, text), "{name} holds {text}");
            }
        }
    }
}
