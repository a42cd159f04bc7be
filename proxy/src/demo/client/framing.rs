use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};

use bytes::Bytes;
use parallax_codec::vsr::{
    self, Command, EvictionHeader, Operation, ReplyHeader, RequestHeader, ResultSection,
};
use parallax_codec::{Body, Dialect, Direction, ErrorCode, Reply, classic};

use super::ClientError;

/// How requests become frames, and frames replies.
pub(super) enum Framing {
    Classic {
        framer: classic::Framer,
        frames: VecDeque<classic::Frame>,
    },
    Vsr {
        framer: Box<vsr::Framer>,
        frames: VecDeque<vsr::Frame>,
        client: u128,
        session: u64,
        /// The number of the next write.
        request: u64,
    },
}

type Answer = Result<Reply, ClientError>;

impl Framing {
    pub(super) fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Classic => Self::Classic {
                framer: classic::Framer::new(Direction::ToClient),
                frames: VecDeque::new(),
            },
            Dialect::Vsr => Self::Vsr {
                framer: Box::new(vsr::Framer::new()),
                frames: VecDeque::new(),
                // The hasher's keys are random.
                client: RandomState::new().hash_one("client").into(),
                session: 0,
                request: 1,
            },
        }
    }

    /// A request's frame. In the VSR dialect reads have the number of the next
    /// write, and a login has 0.
    pub(super) fn encode(&mut self, code: u32, body: &[u8]) -> Bytes {
        match self {
            Self::Classic { .. } => classic::encode_request(code, body),
            Self::Vsr {
                client,
                session,
                request,
                ..
            } => {
                let mut header = RequestHeader::new(code, body);
                (header.client, header.session) = (*client, *session);
                if header.operation != Operation::REGISTER {
                    header.request = *request;
                }
                *request += u64::from(header.operation.0 > Operation::NON_REPLICATED.0);
                header.frame(body)
            }
        }
    }

    /// Takes what was received.
    pub(super) fn push(&mut self, chunk: Bytes) {
        match self {
            Self::Classic { framer, frames } => {
                let mut cut = Vec::new();
                framer.push(chunk, &mut cut);
                frames.extend(cut);
            }
            Self::Vsr { framer, frames, .. } => {
                let mut cut = Vec::new();
                framer.push(chunk, &mut cut);
                frames.extend(cut);
            }
        }
    }

    /// The next frame, read as the answer to the command with this code; whether
    /// it is that is not looked at.
    pub(super) fn next(&mut self, code: u32) -> Option<Answer> {
        match self {
            Self::Classic { frames, .. } => {
                let frame = frames.pop_front()?;
                Some(classic_answer(code, &frame))
            }
            Self::Vsr {
                frames, session, ..
            } => {
                let answer = vsr_answer(code, &frames.pop_front()?);
                if let Ok(Reply::Session(opened)) = &answer {
                    *session = opened.session;
                }
                Some(answer)
            }
        }
    }
}

fn classic_answer(code: u32, frame: &classic::Frame) -> Answer {
    let Body::Whole(body) = &frame.body else {
        return Err(ClientError::Closed);
    };
    if frame.word != 0 {
        return Err(ClientError::Refused(ErrorCode(frame.word)));
    }
    Ok(Reply::decode(Dialect::Classic, code, body)?.0)
}

/// The status is looked for where servers have it today.
fn vsr_answer(code: u32, frame: &vsr::Frame) -> Answer {
    let Body::Whole(body) = &frame.body else {
        return Err(ClientError::Closed);
    };
    if frame.command() == Command::EVICTION {
        let eviction = EvictionHeader::of(&frame.header);
        return Err(ClientError::Evicted(eviction.reason));
    }
    let header = ReplyHeader::of(&frame.header);
    let layout = Some(vsr::StatusLayout::At216);
    let status = header.status(body.len() as u64, layout).code();
    if let Some(status @ 1..) = status {
        return Err(ClientError::Refused(ErrorCode(status)));
    }
    if body.is_empty() {
        return Ok(Reply::Empty);
    }
    let (section, rest) = ResultSection::split(header.operation, body)?;
    match section.as_ref().and_then(ResultSection::error) {
        Some(result) => Err(ClientError::Refused(ErrorCode(result))),
        None => Ok(Reply::decode(Dialect::Vsr, code, &rest)?.0),
    }
}
