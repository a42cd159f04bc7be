//! What clients do without end takes no more memory than the limits say.

use super::*;
use crate::limits::LATENCY_COMMANDS;

/// More than any limit of series.
const MANY: u64 = 5_000;

/// Bytes of a series with one latency in each of all slices, about.
const SERIES_BYTES: usize = 128 * 160;

/// Bytes that a bucket takes at most, where each is alone in its slice.
const CELL_BYTES: usize = 128;

/// Sixteen latencies of what was there before.
fn known(latencies: &mut Latencies) {
    let stream = Identifier::Named("known".to_owned());
    for number in 0..16 {
        let sample = Sample {
            strategy: Some(PollingKind::Next),
            stream: Some(&stream),
            conn: Some(ConnectionId(0)),
            ..Sample::at(at(number), "poll_messages")
        };
        latencies.record(Side::Tcp, &sample, latency(500));
    }
}

/// How many there are of it in a dimension.
fn known_in(latencies: &Latencies, dimension: Dimension) -> u64 {
    let timeline = latencies.by(dimension);
    let known = [
        Label::All,
        Label::Strategy(PollingKind::Next),
        Label::Stream(Identifier::Named("known".to_owned())),
        Label::Connection(ConnectionId(0)),
    ];
    let series = timeline.series.iter();
    let series = series.filter(|one| known.contains(&one.label) && one.command == "poll_messages");
    series.map(|one| one.count(&timeline.slices())).sum()
}

#[test]
fn a_client_that_invents_streams_without_end_takes_no_more_memory() {
    let mut latencies = Latencies::default();
    known(&mut latencies);
    let mut bytes = 0;
    for number in 0..MANY {
        let stream = Identifier::Named(format!("invented {number}"));
        let sample = Sample {
            stream: Some(&stream),
            conn: Some(ConnectionId(1)),
            ..Sample::at(at(i64::try_from(number).unwrap() * 100), "get_stream")
        };
        latencies.record(Side::Tcp, &sample, latency(number));
        if number == MANY / 2 {
            bytes = latencies.streams.bytes();
        }
    }
    let streams = latencies.by(Dimension::Stream);
    assert_eq!(streams.series.len(), LATENCY_STREAM_SERIES);
    assert_eq!(streams.unrecorded, MANY + 1 - LATENCY_STREAM_SERIES as u64);
    assert_eq!(
        latencies.streams.bytes(),
        bytes,
        "half of them took the same"
    );
    assert!(bytes < LATENCY_STREAM_SERIES * SERIES_BYTES, "{bytes}");
    for dimension in [Dimension::Command, Dimension::Strategy, Dimension::Stream] {
        assert_eq!(known_in(&latencies, dimension), 16);
    }
    assert_eq!(latencies.unrecorded(), 0, "by command all are there");
}

#[test]
fn a_client_that_opens_connections_without_end_takes_no_more_memory() {
    let mut latencies = Latencies::default();
    for number in 0..MANY {
        let sample = Sample {
            conn: Some(ConnectionId(1 + number)),
            ..Sample::at(at(i64::try_from(number).unwrap() * 1_000), "ping")
        };
        latencies.record(Side::Tcp, &sample, latency(5));
        // One that the others push out, and that comes again.
        if number % 100 == 0 {
            known(&mut latencies);
        }
    }
    let connections = latencies.by(Dimension::Connection);
    assert_eq!(connections.series.len(), LATENCY_CONNECTION_SERIES);
    let kept = connections.series.iter();
    let kept: u64 = kept.map(|one| one.count(&connections.slices())).sum();
    let all = MANY + MANY / 100 * 16;
    assert_eq!(kept + connections.unrecorded, all);
    let bytes = latencies.connections.bytes();
    assert!(bytes < LATENCY_CONNECTION_SERIES * SERIES_BYTES, "{bytes}");
    assert_eq!(known_in(&latencies, Dimension::Command), MANY / 100 * 16);
    assert_eq!(latencies.unrecorded(), 0);
}

#[test]
fn a_client_that_invents_commands_without_end_takes_no_more_memory() {
    let mut latencies = Latencies::default();
    known(&mut latencies);
    for number in 0..MANY {
        let command = format!("unknown_{number}");
        // Of one connection alone what was there first would be kept.
        let sample = Sample {
            conn: Some(ConnectionId(1 + number)),
            ..Sample::at(at(100), &command)
        };
        latencies.record(Side::Tcp, &sample, latency(5));
    }
    assert_eq!(latencies.series().count(), LATENCY_SERIES);
    assert_eq!(latencies.unrecorded(), MANY + 1 - LATENCY_SERIES as u64);
    assert!(latencies.names.len() <= LATENCY_COMMANDS);
    let names: std::collections::BTreeSet<_> = latencies
        .series()
        .map(|(command, ..)| command.to_owned())
        .collect();
    assert!(names.contains("poll_messages") && names.contains("unknown_0"));
    let connections = latencies.by(Dimension::Connection);
    let last = connections.series.last().unwrap();
    assert_eq!(last.label, Label::Connection(ConnectionId(MANY)));
    assert_eq!(last.command, format!("unknown_{}", MANY - 1));
    assert_eq!(known_in(&latencies, Dimension::Command), 16);
}

#[test]
fn where_there_is_no_room_for_a_bucket_none_is_taken_for_a_series() {
    let room = Room {
        series: 9_000,
        cells: 10,
        forgets: false,
    };
    let mut timeline = Timeline::new(room);
    for number in 0..MANY {
        let met = Met {
            slice: 7,
            bucket: 100,
            count: 1,
        };
        timeline.record(&number, PINGS, met);
    }
    assert_eq!(timeline.series(&CommandNames::default()).count(), 10);
    assert_eq!(timeline.unrecorded(), MANY - 10);
    assert!(timeline.bytes() < 10 * SERIES_BYTES);
}

#[test]
fn all_buckets_that_have_room_take_a_few_megabytes() {
    let room = Room {
        series: LATENCY_CONNECTION_SERIES,
        cells: LATENCY_CELLS / 16,
        forgets: true,
    };
    let mut timeline = Timeline::new(room);
    let mut chance = 1_u64;
    for number in 0..2 * MANY {
        chance = chance.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let met = Met {
            slice: i64::try_from(number / 1_000).unwrap(),
            bucket: 1 + u16::try_from(chance >> 54).unwrap(),
            count: 1,
        };
        timeline.record(&(chance % 1_500), PINGS, met);
        assert!(timeline.cells() <= room.cells);
    }
    assert!(
        timeline.bytes() < room.cells * CELL_BYTES,
        "{}",
        timeline.bytes()
    );
    let names = CommandNames::default();
    let kept = timeline.series(&names).flat_map(|(.., slices)| slices);
    let kept: u64 = kept.map(|(_, buckets)| buckets.count()).sum();
    assert_eq!(kept + timeline.unrecorded(), 2 * MANY);
}
