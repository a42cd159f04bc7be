//! The direction of requests: who is asked, and what the server gets.

use bytes::{Buf as _, Bytes, BytesMut};

use super::conversation::Conversation;
use super::cutter::{Cutter, Piece};
use super::open::Awaits;
use super::replies::Replies;
use super::steps::Steps;
use super::{Decision, Interest, Note, RequestFrame, ToClient, ToServer};
use crate::limits::IN_PATH_GATHERED;

/// What is under way in this direction.
#[derive(Debug)]
pub(super) struct Requests {
    cutter: Cutter,
    fate: Fate,
    /// Bytes that were passed on before the header that they begin was whole.
    pub(super) released: usize,
    /// Bytes that go before whatever comes next.
    held: Bytes,
}

/// What becomes of the body that comes next.
#[derive(Debug)]
enum Fate {
    Pass,
    Swallow,
    /// It is held back until it is whole.
    Gather {
        at: u64,
        frame: RequestFrame,
        body: BytesMut,
    },
}

impl Requests {
    pub(super) fn new(cutter: Cutter) -> Self {
        Self {
            cutter,
            fate: Fate::Pass,
            released: 0,
            held: Bytes::new(),
        }
    }

    pub(super) fn begin(&mut self, cutter: Cutter) {
        self.cutter = cutter;
    }

    /// Passes on what was not passed on before.
    pub(super) fn write(&mut self, mut bytes: Bytes, steps: &mut Steps) {
        let done = self.released.min(bytes.len());
        bytes.advance(done);
        self.released -= done;
        steps.write(bytes);
    }

    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty() || self.holds_header() || matches!(self.fate, Fate::Gather { .. })
    }

    pub(super) fn holds_header(&self) -> bool {
        self.cutter.partial_header().len() > self.released
    }

    /// Passes on the first bytes of a header.
    pub(super) fn release_header(&mut self, steps: &mut Steps) {
        let header = self.cutter.partial_header();
        steps.write(Bytes::copy_from_slice(&header[self.released..]));
        self.released = header.len();
    }

    /// Keeps bytes that go before whatever comes next.
    pub(super) fn hold(&mut self, bytes: Bytes) {
        self.held = bytes;
    }

    /// Passes on all that is held back.
    pub(super) fn write_held(&mut self, steps: &mut Steps) {
        let held = std::mem::take(&mut self.held);
        self.write(held, steps);
        if let Fate::Gather { frame, body, .. } = std::mem::replace(&mut self.fate, Fate::Pass) {
            self.write(frame.header, steps);
            self.write(body.freeze(), steps);
        }
        let header = self.cutter.take_partial_header();
        self.write(header, steps);
    }
}

impl Conversation {
    /// Cuts what the client sent.
    pub(super) fn cut_requests(&mut self, mut chunk: Bytes, steps: &mut Steps) {
        while self.is_framed()
            && let Some(piece) = self.requests.cutter.next(&mut chunk)
        {
            match piece {
                Piece::Header {
                    at,
                    bytes,
                    body_length,
                } => {
                    let frame = RequestFrame {
                        dialect: self.requests.cutter.dialect(),
                        header: bytes,
                        body_length,
                        body: None,
                    };
                    self.request_header(at, frame, steps);
                }
                Piece::Body { bytes, is_last } => self.request_body(bytes, is_last, steps),
            }
        }
        // What is left where frames are no longer looked at.
        self.requests.write(chunk, steps);
        self.give_own();
    }

    /// Passes on what the client sent, but for the rest of a request that was kept back.
    pub(super) fn pass_requests(&mut self, mut chunk: Bytes, steps: &mut Steps) {
        self.requests.write_held(steps);
        if let Some(Piece::Body { bytes, is_last }) = self.requests.cutter.rest(&mut chunk) {
            self.request_body(bytes, is_last, steps);
        }
        self.requests.write(chunk, steps);
    }

    fn request_header(&mut self, at: u64, frame: RequestFrame, steps: &mut Steps) {
        if self.open.is_full() {
            self.pass_all("more requests are without a reply than are kept");
            self.requests.fate = Fate::Pass;
            self.requests.write(frame.header, steps);
            return;
        }
        let interest = if self.requests.released > 0 {
            Interest::Nothing
        } else {
            let interests = self.interceptors.iter().map(|one| one.interest(&frame));
            interests.max().unwrap_or(Interest::Nothing)
        };
        let fits = frame.body_length <= IN_PATH_GATHERED as u64;
        match interest {
            Interest::Nothing => {
                self.request_opens(at, &frame, Awaits::Server);
                self.requests.fate = Fate::Pass;
                self.requests.write(frame.header, steps);
            }
            Interest::Whole if fits && frame.body_length > 0 => {
                let body = BytesMut::new();
                self.requests.fate = Fate::Gather { at, frame, body };
            }
            Interest::Whole if fits => {
                let body = Some(Bytes::new());
                self.decide(at, &RequestFrame { body, ..frame }, steps);
            }
            Interest::Whole | Interest::Header => {
                self.too_long += u64::from(interest == Interest::Whole);
                self.decide(at, &frame, steps);
            }
        }
    }

    fn request_body(&mut self, bytes: Bytes, is_last: bool, steps: &mut Steps) {
        match &mut self.requests.fate {
            Fate::Pass => self.requests.write(bytes, steps),
            Fate::Swallow => {}
            Fate::Gather { body, .. } => {
                body.extend_from_slice(&bytes);
                if !is_last {
                    return;
                }
                let gathered = std::mem::replace(&mut self.requests.fate, Fate::Pass);
                if let Fate::Gather { at, frame, body } = gathered {
                    let body = Some(body.freeze());
                    self.decide(at, &RequestFrame { body, ..frame }, steps);
                }
            }
        }
    }

    /// Asks whoever is interested, and does to the request what they say.
    fn decide(&mut self, at: u64, frame: &RequestFrame, steps: &mut Steps) {
        let mut decision = Decision::default();
        for interceptor in self.interceptors.iter() {
            if interceptor.interest(frame) > Interest::Nothing {
                decision = decision.and(interceptor.decide(frame));
            }
        }
        let marks = std::mem::take(&mut decision.marks);
        if !marks.is_empty() {
            steps.tell(Note::Decided {
                at,
                marks,
                answered_otherwise: matches!(decision.to_server, ToServer::Answer(_))
                    || matches!(decision.to_client, ToClient::CutAfter(_)),
            });
        }
        self.requests.fate = Fate::Swallow;
        let awaits = match std::mem::take(&mut decision.to_server) {
            ToServer::Answer(own) => {
                self.request_opens(at, frame, Awaits::Own(own, Box::new(decision)));
                return;
            }
            ToServer::Pass => {
                self.requests.fate = Fate::Pass;
                steps.write(frame.header.clone());
                steps.write(frame.body.clone().unwrap_or_default());
                decision
            }
            ToServer::Replace(other) => {
                steps.write(other);
                decision
            }
        };
        let awaits = if awaits.leaves_reply() {
            Awaits::Server
        } else {
            Awaits::Decided(Box::new(awaits))
        };
        self.request_opens(at, frame, awaits);
    }

    fn request_opens(&mut self, at: u64, frame: &RequestFrame, awaits: Awaits) {
        let RequestFrame {
            dialect, header, ..
        } = frame;
        self.open.push(at, *dialect, header, awaits);
    }

    /// Gives the client the answers of parallax's own whose turn has come.
    fn give_own(&mut self) {
        let mut steps = Steps::of(Bytes::new());
        while let Some((frame, decision)) = self.open.take_own() {
            Replies::give_own(frame, &decision, &mut steps);
        }
        self.own.extend(steps.done());
    }
}
