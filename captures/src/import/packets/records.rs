//! The records of a capture file, one packet each.
//!
//! The parsers are pcap-parser's. How much of the file must be there for one
//! record is looked up here first, so that a file that ends early, a record
//! that lies about its parts, and a record that has merely not been read yet
//! are three different things.

use std::io::{Cursor, Read};

use bytes::Bytes;
use jiff::Timestamp;
use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{LegacyPcapReader, PcapError, PcapNGReader};

use super::content::{Content, Failure, read_up_to};
use super::format::Format;
use super::section::Section;
use crate::import::ImportError;
use crate::limits::{CAPTURE_BUFFER, MAX_CAPTURE_RECORD};

/// A packet as the file holds it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) number: u64,
    pub(super) time: Timestamp,
    /// Its link type's number.
    pub(super) link: u32,
    pub(super) data: Bytes,
    /// Its length when it was sent; `data` may be shorter.
    pub(super) original_length: u32,
}

pub(super) struct Records {
    reader: Box<dyn PcapReaderIterator + Send>,
    failure: Failure,
    format: Format,
    capacity: usize,
    /// Packets read so far.
    number: u64,
    section: Section,
}

impl Records {
    pub(super) fn new(mut content: Content) -> Result<Self, ImportError> {
        let failure = content.failure();
        let mut first = Vec::new();
        // A capture that is being made has no more than its header at first.
        let mut need = |first: &mut Vec<u8>, length| {
            let read = read_up_to(&mut content, first, length);
            read.map_err(|_| failure.at(first.len() as u64))
        };
        need(&mut first, RECOGNISED_BY)?;
        let format = Format::recognise(&first)
            .map_err(|looks_like| ImportError::NotACapture { looks_like })?;
        let header = header_length(format, &first);
        need(&mut first, header)?;
        let left = first.len() as u64;
        let source = Cursor::new(first).chain(content);
        // The readers ask once at their construction, and get the whole header.
        let reader: Result<Box<dyn PcapReaderIterator + Send>, _> = match format {
            Format::Pcap { .. } => {
                LegacyPcapReader::new(CAPTURE_BUFFER, source).map(|reader| Box::new(reader) as _)
            }
            Format::PcapNg => {
                PcapNGReader::new(CAPTURE_BUFFER, source).map(|reader| Box::new(reader) as _)
            }
        };
        let reader = reader.map_err(|error| header_error(&error, left))?;
        Ok(Self {
            reader,
            failure,
            format,
            capacity: CAPTURE_BUFFER,
            number: 0,
            section: Section::default(),
        })
    }

    /// Whether the next record is all in the buffer.
    pub(super) fn has_next_at_hand(&self) -> bool {
        let data = self.reader.data();
        let announced = self.announced(data);
        announced.is_ok_and(|needed| needed <= data.len())
    }

    /// The next packet; none at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Record>, ImportError> {
        while let Some(length) = self.fill()? {
            let record = self.parse()?;
            self.reader.consume(length);
            if record.is_some() {
                return Ok(record);
            }
        }
        Ok(None)
    }

    /// Reads until one whole record is there and gives its length; none at the
    /// end of the file. The buffer grows with what was read, not with what a
    /// record announces.
    fn fill(&mut self) -> Result<Option<usize>, ImportError> {
        loop {
            let data = self.reader.data();
            let have = data.len();
            let needed = self.announced(data).map_err(|what| self.malformed(what))?;
            if needed > MAX_CAPTURE_RECORD {
                let what = format!("it claims {needed} bytes, more than {MAX_CAPTURE_RECORD}");
                return Err(self.malformed(what));
            }
            if have >= needed {
                return Ok(Some(needed));
            }
            if self.reader.refill().is_err() {
                return Err(self.failure.at(self.position() + have as u64));
            }
            if self.reader.data().len() > have {
                continue;
            }
            if !self.reader.reader_exhausted() {
                self.capacity *= 2;
                self.reader.grow(self.capacity);
            } else if have == 0 {
                return Ok(None);
            } else {
                return Err(ImportError::Truncated {
                    packet: self.number + 1,
                    position: self.position(),
                    needed: needed as u64,
                    left: have as u64,
                });
            }
        }
    }

    /// Length of the record that `data` begins with, as far as it can be told
    /// from what is there.
    fn announced(&self, data: &[u8]) -> Result<usize, String> {
        match self.format {
            Format::Pcap { .. } if self.position() == 0 => Ok(PCAP_HEADER),
            Format::Pcap {
                big_endian,
                record_header,
            } => Ok(word(data, 8, big_endian).map_or(record_header, |captured| {
                record_header.saturating_add(captured as usize)
            })),
            Format::PcapNg => {
                let big_endian = match (word(data, 0, false), word(data, 8, false)) {
                    (Some(SECTION_HEADER), Some(order)) => order != BYTE_ORDER,
                    (Some(SECTION_HEADER), None) => return Ok(12),
                    _ => self.section.big_endian,
                };
                match word(data, 4, big_endian) {
                    None => Ok(12),
                    Some(length) if length < 12 => {
                        Err(format!("its block claims a length of {length} bytes"))
                    }
                    Some(length) => Ok(length as usize),
                }
            }
        }
    }

    /// Parses the record at the front of the buffer, which is all there. None
    /// when it is no packet.
    fn parse(&mut self) -> Result<Option<Record>, ImportError> {
        let (number, position) = (self.number + 1, self.reader.consumed() as u64);
        let malformed = |what: &str| ImportError::Malformed {
            packet: number,
            position,
            what: what.to_owned(),
        };
        if self.format == Format::PcapNg {
            let kind = word(self.reader.data(), 0, self.section.big_endian);
            if !kind.is_some_and(|kind| READ_BLOCKS.contains(&kind)) {
                return Ok(None);
            }
        }
        let (_, block) = self
            .reader
            .next()
            .map_err(|_| malformed("its parts do not fit together"))?;
        let record = self
            .section
            .apply(&block, number)
            .map_err(|what| malformed(&what))?;
        self.number += u64::from(record.is_some());
        Ok(record)
    }

    fn malformed(&self, what: String) -> ImportError {
        ImportError::Malformed {
            packet: self.number + 1,
            position: self.position(),
            what,
        }
    }

    fn position(&self) -> u64 {
        self.reader.consumed() as u64
    }
}

/// Length of a pcap file's header, in bytes.
const PCAP_HEADER: usize = 24;

/// Block types of pcapng that are looked into; others are stepped over.
const READ_BLOCKS: [u32; 4] = [SECTION_HEADER, 1, 3, 6];
/// The same in both byte orders.
const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const BYTE_ORDER: u32 = 0x1a2b_3c4d;

fn word(data: &[u8], at: usize, big_endian: bool) -> Option<u32> {
    let (word, _) = data.get(at..)?.split_first_chunk()?;
    Some(if big_endian {
        u32::from_be_bytes(*word)
    } else {
        u32::from_le_bytes(*word)
    })
}

/// Bytes by which a format is recognised, and that tell how long a pcapng file's first
/// block is.
const RECOGNISED_BY: usize = 16;

/// Length of the header of a file that begins with `first`, as far as it is looked at
/// at once.
fn header_length(format: Format, first: &[u8]) -> usize {
    match format {
        Format::Pcap { .. } => PCAP_HEADER,
        Format::PcapNg => {
            let big_endian = word(first, 8, false) != Some(BYTE_ORDER);
            let length = word(first, 4, big_endian).unwrap_or_default();
            CAPTURE_BUFFER.min(length as usize)
        }
    }
}

/// The format was recognised, and its header is cut or damaged.
fn header_error(error: &PcapError<&[u8]>, left: u64) -> ImportError {
    match error {
        PcapError::Incomplete(needed) => ImportError::Truncated {
            packet: 1,
            position: 0,
            needed: left + *needed as u64,
            left,
        },
        _ => ImportError::Malformed {
            packet: 1,
            position: 0,
            what: "the file's header cannot be read".to_owned(),
        },
    }
}
