//! What parallax writes, Wireshark opens and parallax reads back.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use parallax_captures::file::{About, Item, Reader, Writer};
use parallax_captures::{Connection, Exchange, Finding, json};
use parallax_codec::Request;
use parallax_proxy::offline::{Reading, read_capture};
use parallax_tests::{all_recordings, is_installed, parallax, tshark};

/// Writes what a recording holds, as it would be recorded.
fn write_file(reading: &Reading, to: &Path) {
    let mut writer = Writer::new(File::create(to).unwrap(), About::default()).unwrap();
    for connection in &reading.connections {
        let opened = Connection {
            closed: None,
            ..connection.clone()
        };
        writer.connection(&opened, connection.opened).unwrap();
    }
    for exchange in &reading.exchanges {
        let before = writer.position();
        let location = writer.exchange(exchange).unwrap();
        assert_eq!(location.offset, before);
        assert_eq!(location.offset + location.length, writer.position());
    }
    for finding in reading.findings.iter().chain(&reading.muted_findings) {
        let latest = finding.exchanges.last().unwrap();
        let conn = reading.exchanges.iter().find(|one| one.n == *latest);
        writer.finding(finding, conn.unwrap().conn).unwrap();
    }
    for connection in &reading.connections {
        writer.connection(connection, Timestamp::MAX).unwrap();
    }
    let last = reading.exchanges.last().unwrap().times.request_last;
    writer
        .lost(&parallax_captures::Totals::default(), 3, last)
        .unwrap();
}

#[derive(Default)]
struct ReadBack {
    exchanges: Vec<Exchange>,
    connections: BTreeMap<u64, Connection>,
    findings: Vec<Finding>,
    not_kept: u64,
}

fn read(file: &Path) -> ReadBack {
    let mut back = ReadBack::default();
    for item in Reader::new(BufReader::new(File::open(file).unwrap())) {
        match item.unwrap() {
            Item::Exchange(exchange, _) => back.exchanges.push(*exchange),
            Item::Connection(connection) => {
                back.connections.insert(connection.id.0, *connection);
            }
            Item::Finding(finding) => back.findings.push(*finding),
            Item::Lost(lost) => back.not_kept = lost.exchanges_not_kept,
            Item::Amended(_) => panic!("nothing was amended"),
            Item::Unreadable(at, why) => panic!("{}, byte {at}: {why}", file.display()),
        }
    }
    back
}

fn written(recording: &Path, test: &str) -> (Reading, PathBuf) {
    let reading = read_capture(recording).unwrap();
    let folder = recording.parent().unwrap().file_name().unwrap();
    let name = recording.file_stem().unwrap();
    let name = format!("{test}-{}-{}.pcapng", folder.display(), name.display());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    write_file(&reading, &file);
    (reading, file)
}

#[test]
fn every_recording_is_read_back_as_it_was() {
    for recording in all_recordings() {
        let (reading, file) = written(&recording, "back");
        let back = read(&file);
        let name = recording.display();
        assert_eq!(back.exchanges.len(), reading.exchanges.len(), "{name}");
        for (was, is) in reading.exchanges.iter().zip(&back.exchanges) {
            assert_eq!(json::exchange(was), json::exchange(is), "{name}");
            // With the frames, and all that the JSON leaves out.
            assert_eq!(format!("{was:?}"), format!("{is:?}"), "{name}");
        }
        for was in &reading.connections {
            let is = &back.connections[&was.id.0];
            let is = Connection {
                exchanges: was.exchanges,
                ..is.clone()
            };
            assert_eq!(format!("{was:?}"), format!("{is:?}"), "{name}");
        }
        let findings = reading.findings.iter().chain(&reading.muted_findings);
        for (was, is) in findings.zip(&back.findings) {
            assert_eq!(format!("{was:?}"), format!("{is:?}"), "{name}");
        }
        assert_eq!(back.not_kept, 3);
    }
}

#[test]
fn the_imported_captures_hold_what_the_recordings_hold_and_no_password() {
    let mut imported = 0;
    for recording in all_recordings() {
        let below = recording
            .strip_prefix(parallax_tests::recording(""))
            .unwrap();
        let below = below.with_extension("pcapng");
        let file = parallax_tests::imported(below.to_str().unwrap());
        if !file.exists() {
            let size = std::fs::metadata(&recording).unwrap().len();
            assert!(size > 150 * 1024, "{} is small", recording.display());
            continue;
        }
        imported += 1;
        let (was, is) = (
            read_capture(&recording).unwrap(),
            read_capture(&file).unwrap(),
        );
        let values = |reading: &Reading| -> Vec<_> {
            let exchanges = reading.exchanges.iter();
            exchanges.map(|exchange| json::exchange(exchange)).collect()
        };
        assert_eq!(values(&is), values(&was), "{}", recording.display());
        for exchange in &is.exchanges {
            let Some(content) = exchange.binary() else {
                continue;
            };
            if let Some(Request::LoginUser(login)) = &content.request {
                assert!(login.password.reveal().bytes().all(|byte| byte == b'*'));
            }
            if let Some(Request::LoginRegister(login)) = &content.request {
                assert!(login.password.reveal().bytes().all(|byte| byte == b'*'));
            }
        }
    }
    assert_eq!(imported, 17);
}

#[test]
fn wireshark_finds_packets_streams_and_comments_and_nothing_malformed() {
    if !is_installed("tshark", "tshark") {
        return;
    }
    for recording in all_recordings() {
        let (reading, file) = written(&recording, "packets");
        let name = recording.display();
        let wrong = "_ws.malformed || tcp.checksum.status == 0 || ip.checksum.status == 0";
        let checks = [
            "-o",
            "tcp.check_checksum:TRUE",
            "-o",
            "ip.check_checksum:TRUE",
        ];
        let found = tshark::run(&file, &[&checks[..], &["-Y", wrong]].concat());
        assert_eq!(found, "", "{name}");
        let analysis = "tcp.analysis.retransmission || tcp.analysis.lost_segment";
        assert_eq!(tshark::run(&file, &["-Y", analysis]), "", "{name}");
        let comments = tshark::run(&file, &["-T", "fields", "-e", "frame.comment"]);
        for exchange in &reading.exchanges {
            let said = format!("exchange {}: {}", exchange.n, exchange.command());
            assert!(comments.contains(&said), "{name}: {said}");
        }
        for finding in &reading.findings {
            assert!(comments.contains(&finding.code.to_string()), "{name}");
        }
    }
}

#[test]
fn wireshark_follows_a_stream_to_the_bytes_that_passed() {
    if !is_installed("tshark", "tshark") {
        return;
    }
    for recording in all_recordings() {
        let (reading, file) = written(&recording, "streams");
        for (number, connection) in reading.connections.iter().enumerate() {
            let of_it = reading.exchanges.iter();
            let of_it = of_it.filter(|one| one.conn == connection.id);
            let frames = of_it.filter_map(|one| Some(&one.binary()?.request_frame));
            let mut sent = String::new();
            for byte in frames.flatten() {
                write!(sent, "{byte:02x}").unwrap();
            }
            if sent.is_empty() {
                continue;
            }
            let stream = format!("follow,tcp,raw,{number}");
            let followed = tshark::run(&file, &["-q", "-z", &stream]);
            // The server's lines are indented.
            let is_hex =
                |line: &&str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_hexdigit());
            let from_client: String = followed.lines().filter(is_hex).collect();
            assert_eq!(from_client, sent, "{}", recording.display());
        }
    }
}

#[test]
fn inspect_says_the_same_of_the_file_as_of_the_traffic() {
    for recording in all_recordings() {
        let (_, file) = written(&recording, "inspect");
        // Of what follows one another on a connection the last is written here.
        let at_the_end = |line: &&str| !line.starts_with("UNDECODED: connection");
        for arguments in [&[][..], &["--json"], &["--findings", "--json"]] {
            let said = |file: &Path| {
                let file = file.to_str().unwrap();
                let ran = parallax(&[&["inspect", file], arguments].concat());
                let said = String::from_utf8(ran.stdout).unwrap();
                let said = said.lines().filter(at_the_end).collect::<Vec<_>>();
                (ran.status.code(), said.join("\n"))
            };
            let name = recording.display();
            assert_eq!(said(&file), said(&recording), "{name} {arguments:?}");
        }
    }
}

#[test]
fn a_packed_file_of_parallaxs_own_is_read_like_the_file() {
    let recording = parallax_tests::recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let (_, file) = written(&recording, "packed");
    let packed = file.with_extension("pcapng.gz");
    let mut encoder = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
    std::io::copy(&mut File::open(&file).unwrap(), &mut encoder).unwrap();
    encoder.finish().unwrap();
    let (was, is) = (read_capture(&file).unwrap(), read_capture(&packed).unwrap());
    assert!(!was.exchanges.is_empty());
    assert_eq!(
        format!("{:?}", is.exchanges),
        format!("{:?}", was.exchanges)
    );
    assert_eq!(is.findings.len(), was.findings.len());
}

/// A recording of three segments, how many exchanges it holds, and how many its
/// longest segment.
fn segments(test: &str) -> (PathBuf, usize, usize) {
    let recording = parallax_tests::recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let reading = read_capture(&recording).unwrap();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let all = reading.exchanges.len();
    for (number, part) in (1..).zip(reading.exchanges.chunks(all.div_ceil(3))) {
        let part = Reading {
            exchanges: part.to_vec(),
            connections: reading.connections.clone(),
            findings: Vec::new(),
            muted_findings: Vec::new(),
            notes: Vec::new(),
            damage: None,
        };
        let name = format!("parallax-{number:06}.pcapng");
        write_file(&part, &directory.join(name));
    }
    (directory, all, all.div_ceil(3))
}

#[test]
fn every_verb_reads_a_recordings_directory() {
    let (directory, all, _) = segments("directory");
    let directory = directory.to_str().unwrap();
    let inspect = ["inspect", directory, "--json"];
    let export = ["export", directory, "--format", "jsonl"];
    for arguments in [&inspect[..], &export] {
        let ran = parallax(arguments);
        let lines = String::from_utf8(ran.stdout).unwrap().lines().count();
        assert_eq!(lines, all, "{arguments:?}");
    }
    let ran = parallax(&["diff", directory, directory]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}

#[test]
fn a_damaged_segment_is_told_by_its_name_and_the_next_ones_are_read() {
    let (directory, all, part) = segments("damaged");
    let second = directory.join("parallax-000002.pcapng");
    let bytes = std::fs::read(&second).unwrap();
    let told = |what: &str| {
        let ran = parallax(&["inspect", directory.to_str().unwrap(), "--json"]);
        let lines = String::from_utf8(ran.stdout).unwrap().lines().count();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains("parallax-000002.pcapng"), "{said}");
        assert!(said.contains(what), "{said}");
        assert!((all - part..all).contains(&lines), "{lines} of {all}");
    };
    std::fs::write(&second, &bytes[..bytes.len() / 2]).unwrap();
    told("is cut short");
    std::fs::write(&second, b"").unwrap();
    told("is cut short");
    std::fs::remove_file(&second).unwrap();
    told("1 segments are missing");
}

#[test]
fn packets_none_of_which_can_be_read_are_told() {
    let recording = parallax_tests::recording("server-0.8.0_sdk-0.10.0/empty.pcap");
    let mut bytes = std::fs::read(recording).unwrap();
    // Another link type: the NULL of loopback.
    bytes[20..24].copy_from_slice(&0_u32.to_le_bytes());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("null.pcap");
    std::fs::write(&file, bytes).unwrap();
    let ran = parallax(&["inspect", file.to_str().unwrap()]);
    assert_eq!(ran.status.code(), Some(2));
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.contains("none of them is TCP over IP"), "{said}");
}
