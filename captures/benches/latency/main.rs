//! What recording an exchange costs: its latency in the four dimensions, beside
//! `hdrhistogram`'s own `record` four times, and all that a journal does for it.
#![allow(clippy::unwrap_used, missing_docs)]

mod exchanges;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use hdrhistogram::Histogram;
use parallax_captures::limits::LATENCY_MAX_US;
use parallax_captures::{Connection, ConnectionId, Exchange, Journal, Latencies};

use exchanges::{CONNECTIONS, Traffic, latency};

/// What gives the next exchange, and how long it took.
type Next = fn(&mut Traffic) -> (&Exchange, Duration);

/// Recorded before it is measured: a busy proxy knows its clients.
const BEFORE: u64 = 1_000_000;

fn latencies(c: &mut Criterion) {
    let mut group = c.benchmark_group("record a latency");
    group.bench_function("hdrhistogram, four times", |b| {
        let histogram = Histogram::<u64>::new_with_bounds(1, LATENCY_MAX_US, 2).unwrap();
        let mut histograms = [(); 4].map(|()| histogram.clone());
        let mut number = 0;
        b.iter(|| {
            number += 1;
            let micros = u64::try_from(latency(number).as_micros()).unwrap();
            for histogram in &mut histograms {
                histogram.record(black_box(micros)).unwrap();
            }
        });
    });
    let begun = Traffic::of_many().just_begun();
    let cases: [(&str, Traffic, Next); 4] = [
        ("one connection", Traffic::of_one(), Traffic::next),
        ("256 connections", Traffic::of_many(), Traffic::next),
        ("256 connections, just begun", begun, Traffic::next),
        (
            "invented streams",
            Traffic::of_one(),
            Traffic::next_inventing,
        ),
    ];
    for (name, mut traffic, next) in cases {
        let mut latencies = Latencies::default();
        let mut record = || {
            let (exchange, latency) = next(&mut traffic);
            latencies.record_exchange(exchange, latency, false);
        };
        (0..BEFORE).for_each(|_| record());
        group.bench_function(name, |b| b.iter(&mut record));
    }
    group.bench_function("to make the exchange of 256 connections", |b| {
        let mut traffic = Traffic::of_many();
        b.iter(|| {
            black_box(traffic.next());
        });
    });
    group.finish();
}

fn journal(c: &mut Criterion) {
    let mut group = c.benchmark_group("record an exchange");
    let journal = Journal::with_limits(100_000, 256 * 1024 * 1024);
    for id in 1..=CONNECTIONS {
        let ends = ["10.0.0.7:40000", "10.0.0.1:8090"].map(|end| end.parse().unwrap());
        let opened = jiff::Timestamp::UNIX_EPOCH;
        let connection = Connection::opened(ConnectionId(id), ends[0], ends[1], opened);
        journal.open_connection(connection);
    }
    let mut traffic = Traffic::of_many();
    for _ in 0..150_000 {
        journal.record(traffic.next().0.clone());
    }
    group.bench_function("in a full journal, and the oldest dropped", |b| {
        b.iter_batched_ref(
            || Some(traffic.next().0.clone()),
            |exchange| journal.record(exchange.take().unwrap()),
            criterion::BatchSize::NumIterations(1_000),
        );
    });
    group.finish();
}

criterion_group!(benches, latencies, journal);
criterion_main!(benches);
