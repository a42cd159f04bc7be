//! One connection's bytes, cut into exchanges. No socket and no clock: bytes and
//! times go in, [`SessionEvent`]s come out.
//!
//! The same session reads a live connection and a packet capture.

mod altered;
mod any_framer;
mod event;
mod first_bytes;
mod flow;
mod login;
mod pairing;
mod skew;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::decoding::{self, AnyFrame, Decoded};
use parallax_captures::{
    Alteration, ConnectionId, Content, Exchange, Layout, Layouts, Times, Undecoded,
};
use parallax_codec::limits::{MAX_FRAME_BODY, RECOGNISE_WITHIN};
use parallax_codec::recognise::{Protocol, recognise};
use parallax_codec::{Dialect, Direction, Reply, classic, vsr};

use self::altered::Altered;
pub use self::event::SessionEvent;
use self::first_bytes::{SERVER_SPEAKS_TLS, explain, is_tls_alert, joined, shown};
use self::flow::{Flow, Seen};
use self::login::login_of;
use self::pairing::{OpenRequest, take_answered};
pub use self::skew::Skew;
use crate::credentials::{Credentials, TokenMark};
use crate::limits::OPEN_REQUESTS;

/// The error of a token that the server does not know: `iggy_common` 0.10.0,
/// `error/iggy_error.rs`.
const INVALID_TOKEN: u32 = 53;

/// A connection's state: two flows of bytes and the requests without a reply.
#[derive(Debug)]
pub struct Session {
    conn: ConnectionId,
    phase: Phase,
    to_server: Flow,
    to_client: Flow,
    open: VecDeque<OpenRequest>,
    /// The server's very first bytes, until they tell its dialect.
    first_answer: Vec<(Timestamp, Bytes)>,
    /// The body layouts that frames have shown.
    layouts: Layouts,
    /// Bytes of the longest body that is looked at.
    gathered: usize,
    /// What was done in the path to requests that are not whole yet.
    altered: Altered,
}

#[derive(Debug)]
enum Phase {
    /// The client's first bytes do not yet tell what it speaks.
    Unrecognised {
        first_bytes: Vec<(Timestamp, Bytes)>,
    },
    /// The connection was under way already, and no frame's beginning was seen.
    UnderWay,
    /// Frames are read.
    Framed(Dialect),
    /// Nothing more is read.
    Undecoded,
}

impl Session {
    /// A session from a connection's first byte, or of one that was under way
    /// already (`mid_stream`), where a frame's beginning has to be found first.
    ///
    /// Bodies are looked at up to the protocol's longest, [`MAX_FRAME_BODY`].
    pub fn new(conn: ConnectionId, mid_stream: bool) -> Self {
        Self::gathering(conn, mid_stream, MAX_FRAME_BODY)
    }

    /// Likewise, of which bodies longer than so many bytes are passed over: they are not
    /// gathered in memory, and their exchanges say so.
    pub fn gathering(conn: ConnectionId, mid_stream: bool, gathered: usize) -> Self {
        let phase = if mid_stream {
            Phase::UnderWay
        } else {
            Phase::Unrecognised {
                first_bytes: Vec::new(),
            }
        };
        let flow = |direction| Flow::new(Dialect::Classic, direction, 0, mid_stream, gathered);
        Self {
            conn,
            phase,
            to_server: flow(Direction::ToServer),
            to_client: flow(Direction::ToClient),
            open: VecDeque::new(),
            first_answer: Vec::new(),
            layouts: Layouts::default(),
            gathered,
            altered: Altered::default(),
        }
    }

    /// Requests without a reply, and since when the oldest of them waits.
    pub fn waiting(&self) -> Option<(u64, Timestamp)> {
        let oldest = self.open.front()?;
        Some((self.open.len() as u64, oldest.first))
    }

    /// Whether a reply is to come, or a frame is under way.
    pub fn is_in_flight(&self) -> bool {
        let under_way = |flow: &Flow| flow.unfinished().is_some();
        !self.open.is_empty() || under_way(&self.to_server) || under_way(&self.to_client)
    }

    /// Bytes of frames that are not whole, of requests without a reply, and of what is not
    /// recognised yet.
    pub(crate) fn held(&self) -> usize {
        let first_bytes = match &self.phase {
            Phase::Unrecognised { first_bytes } => first_bytes.as_slice(),
            Phase::UnderWay | Phase::Framed(_) | Phase::Undecoded => &[],
        };
        let first = first_bytes.iter().chain(&self.first_answer);
        let first: usize = first.map(|(_, bytes)| bytes.len()).sum();
        let open: usize = self.open.iter().map(|open| open.frame.held()).sum();
        let flows = [&self.to_server, &self.to_client];
        let gathered: usize = flows.map(|flow| flow.gathered(self.gathered)).iter().sum();
        first + open + gathered
    }

    /// When the first byte passed of what is not told yet: a request without a reply,
    /// a frame that is not whole, bytes of which it is not known what they are.
    pub fn untold_since(&self) -> Option<Timestamp> {
        let first_bytes = match &self.phase {
            Phase::Unrecognised { first_bytes } => first_bytes.first(),
            Phase::UnderWay | Phase::Framed(_) | Phase::Undecoded => None,
        };
        let held = first_bytes.into_iter().chain(self.first_answer.first());
        let flows = [&self.to_server, &self.to_client].into_iter();
        let open = self.open.front().map(|request| request.first);
        open.into_iter()
            .chain(flows.filter_map(Flow::begun))
            .chain(held.map(|(time, _)| *time))
            .min()
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
            (Phase::UnderWay, _) => self.find_feet(direction, time, bytes, events),
            (Phase::Framed(_), Direction::ToServer) => self.requests(time, bytes, events),
            (Phase::Framed(_), Direction::ToClient) => self.replies(time, bytes, events),
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
            Phase::UnderWay => {
                self.flow(direction).skip(count);
                return;
            }
            Phase::Framed(_) => {}
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
        self.release_first_answer(events);
        // Then half a reply is what parallax made of it, and no damage.
        let is_cut = self.open.iter().any(|request| {
            let altered = request.altered.as_deref();
            altered.is_some_and(Alteration::hides_the_server)
        });
        self.abandon_open(None, events);
        for direction in [Direction::ToServer, Direction::ToClient] {
            if is_cut && direction == Direction::ToClient {
                continue;
            }
            let flow = self.flow(direction);
            let Some((here, whole)) = flow.unfinished() else {
                continue;
            };
            let why = match whole {
                Some(whole) => {
                    format!("the connection ended after {here} of a frame's {whole} bytes")
                }
                None => format!("the connection ended after {here} bytes of a frame's header"),
            };
            let at = flow.frame_start();
            self.give_up(why, direction, at, events);
        }
        if let Phase::Unrecognised { first_bytes } = &self.phase
            && !first_bytes.is_empty()
        {
            let first = joined(first_bytes, RECOGNISE_WITHIN);
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
        let joined = joined(first_bytes, RECOGNISE_WITHIN);
        let dialect = match recognise(&joined) {
            None => return,
            Some(Protocol::Classic) => Dialect::Classic,
            Some(Protocol::Vsr) => Dialect::Vsr,
            Some(other) => {
                let why = explain(other, &joined);
                self.give_up(why, Direction::ToServer, 0, events);
                return;
            }
        };
        let first_bytes = std::mem::take(first_bytes);
        self.begin(dialect, false, events);
        for (time, bytes) in first_bytes {
            self.requests(time, bytes, events);
        }
    }

    /// Looks for the first frame of a connection that was under way: writers put
    /// a header at the front of what they send. Of the server's frames only those
    /// of the VSR dialect are distinct enough to tell.
    fn find_feet(
        &mut self,
        direction: Direction,
        time: Timestamp,
        bytes: Bytes,
        events: &mut Vec<SessionEvent>,
    ) {
        let dialect = match direction {
            _ if vsr::looks_like_frame(direction, &bytes) => Dialect::Vsr,
            Direction::ToServer if classic::looks_like_request(&bytes) => Dialect::Classic,
            _ => {
                self.flow(direction).skip(bytes.len() as u64);
                return;
            }
        };
        self.begin(dialect, true, events);
        self.bytes(direction, time, bytes, events);
    }

    fn begin(&mut self, dialect: Dialect, seeking: bool, events: &mut Vec<SessionEvent>) {
        self.phase = Phase::Framed(dialect);
        for direction in [Direction::ToServer, Direction::ToClient] {
            let gathered = self.gathered;
            let flow = self.flow(direction);
            *flow = Flow::new(dialect, direction, flow.position(), seeking, gathered);
        }
        events.push(SessionEvent::Recognised(noun(dialect)));
    }

    fn requests(&mut self, time: Timestamp, bytes: Bytes, events: &mut Vec<SessionEvent>) {
        // A client that goes on has understood the answer.
        self.release_first_answer(events);
        let mut bytes = self.to_server.passed(bytes);
        while let Some(seen) = self.to_server.next(time, &mut bytes) {
            if self.open.len() >= OPEN_REQUESTS {
                let why =
                    format!("{OPEN_REQUESTS} requests without a reply are more than are kept");
                self.abandon_open(None, events);
                self.give_up(why, Direction::ToServer, seen.frame.start(), events);
                return;
            }
            let mut request = OpenRequest::joining(&self.open, seen);
            request.altered = self.altered.take(request.frame.start());
            self.open.push_back(request);
        }
        self.tell_long_frame(Direction::ToServer, events);
    }

    /// A length that is a lie is told when it is seen, not when the connection
    /// ends for want of the bytes.
    fn tell_long_frame(&mut self, direction: Direction, events: &mut Vec<SessionEvent>) {
        let flow = self.flow(direction);
        let Some((_, Some(whole))) = flow.unfinished() else {
            return;
        };
        let at = flow.frame_start();
        let is_long = whole > (MAX_FRAME_BODY + vsr::HEADER_SIZE) as u64;
        if !is_long || flow.long_frame == Some(at) {
            return;
        }
        flow.long_frame = Some(at);
        let why = format!(
            "a frame that begins here announces {whole} bytes, more than are looked at; they go \
             on unread"
        );
        events.push(SessionEvent::Undecoded(Undecoded { why, at, direction }));
    }

    fn replies(&mut self, time: Timestamp, bytes: Bytes, events: &mut Vec<SessionEvent>) {
        // A reply can only begin once there is a request: what comes before is
        // the rest of one whose request was not seen.
        if self.to_client.is_seeking() && self.open.is_empty() {
            self.to_client.skip(bytes.len() as u64);
            return;
        }
        if self.to_client.position() > 0 || self.to_client.is_seeking() {
            self.answers(time, bytes, events);
            return;
        }
        // The server's very first bytes may be of the other dialect.
        self.first_answer.push((time, bytes));
        let first = joined(&self.first_answer, vsr::HEADER_SIZE);
        if is_tls_alert(&first) {
            let why = SERVER_SPEAKS_TLS.to_owned();
            self.first_answer.clear();
            self.abandon_open(None, events);
            self.give_up(why, Direction::ToClient, 0, events);
            return;
        }
        let (Phase::Framed(dialect), Some(asked)) = (&self.phase, self.open.front()) else {
            self.release_first_answer(events);
            return;
        };
        if let Some(skew) = Skew::of(*dialect, &asked.frame, &first) {
            self.diverging_dialects(skew, events);
        } else if !Skew::may_become(*dialect, &self.open, &first) {
            self.release_first_answer(events);
        }
    }

    fn release_first_answer(&mut self, events: &mut Vec<SessionEvent>) {
        for (time, bytes) in std::mem::take(&mut self.first_answer) {
            self.answers(time, bytes, events);
        }
    }

    fn answers(&mut self, time: Timestamp, bytes: Bytes, events: &mut Vec<SessionEvent>) {
        let mut bytes = self.to_client.passed(bytes);
        while let Some(seen) = self.to_client.next(time, &mut bytes) {
            match (take_answered(&mut self.open, &seen.frame), &seen.frame) {
                (Some(request), _) => self.pair(&request, &seen, events),
                (None, AnyFrame::Vsr(frame)) => {
                    let content = decoding::unsolicited(frame);
                    let times = Times {
                        request_first: seen.first,
                        request_last: seen.first,
                        reply: Some((seen.first, seen.last)),
                    };
                    self.exchange(Content::Unsolicited(content), None, times, None, events);
                }
                (None, AnyFrame::Classic(frame, _)) => {
                    // Servers refuse a request that is too long before they have it all.
                    let why = match self.to_server.unfinished() {
                        Some((here, Some(whole))) => format!(
                            "a reply came when {here} of a request's {whole} bytes had passed, and \
                             to no other"
                        ),
                        _ => "a reply came to which there is no request".to_owned(),
                    };
                    self.give_up(why, Direction::ToClient, frame.start, events);
                    return;
                }
            }
        }
        self.tell_long_frame(Direction::ToClient, events);
    }

    /// The requests stay without a reply that the client could read, and nothing
    /// more is decoded.
    fn diverging_dialects(&mut self, skew: Skew, events: &mut Vec<SessionEvent>) {
        let undecoded = Undecoded {
            why: skew.to_string(),
            at: 0,
            direction: Direction::ToClient,
        };
        self.abandon_open(Some(&undecoded), events);
        events.push(SessionEvent::Skewed(skew));
        self.give_up(undecoded.why, Direction::ToClient, 0, events);
    }

    fn pair(&mut self, request: &OpenRequest, reply: &Seen, events: &mut Vec<SessionEvent>) {
        // Of two that contradict each other none is taken.
        let status_layout = self.layouts.status.only();
        let decoded = decoding::decode(&request.frame, Some(&reply.frame), status_layout);
        let Decoded { content, undecoded } = decoded;
        let login = login_of(&request.frame);
        let undecoded = request.cut_short().or(undecoded);
        let succeeded = content.status == Some(0);
        // A login that succeeds is answered with who one is.
        let is_known = matches!(content.reply, Some(Reply::Identity(_) | Reply::Session(_)));
        let logged_out = matches!(content.request, Some(parallax_codec::Request::LogoutUser));
        let refused = matches!(content.status, Some(INVALID_TOKEN))
            || content.eviction.as_ref().is_some_and(|eviction| {
                use vsr::EvictionReason as Reason;
                [Reason::INVALID_CREDENTIALS, Reason::INVALID_TOKEN].contains(&eviction.reason)
            });
        let server = match &content.reply {
            Some(Reply::Session(session)) => Some(session),
            _ => None,
        };
        let server_version = server.map(|session| {
            let protocol = session.server_protocol_version;
            format!("{}, protocol {protocol}", session.server_version)
        });
        let times = Times {
            request_first: request.first,
            request_last: request.last,
            reply: Some((reply.first, reply.last)),
        };
        let altered = request.altered.clone();
        self.exchange(Content::Binary(content), undecoded, times, altered, events);
        if let Some(Credentials::Token(token)) = login.as_ref().map(|login| &login.credentials)
            && (is_known || refused)
        {
            events.push(SessionEvent::TokenTried {
                time: request.first,
                token: TokenMark::of(token),
                accepted: is_known,
            });
        }
        if let (Some(login), true) = (login, is_known) {
            events.push(SessionEvent::LoggedIn {
                user: login.user,
                version: login.version,
                server_version,
                credentials: login.credentials,
            });
        }
        if logged_out && succeeded {
            events.push(SessionEvent::LoggedOut);
        }
    }

    /// Ends the open requests without a reply.
    fn abandon_open(&mut self, because: Option<&Undecoded>, events: &mut Vec<SessionEvent>) {
        for request in std::mem::take(&mut self.open) {
            self.unanswered(request, because, events);
        }
    }

    /// Ends a request without a reply.
    fn unanswered(
        &mut self,
        request: OpenRequest,
        because: Option<&Undecoded>,
        events: &mut Vec<SessionEvent>,
    ) {
        let decoded = decoding::decode(&request.frame, None, None);
        let undecoded = request
            .cut_short()
            .or(decoded.undecoded)
            .or_else(|| because.cloned());
        let times = Times {
            request_first: request.first,
            request_last: request.last,
            reply: None,
        };
        let content = Content::Binary(decoded.content);
        self.exchange(content, undecoded, times, request.altered, events);
    }

    /// Tells of an exchange, and of the layouts that it is the first to show.
    fn exchange(
        &mut self,
        content: Content,
        undecoded: Option<Undecoded>,
        times: Times,
        altered: Option<Box<Alteration>>,
        events: &mut Vec<SessionEvent>,
    ) {
        let dialect = match self.phase {
            Phase::Framed(dialect) => dialect,
            // Only frames make exchanges.
            Phase::Unrecognised { .. } | Phase::UnderWay | Phase::Undecoded => Dialect::Classic,
        };
        let exchange = Exchange {
            n: 0,
            conn: self.conn,
            dialect: noun(dialect),
            times,
            content,
            undecoded,
            verdict: None,
            findings: Vec::new(),
            muted_findings: Vec::new(),
            route: None,
            annotation: parallax_captures::Annotation::default(),
            altered,
        };
        let layout = Layout::of(&exchange);
        events.push(SessionEvent::Exchange(Arc::new(exchange)));
        if self.layouts.learn(layout) {
            events.push(SessionEvent::Layouts(self.layouts.clone()));
        }
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

/// The dialect as a noun of the journal.
const fn noun(dialect: Dialect) -> parallax_captures::Dialect {
    match dialect {
        Dialect::Classic => parallax_captures::Dialect::Classic,
        Dialect::Vsr => parallax_captures::Dialect::Vsr,
    }
}
