// What both SDKs do, written once: included by the module of each, which imports its
// prelude and has `server`, `create_topic`, `FLUSHES` and `SMALLEST_MESSAGE`.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::{Exchange, Finding, Journal, VerdictKind};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_tests::{Server, Tee};
use tokio::time::timeout;

const MESSAGES: u32 = 1_000;
const BATCH: u32 = 50;

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

/// What consumers received: partition, offset, payload.
type Received = BTreeSet<(u32, u64, Vec<u8>)>;

/// A stream and a topic in it.
struct Place {
    stream: Identifier,
    topic: Identifier,
}

impl Place {
    async fn create(client: &IggyClient, stream: &str) -> Self {
        let place = Self {
            stream: named(stream),
            topic: named("metrics"),
        };
        client.create_stream(stream).await.unwrap();
        create_topic(client, &place.stream).await;
        place
    }

    async fn send(&self, client: &IggyClient, partition: u32, numbers: std::ops::Range<u32>) {
        let mut messages: Vec<_> = numbers.map(message).collect();
        let partitioning = Partitioning::partition_id(partition);
        client
            .send_messages(&self.stream, &self.topic, &partitioning, &mut messages)
            .await
            .unwrap();
    }

    /// One poll, as what it received.
    async fn poll(
        &self,
        client: &IggyClient,
        consumer: &Consumer,
        partition: Option<u32>,
        strategy: PollingStrategy,
        auto_commit: bool,
    ) -> Received {
        let polled = client
            .poll_messages(
                &self.stream,
                &self.topic,
                partition,
                consumer,
                &strategy,
                BATCH,
                auto_commit,
            )
            .await
            .unwrap();
        let partition = polled.partition_id;
        let received = polled.messages.into_iter().map(|message| {
            let payload = message.payload.to_vec();
            (partition, message.header.offset, payload)
        });
        received.collect()
    }
}

/// Logs in, creates, sends, and lets two members of a group consume to the end.
async fn produce_and_consume(address: SocketAddr, stream: &str) -> Received {
    let members = [client(address).await, client(address).await];
    let place = Place::create(&members[0], stream).await;
    for batch in 0..MESSAGES / BATCH {
        let numbers = batch * BATCH..(batch + 1) * BATCH;
        place.send(&members[0], batch % PARTITIONS, numbers).await;
    }
    let group = named("sink");
    members[0]
        .create_consumer_group(&place.stream, &place.topic, "sink")
        .await
        .unwrap();
    for member in &members {
        member
            .join_consumer_group(&place.stream, &place.topic, &group)
            .await
            .unwrap();
    }
    let consumer = Consumer::group(group.clone());
    let mut received = [Received::new(), Received::new()];
    while received.iter().map(BTreeSet::len).sum::<usize>() < MESSAGES as usize {
        for (member, received) in members.iter().zip(&mut received) {
            let next = PollingStrategy::next();
            received.extend(place.poll(member, &consumer, None, next, true).await);
        }
    }
    assert!(
        received.iter().all(|received| !received.is_empty()),
        "both members have a share"
    );
    // One after the other: the second gets the first one's share.
    for member in &members {
        member
            .leave_consumer_group(&place.stream, &place.topic, &group)
            .await
            .unwrap();
        member.shutdown().await.unwrap();
    }
    received.into_iter().flatten().collect()
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
    let config = ProxyConfig {
        bypass,
        ..ProxyConfig::before(server)
    };
    match http {
        Some(http) => config.asking(http),
        None => config,
    }
}

/// A stream's name that no other test and no earlier run has used.
fn unique(test: &str) -> String {
    format!("parallax-{test}-{}", IggyTimestamp::now().as_micros())
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_see_the_bytes_that_the_other_sent() {
    // A fault that never falls has every frame looked at before it is passed on.
    let never = "any drop first=1 every=2";
    for (bypass, fault) in [(false, None), (true, None), (false, Some(never))] {
        let server = server().await;
        // client -> outer -> parallax -> inner -> server
        let inner = Tee::to(server.tcp).await;
        let mut config = proxy_before(inner.address, Some(server.http.clone()), bypass);
        config.routes[0].faults = fault.iter().map(|fault| fault.parse().unwrap()).collect();
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
        let sent: usize = outer.iter().map(|passed| passed.to_server.len()).sum();
        assert!(
            sent > MESSAGES as usize * SMALLEST_MESSAGE,
            "{sent} bytes were sent"
        );
        // Besides, parallax itself may have asked for where Next was to begin.
        let passed = inner.iter().filter(|passed| outer.contains(passed)).count();
        assert_eq!(passed, outer.len(), "with bypass {bypass}, fault {fault:?} the bytes differ");
        assert!(!bypass || inner.len() == outer.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_receive_the_same_as_without_parallax() {
    let server = server().await;
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
    let server = server().await;
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
    // What is good to know is no alarm: the scene commits as it polls (PX307).
    let mut findings = journal.findings();
    findings.retain(Finding::is_wrong);
    assert!(findings.is_empty(), "{findings:?}");
    for connection in journal.connections() {
        assert_eq!(connection.user.as_deref(), Some("iggy"));
        assert!(connection.client_version.is_some());
    }
    let polls = exchanges
        .iter()
        .filter(|exchange| exchange.poll().is_some());
    let kinds: Vec<_> = polls
        .map(|exchange| exchange.verdict.as_ref().unwrap().kind)
        .collect();
    assert!(kinds.contains(&VerdictKind::Agree), "{kinds:?}");
    for kind in kinds {
        let fair = [VerdictKind::Agree, VerdictKind::NotComparable];
        assert!(fair.contains(&kind), "{kind:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn offsets_are_stored_told_and_deleted_and_a_purge_begins_anew() {
    let server = server().await;
    let config = proxy_before(server.tcp, Some(server.http.clone()), false);
    let proxy = Proxy::start(config).await.unwrap();
    let client = client(proxy.listen()).await;
    let stream = unique("offsets");
    let place = Place::create(&client, &stream).await;
    place.send(&client, 1, 0..10).await;

    let consumer = Consumer::new(named("reader"));
    let offsets = |received: Received| -> Vec<u64> {
        received.into_iter().map(|(_, offset, _)| offset).collect()
    };
    let poll = async |strategy| {
        let received = place.poll(&client, &consumer, Some(1), strategy, false);
        offsets(received.await)
    };
    let all: Vec<u64> = (0..10).collect();
    assert_eq!(poll(PollingStrategy::first()).await, all);
    assert_eq!(poll(PollingStrategy::offset(7)).await, [7, 8, 9]);
    assert_eq!(poll(PollingStrategy::last()).await.last(), Some(&9));
    let since = PollingStrategy::timestamp(IggyTimestamp::zero());
    assert_eq!(poll(since).await.len(), 10);

    let stored = async || {
        client
            .get_consumer_offset(&consumer, &place.stream, &place.topic, Some(1))
            .await
            .unwrap()
            .map(|offset| offset.stored_offset)
    };
    assert_eq!(stored().await, None);
    let store = async |offset| {
        client
            .store_consumer_offset(&consumer, &place.stream, &place.topic, Some(1), offset)
            .await
    };
    store(4).await.unwrap();
    assert_eq!(stored().await, Some(4));
    assert_eq!(poll(PollingStrategy::next()).await, [5, 6, 7, 8, 9]);
    let beyond = store(10).await.unwrap_err();
    assert_eq!(beyond.as_code(), 4100);
    client
        .delete_consumer_offset(&consumer, &place.stream, &place.topic, Some(1))
        .await
        .unwrap();
    assert_eq!(stored().await, None);
    assert_eq!(poll(PollingStrategy::next()).await.len(), 10);

    if FLUSHES {
        client
            .flush_unsaved_buffer(&place.stream, &place.topic, 1, true)
            .await
            .unwrap();
    }
    client
        .purge_topic(&place.stream, &place.topic)
        .await
        .unwrap();
    // A real server empties the partition a moment after it has said so.
    let emptied = async {
        while !poll(PollingStrategy::first()).await.is_empty() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, emptied).await.unwrap();
    place.send(&client, 1, 0..2).await;
    assert_eq!(poll(PollingStrategy::first()).await, [0, 1]);
    client
        .delete_topic(&place.stream, &place.topic)
        .await
        .unwrap();
    client.shutdown().await.unwrap();
    clean_up(&server, &stream).await;
    proxy.shutdown().signal();
    proxy.finished().await;
}

async fn every_poll_has_its_verdict(journal: &Journal) {
    let mut changes = journal.changes();
    let missing =
        |exchange: &Arc<Exchange>| exchange.poll().is_some() && exchange.verdict.is_none();
    let left = |exchange: &&Arc<Exchange>| exchange.command() == "leave_consumer_group";
    // Leaving is the last thing that the two clients do.
    while journal.exchanges().iter().filter(left).count() < 2
        || journal.exchanges().iter().any(missing)
    {
        // Too many changes to follow is as good a reason to look again.
        let _ = changes.recv().await;
    }
}
