//! Programs of others that read what parallax writes, by way of Python.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// The interpreter: `PARALLAX_TEST_PYTHON`, or the one in `PATH`.
pub fn interpreter() -> PathBuf {
    let told = std::env::var_os("PARALLAX_TEST_PYTHON");
    told.map_or_else(|| "python3".into(), PathBuf::from)
}

/// Whether a module is there. Where it is not, says how to get it; with `CI` set that is
/// a failure, elsewhere the test is to return.
///
/// # Panics
/// It is not there, and `CI` is set.
pub fn has(module: &str, package: &str) -> bool {
    let found = Command::new(interpreter())
        .args(["-c", &format!("import {module}")])
        .output();
    if found.is_ok_and(|found| found.status.success()) {
        return true;
    }
    let message = format!(
        "skipped: Python has no {module}; `pip install '{package}'` gets it, in a virtual \
         environment whose interpreter PARALLAX_TEST_PYTHON names"
    );
    assert!(std::env::var_os("CI").is_none(), "{message}");
    let _ = writeln!(std::io::stderr(), "{message}");
    false
}

/// What a script prints.
///
/// # Panics
/// It fails; with what it complained of.
pub fn run(script: &str, arguments: &[&str]) -> String {
    let ran = Command::new(interpreter())
        .args(["-c", script])
        .args(arguments)
        .output()
        .expect("Python starts");
    let complaints = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{complaints}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}
