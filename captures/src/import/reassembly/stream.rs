//! One stream: two directions and an end.

use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_codec::classic::Direction;

use super::half::Half;
use super::{Ending, ReassemblyCounts, StreamEvent, StreamEventKind};
use crate::import::packets::Segment;

#[derive(Debug)]
pub(super) struct Stream {
    pub(super) id: u64,
    /// When it was last heard of, by the reassembler's count of segments.
    pub(super) heard: u64,
    /// Time of its last segment.
    pub(super) last_time: Timestamp,
    client: SocketAddr,
    server: SocketAddr,
    to_server: Half,
    to_client: Half,
    closed: bool,
    /// Where nobody wants its bytes: which directions have ended.
    passed_over: Option<[bool; 2]>,
}

impl Stream {
    pub(super) fn new(
        id: u64,
        client: SocketAddr,
        server: SocketAddr,
        first: &Segment,
        heard: u64,
    ) -> Self {
        Self {
            id,
            heard,
            last_time: first.time,
            client,
            server,
            to_server: Half::new(id, Direction::ToServer),
            to_client: Half::new(id, Direction::ToClient),
            closed: false,
            passed_over: None,
        }
    }

    pub(super) fn opened(&self, first: &Segment) -> StreamEvent {
        StreamEvent {
            stream: self.id,
            time: first.time,
            kind: StreamEventKind::Opened {
                client: self.client,
                server: self.server,
                mid_stream: !first.flags.syn,
            },
        }
    }

    /// Bytes that it holds back, with what they cost to hold.
    pub(super) fn held(&self) -> usize {
        self.to_server.held() + self.to_client.held()
    }

    /// Time of the earliest of what it holds back.
    pub(super) fn held_since(&self) -> Option<Timestamp> {
        let halves = [self.to_server.held_since(), self.to_client.held_since()];
        halves.into_iter().flatten().min()
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.closed
    }

    /// From now on only its end is looked for.
    pub(super) fn pass_over(&mut self) {
        self.to_server.drop_held();
        self.to_client.drop_held();
        self.passed_over.get_or_insert_default();
    }

    /// Whether a segment opens a new stream between the same ends.
    pub(super) fn is_reopened_by(&mut self, segment: &Segment) -> bool {
        if !segment.flags.syn || segment.flags.rst {
            return false;
        }
        let (half, _) = self.halves(segment);
        half.begins_otherwise(segment.sequence.wrapping_add(1))
    }

    /// Takes a segment in. `limit`: how much one direction may hold back;
    /// `room`: how much may be held back beside what is.
    pub(super) fn push(
        &mut self,
        segment: &Segment,
        limit: usize,
        room: usize,
        counts: &mut ReassemblyCounts,
        events: &mut Vec<StreamEvent>,
    ) {
        self.last_time = segment.time;
        if self.passed_over.is_some() {
            self.only_end(segment, events);
            return;
        }
        let (half, other) = self.halves(segment);
        let direction = half.direction();
        let limit = limit.min(room + half.held());
        half.push(segment, counts, events);
        if let Some(acknowledgment) = segment.acknowledgment {
            other.acknowledged(acknowledgment, segment.time, events);
        }
        half.give_way(limit, counts, events);
        if segment.flags.rst {
            self.end(segment.time, Ending::Reset { direction }, events);
        } else if self.to_server.is_finished() && self.to_client.is_finished() {
            self.end(segment.time, Ending::Finished, events);
        }
    }

    fn only_end(&mut self, segment: &Segment, events: &mut Vec<StreamEvent>) {
        let direction = self.halves(segment).0.direction();
        let ended = self.passed_over.get_or_insert_default();
        ended[usize::from(direction == Direction::ToServer)] |= segment.flags.fin;
        if segment.flags.rst {
            self.end(segment.time, Ending::Reset { direction }, events);
        } else if *ended == [true; 2] {
            self.end(segment.time, Ending::Finished, events);
        }
    }

    /// Gives out what is held back, and the end.
    pub(super) fn end(&mut self, time: Timestamp, how: Ending, events: &mut Vec<StreamEvent>) {
        self.to_server.flush(time, events);
        self.to_client.flush(time, events);
        self.closed = true;
        events.push(StreamEvent {
            stream: self.id,
            time,
            kind: StreamEventKind::Closed { how },
        });
    }

    /// The direction that a segment went, and the other.
    fn halves(&mut self, segment: &Segment) -> (&mut Half, &mut Half) {
        if segment.source == self.client {
            (&mut self.to_server, &mut self.to_client)
        } else {
            (&mut self.to_client, &mut self.to_server)
        }
    }
}
