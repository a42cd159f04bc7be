//! Packets, made and changed.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use parallax_captures::{Exchange, json};
use parallax_proxy::offline::{ImportOptions, Source, Summary, import};

/// A packet of a capture with Ethernet headers.
#[derive(Clone)]
pub struct Packet {
    /// Microseconds since 1970.
    pub time: u64,
    pub data: Vec<u8>,
}

/// The header of a pcap file: little-endian, microseconds, Ethernet.
pub const HEADER: [u8; 24] = [
    0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0,
];

/// The packets of a recording.
pub fn recorded(name: &str) -> Vec<Packet> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    let file = std::fs::read(root.join(name)).unwrap();
    assert_eq!(file[..4], HEADER[..4]);
    let mut rest = &file[24..];
    let mut packets = Vec::new();
    while !rest.is_empty() {
        let word = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
        let length = word(8) as usize;
        packets.push(Packet {
            time: u64::from(word(0)) * 1_000_000 + u64::from(word(4)),
            data: rest[16..16 + length].to_vec(),
        });
        rest = &rest[16 + length..];
    }
    packets
}

impl Packet {
    /// A TCP segment. `flags`: 2 SYN, 16 ACK, 17 FIN and ACK.
    pub fn tcp(time: u64, ports: [u16; 2], flags: u8, numbers: [u32; 2], payload: &[u8]) -> Self {
        let length = u16::try_from(40 + payload.len()).unwrap().to_be_bytes();
        let mut data = vec![0; 12];
        data.extend([8, 0, 0x45, 0]);
        data.extend(length);
        data.extend([0, 0, 0, 0, 64, 6, 0, 0]);
        // The end with the lower port is the server's host.
        let host = |port: u16| if port == ports[0].min(ports[1]) { 2 } else { 1 };
        data.extend([10, 0, 0, host(ports[0]), 10, 0, 0, host(ports[1])]);
        data.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        data.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        data.extend([0x50, flags, 0xff, 0xff, 0, 0, 0, 0]);
        data.extend(payload);
        Self { time, data }
    }

    /// The same with other ports.
    pub fn with_ports(mut self, other: impl Fn(u16) -> u16) -> Self {
        let tcp = 14 + usize::from(self.data[14] & 0xf) * 4;
        for at in [tcp, tcp + 2] {
            let port = u16::from_be_bytes([self.data[at], self.data[at + 1]]);
            self.data[at..at + 2].copy_from_slice(&other(port).to_be_bytes());
        }
        self
    }

    /// Whether it opens a connection, or answers one that does.
    pub fn is_syn(&self) -> bool {
        let tcp = 14 + usize::from(self.data[14] & 0xf) * 4;
        self.data[tcp + 13] & 2 != 0
    }

    /// The bytes that it carries.
    pub fn payload(&self) -> &[u8] {
        let ip = usize::from(self.data[14] & 0xf) * 4;
        let length = usize::from(u16::from_be_bytes([self.data[16], self.data[17]]));
        let tcp = usize::from(self.data[14 + ip + 12] >> 4) * 4;
        &self.data[14 + ip + tcp..14 + length]
    }

    /// Writes it as a pcap file's record.
    pub fn write(&self, file: &mut Vec<u8>) {
        let length = u32::try_from(self.data.len()).unwrap();
        let seconds = u32::try_from(self.time / 1_000_000).unwrap();
        let micros = u32::try_from(self.time % 1_000_000).unwrap();
        for word in [seconds, micros, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(&self.data);
    }
}

/// A pcap file.
pub fn pcap(packets: &[Packet]) -> Vec<u8> {
    let mut file = HEADER.to_vec();
    for packet in packets {
        packet.write(&mut file);
    }
    file
}

/// Everything that a capture gives.
pub fn read(file: Vec<u8>) -> (Vec<Arc<Exchange>>, Summary) {
    let source = Source::new(Cursor::new(file)).unwrap();
    let mut exchanges = Vec::new();
    let summary = import(source, ImportOptions::default(), &mut |exchange| {
        exchanges.push(exchange);
        ControlFlow::Continue(())
    });
    (exchanges, summary.unwrap())
}

/// What is told of each exchange.
pub fn told(exchanges: &[Arc<Exchange>]) -> Vec<String> {
    let exchanges = exchanges.iter();
    exchanges
        .map(|one| json::exchange(one).to_string())
        .collect()
}
