//! Wireshark on the command line, as the other implementation that reads what
//! parallax writes.

use std::path::Path;
use std::process::Command;

/// What `tshark` prints of `file`.
///
/// # Panics
/// Where it fails or complains.
pub fn run(file: &Path, arguments: &[&str]) -> String {
    let ran = Command::new("tshark")
        .arg("-r")
        .arg(file)
        .args(arguments)
        .output()
        .expect("tshark starts");
    let complaints = String::from_utf8_lossy(&ran.stderr);
    let complaints: Vec<_> = complaints
        .lines()
        .filter(|line| !line.contains("Running as user"))
        .collect();
    assert!(ran.status.success(), "{}: {complaints:?}", file.display());
    assert!(complaints.is_empty(), "{}: {complaints:?}", file.display());
    String::from_utf8_lossy(&ran.stdout).into_owned()
}
