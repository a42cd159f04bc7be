//! What the end-to-end tests share: the program, the recordings, and a way to
//! say what is missing on this machine.
#![allow(clippy::expect_used, clippy::missing_panics_doc, clippy::panic)]

mod authority;
mod browser;
mod http;
pub mod load;
mod page;
mod process;
pub mod python;
mod server;
mod tee;
mod tls_server;
pub mod tshark;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

pub use authority::{Authority, Folder, Issued, provider};
pub use browser::{Browser, LOOKS};
pub use http::{bearer_token, get, get_with_token};
pub use page::{PageAddress, free_page};
pub use process::Running;
pub use server::Server;
pub use tee::{Passed, Tee};
pub use tls_server::TlsServer;

/// The `parallax` program, built from this workspace.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // The tests' own binary is in target/<profile>/deps.
        let own = std::env::current_exe().expect("the test has a path");
        let folder = own.parent().and_then(Path::parent);
        let folder = folder.expect("the test is in target/<profile>/deps");
        let is_release = folder.ends_with("release");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args([
                "build",
                "--quiet",
                "-p",
                "parallax-proxy",
                "--bin",
                "parallax",
                // The tests' own dependencies have it, and everything is built once.
                "--features",
                "parquet",
            ])
            .args(is_release.then_some("--release"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo can be started");
        assert!(built.success(), "the program does not build");
        folder.join("parallax")
    })
}

/// Runs the program to its end.
pub fn parallax(arguments: &[&str]) -> Output {
    Command::new(program())
        .args(arguments)
        .env_remove("PARALLAX_LOG")
        .output()
        .expect("the program can be started")
}

/// A recording of a real server, by its path below `captures/recorded`.
pub fn recording(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../captures/recorded")
        .join(path)
}

/// The same recording as a capture of parallax's own, by its path below
/// `captures/imported`.
pub fn imported(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../captures/imported")
        .join(path)
}

/// Every recording of a real server, in the order of their paths.
pub fn all_recordings() -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("the folder can be read");
        entries.map(|entry| entry.expect("it can be read").path())
    };
    let folders = entries(&recording("")).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| entries(&folder));
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|name| name == "pcap"))
        .collect();
    files.sort();
    files
}

/// Whether a tool is on this machine. Where it is not, says how to get it; with
/// `CI` set that is a failure, elsewhere the test is to return.
pub fn is_installed(tool: &str, package: &str) -> bool {
    if find_tool(tool).is_some() {
        return true;
    }
    let message = format!("skipped: {tool} is not installed; `apt-get install {package}` gets it");
    assert!(std::env::var_os("CI").is_none(), "{message}");
    // Past the test harness, which keeps what a passing test prints to itself.
    let _ = writeln!(std::io::stderr(), "{message}");
    false
}

/// Where a tool is, by `PATH`.
pub(crate) fn find_tool(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(tool));
    files.find(|file| file.is_file())
}
