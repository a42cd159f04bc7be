//! A capture may hold an answer before its question: two packets, swapped, as
//! when they are merged from two taps.

use parallax_captures::import::packets::{PacketReader, Segment};
use parallax_captures::import::reassembly::{Reassembler, StreamEventKind};
use parallax_captures::limits::{MAX_EARLY_SEGMENTS, MAX_EARLY_STREAMS};
use parallax_codec::classic::Direction;

use super::support::Wire;

fn segments(recording: &str) -> Vec<Segment> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/recorded/");
    let reader = PacketReader::open(format!("{path}{recording}")).unwrap();
    reader.map(Result::unwrap).collect()
}

/// Who said what, in turns.
fn turns(segments: &[Segment]) -> Vec<(Direction, Vec<u8>)> {
    let mut reassembler = Reassembler::new(&[8090, 3000]);
    let mut events = Vec::new();
    for segment in segments {
        events.extend(reassembler.push(segment));
    }
    events.extend(reassembler.finish());
    let mut turns: Vec<(Direction, Vec<u8>)> = Vec::new();
    for event in events {
        let StreamEventKind::Bytes { direction, bytes } = event.kind else {
            assert!(!matches!(event.kind, StreamEventKind::Gap { .. }), "a gap");
            continue;
        };
        match turns.last_mut() {
            Some((of, said)) if *of == direction => said.extend_from_slice(&bytes),
            _ => turns.push((direction, bytes.to_vec())),
        }
    }
    turns
}

#[test]
fn any_two_neighbours_swapped_give_the_same_conversation() {
    for recording in [
        "server-0.8.0_sdk-0.10.0/polls.pcap",
        "server-0.9-edge_sdk-0.11-edge/group.pcap",
    ] {
        let whole = segments(recording);
        let told = turns(&whole);
        assert!(told.len() > 20, "{recording}");
        // The handshake tells who is the client; it comes first.
        for index in 3..whole.len() - 1 {
            let mut swapped = whole.clone();
            swapped.swap(index, index + 1);
            assert!(turns(&swapped) == told, "{recording}: swapped at {index}");
        }
    }
}

#[test]
fn an_answer_whose_question_never_comes_is_not_waited_for() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(100, 7000);
    let lost = wire.client_sends(100, b"question");
    let mut answer = wire.server_sends(7000, b"answer");
    answer.acknowledgment = Some(lost.sequence.wrapping_add(8));
    for _ in 0..=MAX_EARLY_SEGMENTS {
        segments.push(answer.clone());
    }
    let mut reassembler = Reassembler::new(&[8090]);
    let answered = segments.iter().any(|segment| {
        let events = reassembler.push(segment);
        let is_answer = |kind: &StreamEventKind| {
            matches!(kind, StreamEventKind::Bytes { bytes, .. } if &bytes[..] == b"answer")
        };
        events.iter().any(|event| is_answer(&event.kind))
    });
    assert!(answered, "beyond the limit it is taken as it comes");
    const { assert!(MAX_EARLY_STREAMS > MAX_EARLY_SEGMENTS) };
}
