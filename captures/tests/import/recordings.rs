use parallax_captures::import::packets::PacketReader;
use parallax_captures::import::reassembly::{Reassembler, StreamEventKind};

use super::support::{SERVER_PORTS, events, recordings, segments};

#[test]
fn every_recording_is_read_to_its_end_and_every_packet_is_a_segment() {
    for path in recordings() {
        let mut reader = PacketReader::open(&path).unwrap();
        let read = reader.by_ref().map(Result::unwrap).count() as u64;
        let counts = reader.counts();
        assert!(read > 10, "{}", path.display());
        assert_eq!(counts.packets, read, "{}", path.display());
        assert_eq!(counts.segments, read, "{}", path.display());
    }
}

#[test]
fn every_stream_of_every_recording_opens_first_closes_last_and_has_no_gap() {
    for path in recordings() {
        let mut open = std::collections::BTreeSet::new();
        for event in events(&path) {
            match event.kind {
                StreamEventKind::Opened {
                    server, mid_stream, ..
                } => {
                    assert!(open.insert(event.stream));
                    assert!(SERVER_PORTS.contains(&server.port()), "{server}");
                    assert!(!mid_stream, "{}", path.display());
                }
                StreamEventKind::Gap { .. } => panic!("{}: {event:?}", path.display()),
                StreamEventKind::Closed { .. } => assert!(open.remove(&event.stream)),
                _ => assert!(open.contains(&event.stream)),
            }
        }
        assert!(open.is_empty());
    }
}

#[test]
fn nothing_in_a_recording_is_odd_but_retransmission() {
    for path in recordings() {
        let mut reassembler = Reassembler::new(&SERVER_PORTS);
        for segment in segments(&path) {
            reassembler.push(&segment);
        }
        let counts = reassembler.counts();
        assert_eq!(counts.differing_overlaps, 0, "{}", path.display());
        assert_eq!(counts.out_of_window, 0, "{}", path.display());
        assert_eq!(counts.gaps_by_limit, 0, "{}", path.display());
    }
}
