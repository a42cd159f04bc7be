//! One connection's bytes, cut into exchanges. No socket and no clock: bytes and
//! times go in, [`SessionEvent`]s come out.
//!
//! The same session reads a live connection and a packet capture.

mod content;

mod flow;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::{ConnectionId, Content, Dialect, Exchange, Times, Undecoded};
use parallax_codec::classic::{Direction, FRAME_HEADER_SIZE, Frame};
use parallax_codec::limits::RECOGNISE_WITHIN;
use parallax_codec::recognise::{Protocol, recognise};

use self::content::Decoded;
use self::flow::{Flow, Seen};
use crate::credentials::Credentials;
use crate::limits::OPEN_REQUESTS;

/// What a session tells of its connection.
#[derive(Debug)]
pub enum SessionEvent {
    /// A request and its reply, or a request that will have none.
    Exchange(Box<Exchange>),
    /// The dialect is known now.
    Recognised(Dialect),
    /// From some byte on the connection cannot be decoded.
    Undecoded(Undecoded),
    /// A login succeeded.
    LoggedIn {
        /// The user's name; `None` for a token, which names none.
        user: Option<String>,
        /// Version and context that the client gave.
        version: Option<String>,
        /// To ask HTTP as the same user.
        credentials: Credentials,
    },
    /// A logout succeeded.
    LoggedOut,
}

/// A connection's state: two flows of bytes and the requests without a reply.
#[derive(Debug)]
pub struct Session {
    conn: ConnectionId,
    phase: Phase,
    to_server: Flow,
    to_client: Flow,
    open: VecDeque<OpenRequest>,
}

#[derive(Debug)]
enum Phase {
    /// The client's first bytes do not yet tell what it speaks.
    Unrecognised {
        first_bytes: Vec<(Timestamp, Bytes)>,
    },
    /// Frames are read.
    Classic,
    /// Nothing more is read.
    Undecoded,
}

#[derive(Debug)]
struct OpenRequest {
    frame: Frame,
    first: Timestamp,
    last: Timestamp,
}

impl Session {
    /// A session from a connection's first byte, or of one that was under way
    /// already (`mid_stream`), where a frame's beginning has to be found first.
    pub fn new(conn: ConnectionId, mid_stream: bool) -> Self {
        let phase = if mid_stream {
            Phase::Classic
        } else {
            Phase::Unrecognised {
                first_bytes: Vec::new(),
            }
        };
        Self {
            conn,
            phase,
            to_server: Flow::new(Direction::ToServer, mid_stream),
            to_client: Flow::new(Direction::ToClient, mid_stream),
            open: VecDeque::new(),
        }
    }

    /// Requests without a reply, and since when the oldest of them waits.
    pub fn waiting(&self) -> Option<(u64, Timestamp)> {
        let oldest = self.open.front()?;
        Some((self.open.len() as u64, oldest.first))
    }

    /// Takes bytes that passed.
    pub fn bytes(
        &mut self,
        direction: Direction,
        time: Timestamp,
        bytes: Bytes,
        events: &mut Vec<SessionEvent>,
    ) {
        match (&mut self.phase, direction) {
            (Phase::Undecoded, _) => {}
            (Phase::Unrecognised { first_bytes }, Direction::ToServer) => {
                first_bytes.push((time, bytes));
                self.recognise(events);
            }
            (Phase::Unrecognised { first_bytes }, Direction::ToClient) => {
                let why = match first_bytes.as_slice() {
                    [] => "the server spoke before the client did, which no Iggy server does",
                    _ => "the server answered bytes that begin no request of any known protocol",
                };
                self.give_up(why.to_owned(), Direction::ToClient, 0, events);
            }
            (Phase::Classic, Direction::ToServer) => self.requests(time, bytes, events),
            (Phase::Classic, Direction::ToClient) => self.replies(time, bytes, events),
        }
    }

    /// Takes note of bytes that passed unseen. The requests that are open stay
    /// without a reply, and the next frames have to be found anew.
    pub fn lost(&mut self, direction: Direction, count: u64, events: &mut Vec<SessionEvent>) {
        match self.phase {
            Phase::Undecoded => return,
            Phase::Unrecognised { .. } => {
                let why = format!("the first {count} bytes passed unseen");
                self.give_up(why, direction, 0, events);
                return;
            }
            Phase::Classic => {}
        }
        let at = self.flow(direction).position();
        let why = format!("{count} bytes passed unseen, and the reply may have been among them");
        let undecoded = Undecoded { why, at, direction };
        self.abandon_open(Some(&undecoded), events);
        self.to_client.seek();
        self.to_server.seek();
        self.flow(direction).skip(count);
    }

    /// The connection has ended: requests that are open will have no reply.
    pub fn closed(&mut self, events: &mut Vec<SessionEvent>) {
        self.abandon_open(None, events);
        for direction in [Direction::ToServer, Direction::ToClient] {
            let flow = self.flow(direction);
            let Some((here, whole)) = flow.unfinished() else {
                continue;
            };
            let why = match whole {
                Some(whole) => {
                    format!("the connection ended after {here} of a frame's {whole} bytes")
                }
                None => format!("the connection ended after {here} of a header's 8 bytes"),
            };
            let at = flow.frame_start();
            self.give_up(why, direction, at, events);
        }
        if let Phase::Unrecognised { first_bytes } = &self.phase
            && !first_bytes.is_empty()
        {
            let first = joined(first_bytes);
            let why = format!(
                "the connection ended before its bytes ({}) told what it speaks",
                shown(&first)
            );
            self.give_up(why, Direction::ToServer, 0, events);
        }
    }

    fn flow(&mut self, direction: Direction) -> &mut Flow {
        match direction {
            Direction::ToServer => &mut self.to_server,
            Direction::ToClient => &mut self.to_client,
        }
    }

    fn recognise(&mut self, events: &mut Vec<SessionEvent>) {
        let Phase::Unrecognised { first_bytes } = &mut self.phase else {
            return;
        };
        let joined = joined(first_bytes);
        match recognise(&joined) {
            None => {}
            Some(Protocol::Classic) => {
                let first_bytes = std::mem::take(first_bytes);
                self.phase = Phase::Classic;
                events.push(SessionEvent::Recognised(Dialect::Classic));
                for (time, bytes) in first_bytes {
                    self.requests(time, bytes, events);
                }
            }
            Some(other) => {
                if other == Protocol::Vsr {
                    events.push(SessionEvent::Recognised(Dialect::Vsr));
                }
                let why = explain(other, &joined);
                self.give_up(why, Direction::ToServer, 0, events);
            }
        }
    }

    fn requests(&mut self, time: Timestamp, bytes: Bytes, events: &mut Vec<SessionEvent>) {
        for Seen { frame, first, last } in self.to_server.push(time, bytes) {
            if self.open.len() >= OPEN_REQUESTS {
                let why =
                    format!("{OPEN_REQUESTS} requests without a reply are more than are kept");
                self.abandon_open(None, events);
                self.give_up(why, Direction::ToServer, frame.start, events);
                return;
            }
            self.open.push_back(OpenRequest { frame, first, last });
        }
    }

    fn replies(&mut self, time: Timestamp, bytes: Bytes, events: &mut Vec<SessionEvent>) {
        // A reply can only begin once there is a request: what comes before is
        // the rest of one whose request was not seen.
        if self.to_client.is_seeking() && self.open.is_empty() {
            self.to_client.skip(bytes.len() as u64);
            return;
        }
        for seen in self.to_client.push(time, bytes) {
            let Some(request) = self.open.pop_front() else {
                let why = "a reply came to which there is no request".to_owned();
                self.give_up(why, Direction::ToClient, seen.frame.start, events);
                return;
            };
            self.pair(&request, &seen, events);
        }
    }

    fn pair(&self, request: &OpenRequest, reply: &Seen, events: &mut Vec<SessionEvent>) {
        let decoded = content::decode(&request.frame, Some(&reply.frame));
        let login = decoded.login.clone();
        let logged_out = decoded.is_logout && reply.frame.word == 0;
        let succeeded = reply.frame.word == 0;
        let times = Times {
            request_first: request.first,
            request_last: request.last,
            reply: Some((reply.first, reply.last)),
        };
        events.push(self.exchange(decoded, times));
        if let (Some(login), true) = (login, succeeded) {
            events.push(SessionEvent::LoggedIn {
                user: login.user,
                version: login.version,
                credentials: login.credentials,
            });
        }
        if logged_out {
            events.push(SessionEvent::LoggedOut);
        }
    }

    /// Ends the open requests without a reply.
    fn abandon_open(&mut self, because: Option<&Undecoded>, events: &mut Vec<SessionEvent>) {
        for request in std::mem::take(&mut self.open) {
            let mut decoded = content::decode(&request.frame, None);
            decoded.undecoded = decoded.undecoded.or_else(|| because.cloned());
            let times = Times {
                request_first: request.first,
                request_last: request.last,
                reply: None,
            };
            events.push(self.exchange(decoded, times));
        }
    }

    fn exchange(&self, decoded: Decoded, times: Times) -> SessionEvent {
        SessionEvent::Exchange(Box::new(Exchange {
            n: 0,
            conn: self.conn,
            dialect: Dialect::Classic,
            times,
            content: Content::Binary(decoded.content),
            undecoded: decoded.undecoded,
            verdict: None,
            findings: Vec::new(),
        }))
    }

    /// Stops reading this connection; its bytes go on without being looked at.
    fn give_up(
        &mut self,
        why: String,
        direction: Direction,
        at: u64,
        events: &mut Vec<SessionEvent>,
    ) {
        self.phase = Phase::Undecoded;
        self.open.clear();
        events.push(SessionEvent::Undecoded(Undecoded { why, at, direction }));
    }
}

/// What a client speaks instead of a dialect that is decoded, and what to do.
fn explain(protocol: Protocol, first: &[u8]) -> String {
    match protocol {
        Protocol::Tls => "the client speaks TLS: what is inside cannot be read; turn TLS off in \
                          the client for the way to parallax"
            .to_owned(),
        Protocol::Http => "the client speaks HTTP on the port of the binary protocol: point it at \
                           the server's HTTP port"
            .to_owned(),
        Protocol::ProxyV1 | Protocol::ProxyV2 => "the client begins with a PROXY protocol header, \
                                                  which no Iggy server takes: turn it off in the \
                                                  load balancer before parallax"
            .to_owned(),
        Protocol::Vsr => "the client speaks the VSR dialect (256-byte headers, servers from 0.9), \
                          which this version forwards and does not decode"
            .to_owned(),
        Protocol::Classic | Protocol::Unknown => format!(
            "the client's first bytes ({}) begin no request of any known protocol",
            shown(first)
        ),
    }
}

/// As many of the first bytes as are looked at, in one piece.
fn joined(chunks: &[(Timestamp, Bytes)]) -> Vec<u8> {
    let mut joined = Vec::new();
    for (_, bytes) in chunks {
        let room = RECOGNISE_WITHIN.saturating_sub(joined.len());
        joined.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
    joined
}

/// The first bytes, too few for a password, and what a server would read in
/// them.
fn shown(first: &[u8]) -> String {
    let header: Vec<_> = first.iter().take(FRAME_HEADER_SIZE).collect();
    let hex: Vec<_> = header.iter().map(|byte| format!("{byte:02x}")).collect();
    let word = |at: usize| -> Option<u32> {
        let bytes = first.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    match (word(0), word(4)) {
        (Some(length), Some(code)) => {
            format!(
                "{}: as a request length {length}, code {code}",
                hex.join(" ")
            )
        }
        _ => hex.join(" "),
    }
}
