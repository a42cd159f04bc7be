//! Link types together with VLANs, IPv6, its extension headers and fragments, and
//! sections with several interfaces.

use std::io::Cursor;

use parallax_captures::import::packets::{PacketReader, Segment};

use super::files::{Layout, Packet, packets, read_whole};
use super::support::{recorded, segments};

const RECORDING: &str = "server-0.8.0_sdk-0.10.0/polls.pcap";

fn layout(link: u32) -> Layout {
    Layout {
        big_endian: false,
        nanoseconds: false,
        link,
    }
}

/// A packet with another header before IP instead of Ethernet's, and IP changed.
fn changed(packet: &Packet, header: &[u8], ip: impl Fn(&[u8]) -> Vec<u8>) -> Packet {
    let data = [header, &ip(&packet.data[14..])].concat();
    Packet {
        original_length: u32::try_from(data.len()).unwrap(),
        data,
        ..*packet
    }
}

/// IPv6 in the place of IPv4, with these extension headers, the first of which is of
/// this kind.
fn six(ip: &[u8], kind: u8, extensions: &[u8]) -> Vec<u8> {
    let length = usize::from(u16::from_be_bytes([ip[2], ip[3]]));
    let tcp = &ip[usize::from(ip[0] & 0xf) * 4..length];
    let length = u16::try_from(tcp.len() + extensions.len()).unwrap();
    let mut six = vec![0x60, 0, 0, 0];
    six.extend(length.to_be_bytes());
    six.extend([kind, 64]);
    for address in [&ip[12..16], &ip[16..20]] {
        six.extend([0xfd; 12]);
        six.extend(address);
    }
    six.extend(extensions);
    six.extend(tcp);
    six
}

/// All but the addresses.
fn without_addresses(segments: &[Segment]) -> Vec<String> {
    let without = |segment: &Segment| {
        let mut segment = segment.clone();
        for end in [&mut segment.source, &mut segment.destination] {
            end.set_ip([0, 0, 0, 0].into());
        }
        format!("{segment:?} {:?}", segment.payload)
    };
    segments.iter().map(without).collect()
}

/// Each link type, before IPv4 and before IPv6; of those that name it, with tags of one
/// VLAN and of two (802.1Q, 802.1ad, and the older 0x9100).
fn headers() -> Vec<(u32, Vec<u8>, Vec<u8>)> {
    let (four, six) = ([8, 0], [0x86, 0xdd]);
    let mut headers = Vec::new();
    for tags in [
        &[][..],
        &[0x81, 0, 0, 7],
        &[0x88, 0xa8, 0, 7, 0x81, 0, 0x20, 8],
        &[0x91, 0, 0, 7, 0x81, 0, 0, 8],
        &[0x81, 0, 0, 7, 0x81, 0, 0, 8],
    ] {
        let ethernet = |kind: [u8; 2]| [&[2; 12][..], tags, &kind].concat();
        headers.push((1, ethernet(four), ethernet(six)));
        // The tag's type stands where the protocol does, its rest behind the header.
        let cooked = |kind: [u8; 2]| {
            let of_it = [tags, &kind].concat();
            [&[0, 0, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0][..], &of_it].concat()
        };
        headers.push((113, cooked(four), cooked(six)));
        let cooked_v2 = |kind: [u8; 2]| {
            let of_it = [tags, &kind].concat();
            let rest = [0, 0, 0, 0, 0, 1, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0];
            [&of_it[..2], &rest, &of_it[2..]].concat()
        };
        headers.push((276, cooked_v2(four), cooked_v2(six)));
    }
    for link in [12, 14, 101] {
        headers.push((link, vec![], vec![]));
    }
    // The numbers of IPv6's address family on Linux, NetBSD, FreeBSD and macOS.
    for family in [10, 24, 28, 30] {
        headers.push((0, vec![2, 0, 0, 0], vec![family, 0, 0, 0]));
        headers.push((0, vec![0, 0, 0, 2], vec![0, 0, 0, family]));
        headers.push((108, vec![0, 0, 0, 2], vec![0, 0, 0, family]));
    }
    headers
}

#[test]
fn every_link_type_gives_the_same_segments_with_and_without_vlans() {
    let packets = packets(&recorded(RECORDING));
    let expected = segments(&recorded(RECORDING));
    for (link, four, before_six) in headers() {
        let of = |header: &[u8], ip: &dyn Fn(&[u8]) -> Vec<u8>| {
            let packets = packets.iter().map(|packet| changed(packet, header, ip));
            packets.collect::<Vec<_>>()
        };
        let as_it_is = of(&four, &<[u8]>::to_vec);
        let read = read_whole(layout(link).pcap(&as_it_is));
        assert_eq!(read, expected, "link type {link}, {four:x?}");
        let over_six = of(&before_six, &|ip| six(ip, 6, &[]));
        let read = read_whole(layout(link).pcapng(&over_six, 6, 0));
        assert_eq!(
            without_addresses(&read),
            without_addresses(&expected),
            "link type {link}, {before_six:x?}"
        );
    }
    // What says in its number which IP it is.
    let raw = |link, ip: &dyn Fn(&[u8]) -> Vec<u8>| {
        let packets = packets.iter().map(|packet| changed(packet, &[], ip));
        read_whole(layout(link).pcap(&packets.collect::<Vec<_>>()))
    };
    assert_eq!(raw(228, &<[u8]>::to_vec), expected);
    let over_six = raw(229, &|ip| six(ip, 6, &[]));
    assert_eq!(without_addresses(&over_six), without_addresses(&expected));
}

#[test]
fn the_extension_headers_of_ipv6_are_stepped_over() {
    let hop_by_hop = |next: u8| vec![next, 0, 5, 2, 0, 0, 1, 0];
    let routing = |next: u8| [vec![next, 2, 0, 1, 0, 0, 0, 0], vec![0xfd; 16]].concat();
    let options = |next: u8| [vec![next, 1, 1, 12], vec![0; 12]].concat();
    // A fragment that is the whole packet (RFC 6946).
    let atomic = |next: u8| vec![next, 0, 0, 0, 1, 2, 3, 4];
    let authentication = |next: u8| [vec![next, 4], vec![0; 22]].concat();
    for (kind, extensions) in [
        (0, hop_by_hop(6)),
        (43, routing(6)),
        (44, atomic(6)),
        (51, authentication(6)),
        (60, options(6)),
        (
            0,
            [hop_by_hop(60), options(43), routing(44), atomic(6)].concat(),
        ),
    ] {
        let packets = packets(&recorded(RECORDING));
        let with = |packet| changed(packet, &[], |ip| six(ip, kind, &extensions));
        let packets: Vec<_> = packets.iter().map(with).collect();
        let read = read_whole(layout(101).pcap(&packets));
        assert_eq!(
            without_addresses(&read),
            without_addresses(&segments(&recorded(RECORDING))),
            "{kind}"
        );
    }
}

#[test]
fn fragments_are_counted_and_their_bytes_are_missing() {
    let whole = packets(&recorded(RECORDING));
    let mut file = whole[..2].to_vec();
    let first_of_four = |ip: &[u8]| {
        let mut ip = ip.to_vec();
        ip[6] = 0x20;
        ip
    };
    file[0] = changed(&whole[0], &[2; 12][..], |ip| {
        [&[8, 0][..], &first_of_four(ip)].concat()
    });
    file[1] = changed(&whole[1], &[2; 12][..], |ip| {
        [
            &[0x86, 0xdd][..],
            &six(ip, 44, &[6, 0, 0, 0x19, 0, 0, 0, 1]),
        ]
        .concat()
    });
    let mut reader = PacketReader::new(Cursor::new(layout(1).pcap(&file))).unwrap();
    assert!(reader.next().is_none());
    assert_eq!(reader.counts().fragments, 2);
}

#[test]
fn each_interface_of_a_section_has_its_own_link_type_and_clock() {
    let whole = packets(&recorded(RECORDING));
    let expected = segments(&recorded(RECORDING));
    for big_endian in [false, true] {
        let on = |link| Layout {
            big_endian,
            nanoseconds: false,
            link,
        };
        // The second interface is described after the first one's packets, counts
        // nanoseconds and began an hour before 1970.
        let first = on(1).pcapng(&whole[..10], 6, 0);
        let mut file = first;
        let word = |word: u32| {
            if big_endian {
                word.to_be_bytes()
            } else {
                word.to_le_bytes()
            }
        };
        let half = |half: u16| {
            if big_endian {
                half.to_be_bytes()
            } else {
                half.to_le_bytes()
            }
        };
        let offset: i64 = -3600;
        let offset = if big_endian {
            offset.to_be_bytes()
        } else {
            offset.to_le_bytes()
        };
        let interface = [
            &half(101)[..],
            &half(0),
            &word(0),
            &half(9),
            &half(1),
            &[9, 0, 0, 0],
            &half(14),
            &half(8),
            &offset,
            &[0; 4],
        ];
        file.extend(on(1).block(1, &interface.concat()));
        for packet in &whole[10..] {
            let ip = &packet.data[14..];
            let units = packet.nanoseconds + 3_600_000_000_000;
            let (high, low) = ((units >> 32) as u32, (units & 0xffff_ffff) as u32);
            let length = u32::try_from(ip.len()).unwrap();
            let mut body = Vec::new();
            for one in [1, high, low, length, length] {
                body.extend(word(one));
            }
            body.extend(ip);
            body.resize(body.len().next_multiple_of(4), 0);
            file.extend(on(1).block(6, &body));
        }
        assert_eq!(read_whole(file), expected, "big endian: {big_endian}");
    }
}

#[test]
fn packets_of_an_interface_that_is_not_read_are_counted_beside_the_others() {
    let whole = packets(&recorded(RECORDING));
    let mut file = layout(1).pcapng(&whole, 6, 0);
    file.extend(layout(220).pcapng(&whole[..7], 6, 0));
    let mut reader = PacketReader::new(Cursor::new(file)).unwrap();
    let read: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(read, segments(&recorded(RECORDING)));
    assert_eq!(reader.counts().unsupported_link, 7);
}
