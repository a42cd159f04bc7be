//! The direction of replies: which request each answers, and what the client gets.

use bytes::{Bytes, BytesMut};
use parallax_codec::Dialect;

use super::conversation::Conversation;
use super::cutter::{Cutter, Piece};
use super::open::Awaits;
use super::steps::Steps;
use super::{Decision, Mark, Note, ReplyFrame, ToClient};
use crate::limits::IN_PATH_GATHERED;

/// What is under way in this direction.
#[derive(Debug)]
pub(super) struct Replies {
    cutter: Cutter,
    fate: Fate,
}

/// What becomes of the body that comes next.
#[derive(Debug)]
enum Fate {
    Pass,
    Swallow,
    /// So many bytes of it pass, then the connection ends.
    Cut(u64),
    /// Its first bytes are held back until as many are here as have to be seen.
    Gather {
        at: u64,
        frame: ReplyFrame,
        body: BytesMut,
        needed: usize,
        decision: Box<Decision>,
    },
}

impl Replies {
    pub(super) fn new(cutter: Cutter) -> Self {
        Self {
            cutter,
            fate: Fate::Pass,
        }
    }

    /// Passes on all that is held back.
    pub(super) fn write_held(&mut self, steps: &mut Steps) {
        if let Fate::Gather { frame, body, .. } = std::mem::replace(&mut self.fate, Fate::Pass) {
            steps.write(frame.header);
            steps.write(body.freeze());
        }
        steps.write(self.cutter.take_partial_header());
    }

    /// Gives the client an answer of parallax's own.
    pub(super) fn give_own(frame: Bytes, decision: &Decision, steps: &mut Steps) {
        match decision.to_client {
            ToClient::Pass => {
                steps.wait(decision.delay);
                steps.write(frame);
            }
            ToClient::Drop => {}
            ToClient::CutAfter(count) => {
                steps.wait(decision.delay);
                steps.write(first(&frame, count));
                steps.cut();
            }
        }
    }
}

impl Conversation {
    /// Cuts what the server sent.
    pub(super) fn cut_replies(&mut self, mut chunk: Bytes, steps: &mut Steps) {
        while self.is_framed()
            && let Some(piece) = self.replies.cutter.next(&mut chunk)
        {
            let is_last = match piece {
                Piece::Header {
                    bytes, body_length, ..
                } => {
                    let frame = ReplyFrame {
                        dialect: self.replies.cutter.dialect(),
                        header: bytes,
                        body_length,
                        body: Bytes::new(),
                    };
                    self.reply_header(frame, steps);
                    body_length == 0
                }
                Piece::Body { bytes, is_last } => {
                    self.reply_body(bytes, is_last, steps);
                    is_last
                }
            };
            if is_last {
                while let Some((frame, decision)) = self.open.take_own() {
                    Replies::give_own(frame, &decision, steps);
                }
            }
        }
        if self.is_framed() && !may_begin_reply(&self.replies.cutter) {
            self.pass_all(OTHER_DIALECT);
            self.replies.write_held(steps);
        }
        steps.write(chunk);
    }

    /// Passes on what the server sent, but for the rest of a reply that was kept back.
    pub(super) fn pass_replies(&mut self, mut chunk: Bytes, steps: &mut Steps) {
        self.replies.write_held(steps);
        if let Some(Piece::Body { bytes, is_last }) = self.replies.cutter.rest(&mut chunk) {
            self.reply_body(bytes, is_last, steps);
        }
        steps.write(chunk);
    }

    fn reply_header(&mut self, frame: ReplyFrame, steps: &mut Steps) {
        self.replies.fate = Fate::Pass;
        let open = match self.open.take_answered(&frame.header) {
            Some(open) => open,
            None if frame.dialect == Dialect::Vsr && frame.header.starts_with(&UNSUMMED) => {
                steps.write(frame.header);
                return;
            }
            None => {
                self.pass_all(OTHER_DIALECT);
                steps.write(frame.header);
                return;
            }
        };
        let decision = match open.awaits {
            Awaits::Decided(decision) => decision,
            Awaits::Server | Awaits::Own(..) => {
                steps.write(frame.header);
                return;
            }
        };
        let length = usize::try_from(frame.body_length).unwrap_or(usize::MAX);
        let needs = decision.rewrites.iter().map(|rewrite| rewrite.needs).max();
        let needed = needs.unwrap_or(0).min(length);
        if needed == 0 || needed > IN_PATH_GATHERED {
            self.deliver(open.at, frame, *decision, steps);
            return;
        }
        self.replies.fate = Fate::Gather {
            at: open.at,
            frame,
            body: BytesMut::new(),
            needed,
            decision,
        };
    }

    fn reply_body(&mut self, mut bytes: Bytes, is_last: bool, steps: &mut Steps) {
        if let Fate::Gather { body, needed, .. } = &mut self.replies.fate {
            let missing = (*needed - body.len()).min(bytes.len());
            body.extend_from_slice(&bytes.split_to(missing));
            if body.len() < *needed {
                return;
            }
            let gathered = std::mem::replace(&mut self.replies.fate, Fate::Pass);
            if let Fate::Gather {
                at,
                frame,
                body,
                decision,
                ..
            } = gathered
            {
                let body = body.freeze();
                self.deliver(at, ReplyFrame { body, ..frame }, *decision, steps);
            }
        }
        match &mut self.replies.fate {
            Fate::Pass => steps.write(bytes),
            Fate::Swallow | Fate::Gather { .. } => {}
            Fate::Cut(left) => {
                let passed = first(&bytes, *left);
                *left -= passed.len() as u64;
                let is_over = *left == 0 || is_last;
                steps.write(passed);
                if is_over {
                    self.replies.fate = Fate::Swallow;
                    steps.cut();
                }
            }
        }
    }

    /// Does to a reply what was decided, once as much of it is here as has to be seen.
    fn deliver(&mut self, at: u64, reply: ReplyFrame, decision: Decision, steps: &mut Steps) {
        let Decision {
            delay,
            rewrites,
            to_client,
            ..
        } = decision;
        let (status, body_length) = (reply.status(), reply.body_length);
        let (other, marks) = self.rewritten(&reply, rewrites);
        let dropped = matches!(to_client, ToClient::Drop);
        let cut = matches!(to_client, ToClient::CutAfter(_));
        if other.is_some() || dropped || cut {
            steps.tell(Note::Withheld {
                at,
                marks,
                status,
                body_length,
                dropped,
            });
        }
        self.replies.fate = if other.is_some() || dropped {
            Fate::Swallow
        } else {
            Fate::Pass
        };
        if dropped {
            return;
        }
        steps.wait(delay);
        let size = reply.dialect.header_size() as u64 + body_length;
        let (given, size) = match other {
            Some(other) => (vec![other.clone()], other.len() as u64),
            None => (vec![reply.header, reply.body], size),
        };
        let most = match to_client {
            ToClient::CutAfter(count) => count,
            ToClient::Pass | ToClient::Drop => u64::MAX,
        };
        let mut left = most;
        for bytes in given {
            let passed = first(&bytes, left);
            left -= passed.len() as u64;
            steps.write(passed);
        }
        if cut {
            let is_over = left == 0 || size == most - left;
            self.replies.fate = if is_over {
                Fate::Swallow
            } else {
                Fate::Cut(left)
            };
            if is_over {
                steps.cut();
            }
        }
    }

    /// What the rewrites make of a reply, if anything.
    fn rewritten(
        &mut self,
        reply: &ReplyFrame,
        rewrites: Vec<super::Rewrite>,
    ) -> (Option<Bytes>, Vec<Mark>) {
        let mut other: Option<ReplyFrame> = None;
        let mut marks = Vec::new();
        for rewrite in rewrites {
            let seen = other.as_ref().unwrap_or(reply);
            let needed = rewrite
                .needs
                .min(usize::try_from(seen.body_length).unwrap_or(usize::MAX));
            if seen.body.len() < needed {
                self.too_long += 1;
                continue;
            }
            if let Some(rewritten) = (rewrite.with)(seen) {
                other = ReplyFrame::of(reply.dialect, rewritten.frame);
                marks.push(rewritten.mark);
            }
        }
        (other.map(ReplyFrame::into_bytes), marks)
    }
}

const OTHER_DIALECT: &str = "the server's bytes answer no request in the client's dialect";

/// A VSR header to a client begins with a sum that is 0 (`iggy_binary_protocol` 0.11.0,
/// `consensus/header.rs`).
const UNSUMMED: [u8; 4] = [0; 4];

/// Whether what is here of a header may be one.
fn may_begin_reply(cutter: &Cutter) -> bool {
    let begun = cutter.partial_header().iter().take(UNSUMMED.len());
    cutter.dialect() == Dialect::Classic || begun.copied().all(|byte| byte == 0)
}

/// At most the first so many bytes.
fn first(bytes: &Bytes, count: u64) -> Bytes {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    bytes.slice(..bytes.len().min(count))
}
