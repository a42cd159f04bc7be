mod bounds;
mod reference;

use std::collections::BTreeMap;

use jiff::SignedDuration;
use proptest::prelude::*;

use super::*;
use crate::limits::{LATENCY_SLICE_US, LATENCY_SLICES};

/// So many microseconds after a time of our days.
fn at(micros: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000).unwrap() + SignedDuration::from_micros(micros)
}

fn latency(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

const PINGS: Timed = Timed::new(0, Side::Tcp);

/// A moment, a latency, and a number that says to what it belongs.
type Moment = (i64, u64, u8);

fn moments() -> impl Strategy<Value = Vec<Moment>> {
    // From milliseconds to weeks, so that widths double seldom or often.
    let range = prop_oneof![
        Just(1_000_000),
        Just(600_000_000),
        Just(2_000_000_000_000_i64)
    ];
    range.prop_flat_map(|range| {
        let one = (-range..range, 1..5_000_000_u64, any::<u8>());
        proptest::collection::vec(one, 1..200)
    })
}

fn record(latencies: &mut Latencies, (micros, took, what): Moment) {
    let stream = stream(what);
    let sample = Sample {
        stream: Some(&stream),
        ..sample(micros, what)
    };
    let side = Side::ALL[usize::from(what / 128)];
    latencies.record(side, &sample, latency(took));
}

fn stream(what: u8) -> Identifier {
    Identifier::Named(format!("stream_{}", what % 3))
}

fn command(what: u8) -> &'static str {
    ["poll_messages", "ping"][usize::from(what % 2)]
}

/// All but the stream.
fn sample(micros: i64, what: u8) -> Sample<'static> {
    Sample {
        strategy: Some(PollingKind::ALL[usize::from(what % 5)]),
        conn: Some(ConnectionId(u64::from(what % 7))),
        ..Sample::at(at(micros), command(what))
    }
}

fn recorded(moments: &[Moment]) -> Latencies {
    let mut latencies = Latencies::default();
    for moment in moments {
        record(&mut latencies, *moment);
    }
    latencies
}

/// All there is to see of a dimension.
fn shown(latencies: &Latencies, dimension: Dimension) -> String {
    let LatencyTimeline {
        series,
        doublings,
        span,
        ..
    } = latencies.by(dimension);
    format!("{doublings} {span:?} {series:?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_slices_add_up_to_the_whole_histogram(moments in moments()) {
        let latencies = recorded(&moments);
        let mut whole = BTreeMap::new();
        for (_, took, what) in &moments {
            let key = (Side::ALL[usize::from(what / 128)], what % 2 == 0);
            let histogram = whole
                .entry(key)
                .or_insert_with(|| Histogram::<u64>::new_with_bounds(1, LATENCY_MAX_US, 2).unwrap());
            histogram.record(*took).unwrap();
        }
        for dimension in Dimension::ALL {
            let timeline = latencies.by(dimension);
            let (slices, mut found) = (timeline.slices(), BTreeMap::new());
            prop_assert!(slices.end - slices.start <= LATENCY_SLICES);
            for series in &timeline.series {
                let histogram = series.histogram(&slices).unwrap();
                prop_assert_eq!(histogram.len(), series.count(&slices));
                let key = (series.side, series.command == "poll_messages");
                let sum = found
                    .entry(key)
                    .or_insert_with(|| Histogram::<u64>::new_with_bounds(1, LATENCY_MAX_US, 2).unwrap());
                sum.add(histogram).unwrap();
            }
            prop_assert_eq!(&found, &whole, "{}", dimension.name());
        }
    }

    #[test]
    fn the_order_of_arrival_does_not_matter(moments in moments(), seed in any::<u64>()) {
        let mut others = moments.clone();
        others.sort_by_key(|(micros, took, what)| {
            (*took ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ micros.unsigned_abs() ^ u64::from(*what)
        });
        let (left, right) = (recorded(&moments), recorded(&others));
        for dimension in Dimension::ALL {
            prop_assert_eq!(shown(&left, dimension), shown(&right, dimension));
        }
    }

    #[test]
    fn what_is_recorded_in_parts_adds_up_to_what_is_recorded_at_once(
        moments in moments(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (first, second) = moments.split_at(cut.index(moments.len()));
        let mut sum = recorded(first);
        sum.add_all(&recorded(second));
        let whole = recorded(&moments);
        for dimension in Dimension::ALL {
            prop_assert_eq!(shown(&sum, dimension), shown(&whole, dimension));
        }
    }

    #[test]
    fn a_latency_is_in_the_slice_that_its_time_is_in(moments in moments()) {
        let timeline = recorded(&moments).by(Dimension::Command);
        for slice in timeline.slices() {
            let (begin, end) = (timeline.begin_of(slice), timeline.begin_of(slice + 1));
            prop_assert_eq!(timeline.slice_of(begin), slice);
            let within = moments.iter().filter(|(micros, ..)| (begin..end).contains(&at(*micros)));
            let counts = timeline.series.iter().map(|one| one.count(&(slice..slice + 1)));
            prop_assert_eq!(within.count() as u64, counts.sum::<u64>());
        }
    }

    #[test]
    fn fewer_buckets_than_met_make_slices_wider_and_lose_nothing(moments in moments(), cells in 20..60_usize) {
        let room = Room { series: 9, cells, forgets: false };
        let (names, mut small) = (CommandNames::default(), Timeline::new(room));
        let mut buckets: BTreeMap<u16, u64> = BTreeMap::new();
        for (micros, took, _) in &moments {
            // Few enough for one slice.
            let bucket = buckets::bucket_of(took % 20);
            *buckets.entry(bucket).or_default() += 1;
            let met = Met { slice: least_slice(at(*micros)), bucket, count: 1 };
            small.record(&(), PINGS, met);
        }
        prop_assert_eq!(small.unrecorded(), 0);
        let all: Vec<_> = small.series(&names).flat_map(|(.., slices)| slices).collect();
        let met = all.iter().map(|(_, buckets)| buckets.len()).sum::<usize>();
        prop_assert!(met <= cells);
        let mut found: BTreeMap<u16, u64> = BTreeMap::new();
        for (bucket, count) in all.iter().flat_map(|(_, buckets)| buckets.cells()) {
            *found.entry(bucket).or_default() += count;
        }
        prop_assert_eq!(found, buckets);
    }
}

#[test]
fn the_mirrors_time_is_not_the_clients() {
    let mut latencies = Latencies::default();
    let sample = Sample::at(at(0), "poll_messages");
    latencies.record(Side::Tcp, &sample, latency(100));
    latencies.record(Side::Http, &sample, latency(9_000));
    let counts: Vec<_> = latencies
        .series()
        .map(|(_, side, h)| (side, h.len(), h.max()))
        .collect();
    assert_eq!(counts[0].0, Side::Tcp);
    assert_eq!((counts[0].1, counts[1].1), (1, 1));
    assert!(counts[0].2 < 102 && counts[1].2 >= 9_000);
}

#[test]
fn more_commands_than_the_limit_are_counted_not_kept() {
    let mut latencies = Latencies::default();
    for n in 0..LATENCY_SERIES + 3 {
        let command = format!("unknown_{n}");
        latencies.record(Side::Tcp, &Sample::at(at(0), &command), latency(5));
    }
    assert_eq!(latencies.series().count(), LATENCY_SERIES);
    assert_eq!(latencies.unrecorded(), 3);
}

#[test]
fn a_client_that_invents_streams_does_not_push_out_those_that_were_there() {
    let mut latencies = Latencies::default();
    for n in 0..LATENCY_STREAM_SERIES + 3 {
        let stream = Identifier::Named(format!("stream {n}"));
        let sample = Sample {
            stream: Some(&stream),
            ..Sample::at(at(0), "get_stream")
        };
        latencies.record(Side::Tcp, &sample, latency(5));
    }
    let streams = latencies.by(Dimension::Stream);
    assert_eq!(streams.series.len(), LATENCY_STREAM_SERIES);
    assert_eq!(streams.unrecorded, 3);
    let first = Label::Stream(Identifier::Named("stream 0".to_owned()));
    assert!(streams.series.iter().any(|one| one.label == first));
    assert_eq!(latencies.unrecorded(), 0, "by command all are there");
}

#[test]
fn no_more_strategies_than_the_limit() {
    let mut latencies = Latencies::default();
    for n in 0..LATENCY_STRATEGY_SERIES + 3 {
        let command = format!("unknown_{n}");
        let sample = Sample {
            strategy: Some(PollingKind::Next),
            ..Sample::at(at(0), &command)
        };
        latencies.record(Side::Tcp, &sample, latency(5));
    }
    let strategies = latencies.by(Dimension::Strategy);
    assert_eq!(strategies.series.len(), LATENCY_STRATEGY_SERIES);
    assert_eq!(strategies.unrecorded, 3);
}

#[test]
fn of_too_many_connections_the_longest_silent_is_forgotten() {
    let mut latencies = Latencies::default();
    let mut ping = |conn: u64, second: i64| {
        let sample = Sample {
            conn: Some(ConnectionId(conn)),
            ..Sample::at(at(1_000_000 * second), "ping")
        };
        latencies.record(Side::Tcp, &sample, latency(5));
    };
    ping(1, 0);
    ping(2, 0);
    ping(2, 2);
    for conn in 3..=LATENCY_CONNECTION_SERIES as u64 {
        ping(conn, 5);
    }
    ping(1, 9);
    ping(5_000, 9);
    let connections = latencies.by(Dimension::Connection);
    assert_eq!(connections.series.len(), LATENCY_CONNECTION_SERIES);
    let has = |conn| {
        let label = Label::Connection(ConnectionId(conn));
        connections.series.iter().any(|one| one.label == label)
    };
    assert!(has(1) && has(5_000) && !has(2));
    assert_eq!(connections.unrecorded, 2, "both of connection 2");
}

#[test]
fn buckets_for_which_one_slice_has_no_room_are_counted_not_kept() {
    let room = Room {
        series: 9,
        cells: 10,
        forgets: false,
    };
    // Before 1970 and after it: two slices never become one.
    for second in [1_790_000_000, -1, 0] {
        let slice = least_slice(Timestamp::from_second(second).unwrap());
        let mut timeline = Timeline::new(room);
        for bucket in 0..13 {
            let met = Met {
                slice: if bucket == 3 { -slice } else { slice },
                bucket,
                count: 2,
            };
            timeline.record(&(), PINGS, met);
        }
        assert_eq!(timeline.unrecorded(), 6);
    }
}

#[test]
fn times_far_apart_are_in_slices_all_the_same() {
    let mut latencies = Latencies::default();
    for time in [Timestamp::MIN, Timestamp::MAX, Timestamp::UNIX_EPOCH] {
        latencies.record(Side::Tcp, &Sample::at(time, "ping"), latency(5));
    }
    let timeline = latencies.by(Dimension::Command);
    assert_eq!(timeline.series[0].count(&timeline.slices()), 3);
}

#[test]
fn slices_begin_at_whole_times_and_double_their_width() {
    let mut latencies = Latencies::default();
    latencies.record(Side::Tcp, &Sample::at(at(0), "ping"), latency(5));
    let first = latencies.by(Dimension::Command);
    let least = u64::try_from(LATENCY_SLICE_US).unwrap();
    assert_eq!(first.slice_width(), Duration::from_micros(least));
    // Three minutes: slices of two seconds.
    latencies.record(Side::Tcp, &Sample::at(at(180_000_000), "ping"), latency(5));
    let later = latencies.by(Dimension::Command);
    assert_eq!(later.slice_width(), Duration::from_secs(2));
    assert_eq!(later.begin_of(later.slices().start), at(0));
}

#[test]
fn a_latency_beyond_the_longest_is_recorded_as_the_longest() {
    let mut latencies = Latencies::default();
    let sample = Sample::at(at(0), "ping");
    latencies.record(Side::Tcp, &sample, Duration::from_secs(1_000_000));
    let (_, _, histogram) = latencies.series().next().unwrap();
    assert!(histogram.max() >= LATENCY_MAX_US);
}
