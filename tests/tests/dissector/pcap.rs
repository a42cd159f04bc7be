//! Captures made up for a test: one connection, raw IPv4 packets.

use std::path::PathBuf;

use parallax_codec::Direction;
use parallax_codec::Direction::{ToClient, ToServer};

/// A file that no other test writes to.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dissector");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

pub(crate) struct Pcap {
    bytes: Vec<u8>,
    port: u16,
    client_port: u16,
    /// Sequence numbers, the client's and the server's.
    next: [u32; 2],
    packets: u32,
    /// Bytes of a packet that are kept.
    snaplen: usize,
}

impl Pcap {
    /// A capture of a connection to this port, from its first packet.
    pub(crate) fn to_port(port: u16) -> Self {
        let mut bytes = Vec::new();
        // Microseconds, version 2.4, link type 101: IP without a link's header.
        for word in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 0x0004_0000, 101_u32] {
            bytes.extend(word.to_le_bytes());
        }
        let mut capture = Self {
            bytes,
            port,
            client_port: 50_000,
            next: [1, 1],
            packets: 0,
            snaplen: usize::MAX,
        };
        capture.handshake();
        capture
    }

    /// Packets from now on are cut to this length.
    pub(crate) fn cut_to(&mut self, snaplen: usize) {
        self.snaplen = snaplen;
    }

    /// A new connection.
    pub(crate) fn connect(&mut self) {
        self.client_port += 1;
        self.next = [1, 1];
        self.handshake();
    }

    /// One segment.
    pub(crate) fn send(&mut self, direction: Direction, data: &[u8]) {
        self.packet(direction, 0x18, data);
    }

    /// Segments of this length.
    pub(crate) fn send_cut(&mut self, direction: Direction, data: &[u8], length: usize) {
        for piece in data.chunks(length) {
            self.send(direction, piece);
        }
    }

    /// So many bytes that the capture does not have.
    pub(crate) fn miss(&mut self, direction: Direction, length: u32) {
        self.next[usize::from(direction == ToClient)] += length;
    }

    pub(crate) fn save(&self, name: &str) -> PathBuf {
        let file = scratch(name);
        std::fs::write(&file, &self.bytes).unwrap();
        file
    }

    fn handshake(&mut self) {
        self.next = [0, 0];
        self.packet(ToServer, 0x02, &[]);
        self.packet(ToClient, 0x12, &[]);
        self.next = [1, 1];
        self.packet(ToServer, 0x10, &[]);
    }

    fn packet(&mut self, direction: Direction, flags: u8, data: &[u8]) {
        let (client, server) = ([10, 0, 0, 1], [10, 0, 0, 2]);
        let [client_next, server_next] = self.next;
        let (from, to, ports, next, acked) = match direction {
            ToServer => (
                client,
                server,
                [self.client_port, self.port],
                client_next,
                server_next,
            ),
            ToClient => (
                server,
                client,
                [self.port, self.client_port],
                server_next,
                client_next,
            ),
        };
        let length = u16::try_from(40 + data.len()).unwrap();
        let mut packet = vec![0x45, 0];
        packet.extend(length.to_be_bytes());
        packet.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
        packet.extend([from, to].concat());
        packet.extend(ports.map(u16::to_be_bytes).concat());
        packet.extend([next, acked].map(u32::to_be_bytes).concat());
        packet.extend([0x50, flags, 0xff, 0xff, 0, 0, 0, 0]);
        packet.extend(data);
        self.packets += 1;
        let kept = packet.len().min(self.snaplen);
        let sizes = [kept, packet.len()].map(|size| u32::try_from(size).unwrap());
        // Each packet 100 microseconds after the one before.
        let time = [
            1_700_000_000 + self.packets / 10_000,
            self.packets % 10_000 * 100,
        ];
        for word in time.into_iter().chain(sizes) {
            self.bytes.extend(word.to_le_bytes());
        }
        self.bytes.extend(&packet[..kept]);
        let index = usize::from(direction == ToClient);
        self.next[index] += u32::try_from(data.len()).unwrap();
    }
}
