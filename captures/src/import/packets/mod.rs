//! pcap and pcapng files to TCP segments.

mod content;
mod format;
mod link;
mod records;
mod section;
mod segment;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use self::content::Content;
use self::records::Records;
use self::segment::Skipped;
use super::ImportError;

pub use self::segment::{Flags, Segment};

/// Reads the TCP segments of a packet capture, in the order of the file.
///
/// After an error it is at its end; what was read before stays true.
pub struct PacketReader {
    records: Records,
    counts: PacketCounts,
    first_unsupported: Option<u32>,
    ended: bool,
}

/// What a capture held, as far as it was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PacketCounts {
    /// Packets of whatever kind.
    pub packets: u64,
    /// TCP segments, which were given out.
    pub segments: u64,
    /// Packets that are not TCP over IP.
    pub not_tcp: u64,
    /// Fragments of IP packets, which are not put together. Their bytes are
    /// missing from the streams.
    pub fragments: u64,
    /// Packets cut (by tcpdump's snaplen) before their TCP header was complete.
    pub headers_cut: u64,
    /// TCP segments of which not all bytes were captured (tcpdump's snaplen).
    pub payload_cut: u64,
    /// Packets of an interface whose link type is not read.
    pub unsupported_link: u64,
}

impl PacketReader {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened or read, or is no packet capture.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|source| ImportError::Open {
            path: path.to_owned(),
            source,
        })?;
        Self::new(file)
    }

    /// Reads from anything that holds the bytes of a capture file.
    ///
    /// # Errors
    /// When it cannot be read, or is no packet capture.
    pub fn new(source: impl Read + Send + 'static) -> Result<Self, ImportError> {
        let content = Content::of(source).map_err(|source| ImportError::Read {
            position: 0,
            source,
        })?;
        Self::of(content)
    }

    /// Likewise, of bytes that were looked at before.
    ///
    /// # Errors
    /// As [`PacketReader::new`].
    pub fn of(content: Content) -> Result<Self, ImportError> {
        Ok(Self {
            records: Records::new(content)?,
            counts: PacketCounts::default(),
            first_unsupported: None,
            ended: false,
        })
    }

    /// Whether the next record is in memory already, so that nothing has to be waited
    /// for.
    pub fn has_next_at_hand(&self) -> bool {
        self.records.has_next_at_hand()
    }

    /// What was read so far.
    pub const fn counts(&self) -> PacketCounts {
        self.counts
    }

    fn next_segment(&mut self) -> Result<Option<Segment>, ImportError> {
        while let Some(record) = self.records.next()? {
            self.counts.packets += 1;
            match Segment::from_record(&record) {
                Ok(segment) => {
                    self.counts.segments += 1;
                    self.counts.payload_cut += u64::from(segment.missing > 0);
                    return Ok(Some(segment));
                }
                Err(Skipped::Fragment) => self.counts.fragments += 1,
                Err(Skipped::HeadersCut) => self.counts.headers_cut += 1,
                Err(Skipped::NotTcp) => self.counts.not_tcp += 1,
                Err(Skipped::UnsupportedLink(number)) => {
                    self.counts.unsupported_link += 1;
                    self.first_unsupported.get_or_insert(number);
                }
            }
        }
        self.nothing_but_unsupported()
    }

    /// A capture of one readable and one unreadable interface is of use; one
    /// with unreadable packets alone is an error.
    fn nothing_but_unsupported(&self) -> Result<Option<Segment>, ImportError> {
        match self.first_unsupported {
            Some(number) if self.counts.unsupported_link == self.counts.packets => {
                Err(ImportError::UnsupportedLink {
                    number,
                    name: link::name(number),
                })
            }
            _ => Ok(None),
        }
    }
}

impl Iterator for PacketReader {
    type Item = Result<Segment, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_segment().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

impl std::fmt::Debug for PacketReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PacketReader")
            .field("counts", &self.counts)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
