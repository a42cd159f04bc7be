//! Any stream, however its segments were captured, gives back its bytes.

use parallax_captures::import::packets::Segment;
use parallax_captures::import::reassembly::StreamEventKind;
use parallax_codec::classic::Direction;
use proptest::prelude::*;

use super::support::{Run, Wire, With, reassemble, runs};

/// A stream cut into segments, and what befell each.
#[derive(Debug, Clone)]
struct Cut {
    bytes: Vec<u8>,
    /// Sequence number of the first byte.
    first: u32,
    /// Where segments begin, beside 0.
    starts: Vec<usize>,
    /// How much each segment repeats of what follows it.
    overlaps: Vec<usize>,
    /// Whether each comes twice.
    twice: Vec<bool>,
    /// How far each may be late, in segments.
    late: Vec<usize>,
}

impl Cut {
    fn ranges(&self) -> Vec<(usize, usize)> {
        let mut starts = self.starts.clone();
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        let ends: Vec<_> = starts
            .iter()
            .skip(1)
            .copied()
            .chain([self.bytes.len()])
            .collect();
        starts.into_iter().zip(ends).collect()
    }

    /// The segments in the order of their capture, behind a handshake.
    fn segments(&self, dropped: impl Fn(usize) -> bool, overlapping: bool) -> Vec<Segment> {
        let mut wire = Wire::new();
        let handshake = wire.handshake(self.first, 7000);
        let mut order: Vec<(usize, Segment)> = Vec::new();
        for (index, (start, end)) in self.ranges().into_iter().enumerate() {
            if dropped(index) {
                continue;
            }
            let overlap = self.overlaps[index % self.overlaps.len()];
            let end = if overlapping { end + overlap } else { end };
            let bytes = &self.bytes[start..end.min(self.bytes.len())];
            let sequence = self.first.wrapping_add(u32::try_from(start).unwrap());
            let segment = wire.client_sends(sequence, bytes);
            let place = index + self.late[index % self.late.len()];
            order.push((place, segment.clone()));
            if self.twice[index % self.twice.len()] {
                order.push((place + 3, segment));
            }
        }
        order.sort_by_key(|(place, _)| *place);
        let mut segments = handshake;
        segments.extend(order.into_iter().map(|(_, segment)| segment));
        segments
    }

    fn end(&self) -> u32 {
        self.first
            .wrapping_add(u32::try_from(self.bytes.len()).unwrap())
    }
}

fn cuts() -> impl Strategy<Value = Cut> {
    let first = prop_oneof![
        any::<u32>(),
        (0_u32..4000).prop_map(|n| u32::MAX - n),
        Just(0)
    ];
    proptest::collection::vec(any::<u8>(), 1..3000).prop_flat_map(move |bytes| {
        let length = bytes.len();
        (
            Just(bytes),
            first.clone(),
            proptest::collection::vec(0..length, 0..40),
            proptest::collection::vec(0_usize..50, 1..20),
            proptest::collection::vec(any::<bool>(), 1..20),
            proptest::collection::vec(0_usize..8, 1..20),
        )
            .prop_map(|(bytes, first, starts, overlaps, twice, late)| Cut {
                bytes,
                first,
                starts,
                overlaps,
                twice,
                late,
            })
    })
}

proptest! {
    #[test]
    fn shuffled_repeated_and_overlapping_segments_give_back_the_stream(cut in cuts()) {
        let mut segments = cut.segments(|_| false, true);
        segments.push(Wire::new().client_sends(cut.end(), b"").fin());
        let events = reassemble(&segments);
        prop_assert_eq!(runs(&events, 0, Direction::ToServer), vec![Run::Bytes(cut.bytes.clone())]);
        let direction = Direction::ToServer;
        let half_closed = StreamEventKind::HalfClosed { direction };
        prop_assert!(events.iter().any(|event| event.kind == half_closed));
    }

    #[test]
    fn dropped_segments_are_gaps_of_their_length_and_the_rest_is_given(
        cut in cuts(),
        lost in proptest::collection::vec(any::<bool>(), 1..20),
        with_fin in any::<bool>(),
    ) {
        let dropped = |index: usize| lost[index % lost.len()];
        let mut segments = cut.segments(dropped, false);
        if with_fin {
            segments.push(Wire::new().client_sends(cut.end(), b"").fin());
        }
        let mut expected: Vec<Run> = Vec::new();
        for (index, (start, end)) in cut.ranges().into_iter().enumerate() {
            let bytes = &cut.bytes[start..end];
            match (expected.last_mut(), dropped(index)) {
                (Some(Run::Gap(length)), true) => *length += bytes.len() as u64,
                (Some(Run::Bytes(run)), false) => run.extend_from_slice(bytes),
                (_, true) => expected.push(Run::Gap(bytes.len() as u64)),
                (_, false) => expected.push(Run::Bytes(bytes.to_vec())),
            }
        }
        // Nothing but a FIN shows that bytes are missing at the end.
        if !with_fin && matches!(expected.last(), Some(Run::Gap(_))) {
            expected.pop();
        }
        let events = reassemble(&segments);
        prop_assert_eq!(runs(&events, 0, Direction::ToServer), expected);
    }

    #[test]
    fn any_segments_at_all_give_streams_that_open_once_and_close_once(
        segments in proptest::collection::vec(wild_segments(), 0..200),
    ) {
        let mut open = std::collections::BTreeSet::new();
        for event in reassemble(&segments) {
            match event.kind {
                StreamEventKind::Opened { .. } => prop_assert!(open.insert(event.stream)),
                StreamEventKind::Closed { .. } => prop_assert!(open.remove(&event.stream)),
                StreamEventKind::Bytes { bytes, .. } => {
                    prop_assert!(open.contains(&event.stream) && !bytes.is_empty());
                }
                StreamEventKind::Gap { length, .. } => {
                    prop_assert!(open.contains(&event.stream) && length > 0);
                }
                StreamEventKind::HalfClosed { .. } => prop_assert!(open.contains(&event.stream)),
            }
        }
        prop_assert!(open.is_empty());
    }
}

/// Segments of one of three connections, with whatever numbers and flags.
fn wild_segments() -> impl Strategy<Value = Segment> {
    let sequence = prop_oneof![
        any::<u32>(),
        0_u32..100,
        (0_u32..100).prop_map(|n| u32::MAX - n)
    ];
    let bytes = proptest::collection::vec(any::<u8>(), 0..20);
    let flags = proptest::array::uniform4(proptest::bool::weighted(0.2));
    (
        0_u16..3,
        any::<bool>(),
        sequence.clone(),
        sequence,
        bytes,
        flags,
        0_u32..3,
    )
        .prop_map(
            |(port, from_server, sequence, acknowledged, bytes, [syn, fin, rst, ack], missing)| {
                let mut wire =
                    Wire::between(&format!("10.0.0.1:{}", 50000 + port), "10.0.0.2:8090");
                let mut segment = if from_server {
                    wire.server_sends(sequence, &bytes)
                } else {
                    wire.client_sends(sequence, &bytes)
                };
                segment.flags.syn = syn;
                segment.flags.fin = fin;
                segment.flags.rst = rst;
                segment.acknowledgment = ack.then_some(acknowledged);
                segment.missing = missing;
                segment
            },
        )
}
