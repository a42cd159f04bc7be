//! The order of the two directions against each other.
//!
//! A capture that merges packets from several queues or taps may hold an answer
//! before the question. A segment which acknowledges bytes that were not seen yet
//! is such an answer: it waits, for a short time, until they are.

use std::collections::{BTreeSet, HashMap, VecDeque};

use jiff::{SignedDuration, Timestamp};

use super::{Endpoints, endpoints};
use crate::import::packets::Segment;
use crate::limits::{MAX_EARLY_BYTES, MAX_EARLY_SEGMENTS, MAX_EARLY_STREAMS};

/// How long, in capture time, a segment waits for the bytes that it acknowledges.
/// If they come later, or never, the capture has lost them.
const PATIENCE: SignedDuration = SignedDuration::from_millis(20);

/// Brings segments into an order in which no answer precedes its question.
#[derive(Debug, Default)]
pub(super) struct AckOrder {
    streams: HashMap<Endpoints, Progress>,
    ready: VecDeque<Segment>,
    /// The streams of which segments wait, by the time of the first.
    waiting: BTreeSet<(Timestamp, Endpoints)>,
    /// Bytes of the segments that wait.
    held: usize,
}

/// How far each side of a stream has been seen to send, and who waits.
#[derive(Debug, Default)]
struct Progress {
    lower: Option<u32>,
    higher: Option<u32>,
    early: VecDeque<Segment>,
}

impl AckOrder {
    /// Takes a segment in.
    pub(super) fn push(&mut self, segment: Segment) {
        let ends = endpoints(&segment);
        if !self.streams.contains_key(&ends) && self.streams.len() >= MAX_EARLY_STREAMS {
            self.flush();
        }
        let progress = self.streams.entry(ends).or_default();
        if progress.is_early(&segment)
            && progress.early.len() < MAX_EARLY_SEGMENTS
            && self.held + segment.payload.len() <= MAX_EARLY_BYTES
        {
            if progress.early.is_empty() {
                self.waiting.insert((segment.time, ends));
            }
            self.held += segment.payload.len();
            progress.early.push_back(segment);
            return;
        }
        let now = segment.time;
        progress.sent(&segment);
        let ended = segment.flags.rst;
        self.ready.push_back(segment);
        let first = progress.early.front().map(|early| early.time);
        while let Some(early) = progress.early.front() {
            let waited = now.duration_since(early.time);
            if progress.is_early(early) && waited < PATIENCE && !ended {
                break;
            }
            let Some(early) = progress.early.pop_front() else {
                break;
            };
            progress.sent(&early);
            self.held -= early.payload.len();
            self.ready.push_back(early);
        }
        let now_first = progress.early.front().map(|early| early.time);
        if first != now_first {
            self.waiting.extend(now_first.map(|time| (time, ends)));
            if let Some(time) = first {
                self.waiting.remove(&(time, ends));
            }
        }
        if ended {
            self.streams.remove(&ends);
        }
    }

    /// The next segment in order.
    pub(super) fn pop(&mut self) -> Option<Segment> {
        self.ready.pop_front()
    }

    /// Time of the first segment that waits.
    pub(super) fn held_since(&self) -> Option<Timestamp> {
        self.waiting.first().map(|(time, _)| *time)
    }

    /// Bytes of the segments that wait.
    pub(super) const fn held(&self) -> usize {
        self.held
    }

    /// Nothing more will come, or nothing more can be waited for.
    pub(super) fn flush(&mut self) {
        let mut early: Vec<_> = self.streams.drain().flat_map(|(_, p)| p.early).collect();
        early.sort_by_key(|segment| segment.time);
        self.ready.extend(early);
        self.waiting.clear();
        self.held = 0;
    }
}

impl Progress {
    /// Whether a segment acknowledges bytes that were not seen yet.
    fn is_early(&self, segment: &Segment) -> bool {
        let peer = if segment.source < segment.destination {
            self.higher
        } else {
            self.lower
        };
        match (peer, segment.acknowledgment) {
            (Some(sent), Some(acknowledged)) => {
                // Beyond, by less than half of the sequence space.
                let beyond = acknowledged.wrapping_sub(sent);
                beyond != 0 && beyond < 1 << 30
            }
            _ => false,
        }
    }

    fn sent(&mut self, segment: &Segment) {
        let length = segment.payload.len() as u64 + u64::from(segment.missing);
        let flags = u32::from(segment.flags.syn) + u32::from(segment.flags.fin);
        let length = u32::try_from(length)
            .unwrap_or(u32::MAX)
            .wrapping_add(flags);
        let end = segment.sequence.wrapping_add(length);
        let known = if segment.source < segment.destination {
            &mut self.lower
        } else {
            &mut self.higher
        };
        let is_further = known.is_none_or(|known| end.wrapping_sub(known) < 1 << 30);
        if is_further || segment.flags.syn {
            *known = Some(end);
        }
    }
}
