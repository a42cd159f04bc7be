//! `parallax inspect` as a user runs it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::wire::{HEADER, pcap, recorded};

const RECORDING: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

fn path(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    root.join(name)
}

fn inspect(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    command.arg("inspect").args(arguments);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    command
}

fn output_of(mut child: Child, input: &[u8]) -> Output {
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writing = std::thread::spawn(move || {
        // Whoever reads may have had enough.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn standard_input_reads_like_the_file() {
    let file = path(RECORDING);
    let bytes = std::fs::read(&file).unwrap();
    for more in [&[][..], &["--findings"], &["--json"]] {
        let named = inspect(more).arg(&file).output().unwrap();
        let piped = inspect(more).arg("-").spawn().unwrap();
        let piped = output_of(piped, &bytes);
        assert_eq!(text(&piped.stdout), text(&named.stdout));
        assert_eq!(piped.status.code(), Some(1));
        assert_eq!(named.status.code(), Some(1));
        let redirected = std::fs::File::open(&file).unwrap();
        let redirected = inspect(more).arg("-").stdin(redirected).output().unwrap();
        assert_eq!(redirected.stdout, named.stdout);
    }
}

#[test]
fn what_is_wrong_with_standard_input_is_said() {
    let cut = &std::fs::read(path(RECORDING)).unwrap()[..5000];
    for (input, said) in [
        (
            &b""[..],
            "cannot read standard input: not a packet capture: it begins like an empty",
        ),
        (
            b"hello, this is no capture",
            "it begins like text, \"hello, this is n\"",
        ),
        (
            cut,
            "standard input is damaged: the file is cut short: packet",
        ),
    ] {
        let output = output_of(inspect(&["-"]).spawn().unwrap(), input);
        assert_eq!(output.status.code(), Some(2));
        let stderr = text(&output.stderr);
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn a_packed_file_that_is_cut_is_named_and_what_stands_before_the_cut_is_printed() {
    let packed = Command::new("gzip").arg("-c").arg(path(RECORDING)).output();
    let Ok(packed) = packed else {
        let how = "gzip is not installed, so a packed file is not read";
        assert!(std::env::var_os("CI").is_none(), "{how}");
        // Past the test harness, which keeps what a passing test prints to itself.
        let _ = std::io::stderr().write_all(how.as_bytes());
        return;
    };
    let folder = std::env::temp_dir().join(format!("parallax-import-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (whole, cut) = (folder.join("whole.pcap.gz"), folder.join("cut.pcap.gz"));
    std::fs::write(&whole, &packed.stdout).unwrap();
    std::fs::write(&cut, &packed.stdout[..packed.stdout.len() / 2]).unwrap();
    let plain = inspect(&[]).arg(path(RECORDING)).output().unwrap();
    let output = inspect(&[]).arg(&whole).output().unwrap();
    assert_eq!(text(&output.stdout), text(&plain.stdout));
    let output = inspect(&[]).arg(&cut).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("cut.pcap.gz is damaged: cannot unpack it beyond byte"));
    let first = text(&plain.stdout).lines().next().unwrap().to_owned();
    assert!(text(&output.stdout).starts_with(&first));
}

/// The capture goes on for ever, and its reader has had enough.
#[test]
fn ctrl_c_ends_a_live_capture_and_what_was_found_is_printed() {
    let mut child = inspect(&["-"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&HEADER).unwrap();
    let packets = pcap(&recorded(RECORDING));
    input.write_all(&packets[24..]).unwrap();
    input.flush().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.contains("login_user"), "{first}");
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.contains("PX501 error"), "{rest}");
    drop(input);
}

#[test]
fn a_reader_that_has_read_enough_ends_it() {
    let mut child = inspect(&["-"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    input.write_all(&HEADER).unwrap();
    let packets = pcap(&recorded(RECORDING));
    input.write_all(&packets[24..]).unwrap();
    // The pipe stays open: nothing but its own output tells it to end.
    let status = child.wait().unwrap();
    assert!(status.code().is_some(), "{status}");
}
