//! TCP segments to streams of bytes.
//!
//! Segments go in, [`StreamEvent`]s come out; no file, no clock. Bytes of one
//! direction come out in order and once. What the capture does not hold comes
//! out as a gap of known length, and reading goes on behind it:
//! - as soon as the receiver is seen to have acknowledged it for
//!   [`ACKNOWLEDGED_GRACE`] (so it did arrive, only the capture lost it),
//! - when more than a limit is held back behind it,
//! - when the stream or the capture ends.

mod ack_order;
mod event;
mod half;
mod pieces;
mod roles;
mod stream;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::SocketAddr;

use jiff::Timestamp;

use super::packets::Segment;
use crate::limits::{
    MAX_CLOSED_STREAMS, MAX_OPEN_STREAMS, MAX_OUT_OF_ORDER, MAX_OUT_OF_ORDER_TOTAL,
};

use self::ack_order::AckOrder;
pub use self::event::{Ending, StreamEvent, StreamEventKind};
pub use self::half::ACKNOWLEDGED_GRACE;
use self::roles::Roles;
use self::stream::Stream;

/// Puts the streams of a capture together.
#[derive(Debug)]
pub struct Reassembler {
    order: AckOrder,
    roles: Roles,
    limits: ReassemblyLimits,
    counts: ReassemblyCounts,
    streams: HashMap<Endpoints, Stream>,
    /// Open streams by when they were last heard of.
    by_age: BTreeMap<u64, Endpoints>,
    closed: HashSet<Endpoints>,
    closed_by_age: VecDeque<Endpoints>,
    /// Bytes held back by all streams.
    held: usize,
    /// The streams that hold bytes back, by the time of the earliest.
    held_since: BTreeSet<(Timestamp, u64)>,
    /// Segments so far, the clock of `by_age`.
    clock: u64,
    next_stream: u64,
}

/// How much a [`Reassembler`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// Streams followed at once.
    pub open_streams: usize,
    /// Closed streams remembered.
    pub closed_streams: usize,
    /// Bytes held back by one direction of a stream.
    pub out_of_order: usize,
    /// Bytes held back by all.
    pub out_of_order_total: usize,
}

/// What was odd about the segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReassemblyCounts {
    /// Segments that came again, whole or in part, keep-alive probes included.
    pub retransmitted: u64,
    /// Segments that carried other bytes for a place in the stream than the
    /// ones that came first; the first were kept. Compared are the bytes held
    /// back and the last few handed out.
    pub differing_overlaps: u64,
    /// Segments too far from where their stream is to belong to it.
    pub out_of_window: u64,
    /// Segments of no stream: stragglers of a closed one, or without bytes
    /// where no stream is known.
    pub stray: u64,
    /// Streams given up because too many were open.
    pub evicted: u64,
    /// Gaps declared because a limit on held back bytes was reached.
    pub gaps_by_limit: u64,
}

/// The two ends of a stream, the lower first.
type Endpoints = (SocketAddr, SocketAddr);

impl Reassembler {
    /// A reassembler that takes these ports for servers' where the capture does
    /// not show who opened a stream.
    pub fn new(server_ports: &[u16]) -> Self {
        Self::with_limits(server_ports, ReassemblyLimits::default())
    }

    /// The same with other limits.
    pub fn with_limits(server_ports: &[u16], limits: ReassemblyLimits) -> Self {
        Self {
            order: AckOrder::default(),
            roles: Roles::new(server_ports),
            limits,
            counts: ReassemblyCounts::default(),
            streams: HashMap::new(),
            by_age: BTreeMap::new(),
            closed: HashSet::new(),
            closed_by_age: VecDeque::new(),
            held: 0,
            held_since: BTreeSet::new(),
            clock: 0,
            next_stream: 0,
        }
    }

    /// Takes one segment in. What it shows may come out with a later one.
    pub fn push(&mut self, segment: &Segment) -> Vec<StreamEvent> {
        self.order.push(segment.clone());
        self.take_ordered()
    }

    /// From now on nothing but its end comes out of this stream between two ends: it
    /// is nothing that anybody wants.
    pub fn pass_over(&mut self, stream: u64, one: SocketAddr, other: SocketAddr) {
        let of_it = |found: &&mut Stream| found.id == stream;
        let found = self.streams.get_mut(&in_order(one, other));
        if let Some(found) = found.filter(of_it) {
            self.held -= found.held();
            if let Some(since) = found.held_since() {
                self.held_since.remove(&(since, stream));
            }
            found.pass_over();
        }
    }

    /// Time of the earliest segment that is held back: what comes out later is not
    /// of before it, but for packets that come later.
    pub fn held_since(&self) -> Option<Timestamp> {
        let held = self.held_since.first().map(|(since, _)| *since);
        held.into_iter().chain(self.order.held_since()).min()
    }

    /// Bytes that are held back.
    pub const fn held(&self) -> usize {
        self.held + self.order.held()
    }

    fn take_ordered(&mut self) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        while let Some(segment) = self.order.pop() {
            events.extend(self.take(&segment));
        }
        events
    }

    fn take(&mut self, segment: &Segment) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        let ends = endpoints(segment);
        self.clock += 1;
        let reopened = self.streams.get_mut(&ends);
        if reopened.is_some_and(|stream| stream.is_reopened_by(segment)) {
            self.end(&ends, segment, Ending::PortReused, &mut events);
        }
        if !self.streams.contains_key(&ends) && !self.open(ends, segment, &mut events) {
            self.counts.stray += 1;
            return events;
        }
        let Some(stream) = self.streams.get_mut(&ends) else {
            return events;
        };
        let room = self.limits.out_of_order_total.saturating_sub(self.held);
        let (before, since) = (stream.held(), stream.held_since());
        let limit = self.limits.out_of_order;
        stream.push(segment, limit, room, &mut self.counts, &mut events);
        self.held = self.held - before + stream.held();
        let held_since = if stream.is_closed() {
            None
        } else {
            stream.held_since()
        };
        if held_since != since {
            let id = stream.id;
            if let Some(since) = since {
                self.held_since.remove(&(since, id));
            }
            self.held_since.extend(held_since.map(|since| (since, id)));
        }
        if stream.is_closed() {
            self.by_age.remove(&stream.heard);
            self.streams.remove(&ends);
            self.remember_closed(ends);
        } else {
            self.by_age.remove(&stream.heard);
            stream.heard = self.clock;
            self.by_age.insert(self.clock, ends);
        }
        events
    }

    /// The capture is at its end: what is held back comes out, and every open
    /// stream ends.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        self.order.flush();
        let mut events = self.take_ordered();
        let mut left: Vec<_> = self.streams.drain().map(|(_, stream)| stream).collect();
        left.sort_by_key(|stream| stream.id);
        for stream in &mut left {
            let time = stream.last_time;
            stream.end(time, Ending::CaptureEnded, &mut events);
        }
        self.by_age.clear();
        self.held = 0;
        self.held_since.clear();
        events
    }

    /// What was odd so far.
    pub const fn counts(&self) -> ReassemblyCounts {
        self.counts
    }

    /// Opens a stream for a segment that belongs to none, if it is one that
    /// begins a stream or shows that one is under way.
    fn open(&mut self, ends: Endpoints, segment: &Segment, events: &mut Vec<StreamEvent>) -> bool {
        let carries = !segment.payload.is_empty() || segment.missing > 0;
        let begins = segment.flags.syn && !segment.flags.rst;
        if !begins && (!carries || self.closed.contains(&ends)) {
            return false;
        }
        if self.closed.remove(&ends) {
            self.closed_by_age.retain(|closed| *closed != ends);
        }
        if self.streams.len() >= self.limits.open_streams {
            self.evict(segment, events);
        }
        let (client, server) = self.roles.of(segment);
        let stream = Stream::new(self.next_stream, client, server, segment, self.clock);
        self.next_stream += 1;
        events.push(stream.opened(segment));
        self.by_age.insert(self.clock, ends);
        self.streams.insert(ends, stream);
        true
    }

    fn evict(&mut self, segment: &Segment, events: &mut Vec<StreamEvent>) {
        if let Some((_, ends)) = self.by_age.pop_first() {
            self.end(&ends, segment, Ending::GivenUp, events);
            self.counts.evicted += 1;
        }
    }

    /// Ends a stream that another has to make room for.
    fn end(
        &mut self,
        ends: &Endpoints,
        segment: &Segment,
        how: Ending,
        events: &mut Vec<StreamEvent>,
    ) {
        if let Some(mut stream) = self.streams.remove(ends) {
            self.by_age.remove(&stream.heard);
            self.held -= stream.held();
            if let Some(since) = stream.held_since() {
                self.held_since.remove(&(since, stream.id));
            }
            stream.end(segment.time, how, events);
        }
    }

    fn remember_closed(&mut self, ends: Endpoints) {
        if self.closed.insert(ends) {
            self.closed_by_age.push_back(ends);
        }
        while self.closed_by_age.len() > self.limits.closed_streams {
            if let Some(oldest) = self.closed_by_age.pop_front() {
                self.closed.remove(&oldest);
            }
        }
    }
}

impl Default for ReassemblyLimits {
    fn default() -> Self {
        Self {
            open_streams: MAX_OPEN_STREAMS,
            closed_streams: MAX_CLOSED_STREAMS,
            out_of_order: MAX_OUT_OF_ORDER,
            out_of_order_total: MAX_OUT_OF_ORDER_TOTAL,
        }
    }
}

fn endpoints(segment: &Segment) -> Endpoints {
    in_order(segment.source, segment.destination)
}

fn in_order(one: SocketAddr, other: SocketAddr) -> Endpoints {
    if one <= other {
        (one, other)
    } else {
        (other, one)
    }
}
