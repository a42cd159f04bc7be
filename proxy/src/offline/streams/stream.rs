//! One stream: which protocol it is, and what its reader tells.

use std::net::SocketAddr;
use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::import::http::{HttpExchange, HttpStream, looks_like_http};
use parallax_captures::import::reassembly::{Ending, StreamEvent, StreamEventKind};
use parallax_captures::{Connection, ConnectionId, Dialect};
use parallax_codec::Direction;

use super::Found;
use super::role::{Role, is_the_other_ends, turn};
use crate::findings::{ConnectionEvent, Happening};
use crate::limits::{FOREIGN_EXCHANGES, FOREIGN_TURNS};
use crate::offline::SERVER_PORTS;
use crate::offline::http::{http_exchange, is_of_the_api};
use crate::offline::window::Item;
use crate::session::{Session, SessionEvent};

/// A stream, and what is known of its connection.
pub(super) struct Stream {
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
    reader: Reader,
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

impl Stream {
    /// A stream that is seen for the first time.
    pub(super) fn opened(
        conn: ConnectionId,
        client: SocketAddr,
        server: SocketAddr,
        mid_stream: bool,
        time: Timestamp,
    ) -> Self {
        let is_expected = |one: SocketAddr| SERVER_PORTS.contains(&one.port());
        let is_guessed = mid_stream && is_expected(client) == is_expected(server);
        Self {
            connection: Connection::opened(conn, client, server, time),
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
            reader: Reader::Undecided(Vec::new()),
        }
    }

    /// What happens on it.
    pub(super) fn push(&mut self, mut event: StreamEvent, found: &mut Found) {
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

    /// Its two ends.
    pub(super) const fn ends(&self) -> (SocketAddr, SocketAddr) {
        (self.connection.client, self.connection.server)
    }

    /// Whether it is nothing of Iggy's.
    pub(super) const fn is_foreign(&self) -> bool {
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

    /// Since when it has something to tell that it has not told.
    pub(super) fn untold_since(&self) -> Option<Timestamp> {
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
                        let exchange = Arc::new(http_exchange(conn, exchange));
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
                self.tell_end(event, waiting, found);
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

    /// It is at its end: tells what is known of it.
    pub(super) fn over(mut self, found: &mut Found) {
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
    fn tell_end(&mut self, event: &StreamEvent, waiting: u64, found: &mut Found) {
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

/// A sentence about a connection.
pub(in crate::offline) fn note(connection: &Connection, what: &str) -> String {
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
