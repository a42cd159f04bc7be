//! Nothing grows without bound.

use parallax_captures::import::reassembly::{
    Ending, Reassembler, ReassemblyCounts, ReassemblyLimits, StreamEventKind,
};
use parallax_captures::limits::{MAX_EARLY_BYTES, MAX_OUT_OF_ORDER, OUT_OF_ORDER_PIECE};
use parallax_codec::classic::Direction::ToServer;

use super::support::{Run, SERVER_PORTS, Wire, With as _, runs};

#[test]
fn a_direction_that_holds_back_too_much_declares_a_gap_and_goes_on() {
    let mut wire = Wire::new();
    let limits = ReassemblyLimits {
        out_of_order: 2 * (OUT_OF_ORDER_PIECE + 10),
        ..ReassemblyLimits::default()
    };
    let mut reassembler = Reassembler::with_limits(&SERVER_PORTS, limits);
    let mut events = Vec::new();
    for segment in wire.handshake(1, 1) {
        events.extend(reassembler.push(&segment));
    }
    for sequence in [11, 31, 51] {
        assert_eq!(runs(&events, 0, ToServer), []);
        events.extend(reassembler.push(&wire.client_sends(sequence, b"0123456789")));
    }
    let ten = Run::Bytes(b"0123456789".to_vec());
    assert_eq!(runs(&events, 0, ToServer), [Run::Gap(10), ten]);
    assert_eq!(reassembler.counts().gaps_by_limit, 1);
}

#[test]
fn all_streams_together_hold_back_no_more_than_the_total() {
    let limits = ReassemblyLimits {
        out_of_order_total: 2 * (OUT_OF_ORDER_PIECE + 4),
        ..ReassemblyLimits::default()
    };
    let mut reassembler = Reassembler::with_limits(&SERVER_PORTS, limits);
    for port in 0..5 {
        let mut wire = Wire::between(&format!("10.0.0.1:{}", 50000 + port), "10.0.0.2:8090");
        for segment in wire.handshake(1, 1) {
            reassembler.push(&segment);
        }
        let events = reassembler.push(&wire.client_sends(10, b"late"));
        assert_eq!(events.is_empty(), port < 2, "stream {port}");
    }
    assert_eq!(reassembler.counts().gaps_by_limit, 3);
    // What a stream held back is free again when another takes its place.
    let mut wire = Wire::between("10.0.0.1:50000", "10.0.0.2:8090");
    for segment in wire.handshake(500, 1) {
        reassembler.push(&segment);
    }
    assert!(
        reassembler
            .push(&wire.client_sends(510, b"late"))
            .is_empty()
    );
}

#[test]
fn one_stream_too_many_ends_the_one_that_was_silent_for_longest() {
    let limits = ReassemblyLimits {
        open_streams: 2,
        ..ReassemblyLimits::default()
    };
    let mut reassembler = Reassembler::with_limits(&SERVER_PORTS, limits);
    let mut wires: Vec<_> = (50000..50003)
        .map(|port| Wire::between(&format!("10.0.0.1:{port}"), "10.0.0.2:8090"))
        .collect();
    reassembler.push(&wires[0].client_sends(1, b"x"));
    reassembler.push(&wires[1].client_sends(1, b"x"));
    reassembler.push(&wires[0].client_sends(2, b"x"));
    let events = reassembler.push(&wires[2].client_sends(1, b"x"));
    assert_eq!(events[0].stream, 1);
    let how = Ending::GivenUp;
    assert_eq!(events[0].kind, StreamEventKind::Closed { how });
    assert_eq!(reassembler.counts().evicted, 1);
}

#[test]
fn the_closed_streams_that_are_remembered_are_bounded() {
    let limits = ReassemblyLimits {
        closed_streams: 1,
        ..ReassemblyLimits::default()
    };
    let mut reassembler = Reassembler::with_limits(&SERVER_PORTS, limits);
    let mut wires: Vec<_> = (50000..50002)
        .map(|port| Wire::between(&format!("10.0.0.1:{port}"), "10.0.0.2:8090"))
        .collect();
    for wire in &mut wires {
        let mut reset = wire.client_sends(1, b"x");
        reset.flags.rst = true;
        assert_eq!(reassembler.push(&reset).len(), 3);
    }
    assert!(reassembler.push(&wires[1].client_sends(2, b"x")).is_empty());
    assert!(!reassembler.push(&wires[0].client_sends(2, b"x")).is_empty());
    let expected = ReassemblyCounts {
        stray: 1,
        ..ReassemblyCounts::default()
    };
    assert_eq!(reassembler.counts(), expected);
}

#[test]
fn answers_that_wait_for_their_question_are_bounded_by_their_bytes() {
    const MIB: u32 = 1 << 20;
    let mut wire = Wire::new();
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    for segment in wire.handshake(1, 1) {
        reassembler.push(&segment);
    }
    reassembler.push(&wire.client_sends(1, b"x"));
    let answer = vec![0; MIB as usize];
    let mut most = 0;
    for number in 0..30 {
        // It acknowledges what was not seen.
        let answer = wire.server_sends(1 + number * MIB, &answer);
        reassembler.push(&answer.acknowledges(1000));
        most = most.max(reassembler.held());
    }
    assert!(most >= MAX_EARLY_BYTES, "{most}");
    assert!(most <= MAX_EARLY_BYTES + MAX_OUT_OF_ORDER, "{most}");
}
