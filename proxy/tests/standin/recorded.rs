//! Recordings as exchanges.

use std::collections::VecDeque;
use std::path::PathBuf;

use bytes::Bytes;
use parallax_captures::import::http::{HttpExchange, HttpStream};
use parallax_captures::import::packets::PacketReader;
use parallax_captures::import::reassembly::{Reassembler, StreamEvent, StreamEventKind};
use parallax_codec::classic::{Direction, Frame, Framer};
use parallax_codec::vsr;

const TCP_PORT: u16 = 8090;
const HTTP_PORT: u16 = 3000;

/// A request as it was recorded, and what the server said.
pub(crate) struct Exchange {
    /// Microseconds since 1970.
    pub(crate) time: u64,
    pub(crate) code: u32,
    pub(crate) body: Bytes,
    pub(crate) status: u32,
    pub(crate) reply: Bytes,
}

/// The exchanges of a recording's TCP connections, in the order of their replies.
pub(crate) fn exchanges(name: &str) -> Vec<Exchange> {
    let mut found = Vec::new();
    for events in streams(name, TCP_PORT) {
        let mut to_server = Framer::new(Direction::ToServer);
        let mut to_client = Framer::new(Direction::ToClient);
        let mut waiting: VecDeque<(u64, Frame)> = VecDeque::new();
        for event in events {
            let StreamEventKind::Bytes { direction, bytes } = event.kind else {
                continue;
            };
            let time = u64::try_from(event.time.as_microsecond()).unwrap();
            let mut frames = Vec::new();
            if direction == Direction::ToServer {
                to_server.push(bytes, &mut frames);
                waiting.extend(frames.into_iter().map(|frame| (time, frame)));
                continue;
            }
            to_client.push(bytes, &mut frames);
            for reply in frames {
                let (time, request) = waiting.pop_front().expect("a request for each reply");
                found.push(Exchange {
                    time,
                    code: request.word,
                    body: request.body_bytes(),
                    status: reply.word,
                    reply: reply.body_bytes(),
                });
            }
        }
    }
    assert!(!found.is_empty(), "{name} has no exchanges");
    found
}

/// The requests of a recording's VSR connections and their replies, connection by
/// connection. Clients wait for each reply.
pub(crate) fn vsr_connections(name: &str) -> Vec<Vec<(vsr::Frame, vsr::Frame)>> {
    let connection = |events: Vec<StreamEvent>| {
        let mut framers = [vsr::Framer::new(), vsr::Framer::new()];
        let mut frames = [Vec::new(), Vec::new()];
        for event in events {
            if let StreamEventKind::Bytes { direction, bytes } = event.kind {
                let side = usize::from(direction == Direction::ToClient);
                framers[side].push(bytes, &mut frames[side]);
            }
        }
        let [requests, replies] = frames;
        requests.into_iter().zip(replies).collect()
    };
    let found: Vec<Vec<_>> = streams(name, TCP_PORT)
        .into_iter()
        .map(connection)
        .collect();
    assert!(!found.is_empty(), "{name} has no connection");
    found
}

/// The HTTP exchanges of a recording.
pub(crate) fn http_exchanges(name: &str) -> Vec<HttpExchange> {
    let mut found = Vec::new();
    for events in streams(name, HTTP_PORT) {
        let mut stream = HttpStream::new();
        found.extend(events.iter().flat_map(|event| stream.push(event)));
    }
    assert!(!found.is_empty(), "{name} has no HTTP exchanges");
    found
}

/// A file of the recordings.
fn path(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join("../captures/recorded").join(name)
}

fn streams(name: &str, port: u16) -> Vec<Vec<StreamEvent>> {
    let mut reassembler = Reassembler::new(&[TCP_PORT, HTTP_PORT]);
    let mut events = Vec::new();
    for segment in PacketReader::open(path(name)).unwrap() {
        events.extend(reassembler.push(&segment.unwrap()));
    }
    events.extend(reassembler.finish());
    let mut streams: Vec<(u64, Vec<StreamEvent>)> = Vec::new();
    for event in events {
        if let StreamEventKind::Opened { server, .. } = &event.kind
            && server.port() == port
        {
            streams.push((event.stream, Vec::new()));
        }
        if let Some((_, own)) = streams.iter_mut().find(|(id, _)| *id == event.stream) {
            own.push(event);
        }
    }
    streams.into_iter().map(|(_, events)| events).collect()
}
