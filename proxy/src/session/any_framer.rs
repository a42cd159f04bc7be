//! The framer of either dialect.

use bytes::Bytes;
use parallax_captures::decoding::AnyFrame;
use parallax_codec::{Dialect, Direction, classic, vsr};

/// A framer.
#[derive(Debug)]
pub(super) enum AnyFramer {
    Classic(classic::Framer, Direction),
    Vsr(Box<vsr::Framer>),
}

impl AnyFramer {
    /// Gathers bodies of at most `gathered` bytes.
    pub(super) fn new(dialect: Dialect, direction: Direction, gathered: usize) -> Self {
        match dialect {
            Dialect::Classic => {
                let framer = classic::Framer::with_limit(direction, gathered);
                Self::Classic(framer, direction)
            }
            Dialect::Vsr => Self::Vsr(vsr::Framer::with_limit(gathered).into()),
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

    /// Takes of the next bytes up to the end of the first frame that they complete; all
    /// of them where there is none.
    pub(super) fn next(&mut self, chunk: &mut Bytes) -> Option<AnyFrame> {
        match self {
            Self::Classic(framer, direction) => {
                let frame = framer.next(chunk)?;
                Some(AnyFrame::Classic(frame, *direction))
            }
            Self::Vsr(framer) => {
                let frame = framer.next(chunk)?;
                Some(AnyFrame::Vsr(Box::new(frame)))
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
