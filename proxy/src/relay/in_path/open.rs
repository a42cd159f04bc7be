//! Requests without a reply, and which of them a reply answers.

use std::collections::VecDeque;

use bytes::Bytes;
use parallax_codec::Dialect;
use parallax_codec::vsr::{self, HEADER_SIZE};

use super::Decision;
use crate::limits::OPEN_REQUESTS;

/// A request without a reply.
#[derive(Debug)]
pub(super) struct OpenRequest {
    /// Where its first byte stands in what the client sent.
    pub(super) at: u64,
    /// Its header in the VSR dialect, where replies say which request they answer.
    asked: Option<Box<[u8; HEADER_SIZE]>>,
    pub(super) awaits: Awaits,
}

/// Whose answer the client gets.
#[derive(Debug)]
pub(super) enum Awaits {
    /// The server's, as it is.
    Server,
    /// The server's, with which something is to be done.
    Decided(Box<Decision>),
    /// This frame, once everything before it is answered.
    Own(Bytes, Box<Decision>),
}

/// The open requests of a connection, oldest first; at most [`OPEN_REQUESTS`].
#[derive(Debug, Default)]
pub(super) struct OpenRequests(VecDeque<OpenRequest>);

impl OpenRequests {
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= OPEN_REQUESTS
    }

    /// Adds the newest.
    pub(super) fn push(&mut self, at: u64, dialect: Dialect, header: &[u8], awaits: Awaits) {
        let asked = header.first_chunk().filter(|_| dialect == Dialect::Vsr);
        self.0.push_back(OpenRequest {
            at,
            asked: asked.copied().map(Box::new),
            awaits,
        });
    }

    /// Takes the one that a frame of the server's with this header answers, if any.
    pub(super) fn take_answered(&mut self, header: &[u8]) -> Option<OpenRequest> {
        let index = self.0.iter().position(|open| {
            let of_server = !matches!(open.awaits, Awaits::Own(..));
            of_server
                && match (&open.asked, header.first_chunk()) {
                    (None, _) => true,
                    (Some(asked), Some(answer)) => vsr::answers(answer, asked),
                    (Some(_), None) => false,
                }
        })?;
        self.0.remove(index)
    }

    /// Takes the oldest, if parallax answers it itself: its turn has come.
    pub(super) fn take_own(&mut self) -> Option<(Bytes, Decision)> {
        let oldest = self.0.pop_front()?;
        if let Awaits::Own(frame, decision) = oldest.awaits {
            return Some((frame, *decision));
        }
        self.0.push_front(oldest);
        None
    }

    /// Takes all, in their order.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = OpenRequest> {
        std::mem::take(&mut self.0).into_iter()
    }
}
