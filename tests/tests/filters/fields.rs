//! Every field of every exchange that was ever recorded can be named, and compared with
//! what it holds.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use parallax_captures::filter::Expression;
use parallax_captures::json;
use parallax_proxy::offline::read_capture;
use serde_json::Value;

use crate::recordings;

/// Elements of a list that are looked at.
const ELEMENTS: usize = 3;

/// Times that a field of one command is looked at.
const TIMES: u32 = 20;

/// Conditions that say what `value` is, under `path`.
fn conditions(path: &str, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            found.insert(path.to_owned());
            for (name, inner) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                conditions(&format!("{path}{dot}{name}"), inner, found);
            }
        }
        Value::Array(elements) => {
            for element in elements.iter().take(ELEMENTS) {
                conditions(path, element, found);
            }
        }
        Value::String(text) => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            found.insert(format!("{path} == \"{escaped}\""));
        }
        other => {
            found.insert(format!("{path} == {other}"));
        }
    }
}

#[test]
fn every_field_of_every_recording_is_what_its_json_says() {
    let mut checked = 0;
    // Of each command, what its fields are like; not all of what they ever were.
    let mut seen = HashMap::new();
    for file in recordings() {
        for exchange in read_capture(&file).unwrap().exchanges {
            let mut found = BTreeSet::new();
            conditions("", &json::exchange(&exchange), &mut found);
            found.remove("");
            for condition in found {
                let field = condition.split(' ').next().unwrap().to_owned();
                let times: &mut u32 = seen.entry((exchange.command(), field)).or_default();
                *times += 1;
                if *times > TIMES {
                    continue;
                }
                let parsed: Expression = condition.parse().unwrap_or_else(|error| {
                    panic!(
                        "{}, exchange {}: {condition}: {error}",
                        file.display(),
                        exchange.n
                    );
                });
                assert!(parsed.accepts(&exchange), "{condition}");
                checked += 1;
            }
        }
    }
    assert!(checked > 3_000, "{checked}");
}

/// Names of fields that the codec's bodies describe themselves with: the first text in
/// a call of one of the writer's methods.
fn names_in(folder: &Path, names: &mut BTreeSet<String>) {
    let methods = [
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "f32",
        "flag",
        "kind",
        "meaning",
        "text",
        "bytes",
        "secret",
        "group",
        "list",
        "write_as",
        "write_sequence",
    ];
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let mut pieces = text.split('"');
        let mut before = pieces.next().unwrap_or_default();
        while let (Some(name), Some(after)) = (pieces.next(), pieces.next()) {
            let call = before.trim_end().strip_suffix('(').unwrap_or_default();
            let method = call
                .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
                .next();
            let is_name = name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            if is_name && method.is_some_and(|method| methods.contains(&method)) {
                names.insert(name.to_owned());
            }
            before = after;
        }
    }
}

#[test]
fn every_field_of_every_body_that_the_codec_knows_can_be_named() {
    let codec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/src");
    let mut names = BTreeSet::new();
    names_in(&codec.join("commands"), &mut names);
    assert!(names.len() > 80, "{names:?}");
    // Left out of the JSON, or the name of a list's elements, which have none there.
    let has_none = ["length", "reserved", "entry", "client"];
    names.retain(|name| !name.ends_with("_length") && !has_none.contains(&name.as_str()));
    for name in names {
        let field = format!("response.{name}");
        assert!(field.parse::<Expression>().is_ok(), "{field}");
    }
}
