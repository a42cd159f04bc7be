//! The same files through Wireshark's reassembly.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::support::{events, recordings, streams};

#[test]
fn the_bytes_of_every_stream_are_those_that_tshark_follows() {
    if !tshark_is_there() {
        return;
    }
    for path in recordings() {
        let ours = streams(&events(&path));
        let mut theirs = follow(&path, ours.keys().copied());
        for (number, (client, _, to_server, to_client)) in ours {
            let followed = theirs.remove(&number).unwrap();
            // Node 0 is the side that tshark saw first.
            let (theirs_to_server, theirs_to_client) = if followed.node == client.to_string() {
                (followed.first, followed.second)
            } else {
                (followed.second, followed.first)
            };
            assert_eq!(to_server, theirs_to_server, "{} {number}", path.display());
            assert_eq!(to_client, theirs_to_client, "{} {number}", path.display());
        }
    }
}

fn tshark_is_there() -> bool {
    if Command::new("tshark").arg("--version").output().is_ok() {
        return true;
    }
    let how = "tshark is not installed, so its reassembly is not compared: apt-get install tshark";
    assert!(std::env::var_os("CI").is_none(), "{how}");
    // Past the test harness, which keeps what a passing test prints to itself.
    let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{how}\n"));
    false
}

#[derive(Default)]
struct Followed {
    node: String,
    first: Vec<u8>,
    second: Vec<u8>,
}

/// One section for each stream: a head that names it, then lines of
/// hexadecimal, those of the second node indented by a tab.
fn follow(path: &Path, streams: impl Iterator<Item = u64>) -> BTreeMap<u64, Followed> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(path).arg("-q");
    for stream in streams {
        command.args(["-z", &format!("follow,tcp,raw,{stream}")]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success());
    let mut followed: BTreeMap<u64, Followed> = BTreeMap::new();
    let mut current = Followed::default();
    let mut number = 0;
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        if line.starts_with("===") {
            if !current.node.is_empty() {
                followed.insert(number, std::mem::take(&mut current));
            }
        } else if let Some(stream) = line.strip_prefix("Filter: tcp.stream eq ") {
            number = stream.parse().unwrap();
        } else if let Some(node) = line.strip_prefix("Node 0: ") {
            node.clone_into(&mut current.node);
        } else if let Some(hex) = line.strip_prefix('\t') {
            current.second.extend(unhex(hex));
        } else if !current.node.is_empty() && !line.starts_with("Node 1: ") {
            current.first.extend(unhex(line));
        }
    }
    followed
}

fn unhex(hex: &str) -> Vec<u8> {
    let digit = |byte: &u8| u8::try_from((*byte as char).to_digit(16).unwrap()).unwrap();
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    assert!(rest.is_empty());
    pairs
        .iter()
        .map(|[high, low]| digit(high) << 4 | digit(low))
        .collect()
}
