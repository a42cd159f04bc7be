//! Bytes that came too early, and the bytes handed out last.

use std::collections::{BTreeMap, VecDeque};

use bytes::{Buf, Bytes};
use jiff::Timestamp;

use crate::limits::{COMPARED_TAIL, OUT_OF_ORDER_PIECE};

/// Part of a stream.
#[derive(Debug)]
pub(super) enum Piece {
    Bytes(Bytes),
    /// Sent, and cut off by the capture: so many bytes.
    Missing(u64),
}

impl Piece {
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Missing(length) => *length,
        }
    }

    /// Takes up to `length` bytes off its front.
    pub(super) fn split_to(&mut self, length: u64) -> Self {
        match self {
            Self::Bytes(bytes) => {
                let at = usize::try_from(length)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                Self::Bytes(bytes.split_to(at))
            }
            Self::Missing(left) => {
                let taken = length.min(*left);
                *left -= taken;
                Self::Missing(taken)
            }
        }
    }

    /// Leaves `length` bytes of it.
    pub(super) fn truncate(&mut self, length: u64) {
        *self = self.split_to(length);
    }

    fn cost(&self) -> usize {
        OUT_OF_ORDER_PIECE
            + match self {
                Self::Bytes(bytes) => bytes.len(),
                Self::Missing(_) => 0,
            }
    }
}

/// Pieces by their place in the stream, none overlapping another.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pieces: BTreeMap<u64, (Timestamp, Piece)>,
    cost: usize,
}

impl Pieces {
    /// Adds what is not there yet. Tells whether some of it was there, and
    /// whether that was other bytes.
    pub(super) fn add(&mut self, mut start: u64, time: Timestamp, mut piece: Piece) -> Overlap {
        let mut overlap = Overlap::default();
        while piece.length() > 0 {
            let covered = self.covered_from(start);
            let part = if let Some((theirs, from)) = covered {
                let ours = piece.split_to(theirs.length() - from);
                overlap.found = true;
                overlap.differing |= differ(theirs, from, &ours);
                ours.length()
            } else {
                let next = self.pieces.range(start..).next();
                let room = next.map_or(u64::MAX, |(at, _)| at - start);
                let ours = piece.split_to(room);
                let length = ours.length();
                self.cost += ours.cost();
                self.pieces.insert(start, (time, ours));
                length
            };
            start += part;
        }
        overlap
    }

    /// The first piece and its place.
    pub(super) fn first(&self) -> Option<(u64, Timestamp)> {
        let (at, (time, _)) = self.pieces.first_key_value()?;
        Some((*at, *time))
    }

    pub(super) fn pop_first(&mut self) -> Option<(Timestamp, Piece)> {
        let (_, (time, piece)) = self.pieces.pop_first()?;
        self.cost -= piece.cost();
        Some((time, piece))
    }

    /// Where the last piece ends.
    pub(super) fn end(&self) -> Option<u64> {
        let (at, (_, piece)) = self.pieces.last_key_value()?;
        Some(at + piece.length())
    }

    /// Bytes held, with what they cost to hold.
    pub(super) const fn cost(&self) -> usize {
        self.cost
    }

    /// The piece that covers a place, and how far into it the place lies.
    fn covered_from(&self, start: u64) -> Option<(&Piece, u64)> {
        let (at, (_, piece)) = self.pieces.range(..=start).next_back()?;
        (at + piece.length() > start).then_some((piece, start - at))
    }
}

/// What [`Pieces::add`] found.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Overlap {
    pub(super) found: bool,
    pub(super) differing: bool,
}

/// The last bytes handed out, to compare retransmissions with.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: VecDeque<u8>,
}

impl Tail {
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        bytes.advance(bytes.len().saturating_sub(COMPARED_TAIL));
        let surplus = (self.bytes.len() + bytes.len()).saturating_sub(COMPARED_TAIL);
        self.bytes.drain(..surplus);
        self.bytes.extend(bytes);
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Whether bytes that end `before_end` bytes before the tail's end are other
    /// ones than it holds there.
    pub(super) fn differs(&self, bytes: &[u8], before_end: u64) -> bool {
        let Ok(before_end) = usize::try_from(before_end) else {
            return false;
        };
        let ours = bytes.iter().rev();
        let theirs = self.bytes.iter().rev().skip(before_end);
        ours.zip(theirs).any(|(ours, theirs)| ours != theirs)
    }
}

fn differ(theirs: &Piece, from: u64, ours: &Piece) -> bool {
    match (theirs, ours) {
        (Piece::Bytes(theirs), Piece::Bytes(ours)) => {
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            theirs
                .get(from..)
                .is_none_or(|theirs| !theirs.starts_with(ours))
        }
        _ => false,
    }
}
