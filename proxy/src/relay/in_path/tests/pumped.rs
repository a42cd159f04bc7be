//! The pump that looks at frames, between two ends.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parallax_codec::{Dialect, code};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex as pipe, split};

use super::script::{Curious, On, reply, request};
use crate::relay::activity::Activity;
use crate::relay::duplex::{Surroundings, duplex};
use crate::relay::in_path::{Decision, InPath, Interceptor, Interest, ToClient, ToServer};
use crate::relay::{CloseReason, InFlight, Shutdown};

/// Relays between the two ends that are given back, until it is over.
fn between(
    interceptors: Vec<Arc<dyn Interceptor>>,
    room: usize,
) -> (
    DuplexStream,
    DuplexStream,
    impl Future<Output = CloseReason>,
) {
    let (client, of_client) = pipe(room);
    let (server, of_server) = pipe(room);
    let relaying = async move {
        let in_path = InPath::new(interceptors.into(), Arc::default());
        let activity = Activity::new(InFlight::default());
        duplex(
            split(of_client),
            split(of_server),
            Surroundings {
                activity: &activity,
                tap: None,
                in_path: Some(&in_path),
                shutdown: &Shutdown::new(),
                half_closed_idle: Duration::from_hours(1),
                drain_quiet: Duration::from_hours(1),
            },
        )
        .await
    };
    (client, server, relaying)
}

fn on_poll(decide: impl Fn() -> Decision + Send + Sync + 'static) -> Vec<Arc<dyn Interceptor>> {
    let decide = move |_: &_| decide();
    vec![Arc::new(On(code::POLL_MESSAGES, Interest::Header, decide))]
}

#[tokio::test]
async fn both_streams_arrive_unaltered_and_so_do_their_ends() {
    for dialect in [Dialect::Classic, Dialect::Vsr] {
        for (room, length) in [(1, 50), (100, 5_000), (1_000_000, 70_000)] {
            let (client, server, relaying) = between(vec![Arc::new(Curious)], room);
            let body = vec![9; length];
            let asked: Vec<_> = (1..=20)
                .flat_map(|number| request(dialect, code::SEND_MESSAGES, number, &body))
                .collect();
            let answered: Vec<_> = (1..=20)
                .flat_map(|number| reply(dialect, code::SEND_MESSAGES, number, 0, &body))
                .collect();
            let play = |mut end: DuplexStream, sent: Vec<u8>, first: bool| async move {
                let (mut read, mut write) = split(&mut end);
                let mut received = Vec::new();
                if first {
                    let send = async { write.write_all(&sent).await.unwrap() };
                    let mut chunk = [0; 4096];
                    // The server answers once it has all.
                    send.await;
                    write.shutdown().await.unwrap();
                    while let Ok(count @ 1..) = read.read(&mut chunk).await {
                        received.extend(&chunk[..count]);
                    }
                } else {
                    read.read_to_end(&mut received).await.unwrap();
                    write.write_all(&sent).await.unwrap();
                    write.shutdown().await.unwrap();
                }
                received
            };
            let (got, given, reason) = tokio::join!(
                play(client, asked.clone(), true),
                play(server, answered.clone(), false),
                relaying
            );
            assert!(got == answered && given == asked, "{dialect:?} {room}");
            assert_eq!(reason, CloseReason::ClientClosed);
        }
    }
}

#[tokio::test]
async fn an_answer_of_parallaxs_own_reaches_the_client_while_the_server_is_silent() {
    let own = reply(Dialect::Classic, code::POLL_MESSAGES, 1, 4100, &[]);
    let given = own.clone();
    let (mut client, server, relaying) = between(
        on_poll(move || Decision {
            to_server: ToServer::Answer(given.clone()),
            ..Decision::default()
        }),
        100,
    );
    let play = async move {
        let poll = request(Dialect::Classic, code::POLL_MESSAGES, 1, &[1; 50]);
        for _ in 0..10 {
            client.write_all(&poll).await.unwrap();
            let mut answer = vec![0; own.len()];
            client.read_exact(&mut answer).await.unwrap();
            assert_eq!(answer, own);
        }
        drop(client);
        drop(server);
    };
    tokio::join!(play, relaying);
}

/// Thousands of answers that nobody reads: the client is not read from any more.
#[tokio::test(start_paused = true)]
async fn a_client_that_takes_no_answers_is_not_read_from() {
    let own = reply(Dialect::Classic, code::POLL_MESSAGES, 1, 4100, &[]);
    let (mut client, _server, relaying) = between(
        on_poll(move || Decision {
            to_server: ToServer::Answer(own.clone()),
            ..Decision::default()
        }),
        100,
    );
    let poll = request(Dialect::Classic, code::POLL_MESSAGES, 1, &[]);
    let mut sent = 0_u64;
    let flood = async {
        loop {
            client.write_all(&poll).await.unwrap();
            sent += 1;
        }
    };
    let until = tokio::time::sleep(Duration::from_mins(1));
    tokio::select! {
        () = until => {}
        () = flood => {}
        _ = relaying => {}
    }
    assert!(sent < 100, "{sent} were taken");
}

/// The server's answer to a poll, as it gave it.
async fn polled(client: &mut DuplexStream, server: &mut DuplexStream) -> Bytes {
    let poll = request(Dialect::Classic, code::POLL_MESSAGES, 1, &[]);
    client.write_all(&poll).await.unwrap();
    server.read_exact(&mut vec![0; poll.len()]).await.unwrap();
    let answer = reply(Dialect::Classic, code::POLL_MESSAGES, 1, 0, b"answer");
    server.write_all(&answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_cut_connection_ends_for_both_and_says_why() {
    let (mut client, mut server, relaying) = between(
        on_poll(|| Decision {
            to_client: ToClient::CutAfter(5),
            ..Decision::default()
        }),
        1_000,
    );
    let play = async move {
        let answer = polled(&mut client, &mut server).await;
        let mut got = vec![0; 5];
        client.read_exact(&mut got).await.unwrap();
        assert_eq!(got, answer[..5]);
        (client, server)
    };
    let (_ends, reason) = tokio::join!(play, relaying);
    assert_eq!(reason, CloseReason::CutOnPurpose);
}

#[tokio::test(start_paused = true)]
async fn a_delayed_reply_comes_later() {
    let (mut client, mut server, relaying) = between(
        on_poll(|| Decision {
            delay: Duration::from_secs(30),
            ..Decision::default()
        }),
        1_000,
    );
    let play = async move {
        let answer = polled(&mut client, &mut server).await;
        let asked = tokio::time::Instant::now();
        client.read_exact(&mut vec![0; answer.len()]).await.unwrap();
        assert_eq!(asked.elapsed().as_secs(), 30);
    };
    tokio::join!(play, relaying);
}
