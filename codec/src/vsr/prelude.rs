use super::Command;
use super::framer::HEADER_SIZE;
use crate::checksum::{Checksum, xxh3};
use crate::reader::{self, Parsed};
use crate::writer::Writer;

/// What every header begins with; the layout is in the [module](super)'s
/// documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prelude {
    /// 0 between client and server. Between servers it seals the header:
    /// [`Prelude::checksum_of`].
    pub checksum: u128,
    /// 0 between client and server.
    pub checksum_body: u128,
    /// The cluster's number; 0 in a client's requests.
    pub cluster: u128,
    /// Length of header and body, in bytes.
    pub size: u32,
    /// The view in which the sender was.
    pub view: u32,
    /// 0 in every known version.
    pub release: u32,
    /// What the frame is.
    pub command: Command,
    /// The number of the replica that sent it; 0 from a client.
    pub replica: u8,
    /// 0 in every known version; kept so that nothing is hidden.
    pub reserved: [u8; 66],
}

impl Prelude {
    /// A prelude as a client or server writes it today: all 0 but the command
    /// and the size, which counts a body of `body_length` bytes.
    pub fn new(command: Command, body_length: usize) -> Self {
        Self {
            checksum: 0,
            checksum_body: 0,
            cluster: 0,
            size: crate::writer::narrow(HEADER_SIZE + body_length),
            view: 0,
            release: 0,
            command,
            replica: 0,
            reserved: [0; 66],
        }
    }

    /// Reads the first 128 bytes of a header.
    pub fn of(header: &[u8; HEADER_SIZE]) -> Self {
        let (command, replica) = (Command(header[60]), header[61]);
        Self {
            checksum: u128::from_le_bytes(at(header, 0)),
            checksum_body: u128::from_le_bytes(at(header, 16)),
            cluster: u128::from_le_bytes(at(header, 32)),
            size: u32::from_le_bytes(at(header, 48)),
            view: u32::from_le_bytes(at(header, 52)),
            release: u32::from_le_bytes(at(header, 56)),
            command,
            replica,
            reserved: at(header, 62),
        }
    }

    /// Whether a header is what its checksum says. Frames between client and
    /// server carry none, and a `prepare` spends the field on something else.
    pub fn checksum_of(header: &[u8; HEADER_SIZE]) -> Checksum {
        let stored = u128::from_le_bytes(at(header, 0));
        // Of the 128 bits the algorithm fills 64.
        let low = u64::try_from(stored).unwrap_or(u64::MAX);
        Checksum::of(low, || xxh3(&header[16..]))
    }

    pub(super) fn write(&self, writer: &mut impl Writer) {
        writer.u128("checksum", self.checksum);
        writer.u128("checksum_body", self.checksum_body);
        writer.u128("cluster", self.cluster);
        writer.u32("size", self.size);
        writer.u32("view", self.view);
        writer.u32("release", self.release);
        writer.kind("command", self.command.0, self.command.name());
        writer.u8("replica", self.replica);
        writer.bytes("reserved", &self.reserved);
    }
}

/// `N` bytes of a header at `start`; every caller stays within the 256.
pub(super) fn at<const N: usize>(header: &[u8; HEADER_SIZE], start: usize) -> [u8; N] {
    let mut bytes = [0; N];
    for (byte, found) in bytes.iter_mut().zip(header.iter().skip(start)) {
        *byte = *found;
    }
    bytes
}

/// Reads all 256 bytes of a header, however many follow it.
pub(super) fn parse_header(input: &[u8]) -> Parsed<'_, &[u8; HEADER_SIZE]> {
    let (rest, _) = reader::bytes("header", HEADER_SIZE, input)?;
    let header = input.first_chunk::<HEADER_SIZE>();
    header.map(|header| (rest, header)).ok_or_else(|| {
        let fault = crate::error::Fault::Truncated {
            needed: HEADER_SIZE,
            left: input.len(),
        };
        crate::error::Failure::fail("header", input, fault)
    })
}
