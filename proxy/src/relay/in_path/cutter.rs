//! One direction's bytes, cut into headers and bodies.

use bytes::{Bytes, BytesMut};
use parallax_codec::{Dialect, Direction};

/// Cuts a direction's bytes, however they were split or joined. Holds the first bytes of a
/// header that is not whole, and nothing else.
#[derive(Debug)]
pub(super) struct Cutter {
    dialect: Dialect,
    direction: Direction,
    header: BytesMut,
    /// Bytes of a body that are still to come.
    in_body: u64,
    /// Where the next byte stands in the stream.
    position: u64,
}

/// A piece of a frame.
#[derive(Debug)]
pub(super) enum Piece {
    /// A whole header.
    Header {
        /// Where its first byte stands in the stream.
        at: u64,
        bytes: Bytes,
        body_length: u64,
    },
    /// Bytes of the body.
    Body {
        bytes: Bytes,
        /// Whether these are its last.
        is_last: bool,
    },
}

impl Cutter {
    /// At the first byte of a stream and of a frame.
    pub(super) fn new(dialect: Dialect, direction: Direction) -> Self {
        Self {
            dialect,
            direction,
            header: BytesMut::new(),
            in_body: 0,
            position: 0,
        }
    }

    pub(super) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Takes the next piece from the front of a chunk; `None` where there is none whole,
    /// and the chunk is empty then.
    pub(super) fn next(&mut self, chunk: &mut Bytes) -> Option<Piece> {
        if chunk.is_empty() {
            return None;
        }
        if self.in_body > 0 {
            let count = usize::try_from(self.in_body).unwrap_or(usize::MAX);
            let bytes = chunk.split_to(count.min(chunk.len()));
            self.position += bytes.len() as u64;
            self.in_body -= bytes.len() as u64;
            let is_last = self.in_body == 0;
            return Some(Piece::Body { bytes, is_last });
        }
        let size = self.dialect.header_size();
        let taken = chunk.split_to((size - self.header.len()).min(chunk.len()));
        self.position += taken.len() as u64;
        let bytes = if taken.len() == size {
            taken
        } else {
            self.header.extend_from_slice(&taken);
            if self.header.len() < size {
                return None;
            }
            self.header.split().freeze()
        };
        let body_length = self.dialect.body_length(self.direction, &bytes)?;
        self.in_body = body_length;
        Some(Piece::Header {
            at: self.position - size as u64,
            bytes,
            body_length,
        })
    }

    /// Takes the rest of a body that is under way from the front of a chunk.
    pub(super) fn rest(&mut self, chunk: &mut Bytes) -> Option<Piece> {
        if self.in_body == 0 {
            return None;
        }
        self.next(chunk)
    }

    /// The first bytes of the header that is not whole.
    pub(super) fn partial_header(&self) -> &[u8] {
        &self.header
    }

    /// Those bytes, given up.
    pub(super) fn take_partial_header(&mut self) -> Bytes {
        self.header.split().freeze()
    }
}
