//! The chunked transfer coding (RFC 9112, section 7.1).

use bytes::{Buf, Bytes, BytesMut};
use httparse::Status;

use crate::limits::MAX_HTTP_HEAD;

/// Longest line with a chunk's size, in bytes, extensions included.
const MAX_SIZE_LINE: usize = 4096;

/// Where in a chunked body reading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chunks {
    Size,
    Data(u64),
    /// The line end behind a chunk.
    DataEnd,
    /// Header lines behind the last chunk, so many bytes of them so far.
    Trailer(usize),
}

/// What the next bytes of a chunked body are.
pub(super) enum Chunk {
    Data(Bytes),
    End,
    NeedMore,
    Broken,
}

impl Chunks {
    pub(super) fn next(&mut self, buffer: &mut BytesMut) -> Chunk {
        loop {
            match self {
                Self::Size => match httparse::parse_chunk_size(buffer) {
                    Ok(Status::Complete((length, size))) => {
                        buffer.advance(length);
                        *self = if size == 0 {
                            Self::Trailer(0)
                        } else {
                            Self::Data(size)
                        };
                    }
                    Ok(Status::Partial) if buffer.len() <= MAX_SIZE_LINE => return Chunk::NeedMore,
                    Ok(Status::Partial) | Err(_) => return Chunk::Broken,
                },
                Self::Data(0) => *self = Self::DataEnd,
                Self::Data(_) if buffer.is_empty() => return Chunk::NeedMore,
                Self::Data(left) => {
                    let data = take(buffer, *left);
                    *left -= data.len() as u64;
                    return Chunk::Data(data);
                }
                Self::DataEnd => match **buffer {
                    [b'\r', b'\n', ..] => {
                        buffer.advance(2);
                        *self = Self::Size;
                    }
                    [] | [b'\r'] => return Chunk::NeedMore,
                    _ => return Chunk::Broken,
                },
                Self::Trailer(read) => {
                    let Some(end) = buffer.iter().position(|byte| *byte == b'\n') else {
                        let too_long = *read + buffer.len() > MAX_HTTP_HEAD;
                        return if too_long {
                            Chunk::Broken
                        } else {
                            Chunk::NeedMore
                        };
                    };
                    let line = buffer.split_to(end + 1);
                    if matches!(*line, [b'\n'] | [b'\r', b'\n']) {
                        return Chunk::End;
                    }
                    *read += line.len();
                }
            }
        }
    }
}

/// Takes up to `limit` bytes off the front.
pub(super) fn take(buffer: &mut BytesMut, limit: u64) -> Bytes {
    let length = usize::try_from(limit)
        .unwrap_or(usize::MAX)
        .min(buffer.len());
    buffer.split_to(length).freeze()
}
