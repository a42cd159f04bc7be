//! The tap drops, counts and announces; it never waits.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic::Direction;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::TAP_FAREWELLS;
use crate::relay::connection_tap::ConnectionTap;
use crate::relay::{
    CloseReason, Event, InFlight, Observations, OnOverload, RelayConfig, Shutdown, Tap, TapLimits,
    tap,
};

fn limited(observations: usize, bytes: usize) -> (Tap, Observations) {
    tap(TapLimits {
        observations,
        bytes,
        on_overload: OnOverload::LoseObservations,
    })
}

fn open(tap: &Tap, connection: u64) -> ConnectionTap {
    let config = Arc::new(RelayConfig::new("127.0.0.1:8090"));
    ConnectionTap::open(tap.clone(), connection, address(), &config)
}

fn address() -> SocketAddr {
    "127.0.0.1:50000".parse().unwrap()
}

fn send(connection: &ConnectionTap, direction: Direction, length: usize) {
    let bytes = Bytes::from(vec![0; length]);
    let unsaid = connection.bytes(Timestamp::now(), direction, bytes);
    assert!(unsaid.is_none(), "the relay would have to wait");
}

/// A place among the connections that may be open.
fn place() -> OwnedSemaphorePermit {
    let places = Arc::new(Semaphore::new(1));
    places.try_acquire_owned().unwrap()
}

/// What an announced gap holds: bytes and observations.
fn lost(event: &Event) -> (Direction, u64, u64) {
    match event {
        Event::Lost {
            direction,
            bytes,
            observations,
            ..
        } => (*direction, *bytes, *observations),
        other => panic!("{other:?}"),
    }
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
        route: 0,
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
    for expected in [(Direction::ToServer, 50, 2), (Direction::ToClient, 4, 1)] {
        assert_eq!(lost(&next(&mut observations).await), expected);
    }
    send(&connection, Direction::ToClient, 7);
    let last = lost(&next(&mut observations).await);
    assert_eq!(last, (Direction::ToServer, 1, 1));
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

#[tokio::test]
async fn what_was_taken_waits_until_it_has_been_looked_at() {
    let (tap, mut observations) = limited(100, 64);
    let connection = open(&tap, 1);
    send(&connection, Direction::ToServer, 60);
    let mut batch = Vec::new();
    assert_eq!(observations.recv_many(&mut batch, 100).await, 2);
    send(&connection, Direction::ToServer, 5);
    assert_eq!(tap.counters().bytes_dropped(), 5);
    for observation in &batch {
        observations.looked_at(observation.bytes());
    }
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
    let closing = tokio::spawn(async move { connection.close(closed(), place(), &shutdown).await });
    tokio::task::yield_now().await;
    assert_eq!(next(&mut observations).await, opened());
    assert_eq!(next(&mut observations).await, opened());
    let gap = lost(&next(&mut observations).await);
    assert_eq!(gap, (Direction::ToServer, 9, 1));
    assert_eq!(next(&mut observations).await, closed());
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
        waiting.spawn(async move { connection.close(closed(), place(), &shutdown).await });
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
    tap.refused(1, 3, address(), 10);
    tap.refused(2, 3, address(), 10);
    let refused = Event::Refused {
        route: 3,
        client: address(),
        limit: 10,
    };
    assert_eq!(next(&mut observations).await, refused);
    assert_eq!(tap.counters().observations_dropped(), 1);
}

#[tokio::test]
async fn who_waits_for_room_says_it_as_soon_as_there_is_some_and_keeps_nobody_else_waiting() {
    let (tap, mut observations) = tap(TapLimits {
        observations: 100,
        bytes: 64,
        on_overload: OnOverload::SlowClients,
    });
    let (first, second) = (open(&tap, 1), open(&tap, 2));
    send(&first, Direction::ToServer, 50);
    let bytes = Bytes::from_static(&[0; 40]);
    let unsaid = first.bytes(Timestamp::now(), Direction::ToServer, bytes);
    let mut waiting = pin!(first.say_later(unsaid.unwrap()));
    let mut poll = || {
        waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    };
    assert!(poll().is_pending());
    send(&second, Direction::ToServer, 14);
    for _ in 0..2 {
        assert_eq!(next(&mut observations).await, opened());
    }
    assert!(
        matches!(next(&mut observations).await, Event::Bytes { bytes, .. } if bytes.len() == 50)
    );
    assert!(poll().is_ready());
    for length in [14, 40] {
        let event = next(&mut observations).await;
        assert!(matches!(event, Event::Bytes { bytes, .. } if bytes.len() == length));
    }
    let counters = tap.counters();
    assert_eq!((counters.waits(), counters.observations_dropped()), (1, 0));
    assert!(!counters.waited().is_zero());
}
