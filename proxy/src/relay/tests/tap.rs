//! The tap drops, counts and announces; it never waits.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic::Direction;

use crate::limits::TAP_FAREWELLS;
use crate::relay::tap::ConnectionTap;
use crate::relay::{CloseReason, Event, InFlight, Observations, Shutdown, Tap, TapLimits, tap};

fn limited(observations: usize, bytes: usize) -> (Tap, Observations) {
    tap(TapLimits {
        observations,
        bytes,
    })
}

fn open(tap: &Tap, connection: u64) -> ConnectionTap {
    ConnectionTap::open(tap.clone(), connection, address(), "127.0.0.1:8090".into())
}

fn address() -> SocketAddr {
    "127.0.0.1:50000".parse().unwrap()
}

fn send(connection: &ConnectionTap, direction: Direction, length: usize) {
    let bytes = Bytes::from(vec![0; length]);
    connection.bytes(Timestamp::now(), direction, bytes);
}

fn closed() -> Event {
    Event::Closed {
        reason: CloseReason::ClientClosed,
        to_server: 0,
        to_client: 0,
    }
}

async fn next(observations: &mut Observations) -> Event {
    let next = observations.recv();
    let observation = tokio::time::timeout(Duration::from_secs(20), next).await;
    observation.unwrap().unwrap().event
}

fn opened() -> Event {
    Event::Opened {
        client: address(),
        upstream: "127.0.0.1:8090".into(),
        in_flight: InFlight::default(),
    }
}

#[tokio::test]
async fn what_does_not_fit_by_number_is_counted_per_direction_and_announced_first() {
    let (tap, mut observations) = limited(2, 1_000);
    let connection = open(&tap, 1);
    send(&connection, Direction::ToServer, 10);
    for length in [20, 30] {
        send(&connection, Direction::ToServer, length);
    }
    send(&connection, Direction::ToClient, 4);
    assert_eq!(tap.counters().observations_dropped(), 3);
    assert_eq!(tap.counters().bytes_dropped(), 54);

    assert_eq!(next(&mut observations).await, opened());
    assert!(matches!(next(&mut observations).await, Event::Bytes { .. }));
    // Room for two: the two announcements take it, so these bytes are lost too.
    send(&connection, Direction::ToServer, 1);
    let lost = |direction, bytes| Event::Lost { direction, bytes };
    assert_eq!(next(&mut observations).await, lost(Direction::ToServer, 50));
    assert_eq!(next(&mut observations).await, lost(Direction::ToClient, 4));
    send(&connection, Direction::ToClient, 7);
    assert_eq!(next(&mut observations).await, lost(Direction::ToServer, 1));
    assert!(matches!(
        next(&mut observations).await,
        Event::Bytes { direction: Direction::ToClient, bytes } if bytes.len() == 7
    ));
    assert_eq!(tap.counters().bytes_dropped(), 55);
}

#[tokio::test]
async fn what_does_not_fit_by_size_is_dropped_until_the_reader_has_taken_some() {
    let (tap, mut observations) = limited(100, 64);
    let connection = open(&tap, 1);
    send(&connection, Direction::ToServer, 60);
    send(&connection, Direction::ToServer, 5);
    send(&connection, Direction::ToServer, 4);
    assert_eq!(tap.counters().bytes_dropped(), 5);
    assert_eq!(next(&mut observations).await, opened());
    let mut lengths = Vec::new();
    for _ in 0..3 {
        lengths.push(match next(&mut observations).await {
            Event::Bytes { bytes, .. } => bytes.len() as u64,
            Event::Lost { bytes, .. } => bytes,
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(lengths, [60, 5, 4]);
    send(&connection, Direction::ToServer, 64);
    assert_eq!(tap.counters().bytes_dropped(), 5);
}

#[tokio::test(start_paused = true)]
async fn opening_and_closing_are_said_even_when_the_tap_was_full_throughout() {
    let (tap, mut observations) = limited(1, 1_000);
    let _filler = open(&tap, 1);
    let connection = open(&tap, 2);
    send(&connection, Direction::ToServer, 9);
    let shutdown = Shutdown::new();
    let closing = tokio::spawn(async move { connection.close(closed(), &shutdown).await });
    tokio::task::yield_now().await;
    assert_eq!(next(&mut observations).await, opened());
    let rest = [
        opened(),
        Event::Lost {
            direction: Direction::ToServer,
            bytes: 9,
        },
        closed(),
    ];
    for expected in rest {
        assert_eq!(next(&mut observations).await, expected);
    }
    closing.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_never_comes_back_keeps_no_ended_connection_for_long() {
    let (tap, _observations) = limited(1, 1_000);
    let _filler = open(&tap, 1);
    let before = tap.counters().observations_dropped();
    let shutdown = Shutdown::new();
    let mut waiting = tokio::task::JoinSet::new();
    for number in 0..=TAP_FAREWELLS as u64 {
        let (connection, shutdown) = (open(&tap, number + 2), shutdown.clone());
        waiting.spawn(async move { connection.close(closed(), &shutdown).await });
    }
    // One more than may wait, so one gives up at once; the others after a while.
    waiting.join_next().await.unwrap().unwrap();
    assert_eq!(tap.counters().observations_dropped() - before, 1);
    while let Some(ended) = waiting.join_next().await {
        ended.unwrap();
    }
    let dropped = tap.counters().observations_dropped() - before;
    assert_eq!(dropped, TAP_FAREWELLS as u64 + 1);
}

#[tokio::test]
async fn a_client_turned_away_is_said_with_the_limit() {
    let (tap, mut observations) = limited(1, 1_000);
    tap.refused(1, address(), 10);
    tap.refused(2, address(), 10);
    let refused = Event::Refused {
        client: address(),
        limit: 10,
    };
    assert_eq!(next(&mut observations).await, refused);
    assert_eq!(tap.counters().observations_dropped(), 1);
}
