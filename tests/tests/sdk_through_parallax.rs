//! The real SDK through parallax: the same bytes as without it, and the same
//! story.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use iggy::prelude::*;
use parallax_captures::{Exchange, Journal, VerdictKind};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_tests::{Server, Tee};
use tokio::time::timeout;

const MESSAGES: u32 = 1_000;
const BATCH: u32 = 50;
const PARTITIONS: u32 = 3;

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

fn named(name: &str) -> Identifier {
    Identifier::named(name).unwrap()
}

async fn client(address: SocketAddr) -> IggyClient {
    let client =
        IggyClient::from_connection_string(&format!("iggy://iggy:iggy@{address}")).unwrap();
    client.connect().await.unwrap();
    client
}

/// What a consumer received: partition, offset, payload.
type Received = BTreeSet<(u32, u64, Vec<u8>)>;

/// Logs in, creates, sends, and consumes as a group to the end.
async fn produce_and_consume(address: SocketAddr, stream: &str) -> Received {
    let (stream_id, topic_id, group_id) = (named(stream), named("metrics"), named("sink"));
    let client = client(address).await;
    client.create_stream(stream).await.unwrap();
    client
        .create_topic(
            &stream_id,
            "metrics",
            PARTITIONS,
            CompressionAlgorithm::None,
            None,
            IggyExpiry::NeverExpire,
            MaxTopicSize::ServerDefault,
        )
        .await
        .unwrap();
    for batch in 0..MESSAGES / BATCH {
        let mut messages: Vec<_> = (batch * BATCH..(batch + 1) * BATCH).map(message).collect();
        let partitioning = Partitioning::partition_id(batch % PARTITIONS);
        client
            .send_messages(&stream_id, &topic_id, &partitioning, &mut messages)
            .await
            .unwrap();
    }
    client
        .create_consumer_group(&stream_id, &topic_id, "sink")
        .await
        .unwrap();
    client
        .join_consumer_group(&stream_id, &topic_id, &group_id)
        .await
        .unwrap();
    let consumer = Consumer::group(group_id.clone());
    let mut received = Received::new();
    while received.len() < MESSAGES as usize {
        let polled = client
            .poll_messages(
                &stream_id,
                &topic_id,
                None,
                &consumer,
                &PollingStrategy::next(),
                BATCH,
                true,
            )
            .await
            .unwrap();
        for message in polled.messages {
            let payload = message.payload.to_vec();
            received.insert((polled.partition_id, message.header.offset, payload));
        }
    }
    client
        .leave_consumer_group(&stream_id, &topic_id, &group_id)
        .await
        .unwrap();
    client.shutdown().await.unwrap();
    received
}

/// Leaves a real server as it was.
async fn clean_up(server: &Server, stream: &str) {
    let client = client(server.tcp).await;
    client.delete_stream(&named(stream)).await.unwrap();
    client.shutdown().await.unwrap();
}

fn message(n: u32) -> IggyMessage {
    let message = IggyMessage::from_str(&format!("message {n} of {MESSAGES}")).unwrap();
    if !n.is_multiple_of(3) {
        return message;
    }
    let headers = [(
        HeaderKey::try_from("trace-id").unwrap(),
        HeaderValue::try_from(format!("t-{n}").as_str()).unwrap(),
    )];
    IggyMessage::builder()
        .payload(message.payload)
        .user_headers(headers.into_iter().collect())
        .build()
        .unwrap()
}

fn proxy_before(server: SocketAddr, http: Option<String>, bypass: bool) -> ProxyConfig {
    ProxyConfig {
        http,
        bypass,
        ..ProxyConfig::before(server)
    }
}

/// A stream's name that no other test and no earlier run has used.
fn unique(test: &str) -> String {
    format!("parallax-{test}-{}", IggyTimestamp::now().as_micros())
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_see_the_bytes_that_the_other_sent() {
    for bypass in [false, true] {
        let server = Server::start().await;
        // client -> outer -> parallax -> inner -> server
        let inner = Tee::to(server.tcp).await;
        let config = proxy_before(inner.address, Some(server.http.clone()), bypass);
        let proxy = Proxy::start(config).await.unwrap();
        let outer = Tee::to(proxy.listen()).await;

        let stream = unique("bytes");
        let received = timeout(PATIENCE, produce_and_consume(outer.address, &stream))
            .await
            .unwrap();
        proxy.shutdown().signal();
        proxy.finished().await;
        clean_up(&server, &stream).await;

        assert_eq!(received.len(), MESSAGES as usize);
        let (outer, inner) = (outer.passed(), inner.passed());
        assert_eq!(outer.len(), inner.len());
        let sent: usize = outer.iter().map(|passed| passed.to_server.len()).sum();
        assert!(sent > MESSAGES as usize * 64, "{sent} bytes were sent");
        assert!(outer == inner, "with bypass {bypass} the bytes differ");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_receives_the_same_as_without_parallax() {
    let server = Server::start().await;
    let (one, other) = (unique("direct"), unique("through"));
    let direct = produce_and_consume(server.tcp, &one).await;
    let config = proxy_before(server.tcp, Some(server.http.clone()), false);
    let proxy = Proxy::start(config).await.unwrap();
    let through = produce_and_consume(proxy.listen(), &other).await;
    clean_up(&server, &one).await;
    clean_up(&server, &other).await;
    assert_eq!(through, direct);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_healthy_group_is_decoded_whole_and_agrees_with_http() {
    let server = Server::start().await;
    let config = proxy_before(server.tcp, Some(server.http.clone()), false);
    let proxy = Proxy::start(config).await.unwrap();
    let stream = unique("healthy");
    let received = produce_and_consume(proxy.listen(), &stream).await;

    let journal = Arc::clone(proxy.journal());
    timeout(PATIENCE, every_poll_has_its_verdict(&journal))
        .await
        .unwrap();
    clean_up(&server, &stream).await;
    proxy.shutdown().signal();
    proxy.finished().await;
    let exchanges = journal.exchanges();
    let delivered: usize = exchanges
        .iter()
        .filter_map(|exchange| exchange.poll_answer())
        .map(|answer| answer.messages.len())
        .sum();
    assert_eq!(delivered, received.len());
    for exchange in &exchanges {
        assert_eq!(exchange.undecoded, None, "{exchange:?}");
        assert_eq!(exchange.error(), None, "{exchange:?}");
    }
    assert!(journal.findings().is_empty(), "{:?}", journal.findings());
    let connection = &journal.connections()[0];
    assert_eq!(connection.user.as_deref(), Some("iggy"));
    assert!(connection.client_version.is_some());

    // A Next that finds nothing has no question to compare; all others agree.
    for exchange in exchanges
        .iter()
        .filter(|exchange| exchange.poll().is_some())
    {
        let verdict = exchange.verdict.as_ref().unwrap();
        let expected = match exchange.poll_answer().unwrap().count {
            0 => VerdictKind::NotComparable,
            _ => VerdictKind::Agree,
        };
        assert_eq!(verdict.kind, expected, "{verdict:?}");
    }
}

async fn every_poll_has_its_verdict(journal: &Journal) {
    let mut changes = journal.changes();
    let missing =
        |exchange: &Arc<Exchange>| exchange.poll().is_some() && exchange.verdict.is_none();
    let left = |exchange: &Arc<Exchange>| exchange.command() == "leave_consumer_group";
    // Leaving is the last thing that the client does.
    while !journal.exchanges().iter().any(left) || journal.exchanges().iter().any(missing) {
        // Too many changes to follow is as good a reason to look again.
        let _ = changes.recv().await;
    }
}
