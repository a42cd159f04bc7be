use bytes::{BufMut as _, Bytes, BytesMut};

use crate::framing::{self, Announced, Body, Cut, Cutter, Direction, Format};
use crate::limits::MAX_FRAME_BODY;
use crate::reader;
use crate::writer::narrow;

/// Bytes before a body, in both directions.
pub const FRAME_HEADER_SIZE: usize = 8;

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

impl Frame {
    /// The frame that `bytes` begin with, of which only the beginning may have been
    /// kept; `None` where not even the header was.
    pub fn kept(direction: Direction, bytes: Bytes) -> Option<Self> {
        let cut = framing::kept(&Classic(direction), bytes)?;
        Some(Self::of(cut))
    }

    fn of(cut: Cut<u32>) -> Self {
        Self {
            start: cut.start,
            word: cut.header,
            body_length: cut.body_length,
            body: cut.body,
        }
    }

    /// The body, or what was kept of it.
    pub fn body_bytes(&self) -> Bytes {
        self.body.bytes()
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
    cutter: Cutter<Classic>,
}

impl std::fmt::Debug for Framer {
    /// Without the pending bytes: a password may be among them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Framer")
            .field("direction", &self.cutter.format().0)
            .field("start", &self.cutter.start())
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
            cutter: Cutter::new(Classic(direction), limit),
        }
    }

    /// Starts anew at a frame's first byte, which stands at `start`.
    pub fn restart_at(&mut self, start: u64) {
        self.cutter.restart_at(start);
    }

    /// Whether the last byte that was pushed ended a frame.
    pub fn is_between_frames(&self) -> bool {
        self.cutter.is_between_frames()
    }

    /// Of the unfinished frame: bytes here, and bytes it will have once whole,
    /// if its header is here to tell.
    pub fn unfinished(&self) -> Option<(u64, Option<u64>)> {
        self.cutter.unfinished()
    }

    /// Takes the next bytes and appends the frames they complete to `frames`.
    pub fn push(&mut self, mut chunk: Bytes, frames: &mut Vec<Frame>) {
        while let Some(frame) = self.next(&mut chunk) {
            frames.push(frame);
        }
    }

    /// Takes of the next bytes up to the end of the first frame that they complete; all
    /// of them where there is none.
    pub fn next(&mut self, chunk: &mut Bytes) -> Option<Frame> {
        self.cutter.next(chunk).map(Frame::of)
    }
}

/// The classic header, whose words change places with the direction.
pub(crate) struct Classic(pub(crate) Direction);

impl Format for Classic {
    type Header = u32;

    const HEADER_SIZE: usize = FRAME_HEADER_SIZE;

    fn announced(&self, bytes: &[u8]) -> Option<Announced> {
        let (first, second) = words(bytes)?;
        Some(match self.0 {
            Direction::ToServer => Announced {
                body_length: first.saturating_sub(4).into(),
                malformed: (first < 4).then_some(first),
            },
            Direction::ToClient => Announced {
                body_length: second.into(),
                malformed: None,
            },
        })
    }

    fn header(&self, bytes: &[u8]) -> Option<u32> {
        let (first, second) = words(bytes)?;
        Some(match self.0 {
            Direction::ToServer => second,
            Direction::ToClient => first,
        })
    }
}

/// The two words that every classic frame begins with.
pub(super) fn words(bytes: &[u8]) -> Option<(u32, u32)> {
    let (rest, first) = reader::u32("first word", bytes).ok()?;
    let (_, second) = reader::u32("second word", rest).ok()?;
    Some((first, second))
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
