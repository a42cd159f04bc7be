//! A connection's bytes in both directions, and what is to be done with them. No socket
//! and no clock.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use parallax_codec::recognise::{Protocol, recognise};
use parallax_codec::{Dialect, Direction};

use super::Interceptor;
use super::cutter::Cutter;
use super::open::{Awaits, OpenRequests};
use super::replies::Replies;
use super::requests::Requests;
use super::steps::{Step, Steps};

/// What is known of a connection, and what is under way on it.
#[derive(Debug)]
pub(super) struct Conversation {
    phase: Phase,
    pub(super) interceptors: Arc<[Arc<dyn Interceptor>]>,
    pub(super) open: OpenRequests,
    pub(super) requests: Requests,
    pub(super) replies: Replies,
    /// What the client is to get besides the server's replies.
    pub(super) own: Vec<Step>,
    /// Frames that were too long to be looked at.
    pub(super) too_long: u64,
    unread: Option<&'static str>,
}

#[derive(Debug)]
enum Phase {
    /// The client's first bytes, which do not tell yet what it speaks.
    Unrecognised(BytesMut),
    /// Frames are looked at.
    Framed,
    /// Everything passes.
    Unread,
}

impl Conversation {
    /// Of a connection from its first byte.
    pub(super) fn new(interceptors: Arc<[Arc<dyn Interceptor>]>) -> Self {
        let cutter = |direction| Cutter::new(Dialect::Classic, direction);
        Self {
            phase: Phase::Unrecognised(BytesMut::new()),
            interceptors,
            open: OpenRequests::default(),
            requests: Requests::new(cutter(Direction::ToServer)),
            replies: Replies::new(cutter(Direction::ToClient)),
            own: Vec::new(),
            too_long: 0,
            unread: None,
        }
    }

    /// Takes what the client sent; what the server is to get.
    pub(super) fn requests(&mut self, chunk: Bytes) -> Vec<Step> {
        let chunk = match &mut self.phase {
            Phase::Unread | Phase::Framed => chunk,
            Phase::Unrecognised(first) => {
                first.extend_from_slice(&chunk);
                let first = match recognise(first) {
                    None => return Vec::new(),
                    Some(_) => first.split().freeze(),
                };
                match recognise(&first) {
                    Some(Protocol::Classic) => self.begin(Dialect::Classic),
                    Some(Protocol::Vsr) => self.begin(Dialect::Vsr),
                    _ => self.pass_all("the client's first bytes begin no request of Iggy's"),
                }
                first
            }
        };
        let mut steps = Steps::of(chunk.clone());
        if self.is_framed() {
            self.cut_requests(chunk, &mut steps);
        } else {
            self.pass_requests(chunk, &mut steps);
        }
        steps.done()
    }

    /// Takes what the server sent; what the client is to get.
    pub(super) fn replies(&mut self, chunk: Bytes) -> Vec<Step> {
        let mut steps = Steps::of(chunk.clone());
        if matches!(self.phase, Phase::Unrecognised(_)) {
            self.pass_all("the server spoke before the client's bytes told what it speaks");
        }
        if self.is_framed() {
            self.cut_replies(chunk, &mut steps);
        } else {
            self.pass_replies(chunk, &mut steps);
        }
        steps.done()
    }

    /// What has been made for the client besides, once.
    pub(super) fn take_own(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.own)
    }

    /// Whether first bytes of a request are held back.
    pub(super) fn holds_request(&self) -> bool {
        match &self.phase {
            Phase::Unrecognised(first) => first.len() > self.requests.released,
            Phase::Framed => self.requests.holds_header(),
            Phase::Unread => self.requests.holds(),
        }
    }

    /// Holds them back no longer: this request is left alone.
    pub(super) fn release_request(&mut self) -> Vec<Step> {
        let mut steps = Steps::of(Bytes::new());
        match &mut self.phase {
            Phase::Unrecognised(first) => {
                steps.write(Bytes::copy_from_slice(&first[self.requests.released..]));
                self.requests.released = first.len();
            }
            Phase::Framed => self.requests.release_header(&mut steps),
            Phase::Unread => self.requests.write_held(&mut steps),
        }
        steps.done()
    }

    /// A direction has ended: what was held back of it.
    pub(super) fn end(&mut self, direction: Direction) -> Vec<Step> {
        let mut steps = Steps::of(Bytes::new());
        match (direction, &mut self.phase) {
            (Direction::ToServer, Phase::Unrecognised(first)) => {
                let first = first.split().freeze();
                self.requests.write(first, &mut steps);
            }
            (Direction::ToServer, _) => self.requests.write_held(&mut steps),
            (Direction::ToClient, _) => self.replies.write_held(&mut steps),
        }
        steps.done()
    }

    /// Why frames are no longer looked at, once.
    pub(super) fn take_unread(&mut self) -> Option<&'static str> {
        self.unread.take()
    }

    pub(super) fn is_framed(&self) -> bool {
        matches!(self.phase, Phase::Framed)
    }

    fn begin(&mut self, dialect: Dialect) {
        self.phase = Phase::Framed;
        self.requests
            .begin(Cutter::new(dialect, Direction::ToServer));
        self.replies = Replies::new(Cutter::new(dialect, Direction::ToClient));
    }

    /// From now on everything passes, and what is held back goes with what comes next.
    pub(super) fn pass_all(&mut self, why: &'static str) {
        if let Phase::Unrecognised(first) = &mut self.phase {
            self.requests.hold(first.split().freeze());
        }
        self.phase = Phase::Unread;
        self.unread = Some(why);
        let mut steps = Steps::of(Bytes::new());
        for open in self.open.take_all() {
            if let Awaits::Own(frame, decision) = open.awaits {
                Replies::give_own(frame, &decision, &mut steps);
            }
        }
        self.own.extend(steps.done());
    }
}
