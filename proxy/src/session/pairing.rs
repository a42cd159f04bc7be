//! Which request a frame of the server's answers.

use std::collections::VecDeque;

use jiff::Timestamp;
use parallax_captures::decoding::AnyFrame;
use parallax_captures::{Alteration, Undecoded};
use parallax_codec::{Direction, vsr};

use super::flow::Seen;
use crate::limits::{CUT_REQUEST_BYTES, OPEN_REQUEST_BYTES};

/// A request without a reply so far.
#[derive(Debug)]
pub(super) struct OpenRequest {
    pub(super) frame: AnyFrame,
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
    /// Whether its body was cut, because too many bytes wait for a reply.
    cut: bool,
    /// What was done to it in the path.
    pub(super) altered: Option<Box<Alteration>>,
}

impl OpenRequest {
    /// A request that joins those that are `open`, all of them within
    /// [`OPEN_REQUEST_BYTES`].
    pub(super) fn joining(open: &VecDeque<Self>, seen: Seen) -> Self {
        let Seen {
            mut frame,
            first,
            last,
        } = seen;
        let length = frame.held();
        let held: usize = open.iter().map(|one| one.frame.held()).sum();
        let cut = length > CUT_REQUEST_BYTES && held + length > OPEN_REQUEST_BYTES;
        if cut {
            frame.cut(CUT_REQUEST_BYTES);
        }
        Self {
            frame,
            first,
            last,
            cut,
            altered: None,
        }
    }

    /// Why its body is not decoded, where it was cut.
    pub(super) fn cut_short(&self) -> Option<Undecoded> {
        self.cut.then(|| Undecoded {
            why: format!(
                "too many bytes wait for a reply: of this body's {} bytes the first {} are kept",
                self.frame.body_length(),
                self.frame.held()
            ),
            at: self.frame.body_start(),
            direction: Direction::ToServer,
        })
    }
}

/// Takes the request that `answer` answers out of those that are open; `None`
/// where it answers none of them.
///
/// In the classic dialect that is the oldest. In the VSR dialect a reply says
/// which; reads share the number of the last write, so of several the oldest is
/// meant. An eviction comes unasked (case E1) but for one that refuses a login,
/// and never moves the others.
pub(super) fn take_answered(
    open: &mut VecDeque<OpenRequest>,
    answer: &AnyFrame,
) -> Option<OpenRequest> {
    let AnyFrame::Vsr(answer) = answer else {
        return open.pop_front();
    };
    let index = open.iter().position(|request| match &request.frame {
        AnyFrame::Classic(..) => false,
        AnyFrame::Vsr(asked) => vsr::answers(&answer.header, &asked.header),
    })?;
    open.remove(index)
}
