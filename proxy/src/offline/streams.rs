//! Each stream of a capture to the reader that understands it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use parallax_captures::import::http::{HttpStream, looks_like_http};
use parallax_captures::import::reassembly::{Ending, StreamEvent, StreamEventKind};
use parallax_captures::{Connection, ConnectionId, Dialect, Exchange};
use parallax_codec::Direction;

use super::http::http_exchange;
use crate::findings::{ConnectionEvent, Happening};
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
    /// The connections, in the order in which they ended. How many exchanges each
    /// has is left to who records these.
    pub(super) connections: Vec<Connection>,
    /// Exchanges, in no order.
    pub(super) exchanges: Vec<Exchange>,
    /// Connections whose ends frame differently.
    pub(super) skews: Vec<(ConnectionId, Skew)>,
    /// What happened to connections of the binary protocol, in no order.
    pub(super) happened: Vec<ConnectionEvent>,
    /// What is to be said beside them.
    pub(super) notes: Vec<String>,
}

struct Stream {
    connection: Connection,
    begun_before: bool,
    /// The first end that has said that it sends nothing more.
    ended: Option<Direction>,
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
            let id = ConnectionId(event.stream + 1);
            let stream = Stream {
                connection: Connection::opened(id, client, server, event.time),
                begun_before: mid_stream,
                ended: None,
                reader: Reader::Undecided(Vec::new()),
            };
            self.open.insert(event.stream, stream);
            return;
        }
        let Some(stream) = self.open.get_mut(&event.stream) else {
            return;
        };
        stream.push(event, &mut self.found);
        if matches!(event.kind, StreamEventKind::Closed { .. })
            && let Some(stream) = self.open.remove(&event.stream)
        {
            self.found.ended(stream.connection);
        }
    }

    /// What came of all streams.
    pub(super) fn finish(mut self) -> Found {
        for stream in self.open.into_values() {
            self.found.ended(stream.connection);
        }
        self.found
    }
}

impl Found {
    fn ended(&mut self, connection: Connection) {
        if let Some(contradiction) = connection.layouts.contradiction() {
            self.notes.push(note(&connection, &contradiction));
        }
        self.connections.push(connection);
    }
}

impl Stream {
    fn push(&mut self, event: &StreamEvent, found: &mut Found) {
        self.count(event);
        let events = match &mut self.reader {
            Reader::Undecided(held) => {
                held.push(event.clone());
                let Some(reader) = decide(held, self.connection.id, self.begun_before) else {
                    return;
                };
                let held = std::mem::take(held);
                self.reader = reader;
                let Connection {
                    client,
                    server: reached,
                    opened,
                    ..
                } = self.connection;
                self.happened(opened, Happening::Opened { client, reached }, found);
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
                let conn = self.connection.id;
                self.connection.dialect = Some(Dialect::Http);
                let exchanges = stream.push(event).into_iter();
                let exchanges = exchanges.map(|exchange| http_exchange(conn, exchange));
                found.exchanges.extend(exchanges);
            }
            Reader::Binary(session) => {
                let waiting = session.waiting().map_or(0, |(count, _)| count);
                let mut events = Vec::new();
                feed(session, event.time, &event.kind, &mut events);
                for event in events {
                    event.tell(&mut self.connection);
                    match event {
                        SessionEvent::Exchange(exchange) => found.exchanges.push(*exchange),
                        SessionEvent::Undecoded(undecoded) => {
                            let why = undecoded.to_string();
                            found.notes.push(note(&self.connection, &why));
                        }
                        SessionEvent::Skewed(skew) => {
                            found.skews.push((self.connection.id, skew));
                        }
                        SessionEvent::TokenTried {
                            time,
                            token,
                            accepted,
                        } => {
                            let conn = self.connection.id;
                            let what = Happening::TokenTried { token, accepted };
                            found.happened.push(ConnectionEvent { conn, time, what });
                        }
                        SessionEvent::Recognised(_)
                        | SessionEvent::Layouts(_)
                        | SessionEvent::LoggedIn { .. }
                        | SessionEvent::LoggedOut => {}
                    }
                }
                self.ends(event, waiting, found);
            }
        }
    }

    fn count(&mut self, event: &StreamEvent) {
        let connection = &mut self.connection;
        let mut passed = |direction, length| match direction {
            Direction::ToServer => connection.bytes_to_server += length,
            Direction::ToClient => connection.bytes_to_client += length,
        };
        match &event.kind {
            StreamEventKind::Bytes { direction, bytes } => passed(*direction, bytes.len() as u64),
            StreamEventKind::Gap { direction, length } => {
                passed(*direction, *length);
                connection.bytes_unobserved += *length;
            }
            StreamEventKind::Closed { how } => {
                connection.closed = ended_because(*how).map(|why| (event.time, why.to_owned()));
            }
            StreamEventKind::Opened { .. } | StreamEventKind::HalfClosed { .. } => {}
        }
    }

    /// Tells of an end, where this is one; `waiting` requests were open before it.
    fn ends(&mut self, event: &StreamEvent, waiting: u64, found: &mut Found) {
        let direction = match event.kind {
            StreamEventKind::HalfClosed { direction }
            | StreamEventKind::Closed {
                how: Ending::Reset { direction },
            } => Some(direction),
            _ => None,
        };
        if direction == Some(Direction::ToClient) && self.ended != direction {
            self.happened(event.time, Happening::ServerEnded { waiting }, found);
        }
        self.ended = self.ended.or(direction);
        let is_over = matches!(
            event.kind,
            StreamEventKind::Closed {
                how: Ending::Finished | Ending::Reset { .. } | Ending::PortReused,
            }
        );
        if is_over {
            let by_client = self.ended == Some(Direction::ToServer);
            self.happened(event.time, Happening::Closed { by_client }, found);
        }
    }

    fn happened(&self, time: Timestamp, what: Happening, found: &mut Found) {
        if matches!(self.reader, Reader::Binary(_)) {
            let conn = self.connection.id;
            found.happened.push(ConnectionEvent { conn, time, what });
        }
    }
}

fn note(connection: &Connection, what: &str) -> String {
    let Connection {
        id, client, server, ..
    } = connection;
    format!("connection c{id} ({client} to {server}): {what}")
}

/// `None` where it had not ended when the capture did.
const fn ended_because(how: Ending) -> Option<&'static str> {
    match how {
        Ending::CaptureEnded => None,
        Ending::Finished => Some("both sides have finished"),
        Ending::GivenUp => Some("too many connections were open to follow this one further"),
        Ending::PortReused => Some("its end is not in the capture; the port was used again"),
        Ending::Reset {
            direction: Direction::ToServer,
        } => Some("the client tore it down (RST)"),
        Ending::Reset {
            direction: Direction::ToClient,
        } => Some("the server tore it down (RST)"),
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

#[cfg(test)]
mod tests {
    use parallax_codec::classic::{encode_reply, encode_request};
    use parallax_codec::code;

    use super::*;
    use Direction::{ToClient, ToServer};

    /// What happens, a second each, to a stream of a client that has sent a ping.
    fn happenings(events: Vec<StreamEventKind>) -> Vec<(i64, Happening)> {
        let mut streams = Streams::default();
        let opened = StreamEventKind::Opened {
            client: "10.0.0.7:40000".parse().unwrap(),
            server: "10.0.0.1:8090".parse().unwrap(),
            mid_stream: false,
        };
        let ping = StreamEventKind::Bytes {
            direction: ToServer,
            bytes: encode_request(code::PING, &[]),
        };
        let events = [opened, ping].into_iter().chain(events);
        for (second, kind) in (1..).zip(events) {
            let time = Timestamp::from_second(second).unwrap();
            let stream = 0;
            streams.push(&StreamEvent { stream, time, kind });
        }
        let told = streams.finish().happened.into_iter();
        told.map(|event| (event.time.as_second(), event.what))
            .collect()
    }

    fn opening() -> (i64, Happening) {
        let client = "10.0.0.7:40000".parse().unwrap();
        let reached = "10.0.0.1:8090".parse().unwrap();
        (1, Happening::Opened { client, reached })
    }

    fn ends(direction: Direction) -> StreamEventKind {
        StreamEventKind::HalfClosed { direction }
    }

    #[test]
    fn who_ended_a_stream_and_what_it_left_open_is_told() {
        let finished = || StreamEventKind::Closed {
            how: Ending::Finished,
        };
        let answer = StreamEventKind::Bytes {
            direction: ToClient,
            bytes: encode_reply(0, &[]),
        };
        let told = happenings(vec![answer, ends(ToServer), ends(ToClient), finished()]);
        let by_client = true;
        let server_ended = |waiting| Happening::ServerEnded { waiting };
        assert_eq!(
            told,
            [
                opening(),
                (5, server_ended(0)),
                (6, Happening::Closed { by_client })
            ]
        );
        let told = happenings(vec![ends(ToClient), ends(ToServer), finished()]);
        let by_client = false;
        assert_eq!(
            told,
            [
                opening(),
                (3, server_ended(1)),
                (5, Happening::Closed { by_client })
            ]
        );
        let reset = StreamEventKind::Closed {
            how: Ending::Reset {
                direction: ToClient,
            },
        };
        assert_eq!(
            happenings(vec![reset]),
            [
                opening(),
                (3, server_ended(1)),
                (3, Happening::Closed { by_client })
            ]
        );
    }

    #[test]
    fn a_capture_that_ends_ends_no_connection() {
        let cut = StreamEventKind::Closed {
            how: Ending::CaptureEnded,
        };
        assert_eq!(happenings(vec![cut]), [opening()]);
    }
}
