//! The same packets in every format and on every link type.

use std::io::Read;
use std::process::Command;

use parallax_captures::import::packets::{PacketReader, Segment};

use super::files::{Layout, Packet, packets, read, read_whole};
use super::support::{recorded, segments};

const RECORDING: &str = "server-0.8.0_sdk-0.10.0/polls.pcap";

const PLAIN: Layout = Layout {
    big_endian: false,
    nanoseconds: false,
    link: 1,
};

fn layouts() -> impl Iterator<Item = Layout> {
    [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .map(|(big_endian, nanoseconds)| Layout {
            big_endian,
            nanoseconds,
            link: 1,
        })
}

#[test]
fn pcap_in_both_byte_orders_and_precisions_gives_the_same_segments() {
    let expected = segments(&recorded(RECORDING));
    for layout in layouts() {
        assert_eq!(
            read_whole(layout.pcap(&packets(&recorded(RECORDING)))),
            expected
        );
    }
}

#[test]
fn nanoseconds_are_kept() {
    let mut packet = packets(&recorded(RECORDING)).remove(0);
    packet.nanoseconds += 789;
    let exact = i128::from(packet.nanoseconds);
    for layout in layouts().filter(|layout| layout.nanoseconds) {
        let packets = [packet.clone()];
        assert_eq!(
            read_whole(layout.pcap(&packets))[0].time.as_nanosecond(),
            exact
        );
        let file = layout.pcapng(&packets, 9, 0);
        assert_eq!(read_whole(file)[0].time.as_nanosecond(), exact);
    }
}

#[test]
fn pcapng_in_both_byte_orders_and_any_resolution_gives_the_same_segments() {
    let expected = segments(&recorded(RECORDING));
    let packets = packets(&recorded(RECORDING));
    for layout in layouts() {
        for (resolution, offset) in [(6, 0), (9, 0), (6, 1_000_000_000), (12, 1_796_000_000)] {
            assert_eq!(
                read_whole(layout.pcapng(&packets, resolution, offset)),
                expected
            );
        }
        // Powers of two do not hold a microsecond exactly.
        for segment in read_whole(layout.pcapng(&packets, 0x80 | 0x1e, 0)) {
            let number = usize::try_from(segment.packet).unwrap();
            let off = expected[number - 1].time.duration_since(segment.time);
            assert!(off.as_nanos() < 2, "{off:?}");
        }
    }
}

#[test]
fn a_file_of_two_sections_in_different_byte_orders_is_read_through() {
    let packets = packets(&recorded(RECORDING));
    let (first, second) = packets.split_at(40);
    let mut file = PLAIN.pcapng(first, 6, 0);
    let big_endian = true;
    file.extend(
        Layout {
            big_endian,
            ..PLAIN
        }
        .pcapng(second, 9, 0),
    );
    assert_eq!(read_whole(file), segments(&recorded(RECORDING)));
}

#[test]
fn a_simple_packet_block_has_the_time_of_the_packet_before_it() {
    let packets = packets(&recorded(RECORDING));
    let mut file = PLAIN.pcapng(&packets[..1], 6, 0);
    let mut body = u32::try_from(packets[1].data.len())
        .unwrap()
        .to_le_bytes()
        .to_vec();
    body.extend(&packets[1].data);
    body.resize(body.len().next_multiple_of(4), 0);
    file.extend(PLAIN.block(3, &body));
    let read = read_whole(file);
    let expected = segments(&recorded(RECORDING));
    assert_eq!(read[1].payload, expected[1].payload);
    assert_eq!(read[1].sequence, expected[1].sequence);
    assert_eq!(read[1].time, read[0].time);
}

#[test]
fn every_link_type_gives_the_same_segments() {
    let packets = packets(&recorded(RECORDING));
    let expected = segments(&recorded(RECORDING));
    let cooked: &[u8] = &[0, 0, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0];
    let cooked_v2: &[u8] = &[8, 0, 0, 0, 0, 0, 0, 1, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0];
    let vlan: &[u8] = &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 0, 0, 7, 8, 0];
    let two_vlans: &[u8] = &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0xa8, 0, 7, 0x81, 0, 0, 7, 8, 0,
    ];
    for (link, header) in [
        (0, [2, 0, 0, 0].as_slice()),
        (108, &[0, 0, 0, 2]),
        (1, vlan),
        (1, two_vlans),
        (12, &[]),
        (101, &[]),
        (228, &[]),
        (113, cooked),
        (276, cooked_v2),
    ] {
        let packets: Vec<_> = packets
            .iter()
            .map(|packet| relinked(packet, header))
            .collect();
        let file = Layout { link, ..PLAIN }.pcap(&packets);
        assert_eq!(read_whole(file), expected, "link type {link}");
    }
}

/// A packet with another header before IP instead of Ethernet's.
fn relinked(packet: &Packet, header: &[u8]) -> Packet {
    let data = [header, &packet.data[14..]].concat();
    Packet {
        original_length: u32::try_from(data.len()).unwrap(),
        data,
        ..*packet
    }
}

#[test]
fn over_ipv6_the_segments_are_the_same_but_for_their_addresses() {
    let expected = segments(&recorded(RECORDING));
    let packets: Vec<_> = packets(&recorded(RECORDING))
        .iter()
        .map(over_ipv6)
        .collect();
    let link = 101;
    let read = read_whole(Layout { link, ..PLAIN }.pcap(&packets));
    assert_eq!(read.len(), expected.len());
    for (six, four) in read.iter().zip(&expected) {
        assert!(six.source.is_ipv6());
        let mut six = six.clone();
        six.source.set_ip(four.source.ip());
        six.destination.set_ip(four.destination.ip());
        assert_eq!(&six, four);
    }
}

/// A destination options header stands before TCP, to be stepped over.
fn over_ipv6(packet: &Packet) -> Packet {
    let ip = &packet.data[14..];
    let tcp = &ip[usize::from(ip[0] & 0xf) * 4..];
    let length = u16::try_from(tcp.len() + 8).unwrap().to_be_bytes();
    let mut data = vec![0x60, 0, 0, 0, length[0], length[1], 60, 64];
    data.extend([0xfd; 32]);
    data.extend([6, 0, 1, 4, 0, 0, 0, 0]);
    data.extend(tcp);
    Packet {
        original_length: u32::try_from(data.len()).unwrap(),
        data,
        ..*packet
    }
}

#[test]
fn a_packet_cut_at_any_byte_gives_what_is_there_and_says_what_is_missing() {
    let packets = packets(&recorded(RECORDING));
    let whole = segments(&recorded(RECORDING));
    let index = whole.iter().position(|s| s.payload.len() > 100).unwrap();
    let (packet, whole) = (&packets[index], &whole[index]);
    for snaplen in 0..packet.data.len() {
        let cut = Packet {
            data: packet.data[..snaplen].to_vec(),
            ..*packet
        };
        let read = read_whole(PLAIN.pcap(&[cut]));
        // Ethernet 14, IP 20, and the part of TCP's header that says whose
        // bytes they are.
        assert_eq!(
            read.len(),
            usize::from(snaplen >= 14 + 20 + 14),
            "{snaplen}"
        );
        if let Some(segment) = read.first() {
            assert!(whole.payload.starts_with(&segment.payload));
            assert_eq!(segment.sequence, whole.sequence);
            let length = segment.payload.len() + segment.missing as usize;
            assert_eq!(length, whole.payload.len(), "{snaplen}");
        }
    }
}

#[test]
fn an_ip_header_that_leaves_the_length_to_the_network_card_is_understood() {
    let mut packets = packets(&recorded(RECORDING));
    for packet in &mut packets {
        packet.data[16..18].copy_from_slice(&[0, 0]);
    }
    let expected = segments(&recorded(RECORDING));
    assert_eq!(read_whole(PLAIN.pcap(&packets)), expected);
    let longest = packets
        .iter_mut()
        .max_by_key(|packet| packet.data.len())
        .unwrap();
    longest.data.pop();
    let read = read_whole(PLAIN.pcap(&packets));
    assert_eq!(read.iter().map(|segment| segment.missing).sum::<u32>(), 1);
}

#[test]
fn what_is_not_tcp_is_counted_and_passed_over() {
    let whole = packets(&recorded(RECORDING));
    let mut odd = whole[..3].to_vec();
    odd[0].data[23] = 17; // UDP
    odd[1].data[12..14].copy_from_slice(&[8, 6]); // ARP
    odd[2].data[20] = 0x20; // more fragments follow
    odd.extend_from_slice(&whole[3..]);
    let mut reader = PacketReader::new(std::io::Cursor::new(PLAIN.pcap(&odd))).unwrap();
    let read: Vec<Segment> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(read, segments(&recorded(RECORDING))[3..]);
    let counts = reader.counts();
    assert_eq!((counts.not_tcp, counts.fragments), (2, 1));
    assert_eq!(counts.packets, counts.segments + 3);
}

#[test]
fn a_link_type_that_is_not_read_is_named() {
    let link = 127;
    let (read, error) = read(Layout { link, ..PLAIN }.pcap(&packets(&recorded(RECORDING))));
    assert!(read.is_empty());
    let message = error.unwrap().to_string();
    assert!(
        message.contains("127 (IEEE 802.11 with radiotap header)"),
        "{message}"
    );
}

#[test]
fn a_source_that_gives_a_byte_at_a_time_gives_the_same() {
    struct Dripping(std::io::Cursor<Vec<u8>>);
    impl Read for Dripping {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }
    let packets = packets(&recorded(RECORDING));
    let expected = segments(&recorded(RECORDING));
    for file in [PLAIN.pcap(&packets), PLAIN.pcapng(&packets, 6, 0)] {
        let reader = PacketReader::new(Dripping(std::io::Cursor::new(file))).unwrap();
        let read: Vec<Segment> = reader.map(Result::unwrap).collect();
        assert_eq!(read, expected);
    }
}

#[test]
fn a_packet_larger_than_the_buffer_is_read() {
    let mut packets = packets(&recorded(RECORDING));
    // Bytes behind the IP packet, as a network card pads.
    packets[5].data.resize(1_000_000, 0);
    let expected = segments(&recorded(RECORDING));
    assert_eq!(read_whole(PLAIN.pcap(&packets)), expected);
    assert_eq!(read_whole(PLAIN.pcapng(&packets, 6, 0)), expected);
}

#[test]
fn what_editcap_makes_of_a_recording_gives_the_same_segments() {
    if Command::new("editcap").arg("--version").output().is_err() {
        let how = "editcap is not installed, so its files are not read: apt-get install tshark";
        assert!(std::env::var_os("CI").is_none(), "{how}");
        // Past the test harness, which keeps what a passing test prints to itself.
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{how}\n"));
        return;
    }
    for format in ["pcap", "nsecpcap", "pcapng"] {
        let output = Command::new("editcap")
            .args(["-F", format])
            .arg(recorded(RECORDING))
            .arg("-")
            .output()
            .unwrap();
        assert!(output.status.success(), "{format}");
        assert_eq!(
            read_whole(output.stdout),
            segments(&recorded(RECORDING)),
            "{format}"
        );
    }
}
