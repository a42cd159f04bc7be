use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parallax_tests::{all_recordings, recording};
use serde_json::Value;

use super::{export, inspected, stem, values};

/// An exchange without what redaction replaces.
pub(crate) fn kept(exchange: &Value) -> Value {
    let mut exchange = exchange.clone();
    strip(&mut exchange);
    exchange
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            // A number that HTTP writes in figures may have one fewer then, and so its body.
            for name in ["bytes", "checksum", "user_headers", "value", "differences"] {
                members.remove(name);
            }
            members.values_mut().for_each(strip);
        }
        Value::Array(values) => values.iter_mut().for_each(strip),
        _ => {}
    }
}

/// The forms in which a text could stand in a file: as it is and, where it is long enough
/// not to be there by chance, in hex and in base64 at each alignment.
pub(crate) fn forms(text: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![text.as_bytes().to_vec()];
    if text.len() > 8 {
        let hex = text.bytes().map(|byte| format!("{byte:02x}"));
        forms.push(hex.collect::<String>().into_bytes());
        for shift in 0..3 {
            let shifted = [&b"\0\0"[..shift], text.as_bytes()].concat();
            let whole = STANDARD.encode(shifted);
            // The first and last letters depend on the neighbours.
            forms.push(whole.as_bytes()[4..whole.len() - 4].to_vec());
        }
    }
    forms
}

pub(crate) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// As they stand in the recordings.
const PAYLOAD: &str = "\"text\":\"message 900\"";
const HEADER: &str = "t-900";

#[test]
fn payloads_and_headers_are_replaced_and_everything_else_is_said_as_before() {
    for capture in all_recordings() {
        let name = format!("{}-redacted.pcapng", stem(&capture));
        let file = export(&capture, &name, &["--redact", "payloads"]);
        let was: Vec<_> = values(&inspected(&capture, &[])).iter().map(kept).collect();
        let is: Vec<_> = values(&inspected(&file, &[])).iter().map(kept).collect();
        assert_eq!(is, was, "{name}");
        let bytes = fs::read(&file).unwrap();
        for form in forms(PAYLOAD) {
            assert!(!contains(&bytes, &form), "{name}: {form:?}");
        }
        assert!(contains(&bytes, b"checksums do not fit"), "{name} says so");
    }
}

#[test]
fn the_note_stays_in_an_export_of_an_export() {
    let capture = recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let once = export(&capture, "noted-once.pcapng", &["--redact", "payloads"]);
    let twice = export(&once, "noted-twice.pcapng", &[]);
    assert!(contains(&fs::read(twice).unwrap(), b"checksums do not fit"));
}

#[test]
fn equal_payloads_stay_equal_in_a_file_and_are_others_in_another() {
    let capture = recording("http_server-0.8.0/http.pcap");
    let tables = ["one.jsonl", "other.jsonl"].map(|name| {
        let file = export(
            &capture,
            name,
            &["--format", "jsonl", "--redact", "payloads"],
        );
        fs::read_to_string(file).unwrap()
    });
    assert_ne!(tables[0], tables[1], "another key");
    for table in &tables {
        assert!(!table.contains(HEADER));
        // Each checksum, of one message polled many times, is one other.
        let checksums = |text: &str| {
            let parts = text.split("\"checksum\":\"").skip(1);
            let found = parts.filter_map(|part| part.split('"').next());
            found.map(str::to_owned).collect::<Vec<_>>()
        };
        let was = inspected(&capture, &[]).join("\n");
        let pairs: std::collections::BTreeMap<_, _> =
            checksums(&was).into_iter().zip(checksums(table)).collect();
        for (was, is) in checksums(&was).iter().zip(checksums(table)) {
            assert_eq!(pairs[was], is);
        }
        assert!(pairs.iter().all(|(was, is)| was != is));
    }
}

#[test]
fn inspect_shows_no_payload_where_that_is_asked_for() {
    let capture = recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let shown = inspected(&capture, &[]).join("\n");
    assert!(shown.contains("t-0"));
    let redacted = inspected(&capture, &["--redact", "payloads"]).join("\n");
    assert!(!redacted.contains("\"t-0\""));
    assert_eq!(redacted.lines().count(), shown.lines().count());
}
