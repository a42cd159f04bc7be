//! The blocks of a pcapng file, as far as parallax writes them
//! (draft-ietf-opsawg-pcapng-05). Little-endian; times in nanoseconds.
//!
//! ```text
//! [type u32][total length u32][body, options][total length u32]
//! option: [code u16][length u16][value, padded to 4 bytes]
//! ```

use std::io::{self, Write};

use jiff::Timestamp;
use parallax_codec::Direction;

/// Type of the block that every section begins with.
pub(super) const SECTION: u32 = 0x0a0d_0d0a;
/// Describes an interface.
const INTERFACE: u32 = 1;
/// What an interface has counted.
const STATISTICS: u32 = 5;
/// A packet.
const PACKET: u32 = 6;

/// Packets begin with an IP header (`LINKTYPE_RAW`).
const LINK_RAW: u16 = 101;

/// Longest value of an option, in bytes.
pub(super) const MAX_OPTION: usize = u16::MAX as usize;

const OPTION_COMMENT: u16 = 1;
/// Of a packet, which way it went.
pub(super) const PACKET_FLAGS: u16 = 2;
const OPTION_END: u16 = 0;

/// One block, put together in memory: it is written whole or, by a program that
/// dies, torn at its end.
pub(super) struct Block {
    bytes: Vec<u8>,
}

impl Block {
    /// With room for so much data, and for what is told of it.
    fn new(kind: u32, data: usize) -> Self {
        let mut bytes = Vec::with_capacity(1024 + data);
        bytes.extend(kind.to_le_bytes());
        bytes.extend([0; 4]);
        Self { bytes }
    }

    /// The beginning of a section: byte order, version 1.0, a length that is not
    /// known yet.
    pub(super) fn section(application: &str) -> Self {
        let mut block = Self::new(SECTION, 0);
        block.bytes.extend(0x1a2b_3c4d_u32.to_le_bytes());
        block.bytes.extend(1_u16.to_le_bytes());
        block.bytes.extend(0_u16.to_le_bytes());
        block.bytes.extend((-1_i64).to_le_bytes());
        block.option(4, application.as_bytes());
        block
    }

    /// An interface of raw IP packets whose times are in nanoseconds.
    pub(super) fn interface(name: &str, description: &str) -> Self {
        let mut block = Self::new(INTERFACE, 0);
        block.bytes.extend(LINK_RAW.to_le_bytes());
        block.bytes.extend(0_u16.to_le_bytes());
        // No packet is cut.
        block.bytes.extend(0_u32.to_le_bytes());
        block.option(2, name.as_bytes());
        block.option(3, description.as_bytes());
        block.option(9, &[9]);
        block
    }

    /// A packet. The direction is as seen from parallax: what the client sent came
    /// in.
    pub(super) fn packet(
        interface: u32,
        time: Timestamp,
        data: &[u8],
        direction: Direction,
    ) -> Self {
        let mut block = Self::new(PACKET, data.len());
        block.bytes.extend(interface.to_le_bytes());
        block.time(time);
        let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
        block.bytes.extend(length.to_le_bytes());
        block.bytes.extend(length.to_le_bytes());
        block.bytes.extend(data);
        block.pad();
        let flags: u32 = match direction {
            Direction::ToServer => INBOUND,
            Direction::ToClient => OUTBOUND,
        };
        block.option(PACKET_FLAGS, &flags.to_le_bytes());
        block
    }

    /// What an interface received and dropped.
    pub(super) fn statistics(interface: u32, time: Timestamp, received: u64, dropped: u64) -> Self {
        let mut block = Self::new(STATISTICS, 0);
        block.bytes.extend(interface.to_le_bytes());
        block.time(time);
        block.option(4, &received.to_le_bytes());
        block.option(5, &dropped.to_le_bytes());
        block
    }

    /// Adds a comment; beyond [`MAX_OPTION`] bytes it is cut.
    pub(super) fn comment(&mut self, text: &str) {
        let end = text.floor_char_boundary(MAX_OPTION);
        self.option(OPTION_COMMENT, &text.as_bytes()[..end]);
    }

    /// Writes the block; gives its length.
    pub(super) fn write(mut self, out: &mut impl Write) -> io::Result<u64> {
        self.bytes.extend(OPTION_END.to_le_bytes());
        self.bytes.extend([0; 2]);
        let length = u32::try_from(self.bytes.len() + 4).map_err(io::Error::other)?;
        self.bytes[4..8].copy_from_slice(&length.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        out.write_all(&self.bytes)?;
        Ok(length.into())
    }

    /// Nanoseconds since 1970, the upper half first; times before count as 0.
    fn time(&mut self, time: Timestamp) {
        let nanoseconds = u64::try_from(time.as_nanosecond()).unwrap_or(0);
        let (high, low) = (nanoseconds >> 32, nanoseconds & 0xffff_ffff);
        for half in [high, low] {
            let half = u32::try_from(half).unwrap_or(u32::MAX);
            self.bytes.extend(half.to_le_bytes());
        }
    }

    fn option(&mut self, code: u16, value: &[u8]) {
        let length = u16::try_from(value.len()).unwrap_or(u16::MAX);
        self.bytes.extend(code.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(&value[..length.into()]);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

/// Of a packet's flags, what tells that it came in.
pub(super) const INBOUND: u32 = 1;
/// That it went out.
pub(super) const OUTBOUND: u32 = 2;
