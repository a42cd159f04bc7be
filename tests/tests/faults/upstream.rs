//! A server that comes and goes.

use std::net::SocketAddr;

use parallax_proxy::live::{Proxy, ProxyConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::{PATIENCE, PONG, answer_pings, ended, ping, read, until};

/// How a server treats a client that asked.
#[derive(Debug, Clone, Copy)]
enum Manner {
    /// Half of a reply, then a reset.
    Resets,
    /// Half of a reply, then an orderly end.
    Closes,
}

/// A client's view of one connection: what came of a ping.
async fn ask(proxy: SocketAddr) -> (Vec<u8>, bool) {
    let mut client = TcpStream::connect(proxy).await.unwrap();
    let mut answer = Vec::new();
    let asked = async {
        client.write_all(&ping()).await?;
        client.read_to_end(&mut answer).await
    };
    let is_orderly = timeout(PATIENCE, asked).await.unwrap().is_ok();
    (answer, is_orderly)
}

async fn serve_once(listener: &TcpListener, manner: Manner) {
    let (mut server, _) = timeout(PATIENCE, listener.accept()).await.unwrap().unwrap();
    assert_eq!(read(&mut server, ping().len()).await, ping());
    server.write_all(&PONG[..4]).await.unwrap();
    if let Manner::Resets = manner {
        // Its end is a reset.
        server.set_zero_linger().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_client_of_a_flapping_server_gets_what_it_sent_and_the_journal_says_how_it_ended() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = listener.local_addr().unwrap();
    let proxy = Proxy::start(ProxyConfig::before(upstream)).await.unwrap();
    let journal = proxy.journal();
    let mut ways = Vec::new();
    for round in 0..20 {
        let manner = if round % 2 == 0 {
            Manner::Resets
        } else {
            Manner::Closes
        };
        let ((answer, is_orderly), ()) =
            tokio::join!(ask(proxy.listen()), serve_once(&listener, manner));
        match manner {
            Manner::Closes => assert_eq!((answer.as_slice(), is_orderly), (&PONG[..4], true)),
            // What was on its way may be lost with a reset, as without a proxy.
            Manner::Resets => assert!(!is_orderly && PONG.starts_with(&answer), "{answer:?}"),
        }
        ways.push(manner);
    }
    // Nobody listens.
    drop(listener);
    for _ in 0..5 {
        assert_eq!(ask(proxy.listen()).await.0, [0; 0]);
    }
    until(journal, "every end", |journal| {
        let connections = journal.connections();
        connections.len() == 25 && connections.iter().all(|one| ended(one).is_some())
    })
    .await;
    let count = |word: &str| {
        let connections = journal.connections();
        let ends = connections.iter().filter_map(ended);
        ends.filter(|why| why.to_lowercase().contains(word)).count()
    };
    assert_eq!(count("reset"), 10, "{:?}", journal.connections());
    assert_eq!(count("refused"), 5, "{:?}", journal.connections());
    // And it is back.
    let listener = TcpListener::bind(upstream).await.unwrap();
    tokio::spawn(answer_pings(listener));
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    for _ in 0..10 {
        client.write_all(&ping()).await.unwrap();
        assert_eq!(read(&mut client, PONG.len()).await, PONG);
    }
    let answered = |journal: &parallax_captures::Journal| {
        let exchanges = journal.exchanges();
        exchanges.iter().filter(|it| it.status() == Some(0)).count() == 10
    };
    until(journal, "the answered pings", answered).await;
    proxy.shutdown().signal();
    let statistics = timeout(PATIENCE, proxy.finished()).await.unwrap();
    assert_eq!((statistics.accepted, statistics.upstream_failures), (26, 5));
}
