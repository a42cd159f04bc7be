//! A frame of either dialect, as far as pairing and decoding are concerned.

use bytes::Bytes;
use parallax_codec::{Body, Direction, classic, vsr};

use crate::connection::Dialect;

/// A frame.
#[derive(Debug)]
pub enum AnyFrame {
    /// Of the classic dialect, and which way it went.
    Classic(classic::Frame, Direction),
    /// Of the VSR dialect.
    Vsr(Box<vsr::Frame>),
}

impl AnyFrame {
    /// A frame that was kept, perhaps only its beginning; `None` where not even its
    /// header was, and for HTTP, which has none.
    pub fn kept(dialect: Dialect, direction: Direction, bytes: &Bytes) -> Option<Self> {
        match dialect {
            Dialect::Classic => {
                let frame = classic::Frame::kept(direction, bytes.clone())?;
                Some(Self::Classic(frame, direction))
            }
            Dialect::Vsr => vsr::Frame::kept(bytes.clone()).map(|frame| Self::Vsr(frame.into())),
            Dialect::Http => None,
        }
    }

    /// Where its first byte stands in the direction's stream.
    pub const fn start(&self) -> u64 {
        match self {
            Self::Classic(frame, _) => frame.start,
            Self::Vsr(frame) => frame.start,
        }
    }

    /// Where its body begins.
    pub const fn body_start(&self) -> u64 {
        match self {
            Self::Classic(frame, _) => frame.start + classic::FRAME_HEADER_SIZE as u64,
            Self::Vsr(frame) => frame.start + vsr::HEADER_SIZE as u64,
        }
    }

    /// Its body.
    pub const fn body(&self) -> &Body {
        match self {
            Self::Classic(frame, _) => &frame.body,
            Self::Vsr(frame) => &frame.body,
        }
    }

    /// Length of the body as the header announces it.
    pub const fn body_length(&self) -> u64 {
        match self {
            Self::Classic(frame, _) => frame.body_length,
            Self::Vsr(frame) => frame.body_length,
        }
    }

    /// Bytes of the body that are here.
    pub fn held(&self) -> usize {
        match self.body() {
            Body::Whole(bytes) | Body::Oversized { prefix: bytes } => bytes.len(),
            Body::Malformed { .. } => 0,
        }
    }

    /// Keeps of the body a copy of its first bytes.
    pub fn cut(&mut self, length: usize) {
        let bytes = self.body().bytes();
        let prefix = Bytes::copy_from_slice(&bytes[..bytes.len().min(length)]);
        let body = match self {
            Self::Classic(frame, _) => &mut frame.body,
            Self::Vsr(frame) => &mut frame.body,
        };
        *body = Body::Oversized { prefix };
    }

    /// The header's bytes, as they came, and then `body`, in one buffer of their own.
    pub fn with_body(&self, body: &[u8]) -> Bytes {
        match self {
            Self::Classic(frame, direction) => joined(&frame.header(*direction), body),
            Self::Vsr(frame) => joined(&frame.header, body),
        }
    }
}

fn joined(header: &[u8], body: &[u8]) -> Bytes {
    let mut joined = Vec::with_capacity(header.len() + body.len());
    joined.extend_from_slice(header);
    joined.extend_from_slice(body);
    joined.into()
}
