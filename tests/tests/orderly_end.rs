//! Ctrl-C waits for what is open, and other people's work does not make a client
//! wait.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use parallax_captures::Journal;
use parallax_proxy::limits::DRAIN_QUIET;
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_tests::{PageAddress, free_page};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

const PING: [u8; 8] = [4, 0, 0, 0, 1, 0, 0, 0];

async fn proxy_before(server: &TcpListener) -> Proxy {
    Proxy::start(ProxyConfig::before(server.local_addr().unwrap()))
        .await
        .unwrap()
}

async fn read(socket: &mut TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    let read = timeout(PATIENCE, socket.read_exact(&mut bytes)).await;
    read.unwrap().unwrap();
    bytes
}

/// Until the journal knows of the request, so that what follows is a fair test.
async fn request_is_seen(journal: &Journal) {
    let mut changes = journal.changes();
    let waits = || journal.connections().iter().any(|c| c.waiting.is_some());
    timeout(PATIENCE, async {
        while !waits() {
            let _ = changes.recv().await;
        }
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_in_two_halves_is_waited_for_whole() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = proxy_before(&listener).await;
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.write_all(&PING).await.unwrap();
    let (mut server, _) = listener.accept().await.unwrap();
    read(&mut server, PING.len()).await;
    request_is_seen(proxy.journal()).await;

    server.write_all(&[0; 5]).await.unwrap();
    read(&mut client, 5).await;
    proxy.shutdown().signal();
    // It is the silence that could be taken for the end.
    sleep(DRAIN_QUIET * 3).await;
    server.write_all(&[0; 3]).await.unwrap();
    read(&mut client, 3).await;
    timeout(PATIENCE, proxy.finished()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_requests_sent_ahead_both_replies_are_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = proxy_before(&listener).await;
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.write_all(&[PING, PING].concat()).await.unwrap();
    let (mut server, _) = listener.accept().await.unwrap();
    read(&mut server, 2 * PING.len()).await;
    request_is_seen(proxy.journal()).await;

    server.write_all(&[0; 8]).await.unwrap();
    read(&mut client, 8).await;
    proxy.shutdown().signal();
    sleep(DRAIN_QUIET * 3).await;
    server.write_all(&[0; 8]).await.unwrap();
    read(&mut client, 8).await;
    timeout(PATIENCE, proxy.finished()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_served_while_everything_else_stands_still() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = Proxy::start(ProxyConfig {
        ui: Some(free_page()),
        ..ProxyConfig::before(listener.local_addr().unwrap())
    })
    .await
    .unwrap();
    tokio::spawn(async move {
        while let Ok((mut server, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut ping = [0; PING.len()];
                while server.read_exact(&mut ping).await.is_ok() {
                    server.write_all(&[0; 8]).await.unwrap();
                }
            });
        }
    });
    // Whoever wants to write or read the journal waits until the test has ended:
    // the decoder, and every thread that answers the page.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (locked, is_locked) = std::sync::mpsc::channel();
    let journal = std::sync::Arc::clone(proxy.journal());
    let holder = std::thread::spawn(move || {
        journal.update_totals(|_| {
            locked.send(()).unwrap();
            let _ = held.recv();
        });
    });
    is_locked.recv().unwrap();
    let page = PageAddress::of(&proxy.page().unwrap());
    for _ in 0..8 {
        let mut reader = TcpStream::connect(page.socket).await.unwrap();
        let request = format!(
            "GET / HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
            page.socket, page.token
        );
        reader.write_all(request.as_bytes()).await.unwrap();
        std::mem::forget(reader);
    }
    for _ in 0..100 {
        let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
        client.write_all(&PING).await.unwrap();
        assert_eq!(read(&mut client, 8).await, [0; 8]);
    }
    drop(release);
    holder.join().unwrap();
}
