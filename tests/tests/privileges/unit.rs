//! The unit for systemd, as systemd reads it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use parallax_proxy::limits::{
    DESCRIPTORS_RESERVED, DRAIN, FLUSH_TIMEOUT, MAX_CONNECTIONS, RECORD_FINISH,
};
use parallax_tests::{is_installed, program};

use crate::Directory;

/// Exposure, 0 to 10, that systemd calls "OK" ends at 5; each point is some access that
/// the program has no use for.
const EXPOSURE: &str = "20";

fn unit() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging/parallax.service")
}

#[test]
fn systemd_finds_nothing_wrong_with_the_unit_and_little_that_it_may_do() {
    if !is_installed("systemd-analyze", "systemd") {
        return;
    }
    let directory = Directory::new("unit");
    let copy = directory.join("parallax.service");
    // Nothing is installed here: neither the program nor its manual.
    let text = fs::read_to_string(unit()).unwrap();
    let text = text.replace("/usr/bin/parallax", program().to_str().unwrap());
    fs::write(&copy, text).unwrap();
    let analyze = |arguments: &[&str]| {
        let mut command = Command::new("systemd-analyze");
        let done = command.args(arguments).arg(&copy).output().unwrap();
        let said = [done.stdout, done.stderr].concat();
        (done.status.success(), String::from_utf8(said).unwrap())
    };
    let (is_right, said) = analyze(&["--man=no", "verify"]);
    assert!(is_right && said.is_empty(), "{said}");
    let threshold = format!("--threshold={EXPOSURE}");
    let (is_little, said) = analyze(&["security", "--offline=true", "--no-pager", &threshold]);
    assert!(is_little, "{said}");
}

#[test]
fn the_unit_leaves_as_many_files_and_as_much_time_as_the_program_needs() {
    let text = fs::read_to_string(unit()).unwrap();
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().parse::<u64>().unwrap()
    };
    let needed = 2 * MAX_CONNECTIONS as u64 + DESCRIPTORS_RESERVED;
    assert_eq!(number("LimitNOFILE="), needed);
    let longest = DRAIN + FLUSH_TIMEOUT + RECORD_FINISH;
    assert!(number("TimeoutStopSec=") > longest.as_secs());
}
