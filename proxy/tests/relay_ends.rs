//! What one end does, the other end sees.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod relay_support;

use std::io::ErrorKind;

use parallax_codec::classic::Direction;
use parallax_proxy::relay::{CloseReason, DialFault, Event, InFlight, Side};
use relay_support::{listen, relay_to, relay_with, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn read_all(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    soon(stream.read_to_end(&mut all)).await.unwrap();
    all
}

async fn read(stream: &mut TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    soon(stream.read_exact(&mut bytes)).await.unwrap();
    bytes
}

#[tokio::test]
async fn a_client_that_has_closed_its_half_still_reads_its_reply() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    client.write_all(b"last question").await.unwrap();
    client.shutdown().await.unwrap();
    assert_eq!(read_all(&mut server).await, b"last question");
    server.write_all(b"last answer").await.unwrap();
    drop(server);
    assert_eq!(read_all(&mut client).await, b"last answer");
    assert_eq!(
        relay.closed().await,
        Event::Closed {
            reason: CloseReason::ClientClosed,
            to_server: 13,
            to_client: 11
        }
    );
}

#[tokio::test]
async fn a_server_that_has_closed_its_half_still_reads_requests() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    server.write_all(b"bye").await.unwrap();
    server.shutdown().await.unwrap();
    assert_eq!(read_all(&mut client).await, b"bye");
    client.write_all(b"one more").await.unwrap();
    client.shutdown().await.unwrap();
    assert_eq!(read_all(&mut server).await, b"one more");
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::ServerClosed);
}

#[tokio::test]
async fn a_server_may_speak_first() {
    let (listener, upstream) = listen().await;
    let relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    server.write_all(b"220 welcome").await.unwrap();
    assert_eq!(read(&mut client, 11).await, b"220 welcome");
}

#[tokio::test]
async fn the_tap_sees_a_connection_from_opening_to_close_in_order() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    client.write_all(b"ask").await.unwrap();
    assert_eq!(read(&mut server, 3).await, b"ask");
    server.write_all(b"answer").await.unwrap();
    assert_eq!(read(&mut client, 6).await, b"answer");
    let address = client.local_addr().unwrap();
    drop(client);
    assert_eq!(read_all(&mut server).await, b"");
    drop(server);

    let mut seen = Vec::new();
    let mut times = Vec::new();
    while !matches!(seen.last(), Some(Event::Closed { .. })) {
        let observation = relay.next().await;
        assert_eq!(observation.connection, 1);
        times.push(observation.time);
        seen.push(observation.event);
    }
    let Event::Connected { local, .. } = seen[1] else {
        panic!("{seen:?}")
    };
    assert_eq!(
        seen,
        [
            Event::Opened {
                route: 0,
                client: address,
                upstream: upstream.to_string().into(),
                in_flight: InFlight::default(),
            },
            Event::Connected { upstream, local },
            Event::Bytes {
                direction: Direction::ToServer,
                bytes: "ask".into()
            },
            Event::Bytes {
                direction: Direction::ToClient,
                bytes: "answer".into()
            },
            Event::HalfClosed {
                direction: Direction::ToServer
            },
            Event::HalfClosed {
                direction: Direction::ToClient
            },
            Event::Closed {
                reason: CloseReason::ClientClosed,
                to_server: 3,
                to_client: 6
            },
        ]
    );
    assert!(times.is_sorted());
}

#[tokio::test]
async fn a_reset_by_the_client_reaches_the_server_as_a_reset() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (client, mut server) = relay.pair(&listener).await;
    client.set_zero_linger().unwrap();
    drop(client);
    let error = soon(server.read(&mut [0; 8])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::Reset { by: Side::Client });
}

#[tokio::test]
async fn a_reset_by_the_server_reaches_the_client_as_a_reset_after_what_it_sent() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    server.write_all(b"I give up").await.unwrap();
    assert_eq!(read(&mut client, 9).await, b"I give up");
    server.set_zero_linger().unwrap();
    drop(server);
    let error = soon(client.read(&mut [0; 8])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::Reset { by: Side::Server });
}

#[tokio::test]
async fn what_a_server_says_before_it_turns_a_request_away_unread_reaches_the_client() {
    let (listener, upstream) = listen().await;
    let relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    client.write_all(b"a long request").await.unwrap();
    soon(server.peek(&mut [0; 14])).await.unwrap();
    server.write_all(b"no").await.unwrap();
    // Closing with bytes unread makes the kernel send a reset.
    drop(server);
    assert_eq!(read(&mut client, 2).await, b"no");
    let error = soon(client.read(&mut [0; 8])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn a_reset_after_a_half_close_is_still_passed_on() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (mut client, mut server) = relay.pair(&listener).await;
    client.shutdown().await.unwrap();
    assert_eq!(read_all(&mut server).await, b"");
    client.set_zero_linger().unwrap();
    drop(client);
    // The server has read the end already, so its next write is what fails.
    soon(async { while server.write_all(b"into the void").await.is_ok() {} }).await;
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::Reset { by: Side::Client });
}

#[tokio::test]
async fn a_reset_is_passed_on_even_while_the_other_end_takes_nothing() {
    let (listener, upstream) = listen().await;
    let mut relay = relay_to(upstream).await;
    let (client, mut server) = relay.pair(&listener).await;
    // Fill every buffer between the client and a server that does not read.
    let block = vec![1; 64 * 1024];
    let mut client = client;
    while tokio::time::timeout(
        std::time::Duration::from_millis(300),
        client.write_all(&block),
    )
    .await
    .is_ok()
    {}
    client.set_zero_linger().unwrap();
    drop(client);
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::Reset { by: Side::Client });
    let mut rest = Vec::new();
    let error = soon(server.read_to_end(&mut rest)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn a_client_of_an_absent_server_sees_a_close_and_the_tap_sees_why() {
    let (listener, upstream) = listen().await;
    drop(listener);
    let mut relay = relay_to(upstream).await;
    let mut client = TcpStream::connect(relay.address).await.unwrap();
    assert_eq!(read_all(&mut client).await, b"");
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    let CloseReason::UpstreamUnavailable { fault, message } = reason else {
        panic!("{reason:?}")
    };
    assert_eq!(fault, DialFault::Refused);
    assert!(message.contains(&upstream.to_string()), "{message}");
    assert!(message.contains("Is the Iggy server running"), "{message}");
    assert_eq!(relay.counters.snapshot().upstream_failures, 1);
}

#[tokio::test]
async fn a_name_without_an_address_is_named() {
    let (_listener, upstream) = listen().await;
    let mut relay = relay_with(
        upstream,
        parallax_proxy::relay::TapLimits::default(),
        |config| {
            config.upstream = "iggy.invalid:8090".into();
        },
    )
    .await;
    let _client = TcpStream::connect(relay.address).await.unwrap();
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    let CloseReason::UpstreamUnavailable { fault, message } = reason else {
        panic!("{reason:?}")
    };
    assert_eq!(fault, DialFault::Unresolved);
    assert!(message.contains("iggy.invalid:8090"), "{message}");
}
