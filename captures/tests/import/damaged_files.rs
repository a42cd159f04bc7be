//! Files that are cut, damaged, or no captures at all.

use std::path::PathBuf;
use std::sync::LazyLock;

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::{PacketReader, Segment};
use parallax_captures::limits::{MAX_CAPTURE_INTERFACES, MAX_CAPTURE_RECORD};
use proptest::prelude::*;

use super::files::{Layout, packets, read};
use super::support::{recorded, recordings, segments};

const RECORDING: &str = "server-0.8.0_sdk-0.10.0/polls.pcap";

const PLAIN: Layout = Layout {
    big_endian: false,
    nanoseconds: false,
    link: 1,
};

/// The same packets as pcap and as pcapng.
static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let path = recorded(RECORDING);
    let pcapng = PLAIN.pcapng(&packets(&path), 6, 0);
    [std::fs::read(path).unwrap(), pcapng]
});

static SEGMENTS: LazyLock<Vec<Segment>> = LazyLock::new(|| segments(&recorded(RECORDING)));

/// Every recording, as pcap and as pcapng.
static ALL_FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let both = |path: &PathBuf| {
        let pcapng = PLAIN.pcapng(&packets(path), 6, 0);
        [std::fs::read(path).unwrap(), pcapng]
    };
    recordings().iter().flat_map(both).collect()
});

/// Reads a file cut at a byte: the packets before the cut, and an error that
/// names the next one, unless the cut lies between two.
fn check_cut(file: &[u8], at: usize) {
    let (read, error) = read(&file[..at]);
    assert_eq!(read, SEGMENTS[..read.len()], "cut at {at}");
    match error {
        None => {}
        Some(ImportError::NotACapture { .. }) => assert!(at < 4, "cut at {at}"),
        Some(ImportError::Truncated {
            packet,
            position,
            needed,
            left,
        }) => {
            assert_eq!(packet, read.len() as u64 + 1, "cut at {at}");
            assert_eq!(position + left, at as u64);
            assert!(needed > left);
        }
        Some(other) => panic!("cut at {at}: {other}"),
    }
}

#[test]
fn a_file_cut_at_any_of_its_first_2048_bytes_gives_the_packets_before_the_cut() {
    for file in FILES.iter() {
        (0..2048).for_each(|at| check_cut(file, at));
        let (_, error) = read(&file[..2047]);
        assert!(matches!(error, Some(ImportError::Truncated { .. })));
    }
}

proptest! {
    #[test]
    fn a_file_cut_anywhere_gives_the_packets_before_the_cut(at in 0..26_000_usize) {
        FILES.iter().for_each(|file| check_cut(file, at));
    }

    #[test]
    fn a_file_with_wrong_bytes_is_read_as_far_as_it_goes(
        file in 0..40_usize,
        wrong in proptest::collection::vec((0..4000_usize, any::<u8>()), 1..20),
    ) {
        let mut file = ALL_FILES[file].clone();
        for (at, byte) in wrong {
            let length = file.len();
            file[at % length] = byte;
        }
        let (_, error) = read(file);
        if let Some(error) = error {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn no_bytes_behind_a_magic_number_do_harm(
        magic in prop_oneof![
            Just([0xd4, 0xc3, 0xb2, 0xa1]),
            Just([0xa1, 0xb2, 0x3c, 0x4d]),
            Just([0x34, 0xcd, 0xb2, 0xa1]),
            Just([0x0a, 0x0d, 0x0d, 0x0a]),
        ],
        rest in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        read([&magic[..], &rest].concat());
    }
}

#[test]
fn what_is_no_capture_is_told_by_what_it_looks_like() {
    for (file, looks_like) in [
        (&b""[..], "an empty file"),
        (b"\x28\xb5\x2f\xfd..", "unzstd"),
        (b"\x7fELF\x02\x01", "a program"),
        (b"{\"n\": 1}\n", "text, \"{\\\"n\\\": 1}\\n\""),
        (&[0, 1, 2, 3, 4], "bytes 00 01 02 03 04"),
        (&[0xd4, 0xc3], "bytes d4 c3"),
    ] {
        let (read, error) = read(file);
        assert!(read.is_empty());
        let error = error.unwrap();
        assert!(matches!(error, ImportError::NotACapture { .. }));
        let message = error.to_string();
        assert!(message.contains(looks_like), "{message}");
        assert!(message.contains("pcap and pcapng"), "{message}");
    }
}

#[test]
fn a_file_that_is_not_there_and_a_folder_are_named() {
    let path = recorded("no-such.pcap");
    let error = PacketReader::open(&path).unwrap_err().to_string();
    assert!(error.contains("no-such.pcap"), "{error}");
    let error = PacketReader::open(recorded("")).unwrap_err();
    assert!(
        matches!(error, ImportError::Read { position: 0, .. }),
        "{error}"
    );
}

#[test]
fn a_packet_that_claims_four_gigabytes_is_refused_where_it_stands() {
    let mut file = FILES[0].clone();
    let start = 24 + 16 + packets(&recorded(RECORDING))[0].data.len();
    file[start + 8..start + 12].copy_from_slice(&u32::MAX.to_le_bytes());
    let (read, error) = read(file);
    assert_eq!(read.len(), 1);
    let error = error.unwrap();
    let ImportError::Malformed {
        packet, position, ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((*packet, *position), (2, start as u64));
    assert!(error.to_string().contains(&MAX_CAPTURE_RECORD.to_string()));
}

#[test]
fn a_pcapng_packet_of_an_interface_that_was_not_described_is_damaged() {
    let mut file = PLAIN.pcapng(&[], 6, 0);
    file.extend(PLAIN.block(
        6,
        &[9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ));
    let (_, error) = read(file);
    let message = error.unwrap().to_string();
    assert!(
        message.contains("packet 1") && message.contains("interface 9"),
        "{message}"
    );
}

#[test]
fn a_pcapng_block_whose_packet_is_longer_than_itself_is_damaged_not_cut_short() {
    let mut file = PLAIN.pcapng(&[], 6, 0);
    let mut body = [0; 20];
    body[12] = 200;
    file.extend(PLAIN.block(6, &body));
    file.extend(PLAIN.block(0x0bad, &[0; 400]));
    let (_, error) = read(file);
    assert!(
        matches!(error, Some(ImportError::Malformed { .. })),
        "{error:?}"
    );
}

#[test]
fn the_interfaces_of_a_section_are_bounded() {
    let mut file = PLAIN.pcapng(&[], 6, 0);
    for _ in 0..MAX_CAPTURE_INTERFACES {
        file.extend(PLAIN.block(1, &[1, 0, 0, 0, 0, 0, 0, 0]));
    }
    let (_, error) = read(file);
    let message = error.unwrap().to_string();
    assert!(message.contains("interfaces"), "{message}");
}
