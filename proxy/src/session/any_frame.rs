//! A frame of either dialect, as far as pairing and decoding are concerned, and
//! the framer that cuts it.

use bytes::Bytes;
use parallax_codec::{Body, Dialect, Direction, classic, vsr};

/// A frame.
#[derive(Debug)]
pub(super) enum AnyFrame {
    Classic(classic::Frame, Direction),
    Vsr(Box<vsr::Frame>),
}

impl AnyFrame {
    /// Where its first byte stands in the direction's stream.
    pub(super) const fn start(&self) -> u64 {
        match self {
            Self::Classic(frame, _) => frame.start,
            Self::Vsr(frame) => frame.start,
        }
    }

    /// Where its body begins.
    pub(super) const fn body_start(&self) -> u64 {
        match self {
            Self::Classic(frame, _) => frame.start + classic::FRAME_HEADER_SIZE as u64,
            Self::Vsr(frame) => frame.start + vsr::HEADER_SIZE as u64,
        }
    }

    pub(super) const fn body(&self) -> &Body {
        match self {
            Self::Classic(frame, _) => &frame.body,
            Self::Vsr(frame) => &frame.body,
        }
    }

    /// Length of the body as the header announces it.
    pub(super) const fn body_length(&self) -> u64 {
        match self {
            Self::Classic(frame, _) => frame.body_length,
            Self::Vsr(frame) => frame.body_length,
        }
    }

    /// Bytes of the body that are here.
    pub(super) fn held(&self) -> usize {
        match self.body() {
            Body::Whole(bytes) | Body::Oversized { prefix: bytes } => bytes.len(),
            Body::Malformed { .. } => 0,
        }
    }

    /// Keeps of the body a copy of its first bytes.
    pub(super) fn cut(&mut self, length: usize) {
        let bytes = self.body().bytes();
        let prefix = Bytes::copy_from_slice(&bytes[..bytes.len().min(length)]);
        let body = match self {
            Self::Classic(frame, _) => &mut frame.body,
            Self::Vsr(frame) => &mut frame.body,
        };
        *body = Body::Oversized { prefix };
    }

    /// The header's bytes, as they came.
    pub(super) fn header(&self) -> Vec<u8> {
        match self {
            Self::Classic(frame, direction) => frame.header(*direction).to_vec(),
            Self::Vsr(frame) => frame.header.to_vec(),
        }
    }
}

/// A framer.
#[derive(Debug)]
pub(super) enum AnyFramer {
    Classic(classic::Framer, Direction),
    Vsr(Box<vsr::Framer>),
}

impl AnyFramer {
    pub(super) fn new(dialect: Dialect, direction: Direction) -> Self {
        match dialect {
            Dialect::Classic => Self::Classic(classic::Framer::new(direction), direction),
            Dialect::Vsr => Self::Vsr(Box::default()),
        }
    }

    pub(super) fn restart_at(&mut self, start: u64) {
        match self {
            Self::Classic(framer, _) => framer.restart_at(start),
            Self::Vsr(framer) => framer.restart_at(start),
        }
    }

    pub(super) fn is_between_frames(&self) -> bool {
        match self {
            Self::Classic(framer, _) => framer.is_between_frames(),
            Self::Vsr(framer) => framer.is_between_frames(),
        }
    }

    /// Of the unfinished frame: bytes here, and bytes it will have once whole, if
    /// its header is here to tell.
    pub(super) fn unfinished(&self) -> Option<(u64, Option<u64>)> {
        match self {
            Self::Classic(framer, _) => framer.unfinished(),
            Self::Vsr(framer) => framer.unfinished(),
        }
    }

    pub(super) fn push(&mut self, chunk: Bytes) -> Vec<AnyFrame> {
        match self {
            Self::Classic(framer, direction) => {
                let mut cut = Vec::new();
                framer.push(chunk, &mut cut);
                let direction = *direction;
                let any = |frame| AnyFrame::Classic(frame, direction);
                cut.into_iter().map(any).collect()
            }
            Self::Vsr(framer) => {
                let mut cut = Vec::new();
                framer.push(chunk, &mut cut);
                let any = |frame| AnyFrame::Vsr(Box::new(frame));
                cut.into_iter().map(any).collect()
            }
        }
    }

    /// Bytes that it takes to tell whether a frame begins with them.
    pub(super) const fn header_size(&self) -> usize {
        match self {
            Self::Classic(..) => classic::FRAME_HEADER_SIZE,
            Self::Vsr(_) => vsr::HEADER_SIZE,
        }
    }

    /// Whether a frame that goes this way may begin with these bytes.
    pub(super) fn looks_like_frame(&self, direction: Direction, bytes: &[u8]) -> bool {
        match (self, direction) {
            (Self::Classic(..), Direction::ToServer) => classic::looks_like_request(bytes),
            (Self::Classic(..), Direction::ToClient) => classic::looks_like_reply(bytes),
            (Self::Vsr(_), _) => vsr::looks_like_frame(direction, bytes),
        }
    }
}
