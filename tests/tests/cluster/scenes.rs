// What both SDKs do; included by the module of each, which imports its prelude and has
// `DIALECT`, `create_topic` and `lose_the_leader`.

use std::net::SocketAddr;
use std::ops::Range;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::{Exchange, Journal};
use parallax_codec::code;
use parallax_proxy::live::Proxy;
use tokio::time::timeout;

use crate::nodes::{parallax_before, three};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// A client that is told of the server at this address, and of no other.
async fn client(address: SocketAddr) -> IggyClient {
    let text = format!("iggy://iggy:iggy@{address}?reestablish_after=0&reconnection_interval=50ms");
    let client = IggyClient::from_connection_string(&text).unwrap();
    client.connect().await.unwrap();
    client
}

fn named(name: &str) -> Identifier {
    Identifier::named(name).unwrap()
}

/// Creates a stream and a topic with one partition.
async fn create(client: &IggyClient) {
    client.create_stream("cluster").await.unwrap();
    create_topic(client).await;
}

/// Sends one message after the other, and polls each before the next is sent, so that
/// nothing comes twice or not at all. Every poll commits.
async fn send_and_poll(client: &IggyClient, numbers: Range<u32>) {
    let (stream, topic) = (named("cluster"), named("metrics"));
    let consumer = Consumer::new(named("sink"));
    for number in numbers {
        let text = format!("message {number}");
        let mut messages = [IggyMessage::from_str(&text).unwrap()];
        client
            .send_messages(&stream, &topic, &Partitioning::partition_id(0), &mut messages)
            .await
            .unwrap();
        let next = PollingStrategy::next();
        let polled = client
            .poll_messages(&stream, &topic, Some(0), &consumer, &next, 10, true)
            .await
            .unwrap();
        let texts = polled.messages.iter().map(|message| message.payload.as_ref());
        assert_eq!(texts.collect::<Vec<_>>(), [text.as_bytes()]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_parallax_a_client_follows_the_leader_from_node_to_node() {
    let following = async {
        let cluster = three(DIALECT).await;
        let client = client(cluster.addresses()[1]).await;
        create(&client).await;
        send_and_poll(&client, 0..5).await;
        let before = cluster.accepted();
        assert!(before[0] > 0 && before[2] == 0, "{before:?}");
        lose_the_leader(&cluster);
        send_and_poll(&client, 5..10).await;
        assert!(cluster.accepted()[2] > 0, "{:?}", cluster.accepted());
        cluster.stop().await;
    };
    timeout(PATIENCE, following).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_follows_the_leader_through_parallax_the_whole_time() {
    let following = async {
        let cluster = three(DIALECT).await;
        let proxy = parallax_before(&cluster, true).await;
        // It begins at a node that follows.
        let client = client(proxy.listens()[1]).await;
        create(&client).await;
        send_and_poll(&client, 0..5).await;
        lose_the_leader(&cluster);
        send_and_poll(&client, 5..10).await;
        let journal = seen(client, proxy).await;

        // Whoever came to a node came through parallax.
        let came: u64 = cluster.accepted().iter().sum();
        assert_eq!(came, journal.connections().len() as u64, "{:?}", cluster.accepted());
        // All that the client sent and was given is there, on the routes to both leaders.
        assert_eq!(done(&journal, &[code::SEND_MESSAGES]), 10);
        assert_eq!(done(&journal, POLLS), 10);
        for (route, sends) in [("node-0", 5), ("node-1", 0), ("node-2", 5)] {
            let on_route = sent_by(&journal, route);
            assert_eq!(on_route, sends, "messages sent by {route}");
        }
        assert_eq!(around(&journal), [0; 0]);
        // Each answer with an address in it was rewritten, and says so.
        let named = exchanges_of(&journal, NAMES_NODES);
        assert!(named.len() >= 2, "{named:?}");
        for exchange in named {
            let altered = exchange.altered.as_ref().expect("it was rewritten");
            let what = altered.rewritten.as_deref().unwrap_or_default();
            assert!(what.contains("is told to be at 127.0.0.1:"), "{what}");
        }
    };
    timeout(PATIENCE, following).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_rewriting_a_client_leaves_parallax_and_it_is_said() {
    let leaving = async {
        let cluster = three(DIALECT).await;
        let proxy = parallax_before(&cluster, false).await;
        let client = client(proxy.listens()[1]).await;
        create(&client).await;
        send_and_poll(&client, 0..5).await;
        let journal = seen(client, proxy).await;

        assert_eq!(done(&journal, &[code::SEND_MESSAGES]), 0, "they went around");
        let came: u64 = cluster.accepted().iter().sum();
        assert!(came > journal.connections().len() as u64, "{:?}", cluster.accepted());
        assert_eq!(around(&journal), [503, 508]);
        let findings = journal.findings();
        let told = findings.iter().find(|finding| finding.code.0 == 508).unwrap();
        for address in cluster.addresses() {
            let address = address.to_string();
            assert!(told.evidence.join(" ").contains(&address), "{told:?}");
        }
    };
    timeout(PATIENCE, leaving).await.unwrap();
}

/// What parallax has seen, once client and proxy have ended.
async fn seen(client: IggyClient, proxy: Proxy) -> Arc<Journal> {
    client.shutdown().await.unwrap();
    let journal = Arc::clone(proxy.journal());
    proxy.shutdown().signal();
    proxy.finished().await;
    journal
}

const POLLS: &[u32] = &[code::POLL_MESSAGES, code::POLL_MESSAGES_ON_PRIMARY];

const NAMES_NODES: &[u32] = &[
    code::GET_CLUSTER_METADATA,
    code::GET_POLL_ROUTING,
    code::GET_CONSUMER_OFFSET_ROUTING,
];

fn exchanges_of(journal: &Journal, codes: &[u32]) -> Vec<Arc<Exchange>> {
    let exchanges = journal.exchanges().into_iter();
    exchanges
        .filter(|exchange| exchange.code().is_some_and(|code| codes.contains(&code)))
        .collect()
}

/// How many of these commands the server carried out.
fn done(journal: &Journal, codes: &[u32]) -> usize {
    let exchanges = exchanges_of(journal, codes);
    exchanges.iter().filter(|exchange| exchange.status() == Some(0)).count()
}

/// How many messages were sent by this route.
fn sent_by(journal: &Journal, route: &str) -> usize {
    let sends = exchanges_of(journal, &[code::SEND_MESSAGES]);
    let on_route = sends.iter().filter(|exchange| {
        let name = exchange.route.as_ref();
        exchange.status() == Some(0) && name.is_some_and(|name| name.as_str() == route)
    });
    on_route.count()
}

/// The findings that a client was led around, or might be.
fn around(journal: &Journal) -> Vec<u16> {
    let findings = journal.findings();
    let codes = findings.iter().map(|finding| finding.code.0);
    let mut codes: Vec<u16> = codes.filter(|code| matches!(code, 503 | 504 | 508)).collect();
    codes.sort_unstable();
    codes
}
