//! Why a packet capture could not be read, and where.

use std::path::PathBuf;

/// A packet capture that could not be opened, or not read to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Damage in one segment of a recording.
    #[error("{}: {damage}", path.display())]
    InSegment {
        /// The segment's file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Box<ImportError>,
    },
    /// A packet that contradicts its own format.
    #[error(
        "packet {packet}, at byte {position}, is damaged: {what}; the packets before it were read"
    )]
    Malformed {
        /// Number of the packet, from 1.
        packet: u64,
        /// Byte of the file at which its record begins.
        position: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Segments in the middle of a recording that are not there.
    #[error("{count} segments are missing, from {} on", first.display())]
    MissingSegments {
        /// The file that the first of them would be.
        first: PathBuf,
        /// How many.
        count: u64,
    },
    /// Not a packet capture.
    #[error(
        "not a packet capture: it begins like {looks_like}; parallax reads pcap and pcapng files, as tcpdump -w and Wireshark write them, also packed with gzip"
    )]
    NotACapture {
        /// What the first bytes look like.
        looks_like: String,
    },
    /// The file could not be opened.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason that the system gives.
        source: std::io::Error,
    },
    /// The file could be opened, not read.
    #[error("cannot read on from byte {position}: {source}")]
    Read {
        /// Byte of the file after which reading failed.
        position: u64,
        /// The reason that the system gives.
        source: std::io::Error,
    },
    /// The file ends inside a packet.
    #[error(
        "the file is cut short: packet {packet}, at byte {position}, should have {needed} bytes and has {left}; the packets before it were read"
    )]
    Truncated {
        /// Number of the packet, from 1; the one after the last whole one.
        packet: u64,
        /// Byte of the file at which its record begins.
        position: u64,
        /// Bytes that its record needs, as far as can be told.
        needed: u64,
        /// Bytes that were left.
        left: u64,
    },
    /// A gzip file that cannot be unpacked to its end.
    #[error(
        "cannot unpack it beyond byte {position} of its content: {source}; the packets before it were read. gzip -t FILE tells whether the file is whole"
    )]
    Unpack {
        /// Byte of the unpacked content.
        position: u64,
        /// What is wrong.
        source: std::io::Error,
    },
    /// Packets of a kind of network that is not read.
    #[error(
        "packets of link type {number} ({name}) are not read; parallax reads Ethernet, raw IP, Linux cooked (tcpdump -i any) and loopback captures"
    )]
    UnsupportedLink {
        /// The number in the file, from the registry at tcpdump.org/linktypes.html.
        number: u32,
        /// Its name there, or "unknown".
        name: &'static str,
    },
}
