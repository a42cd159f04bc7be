//! What silence means: half-closed pairs, and connections at shutdown. The clock
//! is tokio's, stopped: it moves on when every task waits.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex as pipe, split};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::relay::activity::Activity;
use crate::relay::duplex::{Surroundings, duplex};
use crate::relay::{CloseReason, InFlight, Shutdown};

const IDLE: Duration = Duration::from_mins(1);
const QUIET: Duration = Duration::from_millis(250);

/// A relayed pair of pipes: the client's end, the server's end, and the outcome.
fn relayed(shutdown: &Shutdown) -> (DuplexStream, DuplexStream, JoinHandle<CloseReason>) {
    let (client, client_end) = pipe(64);
    let (server, server_end) = pipe(64);
    let shutdown = shutdown.part();
    let outcome = tokio::spawn(async move {
        let activity = Activity::new(InFlight::default());
        duplex(
            split(client_end),
            split(server_end),
            Surroundings {
                activity: &activity,
                tap: None,
                in_path: None,
                shutdown: &shutdown,
                half_closed_idle: IDLE,
                drain_quiet: QUIET,
            },
        )
        .await
    });
    (client, server, outcome)
}

async fn pass(from: &mut DuplexStream, to: &mut DuplexStream, text: &[u8]) {
    from.write_all(text).await.unwrap();
    let mut received = vec![0; text.len()];
    to.read_exact(&mut received).await.unwrap();
    assert_eq!(received, text);
}

#[tokio::test(start_paused = true)]
async fn a_half_closed_pair_is_reaped_once_nothing_has_moved_for_its_time() {
    let (mut client, mut server, outcome) = relayed(&Shutdown::new());
    let began = Instant::now();
    client.shutdown().await.unwrap();
    assert_eq!(server.read(&mut [0; 8]).await.unwrap(), 0);
    assert_eq!(outcome.await.unwrap(), CloseReason::Reaped);
    assert!(began.elapsed() >= IDLE && began.elapsed() < IDLE * 2);
}

#[tokio::test(start_paused = true)]
async fn a_slow_half_closed_pair_lives_as_long_as_bytes_move() {
    let (mut client, mut server, outcome) = relayed(&Shutdown::new());
    client.shutdown().await.unwrap();
    for _ in 0..20 {
        sleep(IDLE.mul_f64(0.9)).await;
        pass(&mut server, &mut client, b"row").await;
    }
    assert!(!outcome.is_finished());
    drop(server);
    assert_eq!(outcome.await.unwrap(), CloseReason::ClientClosed);
}

#[tokio::test(start_paused = true)]
async fn an_open_pair_may_be_silent_for_ever() {
    let (mut client, mut server, outcome) = relayed(&Shutdown::new());
    sleep(IDLE * 1000).await;
    pass(&mut client, &mut server, b"still here").await;
    assert!(!outcome.is_finished());
}

#[tokio::test(start_paused = true)]
async fn draining_closes_a_connection_that_has_its_answer() {
    let shutdown = Shutdown::new();
    let (mut client, mut server, outcome) = relayed(&shutdown);
    pass(&mut client, &mut server, b"ask").await;
    pass(&mut server, &mut client, b"answer").await;
    shutdown.signal();
    assert_eq!(outcome.await.unwrap(), CloseReason::Drained);
}

#[tokio::test(start_paused = true)]
async fn draining_waits_for_an_answer_on_its_way() {
    let shutdown = Shutdown::new();
    let (mut client, mut server, outcome) = relayed(&shutdown);
    pass(&mut client, &mut server, b"ask").await;
    shutdown.signal();
    sleep(QUIET * 20).await;
    assert!(!outcome.is_finished());
    pass(&mut server, &mut client, b"answer").await;
    assert_eq!(outcome.await.unwrap(), CloseReason::Drained);
}

#[tokio::test(start_paused = true)]
async fn draining_waits_for_a_client_that_has_not_taken_its_answer_yet() {
    let shutdown = Shutdown::new();
    let (mut client, mut server, outcome) = relayed(&shutdown);
    let answer = vec![7; 1000];
    let sending = tokio::spawn(async move {
        server.write_all(&answer).await.unwrap();
        server
    });
    sleep(QUIET).await;
    shutdown.signal();
    sleep(QUIET * 20).await;
    assert!(!outcome.is_finished());
    client.read_exact(&mut [0; 1000]).await.unwrap();
    assert_eq!(outcome.await.unwrap(), CloseReason::Drained);
    sending.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_second_signal_ends_a_connection_with_a_request_in_flight() {
    let shutdown = Shutdown::new();
    let (mut client, mut server, outcome) = relayed(&shutdown);
    pass(&mut client, &mut server, b"ask").await;
    shutdown.signal();
    shutdown.signal();
    assert_eq!(outcome.await.unwrap(), CloseReason::Halted);
}
