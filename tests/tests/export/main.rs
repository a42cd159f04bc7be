//! What `export` writes is what `inspect` says, read back by parallax and by others.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod anonymized;
mod bucket;
mod hdr;
mod parquet;
mod pcapng;
mod redacted;
mod tables;

use std::path::{Path, PathBuf};
use std::process::Output;

use parallax_tests::parallax;
use serde_json::Value;

/// Where a test may write.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Exports a capture to a file of this name.
fn export(capture: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let file = scratch(name);
    let to = ["export", path(capture), "--output", path(&file)];
    let ran = parallax(&[&to, arguments].concat());
    succeeded(&ran);
    file
}

fn succeeded(ran: &Output) {
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

/// A name for what is made of a recording.
fn stem(recording: &Path) -> String {
    let folder = recording.parent().unwrap().file_name().unwrap();
    format!(
        "{}-{}",
        folder.display(),
        recording.file_stem().unwrap().display()
    )
}

/// The lines that `inspect --json` prints; whether something was found does not matter.
fn inspected(capture: &Path, arguments: &[&str]) -> Vec<String> {
    let ran = parallax(&[&["inspect", "--json", path(capture)], arguments].concat());
    assert_ne!(
        ran.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let printed = String::from_utf8(ran.stdout).unwrap();
    printed.lines().map(str::to_owned).collect()
}

fn values(lines: &[String]) -> Vec<Value> {
    let parsed = lines.iter().map(|line| serde_json::from_str(line).unwrap());
    parsed.collect()
}
