//! Each stream of a capture to the reader that understands it.

use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::import::http::{HttpExchange, HttpStream, looks_like_http};
use parallax_captures::import::reassembly::{Ending, StreamEvent, StreamEventKind};
use parallax_captures::{Connection, ConnectionId, Dialect};
use parallax_codec::{Direction, classic, vsr};

use super::SERVER_PORTS;
use super::http::{http_exchange, is_of_the_api};
use super::window::Item;
use crate::findings::{ConnectionEvent, Happening};
use crate::limits::{FOREIGN_EXCHANGES, FOREIGN_TURNS};
use crate::session::{Session, SessionEvent};

/// The open streams.
#[derive(Default)]
pub(super) struct Streams {
    open: HashMap<u64, Stream>,
    /// Those that have something to tell of a time that is past, by that time.
    untold: BTreeSet<(Timestamp, u64)>,
    found: Found,
}

/// What streams held.
#[derive(Default)]
pub(super) struct Found {
    /// In no order.
    pub(super) items: Vec<(Timestamp, Item)>,
    /// What is to be said beside them.
    pub(super) notes: Vec<String>,
    /// Streams that turned out to be nothing of Iggy's, and their ends.
    pub(super) foreign: Vec<(u64, SocketAddr, SocketAddr)>,
    /// Streams that are over, and showed nothing of Iggy's.
    pub(super) passed_over: u64,
}

struct Stream {
    connection: Connection,
    begun_before: bool,
    /// Whether one of its ports is a server's by default.
    expected: bool,
    /// Who is the client, where that was guessed and may turn out otherwise.
    role: Role,
    /// Whether the connection was told of.
    told: bool,
    /// The first end that has said that it sends nothing more.
    ended: Option<Direction>,
    /// The direction of the latest bytes, and how often it has changed, while no frame
    /// was found.
    latest: Option<Direction>,
    turns: u64,
    /// What stands in `Streams::untold`.
    untold_since: Option<Timestamp>,
    reader: Reader,
}

/// Which end of a stream is taken for the client.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The one that events call so, for sure.
    Known,
    /// The same, for want of better knowledge.
    Guessed,
    /// The other one: its bytes say so.
    Turned,
}

enum Reader {
    /// No byte yet that tells.
    Undecided(Vec<StreamEvent>),
    Binary(Box<Session>),
    /// Its exchanges that are none of Iggy's API.
    Http(Box<HttpStream>, u64),
    /// Nothing of Iggy's.
    Foreign,
}

impl Streams {
    pub(super) fn push(&mut self, event: StreamEvent) {
        let id = event.stream;
        if let StreamEventKind::Opened {
            client,
            server,
            mid_stream,
        } = event.kind
        {
            let conn = ConnectionId(id + 1);
            let is_expected = |one: SocketAddr| SERVER_PORTS.contains(&one.port());
            let is_guessed = mid_stream && is_expected(client) == is_expected(server);
            let stream = Stream {
                connection: Connection::opened(conn, client, server, event.time),
                begun_before: mid_stream,
                expected: is_expected(client) || is_expected(server),
                role: if is_guessed {
                    Role::Guessed
                } else {
                    Role::Known
                },
                told: false,
                ended: None,
                latest: None,
                turns: 0,
                untold_since: None,
                reader: Reader::Undecided(Vec::new()),
            };
            self.open.insert(id, stream);
            return;
        }
        let Some(stream) = self.open.get_mut(&id) else {
            return;
        };
        let is_over = matches!(event.kind, StreamEventKind::Closed { .. });
        let was_foreign = stream.is_foreign();
        stream.push(event, &mut self.found);
        if stream.is_foreign() && !was_foreign {
            let Connection { client, server, .. } = stream.connection;
            self.found.foreign.push((id, client, server));
        }
        let since = stream.untold_since().filter(|_| !is_over);
        if since != stream.untold_since {
            if let Some(before) = stream.untold_since {
                self.untold.remove(&(before, id));
            }
            self.untold.extend(since.map(|since| (since, id)));
            stream.untold_since = since;
        }
        if is_over && let Some(stream) = self.open.remove(&id) {
            stream.over(&mut self.found);
        }
    }

    /// The time before which no open stream has anything to tell, but for what comes
    /// with later packets; `None` where none has.
    pub(super) fn untold_since(&self) -> Option<Timestamp> {
        self.untold.first().map(|(since, _)| *since)
    }

    /// What came of the streams since this was asked last.
    pub(super) fn take_found(&mut self) -> Found {
        std::mem::take(&mut self.found)
    }
}

impl Found {
    fn item(&mut self, time: Timestamp, item: Item) {
        self.items.push((time, item));
    }
}

impl Stream {
    fn push(&mut self, mut event: StreamEvent, found: &mut Found) {
        if self.role == Role::Turned {
            turn(&mut event.kind);
        } else if self.role == Role::Guessed && is_the_other_ends(&event.kind) {
            self.turn_around();
            turn(&mut event.kind);
        }
        self.count(&event);
        let Reader::Undecided(held) = &mut self.reader else {
            self.read(&event, found);
            return;
        };
        held.push(event);
        let Some(reader) = decide(held, self.connection.id, self.begun_before) else {
            return;
        };
        let held = std::mem::take(held);
        self.reader = reader;
        if self.expected {
            self.tell(found);
        }
        for event in held {
            self.read(&event, found);
        }
    }

    /// What was taken for the server is the client.
    fn turn_around(&mut self) {
        self.role = Role::Turned;
        let connection = &mut self.connection;
        std::mem::swap(&mut connection.client, &mut connection.server);
        std::mem::swap(
            &mut connection.bytes_to_server,
            &mut connection.bytes_to_client,
        );
        match &mut self.reader {
            Reader::Undecided(held) => held.iter_mut().for_each(|event| turn(&mut event.kind)),
            // It has read nothing so far.
            Reader::Binary(session) => **session = Session::new(self.connection.id, true),
            Reader::Http(..) | Reader::Foreign => {}
        }
    }

    const fn is_foreign(&self) -> bool {
        matches!(self.reader, Reader::Foreign)
    }

    /// Tells of the connection, once it is known to matter.
    fn tell(&mut self, found: &mut Found) {
        if self.told {
            return;
        }
        self.told = true;
        let Connection {
            client,
            server: reached,
            opened,
            ..
        } = self.connection;
        let connection = Box::new(self.connection.clone());
        found.item(opened, Item::Opened(connection));
        self.happened(opened, Happening::Opened { client, reached }, found);
    }

    fn untold_since(&self) -> Option<Timestamp> {
        match &self.reader {
            Reader::Undecided(_) => Some(self.connection.opened),
            // An opening is told once the bytes are recognised.
            Reader::Binary(session) => session.untold_since(),
            Reader::Http(stream, _) => stream.untold_since(),
            Reader::Foreign => None,
        }
    }

    fn read(&mut self, event: &StreamEvent, found: &mut Found) {
        match &mut self.reader {
            Reader::Undecided(_) | Reader::Foreign => {}
            Reader::Http(stream, others) => {
                let conn = self.connection.id;
                self.role = self.role.sure();
                self.connection.dialect = Some(Dialect::Http);
                let exchanges = stream.push(event);
                let is_other = |one: &HttpExchange| !is_of_the_api(&one.target);
                *others += exchanges.iter().filter(|one| is_other(one)).count() as u64;
                let is_foreign = *others > FOREIGN_EXCHANGES;
                for exchange in exchanges {
                    if self.expected || !is_other(&exchange) {
                        self.expected = true;
                        self.tell(found);
                        let exchange = Box::new(http_exchange(conn, exchange));
                        found.item(exchange.times.request_first, Item::Exchange(exchange));
                    }
                }
                if is_foreign && !self.expected {
                    self.reader = Reader::Foreign;
                }
            }
            Reader::Binary(session) => {
                let waiting = session.waiting().map_or(0, |(count, _)| count);
                let mut events = Vec::new();
                feed(session, event.time, &event.kind, &mut events);
                for told in events {
                    self.told_by_session(told, event.time, found);
                }
                self.ends(event, waiting, found);
                self.give_up_search(event);
            }
        }
    }

    fn told_by_session(&mut self, event: SessionEvent, now: Timestamp, found: &mut Found) {
        event.tell(&mut self.connection);
        let conn = self.connection.id;
        match event {
            SessionEvent::Recognised(_) => {
                self.role = self.role.sure();
                self.tell(found);
            }
            SessionEvent::Exchange(exchange) => {
                found.item(exchange.times.request_first, Item::Exchange(exchange));
            }
            SessionEvent::Undecoded(undecoded) if self.told => {
                let why = undecoded.to_string();
                found.notes.push(note(&self.connection, &why));
            }
            // Neither its bytes nor its ports say that it is Iggy's.
            SessionEvent::Undecoded(_) => self.reader = Reader::Foreign,
            SessionEvent::Skewed(skew) => found.item(now, Item::Skewed(conn, Box::new(skew))),
            SessionEvent::TokenTried {
                time,
                token,
                accepted,
            } => self.happened(time, Happening::TokenTried { token, accepted }, found),
            SessionEvent::Layouts(_) | SessionEvent::LoggedIn { .. } | SessionEvent::LoggedOut => {}
        }
    }

    /// Of a stream that was under way the first frame is looked for where the direction
    /// changes; after many changes none will be found.
    fn give_up_search(&mut self, event: &StreamEvent) {
        let StreamEventKind::Bytes { direction, .. } = event.kind else {
            return;
        };
        if self.told || !self.begun_before {
            return;
        }
        self.turns += u64::from(self.latest != Some(direction));
        self.latest = Some(direction);
        if self.turns > FOREIGN_TURNS {
            self.reader = Reader::Foreign;
        }
    }

    fn over(mut self, found: &mut Found) {
        if self.expected {
            self.tell(found);
        }
        if !self.told {
            found.passed_over += 1;
            return;
        }
        if let Some(contradiction) = self.connection.layouts.contradiction() {
            found.notes.push(note(&self.connection, &contradiction));
        }
        let closed = self.connection.closed.as_ref().map(|(time, _)| *time);
        let time = closed.unwrap_or(Timestamp::MAX);
        found.item(time, Item::Known(Box::new(self.connection)));
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
        if self.told && matches!(self.reader, Reader::Binary(_)) {
            let conn = self.connection.id;
            let event = ConnectionEvent { conn, time, what };
            found.item(time, Item::Happened(event));
        }
    }
}

pub(super) fn note(connection: &Connection, what: &str) -> String {
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
        Some(true) => Some(Reader::Http(Box::new(HttpStream::new()), 0)),
        Some(false) => Some(binary()),
        None if ended || held.len() > MOST_HELD => Some(binary()),
        None => None,
    }
}

/// Events that are held while a stream's first bytes do not tell what it is. The
/// longest HTTP method that is looked for has 8 letters.
const MOST_HELD: usize = 16;

impl Role {
    /// The same, known for sure.
    const fn sure(self) -> Self {
        match self {
            Self::Known | Self::Guessed => Self::Known,
            Self::Turned => Self::Turned,
        }
    }
}

/// Whether bytes are such as the other end sends: requests from the server, or replies
/// from the client.
fn is_the_other_ends(kind: &StreamEventKind) -> bool {
    let StreamEventKind::Bytes { direction, bytes } = kind else {
        return false;
    };
    match direction {
        Direction::ToServer => bytes.starts_with(b"HTTP/1.") || vsr::looks_like_reply(bytes),
        Direction::ToClient => {
            classic::looks_like_request(bytes)
                || vsr::looks_like_request(bytes)
                || looks_like_http(bytes) == Some(true) && !bytes.starts_with(b"HTTP/1.")
        }
    }
}

/// The same of the other direction.
fn turn(kind: &mut StreamEventKind) {
    let (StreamEventKind::Bytes { direction, .. }
    | StreamEventKind::Gap { direction, .. }
    | StreamEventKind::HalfClosed { direction }
    | StreamEventKind::Closed {
        how: Ending::Reset { direction },
    }) = kind
    else {
        return;
    };
    *direction = match direction {
        Direction::ToServer => Direction::ToClient,
        Direction::ToClient => Direction::ToServer,
    };
}

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
            streams.push(StreamEvent { stream, time, kind });
        }
        let told = streams.take_found().items.into_iter();
        told.filter_map(|(time, item)| match item {
            Item::Happened(event) => Some((time.as_second(), event.what)),
            _ => None,
        })
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
