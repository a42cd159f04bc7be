use bytes::{BufMut as _, Bytes, BytesMut};

use super::Command;
use crate::framing::{self, Announced, Body, Cut, Cutter, Format};
use crate::limits::MAX_FRAME_BODY;

/// Bytes before a body, in both directions.
pub const HEADER_SIZE: usize = 256;

/// Where a header holds the length of the whole frame, a `u32`.
pub(super) const SIZE_AT: usize = 48;

/// Where a header holds the command, a `u8`.
pub(super) const COMMAND_AT: usize = 60;

/// A frame, whole or stepped over.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where its first byte stands in the direction's stream, from 0.
    pub start: u64,
    /// The header's bytes, as they came. No password is ever in them.
    pub header: [u8; HEADER_SIZE],
    /// Length of the body as the header announces it.
    pub body_length: u64,
    /// The body.
    pub body: Body,
}

impl Frame {
    /// The frame that `bytes` begin with, of which only the beginning may have been
    /// kept; `None` where not even the header was.
    pub fn kept(bytes: Bytes) -> Option<Self> {
        Some(Self::of(framing::kept(&Vsr, bytes)?))
    }

    fn of(cut: Cut<[u8; HEADER_SIZE]>) -> Self {
        Self {
            start: cut.start,
            header: cut.header,
            body_length: cut.body_length,
            body: cut.body,
        }
    }

    /// What the frame is.
    pub const fn command(&self) -> Command {
        Command(self.header[COMMAND_AT])
    }

    /// The body, or what was kept of it.
    pub fn body_bytes(&self) -> Bytes {
        self.body.bytes()
    }

    /// Where the frame ends in the stream.
    pub fn end(&self) -> u64 {
        self.start + HEADER_SIZE as u64 + self.body_length
    }
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame")
            .field("start", &self.start)
            .field("command", &self.command())
            .field("body_length", &self.body_length)
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}

/// Cuts one direction's bytes into frames, however they were split or joined.
///
/// Holds at most one unfinished frame, and never more than was received: the
/// length that a header announces is not allocated. Both directions have the
/// same headers.
///
/// ```
/// use parallax_codec::vsr::{Command, Framer, HEADER_SIZE};
/// let mut header = vec![0; HEADER_SIZE];
/// (header[49], header[60]) = (1, 8);
/// let mut framer = Framer::new();
/// let mut frames = Vec::new();
/// framer.push(header[..100].to_vec().into(), &mut frames);
/// assert!(frames.is_empty());
/// framer.push(header[100..].to_vec().into(), &mut frames);
/// assert_eq!(frames[0].command(), Command::REPLY);
/// ```
pub struct Framer {
    cutter: Cutter<Vsr>,
}

impl std::fmt::Debug for Framer {
    /// Without the pending bytes: a password may be among them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Framer")
            .field("start", &self.cutter.start())
            .field("unfinished", &self.unfinished())
            .finish_non_exhaustive()
    }
}

impl Default for Framer {
    fn default() -> Self {
        Self::new()
    }
}

impl Framer {
    /// A framer at a frame's first byte.
    pub fn new() -> Self {
        Self::with_limit(MAX_FRAME_BODY)
    }

    /// A framer that gathers bodies of up to `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            cutter: Cutter::new(Vsr, limit),
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
    /// if its header is here to tell. A client that waits for the rest of 256
    /// bytes which never come is seen here (case E3).
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

/// The VSR header.
pub(crate) struct Vsr;

impl Format for Vsr {
    type Header = [u8; HEADER_SIZE];

    const HEADER_SIZE: usize = HEADER_SIZE;

    fn announced(&self, bytes: &[u8]) -> Option<Announced> {
        let header = bytes.first_chunk::<HEADER_SIZE>()?;
        let size = size_of_frame(header);
        Some(Announced {
            body_length: u64::from(size).saturating_sub(HEADER_SIZE as u64),
            malformed: (u64::from(size) < HEADER_SIZE as u64).then_some(size),
        })
    }

    fn header(&self, bytes: &[u8]) -> Option<Self::Header> {
        bytes.first_chunk().copied()
    }
}

/// Length of the whole frame, as its header announces it.
pub(super) const fn size_of_frame(header: &[u8; HEADER_SIZE]) -> u32 {
    u32::from_le_bytes([
        header[SIZE_AT],
        header[SIZE_AT + 1],
        header[SIZE_AT + 2],
        header[SIZE_AT + 3],
    ])
}

/// A frame's bytes: a header, whose size must count the body, and the body.
pub fn encode_frame(header: &[u8; HEADER_SIZE], body: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(HEADER_SIZE + body.len());
    frame.put_slice(header);
    frame.put_slice(body);
    frame.freeze()
}
