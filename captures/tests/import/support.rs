//! Recordings, and segments and captures made up for a test.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::import::packets::{Flags, PacketReader, Segment};
use parallax_captures::import::reassembly::{Reassembler, StreamEvent, StreamEventKind};
use parallax_codec::classic::Direction;

pub const SERVER_PORTS: [u16; 2] = [8090, 3000];

pub fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("recorded")
        .join(name)
}

/// Every recording, 20 of them.
pub fn recordings() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(recorded("")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            let files = std::fs::read_dir(folder).unwrap();
            found.extend(files.map(|file| file.unwrap().path()));
        }
    }
    found.retain(|path| path.extension().is_some_and(|kind| kind == "pcap"));
    found.sort();
    assert_eq!(found.len(), 20);
    found
}

pub fn segments(path: &Path) -> Vec<Segment> {
    let reader = PacketReader::open(path).unwrap();
    reader.collect::<Result<_, _>>().unwrap()
}

/// All events of a capture.
pub fn events(path: &Path) -> Vec<StreamEvent> {
    reassemble(&segments(path))
}

pub fn reassemble(segments: &[Segment]) -> Vec<StreamEvent> {
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let mut events: Vec<_> = segments.iter().flat_map(|s| reassembler.push(s)).collect();
    events.extend(reassembler.finish());
    events
}

/// What came out of one direction: bytes, with each gap as its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    Bytes(Vec<u8>),
    Gap(u64),
}

pub fn runs(events: &[StreamEvent], stream: u64, wanted: Direction) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for event in events.iter().filter(|event| event.stream == stream) {
        match &event.kind {
            StreamEventKind::Bytes { direction, bytes } if *direction == wanted => {
                match runs.last_mut() {
                    Some(Run::Bytes(run)) => run.extend_from_slice(bytes),
                    _ => runs.push(Run::Bytes(bytes.to_vec())),
                }
            }
            StreamEventKind::Gap { direction, length } if *direction == wanted => {
                match runs.last_mut() {
                    Some(Run::Gap(run)) => *run += length,
                    _ => runs.push(Run::Gap(*length)),
                }
            }
            _ => {}
        }
    }
    runs
}

/// Both ends and the bytes of both directions, by stream.
pub type Streams = BTreeMap<u64, (SocketAddr, SocketAddr, Vec<u8>, Vec<u8>)>;

/// The streams of events that have no gap.
pub fn streams(events: &[StreamEvent]) -> Streams {
    let mut streams = Streams::new();
    for event in events {
        match &event.kind {
            StreamEventKind::Opened { client, server, .. } => {
                let ends = (*client, *server, Vec::new(), Vec::new());
                assert!(streams.insert(event.stream, ends).is_none());
            }
            StreamEventKind::Bytes { direction, bytes } => {
                let stream = streams.get_mut(&event.stream).unwrap();
                match direction {
                    Direction::ToServer => stream.2.extend_from_slice(bytes),
                    Direction::ToClient => stream.3.extend_from_slice(bytes),
                }
            }
            StreamEventKind::Gap { .. } => panic!("a gap: {event:?}"),
            StreamEventKind::HalfClosed { .. } | StreamEventKind::Closed { .. } => {}
        }
    }
    streams
}

/// Makes segments of one connection, a millisecond apart.
pub struct Wire {
    pub client: SocketAddr,
    pub server: SocketAddr,
    clock: i64,
}

impl Wire {
    pub fn new() -> Self {
        Self::between("10.0.0.1:50000", "10.0.0.2:8090")
    }

    pub fn between(client: &str, server: &str) -> Self {
        Self {
            client: client.parse().unwrap(),
            server: server.parse().unwrap(),
            clock: 0,
        }
    }

    pub fn client_sends(&mut self, sequence: u32, bytes: &[u8]) -> Segment {
        self.segment(self.client, self.server, sequence, bytes)
    }

    pub fn server_sends(&mut self, sequence: u32, bytes: &[u8]) -> Segment {
        self.segment(self.server, self.client, sequence, bytes)
    }

    /// SYN and SYN-ACK, the client's first byte at `client`, the server's at
    /// `server`.
    pub fn handshake(&mut self, client: u32, server: u32) -> Vec<Segment> {
        let syn = self.client_sends(client.wrapping_sub(1), b"").syn();
        let answer = self.server_sends(server.wrapping_sub(1), b"").syn();
        vec![syn, answer.acknowledges(client)]
    }

    fn segment(
        &mut self,
        source: SocketAddr,
        destination: SocketAddr,
        sequence: u32,
        bytes: &[u8],
    ) -> Segment {
        self.clock += 1;
        Segment {
            packet: self.clock.unsigned_abs(),
            time: Timestamp::from_millisecond(self.clock).unwrap(),
            source,
            destination,
            sequence,
            acknowledgment: None,
            flags: Flags::default(),
            payload: Bytes::copy_from_slice(bytes),
            missing: 0,
        }
    }
}

/// Flags for a made up segment.
pub trait With {
    fn syn(self) -> Self;
    fn fin(self) -> Self;
    fn rst(self) -> Self;
    fn acknowledges(self, sequence: u32) -> Self;
    fn missing(self, length: u32) -> Self;
}

impl With for Segment {
    fn syn(mut self) -> Self {
        self.flags.syn = true;
        self
    }

    fn fin(mut self) -> Self {
        self.flags.fin = true;
        self
    }

    fn rst(mut self) -> Self {
        self.flags.rst = true;
        self
    }

    fn acknowledges(mut self, sequence: u32) -> Self {
        self.acknowledgment = Some(sequence);
        self
    }

    fn missing(mut self, length: u32) -> Self {
        self.missing = length;
        self
    }
}
