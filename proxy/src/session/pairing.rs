//! Which request a frame of the server's answers.

use std::collections::VecDeque;

use jiff::Timestamp;
use parallax_codec::vsr::{self, EvictionHeader, Operation, ReplyHeader, RequestHeader};

use super::any_frame::AnyFrame;

/// A request without a reply so far.
#[derive(Debug)]
pub(super) struct OpenRequest {
    pub(super) frame: AnyFrame,
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
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
        AnyFrame::Vsr(asked) => answers(answer, asked),
    })?;
    open.remove(index)
}

fn answers(answer: &vsr::Frame, asked: &vsr::Frame) -> bool {
    let ping = asked.command() == vsr::Command::PING_CLIENT;
    match answer.command() {
        vsr::Command::PONG_CLIENT => ping,
        vsr::Command::REPLY => {
            !ping && ReplyHeader::of(&answer.header).answers(&RequestHeader::of(&asked.header))
        }
        vsr::Command::EVICTION => {
            let asked = RequestHeader::of(&asked.header);
            let evicted = EvictionHeader::of(&answer.header);
            !ping && asked.operation == Operation::REGISTER && asked.client == evicted.client
        }
        _ => false,
    }
}
