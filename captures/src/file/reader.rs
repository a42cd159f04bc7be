use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::net::SocketAddr;

use etherparse::{LaxPacketHeaders, TransportHeader};
use pcap_parser::parse_block_le;
use pcap_parser::pcapng::{Block, EnhancedPacketBlock, OptionCode, PcapNGOption};
use pcap_parser::traits::PcapNGPacketBlock as _;

use super::comment;
use super::pcapng::{INBOUND, PACKET_FLAGS, SECTION};
use super::record::{ExchangeRecord, Frames, LostRecord, Record};
use super::writer::{CLIENTS, Location};
use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::import::ImportError;
use crate::limits::{CAPTURE_STREAMS, MAX_CAPTURE_RECORD};

/// Reads what [`Writer`](super::Writer) wrote, in the order of the file.
///
/// After an error it is at its end; what was read before stays true. A file that a
/// program was killed over ends in a torn block: that is an error too, and says
/// where the whole ones end.
pub struct Reader<R> {
    source: R,
    position: u64,
    /// Packets so far.
    packets: u64,
    pending: HashMap<Ends, Pending>,
    /// In the order in which they were last used, for what is forgotten first.
    used: BTreeMap<u64, Ends>,
    note: Option<String>,
    ended: bool,
}

/// What a file holds.
#[derive(Debug)]
pub enum Item {
    /// An exchange.
    Exchange(Box<Exchange>, Location),
    /// What became known of an exchange later.
    Amended(Amendment),
    /// A connection as it was then.
    Connection(Box<Connection>),
    /// A finding as it was then.
    Finding(Box<Finding>),
    /// What was lost so far.
    Lost(Lost),
    /// Something that stands in the file and cannot be read: why, and at which byte.
    Unreadable(u64, String),
}

/// What became known of an exchange after it was written.
#[derive(Debug)]
pub struct Amendment(Box<ExchangeRecord>);

/// What was lost before it could be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// Exchanges that were seen and not kept.
    pub exchanges_not_kept: u64,
    /// Pieces of traffic that were not looked at.
    pub observations_dropped: u64,
    /// Polls that were not mirrored.
    pub polls_not_mirrored: u64,
    /// Findings for which there was no room.
    pub findings_dropped: u64,
}

/// The client's end and the server's.
type Ends = (SocketAddr, SocketAddr);

/// Bytes of a connection to which no record has come yet.
#[derive(Debug, Default)]
struct Pending {
    frames: Frames,
    /// Where the first of them stands.
    offset: Option<u64>,
    used: u64,
}

impl Amendment {
    /// The exchange's number.
    pub const fn n(&self) -> u64 {
        self.0.n
    }

    /// Gives the exchange what became known of it.
    ///
    /// # Errors
    /// What of it is not known.
    pub fn apply(self, exchange: &mut Exchange) -> Result<(), String> {
        self.0.amend(exchange)
    }
}

impl From<LostRecord> for Lost {
    fn from(record: LostRecord) -> Self {
        Self {
            exchanges_not_kept: record.exchanges_not_kept,
            observations_dropped: record.observations_dropped,
            polls_not_mirrored: record.polls_not_mirrored,
            findings_dropped: record.findings_dropped,
        }
    }
}

impl<R> std::fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("position", &self.position)
            .field("packets", &self.packets)
            .finish_non_exhaustive()
    }
}

impl<R: Read> Reader<R> {
    /// Reads a file from its beginning.
    pub fn new(source: R) -> Self {
        Self::at(source, 0)
    }

    /// Reads from a block's first byte on, which stands at `position` of the file.
    pub fn at(source: R, position: u64) -> Self {
        Self {
            source,
            position,
            packets: 0,
            pending: HashMap::new(),
            used: BTreeMap::new(),
            note: None,
            ended: false,
        }
    }

    /// Where the block that is read next begins; after an error, where the whole
    /// blocks end.
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// What is to be known of the whole file; known once its first item was read.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn next_item(&mut self) -> Result<Option<Item>, ImportError> {
        while let Some(bytes) = self.next_block()? {
            let offset = self.position;
            let block =
                parse_block_le(&bytes).map_err(|_| self.malformed("its parts do not fit"))?;
            self.position += bytes.len() as u64;
            if let Some(item) = self.take(&block.1, offset) {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    /// The next block's bytes; `None` at the end of the file.
    fn next_block(&mut self) -> Result<Option<Vec<u8>>, ImportError> {
        let mut head = [0; 8];
        let here = self.fill(&mut head)?;
        if here == 0 {
            return Ok(None);
        }
        if here < head.len() {
            return Err(self.truncated(head.len(), here));
        }
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let length = usize::try_from(word(4)).unwrap_or(usize::MAX);
        if word(0) == SECTION && self.position > 0 {
            // Two files, one behind the other: a new section begins.
            self.pending.clear();
            self.used.clear();
        }
        if length < 12 || length % 4 != 0 || length > MAX_CAPTURE_RECORD {
            return Err(self.malformed(&format!("it claims {length} bytes")));
        }
        let mut block = head.to_vec();
        // Memory follows the bytes that are there, not the length that is claimed.
        let wanted = length as u64 - 8;
        (&mut self.source)
            .take(wanted)
            .read_to_end(&mut block)
            .map_err(|source| self.unread(source))?;
        if block.len() < length {
            return Err(self.truncated(length, block.len()));
        }
        Ok(Some(block))
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, ImportError> {
        let mut here = 0;
        while here < buffer.len() {
            match self.source.read(&mut buffer[here..]) {
                Ok(0) => break,
                Ok(more) => here += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unread(error)),
            }
        }
        Ok(here)
    }

    fn take(&mut self, block: &Block<'_>, offset: u64) -> Option<Item> {
        match block {
            Block::SectionHeader(section) => {
                let note = comments(&section.options).next();
                let note = note.map(|note| String::from_utf8_lossy(note).into_owned());
                self.note = note.or_else(|| self.note.take());
                None
            }
            Block::EnhancedPacket(packet) => {
                self.packets += 1;
                self.packet(packet, offset)
            }
            Block::InterfaceStatistics(statistics) => {
                match comment::record(comments(&statistics.options)) {
                    Ok(Some(Record::Lost(lost))) => Some(Item::Lost(lost.into())),
                    Ok(_) => None,
                    Err(why) => Some(Item::Unreadable(offset, why)),
                }
            }
            _ => None,
        }
    }

    fn packet(&mut self, packet: &EnhancedPacketBlock<'_>, offset: u64) -> Option<Item> {
        if packet.if_id != CLIENTS {
            return None;
        }
        let inbound = is_inbound(&packet.options);
        let ends = ends(packet.packet_data(), inbound);
        if let Some((ends, payload)) = ends
            && !payload.is_empty()
        {
            self.gather(ends, inbound, payload, offset);
        }
        let record = match comment::record(comments(&packet.options)) {
            Ok(record) => record?,
            Err(why) => return Some(Item::Unreadable(offset, why)),
        };
        let read = self.record(record, ends.map(|(ends, _)| ends), offset);
        Some(read.unwrap_or_else(|why| Item::Unreadable(offset, why)))
    }

    fn record(&mut self, record: Record, ends: Option<Ends>, offset: u64) -> Result<Item, String> {
        match record {
            Record::Exchange(record) => {
                let pending = ends.and_then(|ends| self.forget(ends)).unwrap_or_default();
                let n = record.n;
                let exchange = record.read(&pending.frames);
                let exchange = exchange.map_err(|why| format!("exchange {n}: {why}"))?;
                let first = pending.offset.unwrap_or(offset);
                let location = Location {
                    offset: first,
                    length: self.position - first,
                };
                Ok(Item::Exchange(Box::new(exchange), location))
            }
            Record::Amended(record) => Ok(Item::Amended(Amendment(Box::new(record)))),
            Record::Connection(record) => record.read().map(|c| Item::Connection(Box::new(c))),
            Record::Finding(record) => record.read().map(|f| Item::Finding(Box::new(f))),
            Record::Lost(record) => Ok(Item::Lost(record.into())),
        }
    }

    /// Keeps the bytes of a connection until a record says which frames they are.
    fn gather(&mut self, ends: Ends, inbound: bool, payload: &[u8], offset: u64) {
        let pending = self.pending.entry(ends).or_default();
        let frames = &mut pending.frames;
        let bytes = if inbound {
            &mut frames.to_server
        } else {
            &mut frames.to_client
        };
        bytes.extend_from_slice(payload);
        pending.offset.get_or_insert(offset);
        self.used.remove(&pending.used);
        pending.used = self.packets;
        self.used.insert(self.packets, ends);
        if self.pending.len() > CAPTURE_STREAMS
            && let Some((_, oldest)) = self.used.pop_first()
        {
            self.pending.remove(&oldest);
        }
    }

    fn forget(&mut self, ends: Ends) -> Option<Pending> {
        let pending = self.pending.remove(&ends)?;
        self.used.remove(&pending.used);
        Some(pending)
    }

    fn malformed(&self, what: &str) -> ImportError {
        ImportError::Malformed {
            packet: self.packets + 1,
            position: self.position,
            what: what.to_owned(),
        }
    }

    fn truncated(&self, needed: usize, left: usize) -> ImportError {
        ImportError::Truncated {
            packet: self.packets + 1,
            position: self.position,
            needed: needed as u64,
            left: left as u64,
        }
    }

    const fn unread(&self, source: io::Error) -> ImportError {
        let position = self.position;
        ImportError::Read { position, source }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Item, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_item().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Whether these first bytes of a file are of one that parallax wrote: it says so
/// itself, or its first packet carries a record, since programs that copy packets put
/// their own name in the place of the first one's. `None` where more bytes are needed
/// to tell.
pub fn is_recording(first: &[u8]) -> Option<bool> {
    let magic = SECTION.to_le_bytes();
    let here = first.len().min(magic.len());
    if first[..here] != magic[..here] {
        return Some(false);
    }
    let mut rest = first;
    loop {
        let (after, block) = match parse_block_le(rest) {
            Ok(parsed) => parsed,
            Err(error) => return (!error.is_incomplete()).then_some(false),
        };
        match &block {
            Block::SectionHeader(section) if is_ours(&section.options) => return Some(true),
            Block::EnhancedPacket(packet) => {
                let mark = |text: &[u8]| text.starts_with(comment::MARK.as_bytes());
                return Some(comments(&packet.options).any(mark));
            }
            Block::SimplePacket(_) => return Some(false),
            _ => rest = after,
        }
    }
}

fn is_ours(options: &[PcapNGOption<'_>]) -> bool {
    let mut names = options
        .iter()
        .filter(|one| one.code == OptionCode::ShbUserAppl);
    names.any(|name| {
        name.as_bytes()
            .is_ok_and(|name| name.starts_with(b"parallax "))
    })
}

fn comments<'a>(options: &'a [PcapNGOption<'_>]) -> impl Iterator<Item = &'a [u8]> {
    let comments = options.iter().filter(|one| one.code == OptionCode::Comment);
    comments.filter_map(|one| one.as_bytes().ok())
}

fn is_inbound(options: &[PcapNGOption<'_>]) -> bool {
    let flags = options
        .iter()
        .find(|one| one.code == OptionCode(PACKET_FLAGS));
    let flags = flags.and_then(|flags| flags.value().first_chunk().copied());
    flags.is_some_and(|flags| u32::from_le_bytes(flags) & 3 == INBOUND)
}

/// The ends of a packet and what it carries.
fn ends(packet: &[u8], inbound: bool) -> Option<(Ends, &[u8])> {
    let headers = LaxPacketHeaders::from_ip(packet).ok()?;
    let Some(TransportHeader::Tcp(tcp)) = headers.transport else {
        return None;
    };
    let (from, to) = match headers.net? {
        etherparse::NetHeaders::Ipv4(ip, _) => (ip.source.into(), ip.destination.into()),
        etherparse::NetHeaders::Ipv6(ip, _) => {
            (std::net::IpAddr::from(ip.source), ip.destination.into())
        }
        etherparse::NetHeaders::Arp(_) => return None,
    };
    let from = SocketAddr::new(from, tcp.source_port);
    let to = SocketAddr::new(to, tcp.destination_port);
    let ends = if inbound { (from, to) } else { (to, from) };
    Some((ends, headers.payload.slice()))
}
