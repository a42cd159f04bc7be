use jiff::SignedDuration;
use parallax_captures::import::packets::Segment;
use parallax_captures::import::reassembly::{
    ACKNOWLEDGED_GRACE, Ending, Reassembler, StreamEvent, StreamEventKind,
};
use parallax_codec::classic::Direction::{ToClient, ToServer};

use super::support::{Run, SERVER_PORTS, Wire, With, reassemble, runs};

fn bytes(bytes: &[u8]) -> Vec<Run> {
    vec![Run::Bytes(bytes.to_vec())]
}

fn endings(events: &[StreamEvent]) -> Vec<(u64, Ending)> {
    let ending = |event: &StreamEvent| match event.kind {
        StreamEventKind::Closed { how } => Some((event.stream, how)),
        _ => None,
    };
    events.iter().filter_map(ending).collect()
}

fn opened(segments: &[Segment]) -> (String, String, bool) {
    match &reassemble(segments)[0].kind {
        StreamEventKind::Opened {
            client,
            server,
            mid_stream,
        } => (client.to_string(), server.to_string(), *mid_stream),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_handshake_says_who_the_client_is_even_against_the_ports() {
    let mut wire = Wire::between("10.0.0.1:8090", "10.0.0.2:50000");
    let client = "10.0.0.1:8090".to_owned();
    let server = "10.0.0.2:50000".to_owned();
    let handshake = wire.handshake(1, 1);
    let expected = (client, server, false);
    assert_eq!(opened(&handshake), expected);
    assert_eq!(opened(&handshake[1..]), expected, "by the SYN-ACK alone");
}

#[test]
fn begun_in_mid_stream_the_ports_say_who_the_client_is_else_who_sent_first() {
    for (first, second, first_is_client) in [
        ("10.0.0.1:8090", "10.0.0.2:3001", false),
        ("10.0.0.1:3001", "10.0.0.2:8090", true),
        ("10.0.0.1:443", "10.0.0.2:40000", false),
        ("10.0.0.1:40000", "10.0.0.2:443", true),
        ("10.0.0.1:40000", "10.0.0.2:50000", true),
        ("10.0.0.1:8090", "10.0.0.2:3000", true),
    ] {
        let mut wire = Wire::between(first, second);
        let (client, _, mid_stream) = opened(&[wire.client_sends(5, b"x")]);
        let expected = if first_is_client { first } else { second };
        assert_eq!((client.as_str(), mid_stream), (expected, true));
    }
}

#[test]
fn bytes_in_a_syn_and_in_a_fin_belong_to_the_stream() {
    let mut wire = Wire::new();
    let events = reassemble(&[
        wire.client_sends(99, b"fast ").syn(),
        wire.server_sends(499, b"").syn().acknowledges(100),
        wire.client_sends(100, b"fast ").acknowledges(500),
        wire.client_sends(105, b"open").fin(),
        wire.server_sends(500, b"done").fin().acknowledges(110),
    ]);
    assert_eq!(runs(&events, 0, ToServer), bytes(b"fast open"));
    assert_eq!(runs(&events, 0, ToClient), bytes(b"done"));
    assert_eq!(endings(&events), [(0, Ending::Finished)]);
}

#[test]
fn after_one_fin_the_other_side_goes_on() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(1, b"all").fin());
    segments.push(wire.server_sends(1, b"more"));
    let events = reassemble(&segments);
    assert_eq!(runs(&events, 0, ToClient), bytes(b"more"));
    assert_eq!(endings(&events), [(0, Ending::CaptureEnded)]);
}

#[test]
fn a_fin_before_bytes_that_are_already_there_is_not_believed() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(4, b"def"));
    segments.push(wire.client_sends(1, b"ab").fin());
    segments.push(wire.client_sends(3, b"c"));
    assert_eq!(runs(&reassemble(&segments), 0, ToServer), bytes(b"abcdef"));
}

#[test]
fn a_reset_gives_out_what_was_held_back_and_ends_the_stream() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(4, b"late"));
    segments.push(wire.server_sends(1, b"").rst());
    segments.push(wire.client_sends(8, b"straggler"));
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    assert_eq!(
        runs(&events, 0, ToServer),
        [Run::Gap(3), Run::Bytes(b"late".to_vec())]
    );
    let reset = Ending::Reset {
        direction: ToClient,
    };
    assert_eq!(endings(&events), [(0, reset)]);
    assert_eq!(reassembler.counts().stray, 1);
    assert!(reassembler.finish().is_empty());
}

#[test]
fn a_new_syn_between_the_same_ports_is_a_new_stream_and_a_repeated_one_is_not() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.extend(wire.handshake(1, 1));
    segments.push(wire.client_sends(1, b"old"));
    segments.extend(wire.handshake(90_000, 7));
    segments.push(wire.client_sends(90_000, b"new"));
    let events = reassemble(&segments);
    assert_eq!(runs(&events, 0, ToServer), bytes(b"old"));
    assert_eq!(runs(&events, 1, ToServer), bytes(b"new"));
    let expected = [(0, Ending::PortReused), (1, Ending::CaptureEnded)];
    assert_eq!(endings(&events), expected);
}

#[test]
fn a_port_is_used_again_after_its_stream_was_closed() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(1, b"").rst());
    segments.extend(wire.handshake(1, 1));
    segments.push(wire.client_sends(1, b"again"));
    let events = reassemble(&segments);
    assert_eq!(runs(&events, 1, ToServer), bytes(b"again"));
}

#[test]
fn keep_alive_probes_are_not_bytes_of_the_stream() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(1, b"hello"));
    segments.push(wire.client_sends(5, b""));
    segments.push(wire.client_sends(5, b"\0"));
    segments.push(wire.client_sends(6, b" again"));
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    assert_eq!(runs(&events, 0, ToServer), bytes(b"hello again"));
    assert_eq!(reassembler.counts().differing_overlaps, 0);
}

#[test]
fn of_two_copies_the_first_wins_and_a_difference_is_counted() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    // Held back, then contradicted; handed out, then contradicted.
    segments.push(wire.client_sends(4, b"def"));
    segments.push(wire.client_sends(3, b"cDEFg"));
    segments.push(wire.client_sends(1, b"ab"));
    segments.push(wire.client_sends(1, b"aB"));
    segments.push(wire.client_sends(1, b"abcdefg"));
    segments.push(wire.client_sends(2, b"bc"));
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    assert_eq!(runs(&events, 0, ToServer), bytes(b"abcdefg"));
    assert_eq!(reassembler.counts().differing_overlaps, 2);
    assert_eq!(reassembler.counts().retransmitted, 4);
}

#[test]
fn what_the_snaplen_cut_off_is_a_gap_at_once() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(1, b"begin").missing(100));
    segments.push(wire.client_sends(106, b"next"));
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    let begin = Run::Bytes(b"begin".to_vec());
    let next = Run::Bytes(b"next".to_vec());
    assert_eq!(runs(&events, 0, ToServer), [begin, Run::Gap(100), next]);
}

#[test]
fn what_the_receiver_has_acknowledged_is_not_waited_for() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(1, b"one"));
    segments.push(wire.client_sends(7, b"three"));
    segments.push(wire.server_sends(1, b"").acknowledges(12));
    let mut after = wire.client_sends(12, b"four");
    after.time = segments[4].time + ACKNOWLEDGED_GRACE - SignedDuration::from_millis(1);
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let mut events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    events.extend(reassembler.push(&after));
    let one = Run::Bytes(b"one".to_vec());
    assert_eq!(runs(&events, 0, ToServer), std::slice::from_ref(&one));
    after.time += SignedDuration::from_millis(1);
    after.sequence += 4;
    events.extend(reassembler.push(&after));
    let rest = Run::Bytes(b"threefourfour".to_vec());
    assert_eq!(runs(&events, 0, ToServer), [one, Run::Gap(3), rest]);
}

#[test]
fn bytes_that_came_late_keep_the_time_of_their_packet() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(3, b"cd"));
    segments.push(wire.client_sends(1, b"ab"));
    let times: Vec<_> = reassemble(&segments)
        .iter()
        .filter(|event| matches!(event.kind, StreamEventKind::Bytes { .. }))
        .map(|event| event.time)
        .collect();
    assert_eq!(times, [segments[3].time, segments[2].time]);
}

#[test]
fn a_segment_from_nowhere_near_the_stream_is_counted_and_passed_over() {
    let mut wire = Wire::new();
    let mut segments = wire.handshake(1, 1);
    segments.push(wire.client_sends(1 << 31, b"far"));
    segments.push(wire.client_sends(1, b"near"));
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    assert_eq!(runs(&events, 0, ToServer), bytes(b"near"));
    assert_eq!(reassembler.counts().out_of_window, 1);
}

#[test]
fn a_stream_of_more_than_four_gigabytes_wraps_around_as_often_as_it_takes() {
    const HALF_A_GIGABYTE: u32 = 1 << 29;
    let mut wire = Wire::new();
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let mut events = Vec::new();
    let mut sequence = u32::MAX - 5;
    for segment in wire.handshake(sequence, 1) {
        events.extend(reassembler.push(&segment));
    }
    let mut expected = Vec::new();
    for _ in 0..20 {
        let segment = wire.client_sends(sequence, b"0123456789");
        events.extend(reassembler.push(&segment.missing(HALF_A_GIGABYTE)));
        sequence = sequence.wrapping_add(10 + HALF_A_GIGABYTE);
        expected.push(Run::Bytes(b"0123456789".to_vec()));
        expected.push(Run::Gap(HALF_A_GIGABYTE.into()));
    }
    assert_eq!(runs(&events, 0, ToServer), expected);
}

#[test]
fn no_event_shows_the_bytes_that_it_carries() {
    let mut wire = Wire::new();
    let segment = wire.client_sends(1, b"hunter2");
    let shown = format!(
        "{segment:?} {:?}",
        reassemble(std::slice::from_ref(&segment))
    );
    assert!(
        !shown.contains("hunter2") && !shown.contains("104"),
        "{shown}"
    );
}
