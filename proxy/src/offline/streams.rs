//! Each stream of a capture to the reader that understands it.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::import::http::{HttpStream, looks_like_http};
use parallax_captures::import::reassembly::{StreamEvent, StreamEventKind};
use parallax_captures::{ConnectionId, Exchange};

use super::http::http_exchange;
use crate::session::{Session, SessionEvent, Skew};

/// The open streams, and what came of all so far.
#[derive(Default)]
pub(super) struct Streams {
    open: BTreeMap<u64, Stream>,
    found: Found,
}

/// What streams held.
#[derive(Default)]
pub(super) struct Found {
    /// Exchanges, in no order.
    pub(super) exchanges: Vec<Exchange>,
    /// Connections whose ends frame differently.
    pub(super) skews: Vec<(ConnectionId, Skew)>,
    /// What is to be said beside them.
    pub(super) notes: Vec<String>,
}

struct Stream {
    conn: ConnectionId,
    client: SocketAddr,
    server: SocketAddr,
    begun_before: bool,
    reader: Reader,
}

enum Reader {
    /// No byte yet that tells.
    Undecided(Vec<StreamEvent>),
    Binary(Box<Session>),
    Http(Box<HttpStream>),
}

impl Streams {
    pub(super) fn push(&mut self, event: &StreamEvent) {
        if let StreamEventKind::Opened {
            client,
            server,
            mid_stream,
        } = event.kind
        {
            let stream = Stream {
                conn: ConnectionId(event.stream + 1),
                client,
                server,
                begun_before: mid_stream,
                reader: Reader::Undecided(Vec::new()),
            };
            self.open.insert(event.stream, stream);
            return;
        }
        let Some(stream) = self.open.get_mut(&event.stream) else {
            return;
        };
        stream.push(event, &mut self.found);
        if matches!(event.kind, StreamEventKind::Closed { .. }) {
            self.open.remove(&event.stream);
        }
    }

    /// What came of all streams.
    pub(super) fn finish(self) -> Found {
        self.found
    }
}

impl Stream {
    fn push(&mut self, event: &StreamEvent, found: &mut Found) {
        let events = match &mut self.reader {
            Reader::Undecided(held) => {
                held.push(event.clone());
                let Some(reader) = decide(held, self.conn, self.begun_before) else {
                    return;
                };
                let held = std::mem::take(held);
                self.reader = reader;
                held
            }
            Reader::Binary(_) | Reader::Http(_) => vec![event.clone()],
        };
        for event in events {
            self.read(&event, found);
        }
    }

    fn read(&mut self, event: &StreamEvent, found: &mut Found) {
        match &mut self.reader {
            Reader::Undecided(_) => {}
            Reader::Http(stream) => {
                let exchanges = stream.push(event).into_iter();
                let exchanges = exchanges.map(|exchange| http_exchange(self.conn, exchange));
                found.exchanges.extend(exchanges);
            }
            Reader::Binary(session) => {
                let mut events = Vec::new();
                feed(session, event.time, &event.kind, &mut events);
                for event in events {
                    match event {
                        SessionEvent::Exchange(exchange) => found.exchanges.push(*exchange),
                        SessionEvent::Undecoded(undecoded) => found.notes.push(format!(
                            "connection c{} ({} to {}): {undecoded}",
                            self.conn, self.client, self.server
                        )),
                        SessionEvent::Skewed(skew) => found.skews.push((self.conn, skew)),
                        SessionEvent::Recognised(_)
                        | SessionEvent::LoggedIn { .. }
                        | SessionEvent::LoggedOut => {}
                    }
                }
            }
        }
    }
}

/// HTTP or the binary protocol, by the first bytes of either side. `None`: too
/// few to tell.
fn decide(held: &[StreamEvent], conn: ConnectionId, begun_before: bool) -> Option<Reader> {
    let last = held.last()?;
    let ended = matches!(last.kind, StreamEventKind::Closed { .. });
    let bytes = held.iter().find_map(|event| match &event.kind {
        StreamEventKind::Bytes { bytes, .. } => Some(bytes),
        _ => None,
    });
    let binary = || Reader::Binary(Box::new(Session::new(conn, begun_before)));
    let is_http = bytes.and_then(|bytes| looks_like_http(bytes));
    match is_http {
        Some(true) => Some(Reader::Http(Box::new(HttpStream::new()))),
        Some(false) => Some(binary()),
        None if ended || held.len() > MOST_HELD => Some(binary()),
        None => None,
    }
}

/// Events that are held while a stream's first bytes do not tell what it is. The
/// longest HTTP method that is looked for has 8 letters.
const MOST_HELD: usize = 16;

fn feed(
    session: &mut Session,
    time: Timestamp,
    kind: &StreamEventKind,
    events: &mut Vec<SessionEvent>,
) {
    match kind {
        StreamEventKind::Bytes { direction, bytes } => {
            session.bytes(*direction, time, bytes.clone(), events);
        }
        StreamEventKind::Gap { direction, length } => session.lost(*direction, *length, events),
        StreamEventKind::Closed { .. } => session.closed(events),
        StreamEventKind::Opened { .. } | StreamEventKind::HalfClosed { .. } => {}
    }
}
