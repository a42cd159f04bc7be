//! A pair of frames, decoded and masked.

use bytes::Bytes;
use parallax_codec::vsr::{
    self, EvictionHeader, ReplyHeader, RequestHeader, ResultSection, Status, StatusLayout,
};
use parallax_codec::{
    Body, DecodeError, Dialect, Direction, Reply, Request, code, reply_may_carry_secrets,
    request_may_carry_secrets,
};

use super::frame::AnyFrame;
use super::half::Half;
use crate::connection::Undecoded;
use crate::exchange::{BinaryContent, UnsolicitedContent};

/// What two frames hold.
#[derive(Debug)]
pub struct Decoded {
    /// The frames, masked, and what they hold.
    pub content: BinaryContent,
    /// Why a part of them could not be decoded.
    pub undecoded: Option<Undecoded>,
}

/// Decodes a request and its reply, or the eviction in its place. Only masked
/// bytes are kept, and what is kept decoded was decoded from those, so that no
/// secret outlives this call. `layout` is where the connection's VSR replies have
/// their status, where that is known.
pub fn decode(
    request: &AnyFrame,
    reply: Option<&AnyFrame>,
    layout: Option<StatusLayout>,
) -> Decoded {
    let (dialect, code) = command_of(request);
    let mut asked = Half::read(
        request,
        Direction::ToServer,
        request_may_carry_secrets(code),
        |body| Request::decode(dialect, code, body).map(|request| (request, None)),
    );
    let mut answer = reply.map_or_else(Answer::default, |reply| {
        Answer::read(dialect, code, request, reply, layout)
    });
    if matches!(request, AnyFrame::Vsr(_)) && request_may_carry_secrets(code) {
        // The sum of a body with a password would prove a guess.
        (asked.frame, answer.frame) = vsr::restamped(&asked.frame, &answer.frame);
    }
    Decoded {
        content: BinaryContent {
            code,
            request_frame: asked.frame,
            request: asked.value,
            status: answer.status,
            reply_frame: answer.frame,
            result: answer.result,
            reply: answer.reply,
            eviction: answer.eviction,
        },
        undecoded: asked
            .undecoded
            .or_else(|| unknown_operation(request))
            .or(answer.undecoded),
    }
}

/// A frame that answers no request.
pub fn unsolicited(frame: &vsr::Frame) -> UnsolicitedContent {
    let is_eviction = frame.command() == vsr::Command::EVICTION;
    UnsolicitedContent {
        name: match frame.command() {
            vsr::Command::REPLY => "unmatched_reply",
            other => other.name(),
        },
        // The header alone: whose secrets a body may hold is not known.
        frame: Bytes::copy_from_slice(&frame.header),
        eviction: is_eviction.then(|| Box::new(EvictionHeader::of(&frame.header))),
    }
}

/// A request's dialect and its command's code; 0 where an operation has none that
/// is known.
pub fn command_of(request: &AnyFrame) -> (Dialect, u32) {
    match request {
        AnyFrame::Classic(frame, _) => (Dialect::Classic, frame.word),
        AnyFrame::Vsr(frame) if frame.command() == vsr::Command::PING_CLIENT => {
            (Dialect::Vsr, code::PING)
        }
        AnyFrame::Vsr(frame) => {
            let header = RequestHeader::of(&frame.header);
            let code = header.command_code(&frame.body_bytes());
            // A login of undetermined form is masked like the others.
            let login = header.operation == vsr::Operation::REGISTER;
            let unknown = if login { code::LOGIN_REGISTER } else { 0 };
            (Dialect::Vsr, code.unwrap_or(unknown))
        }
    }
}

fn unknown_operation(request: &AnyFrame) -> Option<Undecoded> {
    let AnyFrame::Vsr(frame) = request else {
        return None;
    };
    let header = RequestHeader::of(&frame.header);
    let known = frame.command() != vsr::Command::REQUEST
        || header.command_code(&frame.body_bytes()).is_some();
    (!known).then(|| Undecoded {
        why: format!("operation {} names no known command", header.operation.0),
        at: frame.start + 176,
        direction: Direction::ToServer,
    })
}

/// What came back.
#[derive(Default)]
struct Answer {
    status: Option<u32>,
    frame: Bytes,
    result: Option<ResultSection>,
    reply: Option<Reply>,
    eviction: Option<Box<EvictionHeader>>,
    undecoded: Option<Undecoded>,
}

impl Answer {
    fn read(
        dialect: Dialect,
        code: u32,
        request: &AnyFrame,
        reply: &AnyFrame,
        layout: Option<StatusLayout>,
    ) -> Self {
        match (request, reply) {
            (AnyFrame::Vsr(request), AnyFrame::Vsr(answer)) => match answer.command() {
                vsr::Command::EVICTION => Self {
                    frame: reply.with_body(&[]),
                    eviction: Some(Box::new(EvictionHeader::of(&answer.header))),
                    ..Self::default()
                },
                vsr::Command::REPLY => Self::vsr(code, request, answer, reply, layout),
                _ => Self {
                    status: Some(0),
                    frame: reply.with_body(&[]),
                    ..Self::default()
                },
            },
            (_, AnyFrame::Classic(frame, _)) => {
                Self::with_status(dialect, code, reply, frame.word, None)
            }
            (AnyFrame::Classic(..), AnyFrame::Vsr(_)) => Self::default(),
        }
    }

    fn vsr(
        code: u32,
        request: &vsr::Frame,
        answer: &vsr::Frame,
        reply: &AnyFrame,
        layout: Option<StatusLayout>,
    ) -> Self {
        let operation = RequestHeader::of(&request.header).operation;
        let header = ReplyHeader::of(&answer.header);
        match header.status(answer.body_length, layout) {
            Status::Told { code: status, .. } => {
                Self::with_status(Dialect::Vsr, code, reply, status, Some(operation))
            }
            Status::Ambiguous { at_216, at_224 } => Self {
                frame: reply.with_body(&[]),
                undecoded: Some(Undecoded {
                    why: format!(
                        "the status is ambiguous: {at_216} at byte 216 (servers from \
                         0.9.0-edge.2), {at_224} at byte 224 (before)"
                    ),
                    at: answer.start + 216,
                    direction: Direction::ToClient,
                }),
                ..Self::default()
            },
        }
    }

    /// The body, by the status in the header; `operation` in the VSR dialect, whose
    /// replies may begin with a result section that has a status of its own.
    fn with_status(
        dialect: Dialect,
        code: u32,
        reply: &AnyFrame,
        status: u32,
        operation: Option<vsr::Operation>,
    ) -> Self {
        if status != 0 {
            return Self {
                status: Some(status),
                frame: reply.with_body(&reply.body().bytes()),
                undecoded: unexpected_body(reply),
                ..Self::default()
            };
        }
        let mut result = None;
        let masks = reply_may_carry_secrets(code);
        let half = Half::read(reply, Direction::ToClient, masks, |body| {
            let rest = match operation {
                Some(operation) => ResultSection::split(operation, body)?.1,
                None => body.clone(),
            };
            let moved = body.len() - rest.len();
            let place = |error: DecodeError| DecodeError {
                at: error.at + moved,
                ..error
            };
            let (reply, fault) = Reply::decode(dialect, code, &rest).map_err(place)?;
            Ok((reply, fault.map(place)))
        });
        if let (Some(operation), Body::Whole(body)) = (operation, reply.body()) {
            result = ResultSection::split(operation, body)
                .ok()
                .and_then(|(section, _)| section);
        }
        let refused = result.as_ref().and_then(ResultSection::error);
        Self {
            status: Some(refused.unwrap_or(0)),
            frame: half.frame,
            result,
            reply: half.value.filter(|_| refused.is_none()),
            eviction: None,
            undecoded: half.undecoded,
        }
    }
}

/// An error reply has no body on any known server (cases, section 0).
fn unexpected_body(reply: &AnyFrame) -> Option<Undecoded> {
    let length = reply.body_length();
    (length > 0).then(|| Undecoded {
        why: format!("an error reply has {length} bytes of body, where no known server sends any"),
        at: reply.body_start(),
        direction: Direction::ToClient,
    })
}
