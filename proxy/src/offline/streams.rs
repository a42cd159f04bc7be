//! Each stream of a capture to the reader that understands it.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::import::http::{HttpStream, looks_like_http};
use parallax_captures::import::reassembly::{StreamEvent, StreamEventKind};
use parallax_captures::{ConnectionId, Exchange};

use super::http::http_exchange;
use crate::session::{Session, SessionEvent};

/// The open streams, and what came of all so far.
#[derive(Default)]
pub(super) struct Streams {
    open: BTreeMap<u64, Stream>,
    exchanges: Vec<Exchange>,
    notes: Vec<String>,
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
        stream.push(event, &mut self.exchanges, &mut self.notes);
        if matches!(event.kind, StreamEventKind::Closed { .. }) {
            self.open.remove(&event.stream);
        }
    }

    /// All exchanges, in no order, and what is to be said beside them.
    pub(super) fn finish(self) -> (Vec<Exchange>, Vec<String>) {
        (self.exchanges, self.notes)
    }
}

impl Stream {
    fn push(
        &mut self,
        event: &StreamEvent,
        exchanges: &mut Vec<Exchange>,
        notes: &mut Vec<String>,
    ) {
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
            self.read(&event, exchanges, notes);
        }
    }

    fn read(
        &mut self,
        event: &StreamEvent,
        exchanges: &mut Vec<Exchange>,
        notes: &mut Vec<String>,
    ) {
        match &mut self.reader {
            Reader::Undecided(_) => {}
            Reader::Http(stream) => {
                let found = stream.push(event).into_iter();
                exchanges.extend(found.map(|exchange| http_exchange(self.conn, exchange)));
            }
            Reader::Binary(session) => {
                let mut found = Vec::new();
                feed(session, event.time, &event.kind, &mut found);
                for event in found {
                    match event {
                        SessionEvent::Exchange(exchange) => exchanges.push(*exchange),
                        SessionEvent::Undecoded(undecoded) => notes.push(format!(
                            "connection c{} ({} to {}): {undecoded}",
                            self.conn, self.client, self.server
                        )),
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
