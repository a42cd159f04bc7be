//! Writes capture files, of formats and link types that no recording has.

use std::io::Cursor;
use std::path::Path;

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::{PacketReader, Segment};

#[derive(Clone)]
pub struct Packet {
    pub nanoseconds: u64,
    pub data: Vec<u8>,
    pub original_length: u32,
}

/// The packets of a recording, all of which are little-endian pcap files with
/// microseconds.
pub fn packets(path: &Path) -> Vec<Packet> {
    let file = std::fs::read(path).unwrap();
    let mut rest = &file[24..];
    let mut packets = Vec::new();
    while !rest.is_empty() {
        let word = |at| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
        let length = word(8) as usize;
        packets.push(Packet {
            nanoseconds: u64::from(word(0)) * 1_000_000_000 + u64::from(word(4)) * 1000,
            data: rest[16..16 + length].to_vec(),
            original_length: word(12),
        });
        rest = &rest[16 + length..];
    }
    packets
}

/// How a file is to be written.
#[derive(Clone, Copy)]
pub struct Layout {
    pub big_endian: bool,
    pub nanoseconds: bool,
    pub link: u32,
}

impl Layout {
    fn word(self, word: u32) -> [u8; 4] {
        if self.big_endian {
            word.to_be_bytes()
        } else {
            word.to_le_bytes()
        }
    }

    fn half(self, half: u16) -> [u8; 2] {
        if self.big_endian {
            half.to_be_bytes()
        } else {
            half.to_le_bytes()
        }
    }

    pub fn pcap(self, packets: &[Packet]) -> Vec<u8> {
        let mut file = Vec::new();
        let magic = if self.nanoseconds {
            0xa1b2_3c4d
        } else {
            0xa1b2_c3d4
        };
        file.extend(self.word(magic));
        file.extend(self.half(2));
        file.extend(self.half(4));
        for word in [0, 0, 262_144, self.link] {
            file.extend(self.word(word));
        }
        for packet in packets {
            let unit = if self.nanoseconds { 1 } else { 1000 };
            let seconds = packet.nanoseconds / 1_000_000_000;
            let fraction = packet.nanoseconds % 1_000_000_000 / unit;
            for word in [seconds, fraction, packet.data.len() as u64] {
                file.extend(self.word(u32::try_from(word).unwrap()));
            }
            file.extend(self.word(packet.original_length));
            file.extend(&packet.data);
        }
        file
    }

    /// A section with one interface, whose times are counted as the option
    /// `if_tsresol` says, from `offset` seconds on.
    pub fn pcapng(self, packets: &[Packet], resolution: u8, offset: u64) -> Vec<u8> {
        let mut file = self.block(0x0a0d_0d0a, &{
            let mut body = self.word(0x1a2b_3c4d).to_vec();
            body.extend(self.half(1));
            body.extend(self.half(0));
            body.extend([0xff; 8]);
            body
        });
        // A block of no known type, to be stepped over.
        file.extend(self.block(0x0bad, &[0; 16]));
        let mut interface = self.half(u16::try_from(self.link).unwrap()).to_vec();
        interface.extend(self.half(0));
        interface.extend(self.word(0));
        interface.extend(self.half(9));
        interface.extend(self.half(1));
        interface.extend([resolution, 0, 0, 0]);
        interface.extend(self.half(14));
        interface.extend(self.half(8));
        interface.extend(if self.big_endian {
            offset.to_be_bytes()
        } else {
            offset.to_le_bytes()
        });
        interface.extend([0; 4]);
        file.extend(self.block(1, &interface));
        for packet in packets {
            let units = units(packet.nanoseconds - offset * 1_000_000_000, resolution);
            let mut body = self.word(0).to_vec();
            body.extend(self.word(u32::try_from(units >> 32).unwrap()));
            body.extend(self.word(u32::try_from(units & 0xffff_ffff).unwrap()));
            body.extend(self.word(u32::try_from(packet.data.len()).unwrap()));
            body.extend(self.word(packet.original_length));
            body.extend(&packet.data);
            body.resize(body.len().next_multiple_of(4), 0);
            file.extend(self.block(6, &body));
        }
        file
    }

    pub fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let length = self.word(u32::try_from(body.len() + 12).unwrap());
        [&self.word(kind), &length, body, &length].concat()
    }
}

fn units(nanoseconds: u64, resolution: u8) -> u128 {
    let per_second = if resolution & 0x80 == 0 {
        10_u128.pow(resolution.into())
    } else {
        1 << (resolution & 0x7f)
    };
    u128::from(nanoseconds) * per_second / 1_000_000_000
}

/// Everything a file gives: segments, then perhaps an error.
pub fn read(file: impl Into<Vec<u8>>) -> (Vec<Segment>, Option<ImportError>) {
    let mut segments = Vec::new();
    let reader = match PacketReader::new(Cursor::new(file.into())) {
        Ok(reader) => reader,
        Err(error) => return (segments, Some(error)),
    };
    for result in reader {
        match result {
            Ok(segment) => segments.push(segment),
            Err(error) => return (segments, Some(error)),
        }
    }
    (segments, None)
}

pub fn read_whole(file: impl Into<Vec<u8>>) -> Vec<Segment> {
    let (segments, error) = read(file);
    assert!(error.is_none(), "{error:?}");
    segments
}
