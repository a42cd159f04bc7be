use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

use crate::limits::{MAX_FRAME_BODY, OVERSIZED_PREFIX};
use crate::reader;
use crate::writer::narrow;

/// Bytes before a body, in both directions.
pub const FRAME_HEADER_SIZE: usize = 8;

/// Which way bytes travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client to the server: requests.
    ToServer,
    /// From the server to the client: replies.
    ToClient,
}

/// A frame, whole or stepped over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where its first byte stands in the direction's stream, from 0.
    pub start: u64,
    /// The command's code in a request, the status in a reply.
    pub word: u32,
    /// Length of the body as the header announces it.
    pub body_length: u64,
    /// The body.
    pub body: Body,
}

/// A frame's body. `Debug` shows its length alone: a password may be in it.
#[derive(Clone, PartialEq, Eq)]
pub enum Body {
    /// All of it.
    Whole(Bytes),
    /// Longer than the framer's limit: its first bytes; the rest was counted and
    /// stepped over.
    Oversized {
        /// The first bytes, at most [`OVERSIZED_PREFIX`].
        prefix: Bytes,
    },
    /// A request whose length is below the 4 bytes of its own code. Server 0.8.0
    /// answers it with status 3 and goes on after the 8 bytes, and so do we
    /// (recording `skew_python-0.9.0_server-0.8.0`).
    Malformed {
        /// The length as it stood.
        length: u32,
    },
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Self::Oversized { prefix } => write!(f, "Oversized({} bytes kept)", prefix.len()),
            Self::Malformed { length } => write!(f, "Malformed(length {length})"),
        }
    }
}

impl Frame {
    /// The body, or what was kept of it.
    pub fn body_bytes(&self) -> Bytes {
        match &self.body {
            Body::Whole(bytes) => bytes.clone(),
            Body::Oversized { prefix } => prefix.clone(),
            Body::Malformed { .. } => Bytes::new(),
        }
    }

    /// Where the frame ends in the stream.
    pub fn end(&self) -> u64 {
        self.start + FRAME_HEADER_SIZE as u64 + self.body_length
    }

    /// The header's 8 bytes as they stood in the stream.
    pub fn header(&self, direction: Direction) -> [u8; FRAME_HEADER_SIZE] {
        let length = u32::try_from(self.body_length).unwrap_or(u32::MAX);
        let (first, second) = match (direction, &self.body) {
            (Direction::ToServer, Body::Malformed { length }) => (*length, self.word),
            (Direction::ToServer, _) => (length.saturating_add(4), self.word),
            (Direction::ToClient, _) => (self.word, length),
        };
        let mut header = [0; FRAME_HEADER_SIZE];
        header[..4].copy_from_slice(&first.to_le_bytes());
        header[4..].copy_from_slice(&second.to_le_bytes());
        header
    }
}

/// Cuts one direction's bytes into frames, however they were split or joined.
///
/// Holds at most one unfinished frame, and never more than was received: the
/// length that a header announces is not allocated.
///
/// ```
/// use parallax_codec::classic::{Direction, Framer};
/// let mut framer = Framer::new(Direction::ToServer);
/// let mut frames = Vec::new();
/// framer.push(vec![4, 0, 0, 0, 1].into(), &mut frames);
/// assert!(frames.is_empty());
/// framer.push(vec![0, 0, 0].into(), &mut frames);
/// assert_eq!(frames[0].word, 1, "a ping");
/// ```
pub struct Framer {
    direction: Direction,
    limit: usize,
    /// Bytes of the unfinished frame, header included; of one that is being
    /// stepped over, the first bytes of its body.
    pending: BytesMut,
    /// Where the unfinished frame began.
    start: u64,
    /// Its header, once there, and what is still to be stepped over.
    stepping: Option<Stepping>,
}

#[derive(Debug)]
struct Stepping {
    header: Header,
    remaining: u64,
}

#[derive(Debug, Clone, Copy)]
struct Header {
    word: u32,
    body_length: u64,
    /// The length field, where it is impossible.
    malformed: Option<u32>,
}

impl std::fmt::Debug for Framer {
    /// Without the pending bytes: a password may be among them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Framer")
            .field("direction", &self.direction)
            .field("start", &self.start)
            .field("unfinished", &self.unfinished())
            .finish_non_exhaustive()
    }
}

impl Framer {
    /// A framer at a frame's first byte.
    pub fn new(direction: Direction) -> Self {
        Self::with_limit(direction, MAX_FRAME_BODY)
    }

    /// A framer that gathers bodies of up to `limit` bytes.
    pub fn with_limit(direction: Direction, limit: usize) -> Self {
        Self {
            direction,
            limit,
            pending: BytesMut::new(),
            start: 0,
            stepping: None,
        }
    }

    /// Starts anew at a frame's first byte, which stands at `start`.
    pub fn restart_at(&mut self, start: u64) {
        self.pending.clear();
        self.stepping = None;
        self.start = start;
    }

    /// Whether the last byte that was pushed ended a frame.
    pub fn is_between_frames(&self) -> bool {
        self.pending.is_empty() && self.stepping.is_none()
    }

    /// Of the unfinished frame: bytes here, and bytes it will have once whole,
    /// if its header is here to tell.
    pub fn unfinished(&self) -> Option<(u64, Option<u64>)> {
        let header_size = FRAME_HEADER_SIZE as u64;
        if let Some(stepping) = &self.stepping {
            let whole = header_size + stepping.header.body_length;
            return Some((whole - stepping.remaining, Some(whole)));
        }
        if self.pending.is_empty() {
            return None;
        }
        let whole = self
            .header_of(&self.pending)
            .map(|header| header_size + header.body_length);
        Some((self.pending.len() as u64, whole))
    }

    /// Takes the next bytes and appends the frames they complete to `frames`.
    pub fn push(&mut self, mut chunk: Bytes, frames: &mut Vec<Frame>) {
        while !chunk.is_empty() {
            if let Some(frame) = self.advance(&mut chunk) {
                self.start = frame.end();
                frames.push(frame);
            }
        }
    }

    /// Consumes at least one byte of a non-empty chunk.
    fn advance(&mut self, chunk: &mut Bytes) -> Option<Frame> {
        if self.stepping.is_some() {
            return self.step_over(chunk);
        }
        // Where nothing is pending a frame is cut out of the chunk, not copied.
        if self.pending.is_empty()
            && let Some(header) = self.header_of(chunk)
            && let Some(whole) = self.whole_length(header)
            && chunk.len() >= whole
        {
            let mut bytes = chunk.split_to(whole);
            bytes.advance(FRAME_HEADER_SIZE);
            return Some(self.frame(header, bytes));
        }
        let wanted = match self.header_of(&self.pending) {
            None => FRAME_HEADER_SIZE,
            Some(header) => match self.whole_length(header) {
                Some(whole) => whole,
                None => return self.begin_stepping(header, chunk),
            },
        };
        let taken = (wanted - self.pending.len()).min(chunk.len());
        self.pending.extend_from_slice(&chunk.split_to(taken));
        let header = self.header_of(&self.pending)?;
        let whole = self.whole_length(header)?;
        if self.pending.len() < whole {
            return None;
        }
        let mut bytes = self.pending.split().freeze();
        bytes.advance(FRAME_HEADER_SIZE);
        Some(self.frame(header, bytes))
    }

    fn begin_stepping(&mut self, header: Header, chunk: &mut Bytes) -> Option<Frame> {
        self.pending.advance(FRAME_HEADER_SIZE);
        self.stepping = Some(Stepping {
            header,
            remaining: header.body_length,
        });
        self.step_over(chunk)
    }

    fn step_over(&mut self, chunk: &mut Bytes) -> Option<Frame> {
        let stepping = self.stepping.as_mut()?;
        let passing = usize::try_from(stepping.remaining)
            .unwrap_or(usize::MAX)
            .min(chunk.len());
        let passed = chunk.split_to(passing);
        let room = OVERSIZED_PREFIX.saturating_sub(self.pending.len());
        self.pending
            .extend_from_slice(&passed[..passed.len().min(room)]);
        stepping.remaining -= passed.len() as u64;
        if stepping.remaining > 0 {
            return None;
        }
        let Stepping { header, .. } = self.stepping.take()?;
        Some(Frame {
            start: self.start,
            word: header.word,
            body_length: header.body_length,
            body: Body::Oversized {
                prefix: self.pending.split().freeze(),
            },
        })
    }

    fn frame(&self, header: Header, body: Bytes) -> Frame {
        Frame {
            start: self.start,
            word: header.word,
            body_length: header.body_length,
            body: match header.malformed {
                Some(length) => Body::Malformed { length },
                None => Body::Whole(body),
            },
        }
    }

    fn header_of(&self, bytes: &[u8]) -> Option<Header> {
        let (rest, first) = reader::u32("first word", bytes).ok()?;
        let (_, second) = reader::u32("second word", rest).ok()?;
        Some(match self.direction {
            Direction::ToServer => Header {
                word: second,
                body_length: first.saturating_sub(4).into(),
                malformed: (first < 4).then_some(first),
            },
            Direction::ToClient => Header {
                word: first,
                body_length: second.into(),
                malformed: None,
            },
        })
    }

    /// Length of the whole frame, or `None` where it is too long to gather.
    fn whole_length(&self, header: Header) -> Option<usize> {
        let body = usize::try_from(header.body_length).ok()?;
        (body <= self.limit).then(|| FRAME_HEADER_SIZE + body)
    }
}

/// A request's bytes: `[length u32][code u32][body]`.
pub fn encode_request(code: u32, body: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(FRAME_HEADER_SIZE + body.len());
    frame.put_u32_le(narrow(body.len() + 4));
    frame.put_u32_le(code);
    frame.put_slice(body);
    frame.freeze()
}

/// A reply's bytes: `[status u32][length u32][body]`.
pub fn encode_reply(status: u32, body: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(FRAME_HEADER_SIZE + body.len());
    frame.put_u32_le(status);
    frame.put_u32_le(narrow(body.len()));
    frame.put_slice(body);
    frame.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks of `size` bytes, `count` of them, after a header that announces
    /// `length`; the most memory that the framer held meanwhile.
    fn most_held(limit: usize, length: u32, size: usize, count: usize) -> usize {
        let mut framer = Framer::with_limit(Direction::ToClient, limit);
        let mut cut = Vec::new();
        framer.push([0, length].map(u32::to_le_bytes).concat().into(), &mut cut);
        let chunk = Bytes::from(vec![7; size]);
        let mut most = framer.pending.capacity();
        for _ in 0..count {
            framer.push(chunk.clone(), &mut cut);
            most = most.max(framer.pending.capacity());
        }
        most
    }

    #[test]
    fn an_announced_length_is_not_allocated() {
        assert!(most_held(usize::MAX, u32::MAX, 1, 0) < 1024);
        assert!(most_held(usize::MAX, u32::MAX, 100, 10) < 4096);
        assert!(most_held(MAX_FRAME_BODY, u32::MAX, 100, 10) < 4096);
    }

    #[test]
    fn what_is_held_of_an_unfinished_frame_is_bounded() {
        let twice = 2 * (OVERSIZED_PREFIX + FRAME_HEADER_SIZE);
        assert!(most_held(1 << 20, u32::MAX, 1 << 16, 1000) <= twice);
        assert!(most_held(1 << 20, 1 << 20, 1 << 10, 1000) <= 2 * ((1 << 20) + 8));
    }
}
