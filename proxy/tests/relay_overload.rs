//! `--on-overload slow-clients`: where looking falls behind, the client waits and nothing
//! is lost. What happens otherwise is in `relay_pressure.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod relay_support;

use parallax_codec::classic::Direction;
use parallax_proxy::relay::{CloseReason, Event, OnOverload, Side, TapLimits};
use relay_support::{Running, echo, listen, relay_with, soon, until};
use sha2::{Digest, Sha256};
use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// More than the sockets between client and server could hold by themselves.
const LENGTH: usize = 64 * 1024 * 1024;

const LIMITS: TapLimits = TapLimits {
    observations: 16,
    bytes: 1_000_000,
    on_overload: OnOverload::SlowClients,
};

#[tokio::test]
async fn the_client_is_slowed_nothing_is_lost_and_all_arrives_once_the_reader_goes_on() {
    let mut relay = relay_with(echo().await, LIMITS, |_| {}).await;
    let client = TcpStream::connect(relay.address).await.unwrap();
    let (mut reader, mut writer) = client.into_split();
    let sending = tokio::spawn(async move {
        let block: Vec<u8> = (0..=250).cycle().take(64 * 1024).collect();
        let mut sent = Sha256::new();
        for _ in 0..LENGTH / block.len() {
            writer.write_all(&block).await.unwrap();
            sent.update(&block);
        }
        writer.shutdown().await.unwrap();
        sent.finalize()
    });
    let receiving = tokio::spawn(async move {
        let mut received = Vec::new();
        reader.read_to_end(&mut received).await.unwrap();
        Sha256::digest(&received)
    });
    waits(&relay, 1).await;
    // As long as nobody reads the tap, no more than its room goes through.
    assert!(!sending.is_finished());

    let mut seen = [Sha256::new(), Sha256::new()];
    let totals = loop {
        match relay.next().await.event {
            Event::Bytes { direction, bytes } => {
                seen[usize::from(direction == Direction::ToClient)].update(&bytes);
            }
            Event::Closed {
                to_server,
                to_client,
                ..
            } => break [to_server, to_client],
            event => assert!(!matches!(event, Event::Lost { .. }), "{event:?}"),
        }
    };
    let sent = soon(sending).await.unwrap();
    assert_eq!(soon(receiving).await.unwrap(), sent);
    assert_eq!(seen.map(Sha256::finalize), [sent; 2]);
    assert_eq!(totals, [LENGTH as u64; 2]);
    let counters = relay.observations.counters();
    let lost = (counters.observations_dropped(), counters.bytes_dropped());
    assert_eq!(lost, (0, 0));
    assert!(!counters.waited().is_zero());
}

#[tokio::test]
async fn a_client_that_leaves_while_it_is_slowed_is_noticed_and_what_waited_is_told() {
    let (server, upstream) = listen().await;
    let mut relay = relay_with(upstream, LIMITS, |_| {}).await;
    let (mut client, mut served) = relay.pair(&server).await;
    let sending = async {
        let block = vec![7; 64 * 1024];
        while client.write_all(&block).await.is_ok() {}
    };
    let mut received = 0;
    let taking = async {
        let mut taken = vec![0; 64 * 1024];
        loop {
            received += served.read(&mut taken).await.unwrap();
        }
    };
    tokio::select! {
        () = waits(&relay, 1) => {}
        () = sending => {}
        () = taking => {}
    }
    SockRef::from(&client)
        .set_linger(Some(std::time::Duration::ZERO))
        .unwrap();
    drop(client);
    // Nobody has read the tap so far, and the server hears of it all the same.
    let error = soon(async {
        let mut taken = vec![0; 64 * 1024];
        loop {
            match served.read(&mut taken).await {
                Ok(0) => panic!("an orderly end"),
                Ok(count) => received += count,
                Err(error) => break error,
            }
        }
    })
    .await;
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);

    let mut seen = 0;
    loop {
        match relay.next().await.event {
            Event::Bytes { bytes, .. } => seen += bytes.len() as u64,
            Event::Closed {
                reason, to_server, ..
            } => {
                assert_eq!(reason, CloseReason::Reset { by: Side::Client });
                assert_eq!(seen, to_server);
                break;
            }
            event => assert!(!matches!(event, Event::Lost { .. }), "{event:?}"),
        }
    }
    assert!(received as u64 <= seen);
}

#[tokio::test]
async fn an_end_is_passed_on_while_what_came_before_it_waits() {
    let limits = TapLimits {
        // The opening and the connection to the server fill it.
        observations: 2,
        ..LIMITS
    };
    let (server, upstream) = listen().await;
    let mut relay = relay_with(upstream, limits, |_| {}).await;
    let (mut client, mut served) = relay.pair(&server).await;
    client.write_all(b"ask").await.unwrap();
    waits(&relay, 1).await;
    client.shutdown().await.unwrap();
    let mut asked = Vec::new();
    soon(served.read_to_end(&mut asked)).await.unwrap();
    assert_eq!(asked, b"ask");
    served.write_all(b"answer").await.unwrap();
    drop(served);
    let mut answer = Vec::new();
    soon(client.read_to_end(&mut answer)).await.unwrap();
    assert_eq!(answer, b"answer");

    let mut told = Vec::new();
    while !matches!(told.last(), Some(Event::Closed { .. })) {
        told.push(relay.next().await.event);
    }
    let is_told = |wanted: fn(&Event) -> bool| told.iter().filter(|event| wanted(event)).count();
    assert_eq!(is_told(|event| matches!(event, Event::Bytes { .. })), 2);
    assert_eq!(
        is_told(|event| matches!(event, Event::HalfClosed { .. })),
        2
    );
    assert_eq!(told.len(), 7);
}

#[tokio::test]
async fn a_second_signal_ends_a_connection_that_waits_for_a_reader_that_never_comes() {
    let (server, upstream) = listen().await;
    let relay = relay_with(upstream, LIMITS, |_| {}).await;
    let (mut client, mut served) = relay.pair(&server).await;
    let block = vec![7; 64 * 1024];
    let mut nowhere = tokio::io::sink();
    tokio::select! {
        () = waits(&relay, 1) => {}
        () = async { while client.write_all(&block).await.is_ok() {} } => {}
        _ = tokio::io::copy(&mut served, &mut nowhere) => {}
    }
    relay.shutdown.signal();
    relay.shutdown.signal();
    let statistics = soon(relay.served).await.unwrap();
    assert_eq!((statistics.accepted, statistics.closed), (1, 1));
}

#[tokio::test]
async fn a_reader_that_is_gone_is_waited_for_by_nobody() {
    let relay = relay_with(echo().await, LIMITS, |_| {}).await;
    let mut client = TcpStream::connect(relay.address).await.unwrap();
    let (mut reader, mut writer) = client.split();
    let mut nowhere = tokio::io::sink();
    let echoed = async {
        let (sent, received) = tokio::join!(
            async {
                writer.write_all(&vec![7; LENGTH]).await?;
                writer.shutdown().await
            },
            tokio::io::copy(&mut reader, &mut nowhere)
        );
        sent.unwrap();
        received.unwrap()
    };
    let Running {
        observations,
        address: _,
        counters: _,
        shutdown: _shutdown,
        served: _served,
    } = relay;
    let leaving = async {
        until(|| observations.counters().waits() > 0).await;
        drop(observations);
    };
    let (received, ()) = soon(async { tokio::join!(echoed, leaving) }).await;
    assert_eq!(received, LENGTH as u64);
}

/// Until a direction has waited for room so often.
async fn waits(relay: &Running, times: u64) {
    until(|| relay.observations.counters().waits() >= times).await;
}
