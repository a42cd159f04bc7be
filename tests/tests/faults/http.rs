//! An HTTP side that is down, silent, lies, or leads elsewhere.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use iggy::prelude::*;
use parallax_captures::{Journal, TroubleKind, VerdictKind, troubles};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::standin::{Standin, StandinConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::PATIENCE;

/// What stands before the server's HTTP does with a connection.
#[derive(Debug, Clone)]
enum Manner {
    Forward,
    /// Answers every request with these bytes.
    Say(String),
    /// Ends it at once.
    HangUp,
    /// Takes everything and says nothing.
    Silence,
    /// Begins an answer, and goes on with it a byte at a time, without an end.
    Trickle,
}

/// What stands before the server's HTTP; each answer ends its connection.
struct Front {
    address: SocketAddr,
    manner: Arc<Mutex<Manner>>,
}

impl Front {
    async fn of(http: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let manner = Arc::new(Mutex::new(Manner::Forward));
        let now = Arc::clone(&manner);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let manner = now.lock().unwrap().clone();
                let now = Arc::clone(&now);
                tokio::spawn(async move { treat(client, http, &manner, &now).await });
            }
        });
        Self { address, manner }
    }

    fn set(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }
}

async fn treat(mut client: TcpStream, http: SocketAddr, manner: &Manner, now: &Mutex<Manner>) {
    match manner {
        Manner::HangUp => {}
        Manner::Silence => while let Ok(1..) = client.read(&mut [0; 4096]).await {},
        Manner::Trickle => {
            let _ = client.read(&mut [0; 4096]).await;
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{";
            let mut sent = client.write_all(head.as_bytes()).await;
            while sent.is_ok() {
                sleep(Duration::from_millis(20)).await;
                sent = client.write_all(b" ").await;
            }
        }
        Manner::Say(answer) => {
            let _ = client.read(&mut [0; 4096]).await;
            let _ = client.write_all(answer.as_bytes()).await;
        }
        Manner::Forward => {
            let mut server = TcpStream::connect(http).await.unwrap();
            // A kept connection ends when the manner changes.
            let changed = async {
                while matches!(*now.lock().unwrap(), Manner::Forward) {
                    sleep(Duration::from_millis(10)).await;
                }
            };
            tokio::select! {
                _ = copy_bidirectional(&mut client, &mut server) => {}
                () = changed => {}
            }
        }
    }
}

fn answer(head: &str, body: &str) -> Manner {
    let length = body.len();
    Manner::Say(format!(
        "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    ))
}

/// A client with one topic of one message.
struct Poller {
    client: IggyClient,
    stream: Identifier,
    topic: Identifier,
}

impl Poller {
    async fn new(server: SocketAddr) -> Self {
        let address = format!("iggy://iggy:iggy@{server}");
        let client = IggyClient::from_connection_string(&address).unwrap();
        client.connect().await.unwrap();
        let named = |name: &str| Identifier::named(name).unwrap();
        let (stream, topic) = (named("faults"), named("topic"));
        client.create_stream("faults").await.unwrap();
        let (never, default) = (IggyExpiry::NeverExpire, MaxTopicSize::ServerDefault);
        let none = CompressionAlgorithm::None;
        let made = client.create_topic(&stream, "topic", 1, none, None, never, default);
        made.await.unwrap();
        let mut messages = vec![
            IggyMessage::builder()
                .payload("one".into())
                .build()
                .unwrap(),
        ];
        let partition = Partitioning::partition_id(0);
        let sent = client.send_messages(&stream, &topic, &partition, &mut messages);
        sent.await.unwrap();
        Self {
            client,
            stream,
            topic,
        }
    }

    /// Polls First; the client notices nothing of HTTP.
    async fn poll(&self) {
        let (consumer, first) = (Consumer::default(), PollingStrategy::first());
        let polled = self.client.poll_messages(
            &self.stream,
            &self.topic,
            Some(0),
            &consumer,
            &first,
            1,
            false,
        );
        let polled = timeout(PATIENCE, polled).await.unwrap().unwrap();
        assert_eq!(polled.messages.len(), 1);
        assert_eq!(&polled.messages[0].payload[..], b"one");
    }
}

/// The latest verdict on a poll: its kind, and why.
fn latest(journal: &Journal) -> Option<(u64, VerdictKind, String)> {
    let exchanges = journal.exchanges();
    let exchange = exchanges.iter().rev().find(|it| it.verdict.is_some())?;
    let verdict = exchange.verdict.as_ref()?;
    Some((exchange.n, verdict.kind, verdict.reason.clone()))
}

/// Polls until a verdict is of a kind, and gives its reason.
async fn polls_until(poller: &Poller, journal: &Journal, kind: VerdictKind, word: &str) -> String {
    let wanted = async {
        let begun = journal.counts().exchanges;
        loop {
            poller.poll().await;
            for _ in 0..20 {
                sleep(Duration::from_millis(10)).await;
                if let Some((n, is, why)) = latest(journal)
                    && n > begun
                    && is == kind
                    && why.contains(word)
                {
                    return why;
                }
            }
        }
    };
    let found = timeout(PATIENCE, wanted).await;
    found.unwrap_or_else(|_| panic!("no {kind:?} with {word:?}: {:?}", latest(journal)))
}

/// Whether the page says that something is wrong with the mirror.
fn is_told(journal: &Journal) -> bool {
    let troubles = troubles(journal);
    troubles.iter().any(|one| one.kind == TroubleKind::Mirror)
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_http_does_clients_notice_nothing_the_verdict_says_it_and_then_it_is_over() {
    let standin = Standin::start(StandinConfig::default()).await.unwrap();
    let front = Front::of(standin.http).await;
    let config = ProxyConfig::before(standin.tcp).asking(format!("http://{}", front.address));
    let proxy = Proxy::start(config).await.unwrap();
    let journal = Arc::clone(proxy.journal());
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let other = elsewhere.local_addr().unwrap();
    let poller = Poller::new(proxy.listen()).await;
    polls_until(&poller, &journal, VerdictKind::Agree, "").await;
    let leads = format!("307 Temporary Redirect\r\nLocation: http://{other}/ping");
    for (manner, word) in [
        (Manner::HangUp, ""),
        (answer(&leads, ""), "307"),
        (answer("200 OK", "<html>not here</html>"), "<html>"),
        (answer("200 OK", r#"{"partition_id":0,"messages":7}"#), ""),
        (answer("503 Service Unavailable", ""), "503"),
        (Manner::Silence, "did not answer within"),
        (Manner::Trickle, "did not answer within"),
    ] {
        front.set(manner.clone());
        polls_until(&poller, &journal, VerdictKind::MirrorFailed, word).await;
        assert!(is_told(&journal), "{manner:?}");
        front.set(Manner::Forward);
        polls_until(&poller, &journal, VerdictKind::Agree, "").await;
        assert!(!is_told(&journal), "{manner:?} is over");
    }
    // Nobody was led elsewhere.
    let led = timeout(Duration::ZERO, elsewhere.accept()).await;
    assert!(led.is_err(), "{led:?}");
    let divergences = journal.exchanges();
    let mut verdicts = divergences.iter().filter_map(|it| it.verdict.as_ref());
    assert!(
        verdicts.all(|it| matches!(it.kind, VerdictKind::Agree | VerdictKind::MirrorFailed)),
        "the instrument's trouble is no divergence"
    );
}
