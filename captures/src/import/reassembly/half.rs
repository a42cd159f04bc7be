//! One direction of a stream: sequence numbers to bytes in order.

use jiff::{SignedDuration, Timestamp};
use parallax_codec::classic::Direction;

use super::pieces::{Piece, Pieces, Tail};
use super::{ReassemblyCounts, StreamEvent, StreamEventKind};
use crate::import::packets::Segment;
use crate::limits::MAX_SEQUENCE_JUMP;

/// How long bytes that the receiver has acknowledged are waited for. A capture
/// may hold packets out of order, but not for long.
pub const ACKNOWLEDGED_GRACE: SignedDuration = SignedDuration::from_millis(50);

/// Sequence numbers are counted on in 64 bits, from here, so that a segment
/// from before the first is not below 0.
const FIRST: u64 = 1 << 32;

#[derive(Debug)]
pub(super) struct Half {
    stream: u64,
    direction: Direction,
    /// Sequence number of the first byte; none before one is known.
    first: Option<u32>,
    /// Place of the byte that comes out next.
    next: u64,
    /// Place behind the last byte, when a FIN said so.
    fin: Option<(u64, Timestamp)>,
    finished: bool,
    early: Pieces,
    /// Time of the earliest of what was held back since nothing was.
    held_since: Option<Timestamp>,
    tail: Tail,
    /// Since when the receiver has the bytes that are missing here.
    acknowledged_since: Option<Timestamp>,
}

impl Half {
    pub(super) fn new(stream: u64, direction: Direction) -> Self {
        Self {
            stream,
            direction,
            first: None,
            next: FIRST,
            fin: None,
            finished: false,
            early: Pieces::default(),
            held_since: None,
            tail: Tail::default(),
            acknowledged_since: None,
        }
    }

    pub(super) const fn direction(&self) -> Direction {
        self.direction
    }

    pub(super) const fn held(&self) -> usize {
        self.early.cost()
    }

    /// Lets go of all that it holds: nobody wants it.
    pub(super) fn drop_held(&mut self) {
        self.early = Pieces::default();
        self.tail.clear();
        self.held_since = None;
    }

    pub(super) const fn held_since(&self) -> Option<Timestamp> {
        self.held_since
    }

    pub(super) const fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether a SYN before this sequence number begins another stream than the
    /// one known.
    pub(super) fn begins_otherwise(&self, first: u32) -> bool {
        self.first.is_some_and(|known| known != first)
    }

    pub(super) fn push(
        &mut self,
        segment: &Segment,
        counts: &mut ReassemblyCounts,
        events: &mut Vec<StreamEvent>,
    ) {
        // A SYN takes a sequence number of its own.
        let sequence = segment.sequence.wrapping_add(segment.flags.syn.into());
        self.first.get_or_insert(sequence);
        let Some(start) = self.place(sequence) else {
            counts.out_of_window += 1;
            return;
        };
        let length = segment.payload.len() as u64;
        let end = start + length + u64::from(segment.missing);
        self.add(
            start,
            segment.time,
            Piece::Bytes(segment.payload.clone()),
            counts,
        );
        let missing = Piece::Missing(segment.missing.into());
        self.add(start + length, segment.time, missing, counts);
        let known_end = self.early.end().unwrap_or(self.next);
        if segment.flags.fin && self.fin.is_none() && end >= known_end {
            self.fin = Some((end, segment.time));
        }
        self.deliver(events);
        self.wait_no_longer(segment.time, events);
    }

    /// The receiver has all bytes before this sequence number.
    pub(super) fn acknowledged(
        &mut self,
        acknowledgment: u32,
        time: Timestamp,
        events: &mut Vec<StreamEvent>,
    ) {
        self.first.get_or_insert(acknowledgment);
        let reached = self.place(acknowledgment);
        let missing_until = self.early.first().map(|(at, _)| at);
        if let (Some(reached), Some(missing_until)) = (reached, missing_until)
            && reached >= missing_until
        {
            self.acknowledged_since.get_or_insert(time);
            self.wait_no_longer(time, events);
        }
    }

    /// Declares gaps until no more than `limit` is held back.
    pub(super) fn give_way(
        &mut self,
        limit: usize,
        counts: &mut ReassemblyCounts,
        events: &mut Vec<StreamEvent>,
    ) {
        while self.early.cost() > limit {
            counts.gaps_by_limit += 1;
            self.step_over_gap(events);
        }
    }

    /// Gives out all that is held back; `time` is the end's.
    pub(super) fn flush(&mut self, time: Timestamp, events: &mut Vec<StreamEvent>) {
        while self.early.first().is_some() {
            self.step_over_gap(events);
        }
        if let Some((end, _)) = self.fin
            && end > self.next
        {
            self.gap(end, time, events);
            self.deliver(events);
        }
    }

    fn add(
        &mut self,
        mut start: u64,
        time: Timestamp,
        mut piece: Piece,
        counts: &mut ReassemblyCounts,
    ) {
        let keep_alive = piece.length() == 1 && start + 1 == self.next;
        if let Some((end, _)) = self.fin {
            piece.truncate(end.saturating_sub(start));
        }
        if start < self.next && piece.length() > 0 {
            let known = piece.split_to(self.next - start);
            start += known.length();
            counts.retransmitted += 1;
            // A keep-alive probe repeats the last byte's place with any byte.
            if let Piece::Bytes(known) = known
                && !keep_alive
                && self.tail.differs(&known, self.next - start)
            {
                counts.differing_overlaps += 1;
            }
        }
        if piece.length() > 0 {
            self.held_since = Some(self.held_since.map_or(time, |since| since.min(time)));
        }
        let overlap = self.early.add(start, time, piece);
        counts.retransmitted += u64::from(overlap.found);
        counts.differing_overlaps += u64::from(overlap.differing);
    }

    /// The place of a sequence number, unless it is too far off.
    fn place(&self, sequence: u32) -> Option<u64> {
        // `FIRST` is a multiple of 2^32, so the low half counts from `first`.
        let passed = u32::try_from(self.next & u64::from(u32::MAX)).ok()?;
        let expected = self.first?.wrapping_add(passed);
        let distance = i64::from(sequence.wrapping_sub(expected).cast_signed());
        if distance.unsigned_abs() > MAX_SEQUENCE_JUMP {
            return None;
        }
        self.next.checked_add_signed(distance)
    }

    /// Hands out what is in order, and the end when it is reached.
    fn deliver(&mut self, events: &mut Vec<StreamEvent>) {
        while self.early.first().is_some_and(|(at, _)| at == self.next) {
            let Some((time, piece)) = self.early.pop_first() else {
                break;
            };
            match piece {
                Piece::Bytes(bytes) => {
                    self.next += bytes.len() as u64;
                    self.tail.push(&bytes);
                    let direction = self.direction;
                    self.event(time, StreamEventKind::Bytes { direction, bytes }, events);
                }
                Piece::Missing(length) => self.gap(self.next + length, time, events),
            }
            self.acknowledged_since = None;
        }
        if self.early.first().is_none() {
            self.held_since = None;
        }
        if let Some((end, time)) = self.fin
            && end == self.next
            && !self.finished
        {
            self.finished = true;
            let direction = self.direction;
            self.event(time, StreamEventKind::HalfClosed { direction }, events);
        }
    }

    fn wait_no_longer(&mut self, now: Timestamp, events: &mut Vec<StreamEvent>) {
        if self
            .acknowledged_since
            .is_some_and(|since| now.duration_since(since) >= ACKNOWLEDGED_GRACE)
        {
            self.step_over_gap(events);
        }
    }

    /// Declares what is missing before the first early piece a gap.
    fn step_over_gap(&mut self, events: &mut Vec<StreamEvent>) {
        if let Some((at, time)) = self.early.first() {
            if at > self.next {
                self.gap(at, time, events);
            }
            self.deliver(events);
        }
        self.acknowledged_since = None;
    }

    fn gap(&mut self, end: u64, time: Timestamp, events: &mut Vec<StreamEvent>) {
        let (direction, length) = (self.direction, end - self.next);
        self.next = end;
        self.tail.clear();
        self.event(time, StreamEventKind::Gap { direction, length }, events);
    }

    fn event(&self, time: Timestamp, kind: StreamEventKind, events: &mut Vec<StreamEvent>) {
        events.push(StreamEvent {
            stream: self.stream,
            time,
            kind,
        });
    }
}
