//! Options of topics: how VSR clients ask for settings, and how they are told.
//!
//! A client may ask for any. Server 0.9.0-edge.5 refuses those it does not know
//! with 4041, among them two that SDK 0.11.0 asks of every new topic, so that the
//! one cannot create topics on the other.

use parallax_codec::commands::TopicOptions;
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader};
use parallax_codec::primitives::Options;

/// Every option that server 0.9.0-edge.5 knows of a topic, with its default, in
/// the order in which it tells them (recording `setup`).
const DEFAULTS: [(&str, Value); 8] = [
    ("compression_algorithm", Value::Text("none")),
    ("enforce_fsync", Value::No),
    ("max_topic_size", Value::Wide(u64::MAX)),
    ("message_expiry", Value::Wide(u64::MAX)),
    ("messages_required_to_save", Value::Narrow(1024)),
    ("preallocate_segments", Value::No),
    ("segment_size", Value::Wide(1 << 30)),
    ("size_of_messages_required_to_save", Value::Wide(1 << 20)),
];

enum Value {
    Text(&'static str),
    No,
    Narrow(u32),
    Wide(u64),
}

/// 1 none, 2 gzip, where a client asked for one of them.
pub(super) fn compression(options: &Options) -> Option<u8> {
    match options.value("compression_algorithm")?.as_str() {
        "none" => Some(1),
        "gzip" => Some(2),
        _ => None,
    }
}

/// A number that a client asked for.
pub(super) fn number(options: &Options, key: &str) -> Option<u64> {
    options.value(key)?.parse().ok()
}

/// A topic's options, of which a client asked for `asked`.
pub(super) fn told(asked: &[UserHeader]) -> TopicOptions {
    let is_asked = |key: &str| {
        asked
            .iter()
            .any(|option| option.key.bytes == key.as_bytes())
    };
    let derived = DEFAULTS.iter().filter(|(key, _)| !is_asked(key));
    TopicOptions {
        explicit: Options(asked.to_vec()),
        derived: Options(derived.map(|(key, value)| option(key, value)).collect()),
    }
}

/// What is asked for now, and what was before.
pub(super) fn merged(before: &[UserHeader], now: Vec<UserHeader>) -> Vec<UserHeader> {
    let is_new = |option: &UserHeader| now.iter().any(|new| new.key == option.key);
    let kept: Vec<_> = before.iter().filter(|old| !is_new(old)).cloned().collect();
    [kept, now].concat()
}

fn option(key: &str, value: &Value) -> UserHeader {
    let (kind, bytes) = match value {
        Value::Text(text) => ("string", text.as_bytes().to_vec()),
        Value::No => ("bool", vec![0]),
        Value::Narrow(number) => ("uint32", number.to_le_bytes().to_vec()),
        Value::Wide(number) => ("uint64", number.to_le_bytes().to_vec()),
    };
    UserHeader {
        key: HeaderField {
            kind: HeaderKind::STRING,
            bytes: key.as_bytes().to_vec(),
        },
        value: HeaderField {
            kind: HeaderKind::from_name(kind).unwrap_or(HeaderKind::STRING),
            bytes,
        },
    }
}
