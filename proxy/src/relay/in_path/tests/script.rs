//! A conversation under test, and who is asked in it.

use std::sync::Arc;

use bytes::Bytes;
use parallax_codec::vsr::{ReplyHeader, RequestHeader};
use parallax_codec::{Dialect, Direction, classic};

use crate::relay::in_path::conversation::Conversation;
use crate::relay::in_path::steps::Step;
use crate::relay::in_path::{Decision, Interceptor, Interest, RequestFrame};

/// Wants to see everything, and lets it pass.
#[derive(Debug)]
pub(super) struct Curious;

impl Interceptor for Curious {
    fn interest(&self, _request: &RequestFrame) -> Interest {
        Interest::Whole
    }

    fn decide(&self, _request: &RequestFrame) -> Decision {
        Decision::default()
    }
}

/// Decides about requests of one command.
pub(super) struct On<F>(pub(super) u32, pub(super) Interest, pub(super) F);

impl<F> std::fmt::Debug for On<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "On({})", self.0)
    }
}

impl<F: Fn(&RequestFrame) -> Decision + Send + Sync> Interceptor for On<F> {
    fn interest(&self, request: &RequestFrame) -> Interest {
        if request.code() == Some(self.0) {
            self.1
        } else {
            Interest::Nothing
        }
    }

    fn decide(&self, request: &RequestFrame) -> Decision {
        (self.2)(request)
    }
}

/// What came out of a conversation.
pub(super) struct Script {
    pub(super) conversation: Conversation,
    pub(super) to_server: Vec<u8>,
    pub(super) to_client: Vec<u8>,
    /// Everything but what was written.
    pub(super) others: Vec<Step>,
}

impl Script {
    pub(super) fn of(interceptors: Vec<Arc<dyn Interceptor>>) -> Self {
        Self {
            conversation: Conversation::new(interceptors.into()),
            to_server: Vec::new(),
            to_client: Vec::new(),
            others: Vec::new(),
        }
    }

    pub(super) fn send(&mut self, direction: Direction, bytes: &[u8]) {
        let bytes = Bytes::copy_from_slice(bytes);
        let steps = match direction {
            Direction::ToServer => self.conversation.requests(bytes),
            Direction::ToClient => self.conversation.replies(bytes),
        };
        self.perform(direction, steps);
    }

    pub(super) fn release(&mut self) {
        let steps = self.conversation.release_request();
        self.perform(Direction::ToServer, steps);
        assert!(!self.conversation.holds_request());
    }

    pub(super) fn end(&mut self) {
        for direction in [Direction::ToServer, Direction::ToClient] {
            let steps = self.conversation.end(direction);
            self.perform(direction, steps);
        }
    }

    fn perform(&mut self, direction: Direction, steps: Vec<Step>) {
        for step in steps {
            match (step, direction) {
                (Step::Write(bytes), Direction::ToServer) => self.to_server.extend(&bytes),
                (Step::Write(bytes), Direction::ToClient) => self.to_client.extend(&bytes),
                (other, _) => self.others.push(other),
            }
        }
        let own = self.conversation.take_own();
        if !own.is_empty() {
            self.perform(Direction::ToClient, own);
        }
    }
}

/// A request of a dialect; in the VSR dialect the `number`-th.
pub(super) fn request(dialect: Dialect, code: u32, number: u64, body: &[u8]) -> Bytes {
    match dialect {
        Dialect::Classic => classic::encode_request(code, body),
        Dialect::Vsr => RequestHeader {
            request: number,
            ..RequestHeader::new(code, body)
        }
        .frame(body),
    }
}

/// The reply to it.
pub(super) fn reply(dialect: Dialect, code: u32, number: u64, status: u32, body: &[u8]) -> Bytes {
    match dialect {
        Dialect::Classic => classic::encode_reply(status, body),
        Dialect::Vsr => {
            let asked = RequestHeader {
                request: number,
                ..RequestHeader::new(code, &[])
            };
            ReplyHeader::to(&asked, status, body.len()).frame(body)
        }
    }
}
