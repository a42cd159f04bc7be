//! One TCP segment out of one packet.

use std::net::{IpAddr, SocketAddr};

use bytes::Bytes;
use etherparse::{IpNumber, LaxIpPayloadSlice, LaxNetSlice, LenSource};
use jiff::Timestamp;

use super::link::{self, Unsupported};
use super::records::Record;

/// A TCP segment as it was captured.
#[derive(Clone, PartialEq, Eq)]
pub struct Segment {
    /// Number of its packet in the file, from 1, as Wireshark counts.
    pub packet: u64,
    /// When it was captured.
    pub time: Timestamp,
    /// Who sent it.
    pub source: SocketAddr,
    /// Whom it was sent to.
    pub destination: SocketAddr,
    /// Sequence number of its first byte (or of its SYN).
    pub sequence: u32,
    /// The sequence number that its sender expects next from the other side;
    /// none when the ACK flag is not set.
    pub acknowledgment: Option<u32>,
    /// What it does beside carrying bytes.
    pub flags: Flags,
    /// The bytes that it carries, as far as they were captured.
    pub payload: Bytes,
    /// Bytes that it carried and that were not captured (tcpdump's snaplen).
    pub missing: u32,
}

/// The flags of a segment that matter to a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// Its sender opens the stream.
    pub syn: bool,
    /// Its sender has nothing more to send.
    pub fin: bool,
    /// Its sender tears the stream down.
    pub rst: bool,
}

/// Why a packet yields no segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Skipped {
    Fragment,
    HeadersCut,
    NotTcp,
    UnsupportedLink(u32),
}

impl Segment {
    pub(super) fn from_record(record: &Record) -> Result<Self, Skipped> {
        let sliced = link::slice(record.link, &record.data)
            .map_err(|Unsupported| Skipped::UnsupportedLink(record.link))?
            .ok_or(Skipped::NotTcp)?;
        let ip = sliced
            .net
            .as_ref()
            .and_then(Ip::from_slice)
            .ok_or(Skipped::NotTcp)?;
        if ip.payload.ip_number != IpNumber::TCP {
            return Err(Skipped::NotTcp);
        }
        if ip.payload.fragmented {
            return Err(Skipped::Fragment);
        }
        let header = TcpHeader::read(ip.payload.payload).ok_or(Skipped::HeadersCut)?;
        let captured = ip.payload.payload.get(header.length..).unwrap_or_default();
        let carried = ip.length(record).saturating_sub(header.length);
        Ok(Self {
            packet: record.number,
            time: record.time,
            source: SocketAddr::new(ip.source, header.source),
            destination: SocketAddr::new(ip.destination, header.destination),
            sequence: header.sequence,
            acknowledgment: header.acknowledgment,
            flags: header.flags,
            payload: record.data.slice_ref(captured),
            missing: u32::try_from(carried.saturating_sub(captured.len())).unwrap_or(u32::MAX),
        })
    }
}

impl std::fmt::Debug for Segment {
    /// Without the bytes, which may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment")
            .field("packet", &self.packet)
            .field("time", &self.time)
            .field("source", &self.source)
            .field("destination", &self.destination)
            .field("sequence", &self.sequence)
            .field("acknowledgment", &self.acknowledgment)
            .field("flags", &self.flags)
            .field("payload", &format_args!("{} bytes", self.payload.len()))
            .field("missing", &self.missing)
            .finish()
    }
}

/// What the IP layer says.
struct Ip<'a> {
    source: IpAddr,
    destination: IpAddr,
    payload: &'a LaxIpPayloadSlice<'a>,
    /// Length of the payload by the IP header.
    announced: usize,
}

impl<'a> Ip<'a> {
    fn from_slice(net: &'a LaxNetSlice<'a>) -> Option<Self> {
        match net {
            LaxNetSlice::Ipv4(ip) => {
                let header = ip.header();
                let extensions = ip.extensions().auth.map_or(0, |auth| auth.slice().len());
                Some(Self {
                    source: header.source_addr().into(),
                    destination: header.destination_addr().into(),
                    payload: ip.payload(),
                    announced: usize::from(header.total_len())
                        .saturating_sub(header.slice().len() + extensions),
                })
            }
            LaxNetSlice::Ipv6(ip) => {
                let header = ip.header();
                Some(Self {
                    source: header.source_addr().into(),
                    destination: header.destination_addr().into(),
                    payload: ip.payload(),
                    announced: usize::from(header.payload_length())
                        .saturating_sub(ip.extensions().slice().len()),
                })
            }
            LaxNetSlice::Arp(_) => None,
        }
    }

    /// Length of the payload as it was sent.
    fn length(&self, record: &Record) -> usize {
        let captured = self.payload.payload.len();
        if self.payload.incomplete {
            self.announced
        } else if self.payload.len_source == LenSource::Slice {
            // A network card that cuts the packet itself (segmentation
            // offload) is handed one whose IP header says 0.
            let cut = (record.original_length as usize).saturating_sub(record.data.len());
            captured + cut
        } else {
            captured
        }
    }
}

/// The first 14 bytes of a TCP header: enough to place a segment whose options
/// were not captured, which etherparse's own slices refuse.
struct TcpHeader {
    source: u16,
    destination: u16,
    sequence: u32,
    acknowledgment: Option<u32>,
    length: usize,
    flags: Flags,
}

impl TcpHeader {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (&[s0, s1, d0, d1], rest) = bytes.split_first_chunk()?;
        let (sequence, rest) = rest.split_first_chunk()?;
        let (acknowledgment, rest) = rest.split_first_chunk()?;
        let (&[offset, flags], _) = rest.split_first_chunk()?;
        let length = usize::from(offset >> 4) * 4;
        (length >= 20).then(|| Self {
            source: u16::from_be_bytes([s0, s1]),
            destination: u16::from_be_bytes([d0, d1]),
            sequence: u32::from_be_bytes(*sequence),
            acknowledgment: (flags & 0x10 != 0).then(|| u32::from_be_bytes(*acknowledgment)),
            length,
            flags: Flags {
                fin: flags & 0x01 != 0,
                syn: flags & 0x02 != 0,
                rst: flags & 0x04 != 0,
            },
        })
    }
}
