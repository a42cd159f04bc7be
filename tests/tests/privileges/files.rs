//! Files are for their owner alone, whatever the umask.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use parallax_tests::{Running, program, recording};

use crate::Directory;

/// What everybody may do with what others make, and what most systems have.
const UMASKS: [&str; 2] = ["000", "022"];

const CAPTURE: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

/// Access bits.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The files and directories below one that others may read, and how many there are.
fn open_to_others(path: &Path) -> (Vec<String>, usize) {
    let (mut open, mut count) = (Vec::new(), 0);
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let wanted = if path.is_dir() {
            let (more, within) = open_to_others(&path);
            open.extend(more);
            count += within;
            0o700
        } else {
            0o600
        };
        count += 1;
        if mode(&path) != wanted {
            open.push(format!("{} {:o}", path.display(), mode(&path)));
        }
    }
    (open, count)
}

/// The program under a umask.
fn under(umask: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("umask {umask} && exec \"$0\" \"$@\"")])
        .arg(program())
        .args(arguments)
        .env_remove("PARALLAX_LOG");
    command
}

fn export(umask: &str, target: &str, more: &[&str]) {
    let capture = recording(CAPTURE);
    let arguments = ["export", capture.to_str().unwrap(), "--output", target];
    let done = under(umask, &[&arguments, more].concat()).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn what_is_exported_is_for_its_owner_alone() {
    for umask in UMASKS {
        let directory = Directory::new(&format!("export-{umask}"));
        let at = |name: &str| directory.join(name).display().to_string();
        export(umask, &at("a.pcapng"), &[]);
        export(umask, &at("b.csv"), &["--format", "csv"]);
        export(umask, &at("c.parquet"), &["--format", "parquet"]);
        // Written by a library.
        export(
            umask,
            &format!("file://{}", at("d.jsonl")),
            &["--format", "jsonl"],
        );
        let (open, count) = open_to_others(directory.path());
        assert_eq!((open, count), (Vec::new(), 4));
        // Whoever made a file for others means it.
        let shared = directory.join("shared.csv");
        fs::write(&shared, "").unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o644)).unwrap();
        export(umask, shared.to_str().unwrap(), &["--format", "csv"]);
        assert_eq!(mode(&shared), 0o644);
    }
}

#[test]
fn what_is_recorded_is_for_its_owner_alone_from_the_first_moment() {
    for umask in UMASKS {
        let directory = Directory::new(&format!("record-{umask}"));
        let captures = directory.join("some/captures");
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let upstream = server.local_addr().unwrap().to_string();
        let arguments = [
            "-c",
            &format!("umask {umask} && exec \"$0\" \"$@\""),
            program().to_str().unwrap(),
            "run",
            "--no-mirror",
            "--listen",
            "127.0.0.1:0",
            "--ui",
            "127.0.0.1:0",
            "--upstream",
            &upstream,
            "--record",
            captures.to_str().unwrap(),
        ];
        let mut running = Running::start_as("sh", &arguments, |_| {});
        running.line_with("Ctrl-C");
        let (open, count) = open_to_others(directory.path());
        assert_eq!(open, [""; 0]);
        // Two directories, a segment or none yet, the index, the lock.
        assert!(count >= 4, "{count}");
        running.interrupt();
        assert_eq!(open_to_others(directory.path()).0, [""; 0]);
    }
}

#[test]
fn what_a_capture_is_shown_from_is_for_its_owner_alone() {
    for umask in UMASKS {
        let directory = Directory::new(&format!("view-{umask}"));
        let capture = recording(CAPTURE);
        let arguments = [
            "-c",
            &format!("umask {umask} && exec \"$0\" \"$@\""),
            program().to_str().unwrap(),
            "view",
            "--ui",
            "127.0.0.1:0",
            capture.to_str().unwrap(),
        ];
        let mut running = Running::start_as("sh", &arguments, |command| {
            command
                .env("TMPDIR", directory.path())
                .stderr(Stdio::null());
        });
        running.page();
        let (open, count) = open_to_others(directory.path());
        assert_eq!(open, [""; 0]);
        assert!(count >= 3, "{count}");
        running.interrupt();
        assert_eq!(open_to_others(directory.path()).1, 0, "nothing is left");
    }
}
