//! What lies before the IP header.

use etherparse::{EtherType, LaxSlicedPacket};

/// Slices a packet of a link type, as far as it goes. `None`: no IP in it, or
/// cut before it.
///
/// Numbers and layouts from the registry at tcpdump.org/linktypes.html.
pub(super) fn slice(link: u32, packet: &[u8]) -> Result<Option<LaxSlicedPacket<'_>>, Unsupported> {
    Ok(match link {
        // Ethernet.
        1 => LaxSlicedPacket::from_ethernet(packet).ok(),
        // BSD loopback (macOS' lo0), in either byte order: four bytes of
        // address family, whose numbers differ between systems. The IP header
        // says its version itself.
        0 | 108 => packet.get(4..).and_then(ip),
        // Raw IP; 12 and 14 are what some systems call it.
        12 | 14 | 101 | 228 | 229 => ip(packet),
        // Linux cooked (tcpdump -i any), first and second version.
        113 => ether_type(packet, 14, 16),
        276 => ether_type(packet, 0, 20),
        _ => return Err(Unsupported),
    })
}

/// A link type that is not read.
#[derive(Debug)]
pub(super) struct Unsupported;

/// What the registry calls some of the link types that are not read.
pub(super) const fn name(link: u32) -> &'static str {
    match link {
        6 => "IEEE 802.5 Token Ring",
        9 => "PPP",
        105 => "IEEE 802.11",
        127 => "IEEE 802.11 with radiotap header",
        147..=162 => "private use",
        187 | 201 => "Bluetooth",
        189 | 220 => "USB on Linux",
        192 => "Per-Packet Information",
        195 | 215 | 230 => "IEEE 802.15.4",
        227 => "SocketCAN",
        239 => "Linux netfilter log",
        253 => "Linux netlink",
        _ => "unknown",
    }
}

fn ip(packet: &[u8]) -> Option<LaxSlicedPacket<'_>> {
    LaxSlicedPacket::from_ip(packet).ok()
}

/// A header of `length` bytes that holds the ether type at `at`.
fn ether_type(packet: &[u8], at: usize, length: usize) -> Option<LaxSlicedPacket<'_>> {
    let (kind, _) = packet.get(at..)?.split_first_chunk()?;
    let rest = packet.get(length..)?;
    Some(LaxSlicedPacket::from_ether_type(
        EtherType(u16::from_be_bytes(*kind)),
        rest,
    ))
}
