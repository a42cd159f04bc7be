//! One connection as TCP packets: addresses, ports, sequence numbers. The bytes and
//! the times are what was seen; the packets' boundaries are not, for a proxy never
//! sees packets.

use std::net::{IpAddr, SocketAddr};

use etherparse::PacketBuilder;
use parallax_codec::Direction;

/// Most bytes in one packet: with its headers it stays below the 65,535 of IPv4.
pub(super) const MAX_SEGMENT: usize = 60_000;

/// The window that every packet announces.
const WINDOW: u16 = u16::MAX;

/// Two ends, and how many bytes each has sent.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    client: SocketAddr,
    server: SocketAddr,
    /// The next sequence number of each end; they wrap, as TCP's do.
    to_server: u32,
    to_client: u32,
}

/// What a packet does besides carrying bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Open,
    AcceptOpen,
    Data,
    Close,
}

impl Stream {
    pub(super) fn new(client: SocketAddr, server: SocketAddr) -> Self {
        let (client, server) = alike(client, server);
        Self {
            client,
            server,
            to_server: 0,
            to_client: 0,
        }
    }

    /// Learns where the server is, once the name is resolved.
    pub(super) fn connected(&mut self, server: SocketAddr) {
        (self.client, self.server) = alike(self.client, server);
    }

    /// The next packet of a direction, from its IP header on.
    pub(super) fn packet(&mut self, direction: Direction, act: Act, payload: &[u8]) -> Vec<u8> {
        let (from, to, sequence, acknowledged) = match direction {
            Direction::ToServer => (self.client, self.server, self.to_server, self.to_client),
            Direction::ToClient => (self.server, self.client, self.to_client, self.to_server),
        };
        let builder = match (from.ip(), to.ip()) {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                PacketBuilder::ipv4(from.octets(), to.octets(), 64)
            }
            (from, to) => PacketBuilder::ipv6(v6(from), v6(to), 64),
        };
        let tcp = builder.tcp(from.port(), to.port(), sequence, WINDOW);
        let tcp = match act {
            Act::Open => tcp.syn(),
            Act::AcceptOpen => tcp.syn().ack(acknowledged),
            Act::Data if payload.is_empty() => tcp.ack(acknowledged),
            Act::Data => tcp.psh().ack(acknowledged),
            Act::Close => tcp.fin().ack(acknowledged),
        };
        let mut packet = Vec::with_capacity(tcp.size(payload.len()));
        // Writing to memory fails only for what is longer than a packet may be.
        let written = tcp.write(&mut packet, payload);
        debug_assert!(written.is_ok(), "{written:?}");
        let counts = u32::from(act != Act::Data);
        self.advance(direction, payload.len() as u64 + u64::from(counts));
        packet
    }

    /// Steps over bytes that were not kept.
    pub(super) fn advance(&mut self, direction: Direction, bytes: u64) {
        let next = match direction {
            Direction::ToServer => &mut self.to_server,
            Direction::ToClient => &mut self.to_client,
        };
        // Sequence numbers count modulo 2^32.
        let bytes = u32::try_from(bytes & u64::from(u32::MAX)).unwrap_or_default();
        *next = next.wrapping_add(bytes);
    }
}

/// Both ends in the same family.
fn alike(client: SocketAddr, server: SocketAddr) -> (SocketAddr, SocketAddr) {
    if client.is_ipv4() == server.is_ipv4() {
        return (client, server);
    }
    let wide = |end: SocketAddr| SocketAddr::new(IpAddr::from(v6(end.ip())), end.port());
    (wide(client), wide(server))
}

fn v6(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => address.octets(),
    }
}
