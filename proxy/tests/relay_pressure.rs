//! Slow readers, slow dials, full taps, too many clients: each has its bound.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod relay_support;

use std::net::SocketAddr;
use std::time::Duration;

use parallax_codec::classic::Direction;
use parallax_proxy::relay::{
    CloseReason, DialFault, Event, Relay, RelayConfig, Shutdown, TapLimits,
};
use relay_support::{echo, listen, relay_to, relay_with, soon, until};
use sha2::{Digest, Sha256};
use socket2::{Domain, Socket, Type};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

#[tokio::test]
async fn a_server_that_stops_reading_stops_the_client_and_later_gets_everything() {
    let listener = small_socket();
    listener
        .bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .unwrap();
    listener.listen(16).unwrap();
    let listener = TcpListener::from_std(listener.into()).unwrap();
    let relay = relay_to(listener.local_addr().unwrap()).await;
    let client = small_socket();
    client.set_nonblocking(false).unwrap();
    client.connect(&relay.address.into()).unwrap();
    client.set_nonblocking(true).unwrap();
    let mut client = TcpStream::from_std(client.into()).unwrap();
    let (mut server, _) = soon(listener.accept()).await.unwrap();

    let mut sent = 0;
    let block = vec![9; 16 * 1024];
    while let Ok(count) = timeout(Duration::from_millis(500), client.write(&block)).await {
        sent += count.unwrap();
        assert!(sent < 64 * 1024 * 1024, "the client was never stopped");
    }
    let mut received = vec![0; sent];
    soon(server.read_exact(&mut received)).await.unwrap();
    assert!(received.iter().all(|byte| *byte == 9));
}

fn small_socket() -> Socket {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(8 * 1024).unwrap();
    socket.set_send_buffer_size(8 * 1024).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

#[tokio::test]
async fn a_full_tap_costs_the_client_nothing_and_its_losses_add_up() {
    const LENGTH: usize = 20_000_000;
    let limits = TapLimits {
        observations: 16,
        bytes: 1_000_000,
        ..TapLimits::default()
    };
    let mut relay = relay_with(echo().await, limits, |_| {}).await;
    let client = TcpStream::connect(relay.address).await.unwrap();
    let (mut reader, mut writer) = client.into_split();
    let sent: Vec<u8> = (0..=250).cycle().take(LENGTH).collect();
    let expected = Sha256::digest(&sent);
    let sending = tokio::spawn(async move {
        writer.write_all(&sent).await.unwrap();
        writer.shutdown().await.unwrap();
    });
    // Nobody reads the tap meanwhile.
    let mut received = Vec::new();
    soon(reader.read_to_end(&mut received)).await.unwrap();
    soon(sending).await.unwrap();
    assert_eq!(Sha256::digest(&received), expected);

    let (mut seen, mut lost) = ([0, 0], [0, 0]);
    let index = |direction| usize::from(direction == Direction::ToClient);
    let totals = loop {
        match relay.next().await.event {
            Event::Bytes { direction, bytes } => seen[index(direction)] += bytes.len() as u64,
            Event::Lost {
                direction, bytes, ..
            } => lost[index(direction)] += bytes,
            Event::Closed {
                to_server,
                to_client,
                ..
            } => break [to_server, to_client],
            _ => {}
        }
    };
    assert_eq!(totals, [LENGTH as u64; 2]);
    assert_eq!([seen[0] + lost[0], seen[1] + lost[1]], totals);
    assert!(lost[0] > 0 && lost[1] > 0);
    let counters = relay.observations.counters();
    assert_eq!(counters.bytes_dropped(), lost[0] + lost[1]);
    assert!(counters.observations_dropped() > 0);
}

#[tokio::test]
async fn a_slow_dial_delays_no_other_client() {
    // A listener that takes one connection into its queue and lets further ones
    // wait without an answer, as a stalled server does. Linux keeps one more
    // than it was asked to.
    let stalled = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    stalled
        .bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .unwrap();
    stalled.listen(0).unwrap();
    let upstream = stalled.local_addr().unwrap().as_socket().unwrap();
    let mut relay = relay_with(upstream, TapLimits::default(), |config| {
        config.dial_timeout = Duration::from_secs(2);
    })
    .await;
    let mut clients = Vec::new();
    for _ in 0..5 {
        clients.push(TcpStream::connect(relay.address).await.unwrap());
    }
    // The queue holds at least one; with others still dialling, all are taken in.
    until(|| relay.counters.snapshot().accepted == 5).await;
    assert_eq!(relay.counters.snapshot().upstream_failures, 0);
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    let CloseReason::UpstreamUnavailable { fault, message } = reason else {
        panic!("{reason:?}")
    };
    assert_eq!(fault, DialFault::TimedOut);
    assert!(message.contains("no answer within 2s"), "{message}");
}

#[tokio::test]
async fn one_client_too_many_is_turned_away_and_seen() {
    let mut relay = relay_with(echo().await, TapLimits::default(), |config| {
        config.max_connections = 2;
    })
    .await;
    let mut clients = Vec::new();
    for _ in 0..2 {
        let mut client = TcpStream::connect(relay.address).await.unwrap();
        client.write_all(b"!").await.unwrap();
        soon(client.read_exact(&mut [0])).await.unwrap();
        clients.push(client);
    }
    let mut third = TcpStream::connect(relay.address).await.unwrap();
    assert_eq!(soon(third.read(&mut [0])).await.unwrap(), 0);
    let refused = relay
        .event(|event| matches!(event, Event::Refused { .. }))
        .await;
    let client = third.local_addr().unwrap();
    let expected = Event::Refused {
        route: 0,
        client,
        limit: 2,
    };
    assert_eq!(refused, expected);

    clients.pop();
    until(|| relay.counters.snapshot().closed == 1).await;
    let mut fourth = TcpStream::connect(relay.address).await.unwrap();
    fourth.write_all(b"!").await.unwrap();
    soon(fourth.read_exact(&mut [0])).await.unwrap();
    let statistics = relay.counters.snapshot();
    assert_eq!((statistics.accepted, statistics.refused), (3, 1));
}

#[tokio::test]
async fn shutdown_refuses_new_clients_and_lets_a_request_in_flight_finish() {
    let (listener, upstream) = listen().await;
    let relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    client.write_all(b"ask").await.unwrap();
    soon(server.read_exact(&mut [0; 3])).await.unwrap();
    relay.shutdown.signal();
    soon(async { while TcpStream::connect(relay.address).await.is_ok() {} }).await;
    assert!(!relay.served.is_finished());
    server.write_all(b"answer").await.unwrap();
    let mut reply = Vec::new();
    soon(client.read_to_end(&mut reply)).await.unwrap();
    assert_eq!(reply, b"answer");
    let statistics = soon(relay.served).await.unwrap();
    assert_eq!((statistics.accepted, statistics.closed), (1, 1));
    assert_eq!((statistics.to_server, statistics.to_client), (3, 6));
}

#[tokio::test]
async fn a_request_that_is_never_answered_ends_when_the_time_to_drain_has_passed() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_with(upstream, TapLimits::default(), |config| {
        config.drain = Duration::from_millis(300);
        config.drain_quiet = Duration::from_millis(20);
    })
    .await;
    let (mut client, mut server) = relay.pair(&listener).await;
    client.write_all(b"ask").await.unwrap();
    soon(server.read_exact(&mut [0; 3])).await.unwrap();
    relay.shutdown.signal();
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::Halted);
    assert_eq!(soon(client.read(&mut [0])).await.unwrap(), 0);
    soon(relay.served).await.unwrap();
}

#[tokio::test]
async fn a_relay_pointed_at_itself_does_not_start() {
    let (listener, address) = listen().await;
    let config = RelayConfig::new(address.to_string());
    let error = Relay::new(listener, config, None).await.unwrap_err();
    let message = error.to_string();
    assert!(message.contains(&address.to_string()), "{message}");
    assert!(message.contains("Point the upstream"), "{message}");
}

#[tokio::test]
async fn without_a_tap_the_relay_only_forwards() {
    let upstream = echo().await;
    let (listener, address) = listen().await;
    let relay = Relay::new(listener, RelayConfig::new(upstream.to_string()), None)
        .await
        .unwrap();
    let shutdown = Shutdown::new();
    let served = tokio::spawn(relay.serve(shutdown.clone()));
    let mut client = TcpStream::connect(address).await.unwrap();
    client.write_all(b"hello").await.unwrap();
    let mut reply = [0; 5];
    soon(client.read_exact(&mut reply)).await.unwrap();
    assert_eq!(&reply, b"hello");
    shutdown.signal();
    assert_eq!(soon(client.read(&mut [0])).await.unwrap(), 0);
    assert_eq!(soon(served).await.unwrap().to_client, 5);
}
