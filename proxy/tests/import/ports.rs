//! On any port: what is Iggy's, and who is the client, is told by the bytes.

use parallax_captures::Dialect;
use parallax_proxy::limits::CAPTURE_NOTES;

use super::wire::{Packet, pcap, read, recorded, told};

const CLASSIC: &str = "server-0.8.0_sdk-0.10.0/polls.pcap";
const VSR: &str = "server-0.9-edge_sdk-0.11-edge/polls.pcap";
const BOTH: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

/// Iggy's ports as if a container published them elsewhere.
fn published(port: u16) -> u16 {
    match port {
        8090 => 28090,
        3000 => 23000,
        other => other,
    }
}

#[test]
fn a_recording_on_other_ports_reads_the_same() {
    for name in [CLASSIC, VSR, BOTH] {
        let packets = recorded(name);
        let (expected, usual) = read(pcap(&packets));
        let moved = packets.into_iter().map(|one| one.with_ports(published));
        let (exchanges, summary) = read(pcap(&moved.collect::<Vec<_>>()));
        assert_eq!(told(&exchanges), told(&expected), "{name}");
        assert_eq!(summary.notes, usual.notes);
        assert_eq!(summary.findings.len(), usual.findings.len());
        for connection in &summary.connections {
            assert!([28090, 23000].contains(&connection.server.port()), "{name}");
        }
    }
}

/// Both ports are such as systems hand out, and the capture begins with what the server
/// sends: nothing but the bytes tells who is who.
#[test]
fn of_a_connection_under_way_the_bytes_tell_who_is_the_client() {
    for (name, dialect) in [(CLASSIC, Dialect::Classic), (VSR, Dialect::Vsr)] {
        let packets = recorded(name);
        let is_answer = |one: &Packet| !one.is_syn() && one.data[34..36] == 8090_u16.to_be_bytes();
        let answers = |one: &Packet| is_answer(one) && !one.payload().is_empty();
        let first = packets.iter().position(answers).unwrap();
        let above = |port| if port == 8090 { 60_000 } else { port };
        let under_way = packets[first..].iter().cloned();
        let under_way: Vec<_> = under_way.map(|one| one.with_ports(above)).collect();
        let (exchanges, summary) = read(pcap(&under_way));
        let [connection] = &summary.connections[..] else {
            panic!("{name}: {:?}", summary.connections);
        };
        assert_eq!(connection.server.port(), 60_000, "{name}");
        assert_eq!(connection.dialect, Some(dialect));
        let (all, _) = read(pcap(&packets));
        // All but the one that was under way; more in the one dialect, whose requests
        // before the first reply are seen again.
        assert!(
            exchanges.len() + 3 >= all.len(),
            "{name}: {}",
            exchanges.len()
        );
        let polls = |exchanges: &[std::sync::Arc<_>]| {
            let is_poll = |one: &&std::sync::Arc<parallax_captures::Exchange>| {
                one.command() == "poll_messages"
            };
            exchanges.iter().filter(is_poll).count()
        };
        assert_eq!(polls(&exchanges), polls(&all));
    }
}

/// A conversation of these bytes by turns, client first, from one port to another.
fn conversation(time: u64, client: u16, server: u16, turns: &[&[u8]]) -> Vec<Packet> {
    let mut numbers = [1000, 5000];
    let mut packets = vec![
        Packet::tcp(time, [client, server], 2, [999, 0], b""),
        Packet::tcp(time + 1, [server, client], 18, [4999, 1000], b""),
    ];
    for (time, (turn, bytes)) in (time + 2..).zip(turns.iter().enumerate()) {
        let side = turn % 2;
        let ports = if side == 0 {
            [client, server]
        } else {
            [server, client]
        };
        let pair = [numbers[side], numbers[1 - side]];
        packets.push(Packet::tcp(time, ports, 16, pair, bytes));
        numbers[side] += u32::try_from(bytes.len()).unwrap();
    }
    packets
}

/// Other traffic of a busy host, on its ports.
fn neighbours(time: u64) -> Vec<Packet> {
    let tls: &[u8] = b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03abcdefgh";
    let postgres: &[u8] = b"\0\0\0\x08\x04\xd2\x16\x2f";
    let mut packets = conversation(time, 41_001, 443, &[tls, tls, tls]);
    packets.extend(conversation(
        time,
        41_002,
        22,
        &[b"SSH-2.0-OpenSSH_9.6\r\n", b"SSH-2.0-x\r\n"],
    ));
    packets.extend(conversation(
        time,
        41_003,
        5432,
        &[postgres, b"N", postgres],
    ));
    packets.extend(conversation(
        time,
        41_004,
        6379,
        &[b"*1\r\n$4\r\nPING\r\n", b"+PONG\r\n"],
    ));
    packets.extend(conversation(
        time,
        41_005,
        80,
        &[
            b"GET /index.html HTTP/1.1\r\nHost: x\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        ],
    ));
    // Nobody says anything, and the other end speaks first.
    packets.extend(conversation(time, 41_006, 25, &[]));
    packets.extend(conversation(
        time,
        41_007,
        3306,
        &[b"", b"J\0\0\0\n8.0.36\0"],
    ));
    packets
}

#[test]
fn other_traffic_is_passed_over_and_counted() {
    let packets = recorded(BOTH);
    let (expected, usual) = read(pcap(&packets));
    let mut busy = neighbours(packets[0].time);
    let mut under_way = neighbours(packets[0].time + 10);
    under_way.retain(|one| !one.is_syn() && !one.payload().is_empty());
    let under_way = under_way.into_iter();
    let ports = |port: u16| if port > 41_000 { port + 100 } else { port };
    busy.extend(under_way.map(|one| one.with_ports(ports)));
    busy.extend(packets);
    busy.sort_by_key(|packet| packet.time);
    let (exchanges, summary) = read(pcap(&busy));
    let without_conn = |one: &String| {
        let mut value: serde_json::Value = serde_json::from_str(one).unwrap();
        value["conn"].take();
        value
    };
    let told = |exchanges: &[_]| told(exchanges).iter().map(without_conn).collect::<Vec<_>>();
    assert_eq!(told(&exchanges), told(&expected));
    assert_eq!(summary.notes, usual.notes);
    assert_eq!(summary.connections.len(), usual.connections.len());
    assert_eq!(summary.counts.passed_over, 7 + 6);
    let remarks = summary.counts.remarks();
    let remark = remarks.iter().find(|one| one.contains("passed over"));
    assert!(remark.unwrap().starts_with("13 TCP streams"), "{remarks:?}");
}

#[test]
fn on_iggys_own_port_what_is_not_iggys_is_still_told() {
    let tls: &[u8] = b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03abcdefgh";
    let packets = conversation(1_000_000, 41_001, 8090, &[tls, tls]);
    let (_, summary) = read(pcap(&packets));
    assert_eq!(summary.counts.passed_over, 0);
    assert!(matches!(&summary.notes[..], [note] if note.contains("TLS")));
}

#[test]
fn many_exchanges_with_another_http_server_are_not_waited_through() {
    let request: &[u8] = b"GET /metrics/1 HTTP/1.1\r\nHost: x\r\n\r\n";
    let answer: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    let turns: Vec<&[u8]> = [request, answer].repeat(200);
    let (exchanges, summary) = read(pcap(&conversation(1_000_000, 41_001, 9090, &turns)));
    assert!(exchanges.is_empty());
    assert_eq!(summary.counts.passed_over, 1);
}

#[test]
fn a_stream_under_way_in_which_no_frame_was_found_for_long_is_passed_over() {
    let ping = parallax_codec::classic::encode_request(parallax_codec::code::PING, &[]);
    let pong = parallax_codec::classic::encode_reply(0, &[]);
    let noise: &[u8] = b"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6";
    for (turns, found) in [(60, 1), (70, 0)] {
        let mut turns = vec![noise; turns];
        turns.extend([&ping[..], &pong[..]]);
        let mut packets = conversation(1_000_000, 41_001, 9090, &turns);
        packets.retain(|one| !one.is_syn());
        let (exchanges, summary) = read(pcap(&packets));
        assert_eq!(exchanges.len(), found);
        assert_eq!(summary.counts.passed_over, 1 - found as u64);
    }
}

#[test]
fn notes_that_have_no_room_are_counted() {
    let tls: &[u8] = b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03abcdefgh";
    let ports = 40_000..40_000 + u16::try_from(CAPTURE_NOTES).unwrap() + 5;
    let one = |port| conversation(1_000_000, port, 8090, &[tls, tls]);
    let (_, summary) = read(pcap(&ports.flat_map(one).collect::<Vec<_>>()));
    assert_eq!(summary.notes.len(), CAPTURE_NOTES);
    assert_eq!(summary.counts.notes_dropped, 5);
}
