//! Clients that are too many, too slow, or never finish what they began.

use parallax_codec::code;
use parallax_proxy::limits::{GATHERED_BODY_BYTES, SESSIONS_BYTES};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::relay::OnOverload;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::{PATIENCE, PONG, answer_pings, ended, ping, read, until};

/// One ping through the proxy.
async fn is_served(client: &mut TcpStream) {
    client.write_all(&ping()).await.unwrap();
    assert_eq!(read(client, PONG.len()).await, PONG);
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_say_nothing_take_places_and_no_more_and_one_too_many_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = ProxyConfig {
        max_connections: 50,
        ..ProxyConfig::before(listener.local_addr().unwrap())
    };
    tokio::spawn(answer_pings(listener));
    let proxy = Proxy::start(config).await.unwrap();
    let journal = proxy.journal();
    let mut silent = Vec::new();
    for _ in 0..49 {
        silent.push(TcpStream::connect(proxy.listen()).await.unwrap());
    }
    let mut talker = TcpStream::connect(proxy.listen()).await.unwrap();
    is_served(&mut talker).await;
    let mut refused = TcpStream::connect(proxy.listen()).await.unwrap();
    let end = timeout(PATIENCE, refused.read(&mut [0])).await.unwrap();
    assert!(matches!(end, Ok(0) | Err(_)), "{end:?}");
    until(journal, "who was turned away", |journal| {
        let connections = journal.connections();
        let mut ends = connections.iter().filter_map(ended);
        ends.any(|why| why.contains("turned away: 50"))
    })
    .await;
    is_served(&mut talker).await;
    silent.pop();
    // Its place is another's.
    let taken = async {
        loop {
            let mut next = TcpStream::connect(proxy.listen()).await.unwrap();
            let mut answer = [0; PONG.len()];
            if next.write_all(&ping()).await.is_ok() && next.read_exact(&mut answer).await.is_ok() {
                break;
            }
        }
    };
    timeout(PATIENCE, taken).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_comes_byte_by_byte_is_passed_on_byte_by_byte_and_seen_whole() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = ProxyConfig::before(listener.local_addr().unwrap());
    let proxy = Proxy::start(config).await.unwrap();
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.set_nodelay(true).unwrap();
    let (mut server, _) = listener.accept().await.unwrap();
    for _ in 0..3 {
        for byte in ping() {
            client.write_all(&[byte]).await.unwrap();
            // It is there before the next one is sent.
            assert_eq!(read(&mut server, 1).await, [byte]);
        }
        for byte in PONG {
            server.write_all(&[byte]).await.unwrap();
            assert_eq!(read(&mut client, 1).await, [byte]);
        }
    }
    until(proxy.journal(), "three pings", |journal| {
        let exchanges = journal.exchanges();
        exchanges.iter().filter(|it| it.status() == Some(0)).count() == 3
    })
    .await;
}

/// Connections of which each begins the longest frame that is looked at and never ends it.
const UNFINISHED: usize = SESSIONS_BYTES / GATHERED_BODY_BYTES + 4;

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_are_never_whole_hold_so_much_memory_together_and_what_is_let_go_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    // So that nothing is let go but for want of that room.
    let config = ProxyConfig {
        on_overload: OnOverload::SlowClients,
        ..ProxyConfig::before(listener.local_addr().unwrap())
    };
    let proxy = Proxy::start(config).await.unwrap();
    let journal = proxy.journal();
    let body = u32::try_from(GATHERED_BODY_BYTES).unwrap();
    let mut frame = (body + 4).to_le_bytes().to_vec();
    frame.extend(code::SEND_MESSAGES.to_le_bytes());
    frame.resize(frame.len() + GATHERED_BODY_BYTES - 1, 7);
    let mut pairs = Vec::new();
    for _ in 0..UNFINISHED {
        let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        // Every byte arrives, whatever is kept of it.
        let (sent, received) = tokio::join!(
            client.write_all(&frame),
            timeout(PATIENCE, read(&mut server, frame.len())),
        );
        sent.unwrap();
        assert!(received.unwrap() == frame, "the bytes are the client's");
        pairs.push((client, server));
    }
    until(journal, "what was let go", |journal| {
        journal.totals().observations_dropped > 0
    })
    .await;
    // The last ones came when there was no room: shown where they are.
    let unobserved = |journal: &parallax_captures::Journal| {
        let connections = journal.connections();
        connections
            .iter()
            .filter(|it| it.bytes_unobserved > 0)
            .count()
    };
    until(journal, "whose it was", |journal| unobserved(journal) > 0).await;
    // Once the frames are whole, all are looked at again.
    for (client, server) in &mut pairs {
        client.write_all(&[7]).await.unwrap();
        read(server, 1).await;
        server.write_all(&PONG).await.unwrap();
        read(client, PONG.len()).await;
        client.write_all(&ping()).await.unwrap();
        read(server, ping().len()).await;
        server.write_all(&PONG).await.unwrap();
        read(client, PONG.len()).await;
    }
    until(journal, "a ping of each", |journal| {
        let exchanges = journal.exchanges();
        let pings = exchanges
            .iter()
            .filter(|it| it.command() == "ping" && it.status() == Some(0));
        pings.count() == UNFINISHED
    })
    .await;
}
