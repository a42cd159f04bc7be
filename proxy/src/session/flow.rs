//! One direction of a connection: frames, when their bytes came, and where a
//! frame begins after bytes were missed.

use bytes::{Bytes, BytesMut};
use jiff::Timestamp;
use parallax_captures::decoding::AnyFrame;
use parallax_codec::{Dialect, Direction};

use super::any_framer::AnyFramer;

/// A frame and when its first and last byte came.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) frame: AnyFrame,
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
}

#[derive(Debug)]
pub(super) struct Flow {
    direction: Direction,
    framer: AnyFramer,
    /// Bytes of this direction so far.
    position: u64,
    /// When the unfinished frame's first byte came.
    first: Option<Timestamp>,
    /// Where a frame that is too long began, once that was told.
    pub(super) long_frame: Option<u64>,
    /// The beginning of what may be a frame's header, while one is looked for.
    seeking: Option<BytesMut>,
}

impl Flow {
    /// A flow at `position`, at a frame's first byte or looking for one. Of a frame whose
    /// body is longer than `gathered` bytes nothing is kept but its header.
    pub(super) fn new(
        dialect: Dialect,
        direction: Direction,
        position: u64,
        seeking: bool,
        gathered: usize,
    ) -> Self {
        let mut framer = AnyFramer::new(dialect, direction, gathered);
        framer.restart_at(position);
        Self {
            direction,
            framer,
            position,
            first: None,
            long_frame: None,
            seeking: seeking.then(BytesMut::new),
        }
    }

    pub(super) const fn position(&self) -> u64 {
        self.position
    }

    pub(super) const fn is_seeking(&self) -> bool {
        self.seeking.is_some()
    }

    /// Bytes here and bytes wanted of an unfinished frame.
    pub(super) fn unfinished(&self) -> Option<(u64, Option<u64>)> {
        self.framer.unfinished()
    }

    /// Bytes that are held of the unfinished frame: none of one whose body is longer than
    /// `longest`.
    pub(super) fn gathered(&self, longest: usize) -> usize {
        let longest = (longest + self.framer.header_size()) as u64;
        match self.unfinished() {
            Some((here, whole)) if whole.is_none_or(|whole| whole <= longest) => {
                usize::try_from(here).unwrap_or(usize::MAX)
            }
            _ => 0,
        }
    }

    /// When the unfinished frame's first byte came.
    pub(super) const fn begun(&self) -> Option<Timestamp> {
        self.first
    }

    /// Where the unfinished frame began.
    pub(super) fn frame_start(&self) -> u64 {
        self.position - self.unfinished().map_or(0, |(here, _)| here)
    }

    /// From now on a frame's beginning has to be found.
    pub(super) fn seek(&mut self) {
        self.seeking = Some(BytesMut::new());
        self.framer.restart_at(self.position);
        self.first = None;
    }

    /// Passes over bytes that are not to be read.
    pub(super) fn skip(&mut self, count: u64) {
        self.position += count;
        self.framer.restart_at(self.position);
    }

    /// Takes note of bytes that passed; gives those in which frames are to be looked for.
    pub(super) fn passed(&mut self, bytes: Bytes) -> Bytes {
        self.position += bytes.len() as u64;
        self.found(bytes).unwrap_or_default()
    }

    /// Takes of bytes that passed at `time` up to the end of the first frame that they
    /// complete; all of them where there is none.
    pub(super) fn next(&mut self, time: Timestamp, bytes: &mut Bytes) -> Option<Seen> {
        let Some(frame) = self.framer.next(bytes) else {
            let begun = self.first.unwrap_or(time);
            self.first = (!self.framer.is_between_frames()).then_some(begun);
            return None;
        };
        Some(Seen {
            frame,
            // Only the first frame of a chunk can have begun before it.
            first: self.first.take().unwrap_or(time),
            last: time,
        })
    }

    /// The bytes from a frame's beginning on. Writers put a frame's header at
    /// the front of what they send, so while one is looked for only the front of
    /// each chunk is tried.
    fn found(&mut self, bytes: Bytes) -> Option<Bytes> {
        let Some(pending) = &mut self.seeking else {
            return Some(bytes);
        };
        pending.extend_from_slice(&bytes);
        if pending.len() < self.framer.header_size() {
            return None;
        }
        if self.framer.looks_like_frame(self.direction, pending) {
            let found = pending.split().freeze();
            self.seeking = None;
            self.framer.restart_at(self.position - found.len() as u64);
            return Some(found);
        }
        // What had been pending was no header; the chunk's own front may be one.
        let joined = pending.len() > bytes.len();
        pending.clear();
        if joined { self.found(bytes) } else { None }
    }
}
