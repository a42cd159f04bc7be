//! What a recording holds, told by others than the page: `inspect --json`, and the
//! bytes of the file.

use std::path::Path;

use parallax_tests::parallax;
use serde_json::Value;

/// The exchanges of a capture, as `inspect --json` prints them.
pub(crate) fn inspected(file: &Path) -> Vec<Value> {
    let output = parallax(&["inspect", "--json", file.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["n"].is_u64()).collect()
}

/// The first exchange for which this holds.
pub(crate) fn first(exchanges: &[Value], holds: impl Fn(&Value) -> bool) -> &Value {
    let found = exchanges.iter().find(|one| holds(one));
    found.expect("the recording has one")
}

/// The number of an exchange.
pub(crate) fn number(exchange: &Value) -> u64 {
    exchange["n"].as_u64().unwrap()
}

/// Whether these bytes pass in the file, in one piece.
pub(crate) fn passes(file: &Path, bytes: &[u8]) -> bool {
    let whole = std::fs::read(file).unwrap();
    whole.windows(bytes.len()).any(|part| part == bytes)
}

/// A copy of a recording in which bytes are others of the same number.
pub(crate) fn doctored(file: &Path, name: &str, changes: &[(&str, &str)]) -> std::path::PathBuf {
    let mut whole = std::fs::read(file).unwrap();
    for (from, to) in changes {
        assert_eq!(from.len(), to.len(), "{from} and {to}");
        let mut at = 0;
        while let Some(next) = whole[at..]
            .windows(from.len())
            .position(|part| part == from.as_bytes())
        {
            at += next;
            whole[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
        assert!(at > 0, "{from} is not in the recording");
    }
    let copy = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
    std::fs::write(&copy, whole).unwrap();
    copy
}
