//! Two servers behind one proxy: what is known of one is not taken for the other.

use std::time::Duration;

use bytes::Bytes;
use parallax_captures::{Exchange, Finding, RouteName, VerdictKind};
use parallax_codec::commands::{CreateStream, CreateTopic, PollMessages, SendMessages};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::PollingKind::{self, First, Next};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, Partitioning, PollingStrategy,
};
use parallax_codec::{Dialect, Request};
use tokio::time::{sleep, timeout};

use super::{Proxy, ProxyConfig, RouteConfig};
use crate::demo::client::Client;
use crate::standin::{Standin, StandinConfig};

/// A server whose `otel/metrics` has so many messages, each with this payload.
async fn server(payload: &'static str, messages: usize) -> Standin {
    let standin = Standin::start(StandinConfig::default()).await.unwrap();
    let mut client = Client::log_in(standin.tcp, Dialect::Classic).await.unwrap();
    let messages = (1..=messages as u128).map(|id| Message {
        header: MessageHeader {
            id,
            payload_length: payload.len().try_into().unwrap(),
            ..MessageHeader::default()
        },
        payload: Bytes::from_static(payload.as_bytes()),
        user_headers: Bytes::new(),
    });
    for request in [
        Request::CreateStream(CreateStream {
            options: None,
            name: "otel".to_owned(),
        }),
        Request::CreateTopic(CreateTopic {
            stream: named("otel"),
            partitions_count: 1,
            compression_algorithm: 1,
            message_expiry: u64::MAX,
            max_topic_size: u64::MAX,
            replication_factor: 1,
            name: "metrics".to_owned(),
        }),
        Request::SendMessages(SendMessages {
            layout: MessageLayout::Headers64,
            stream: named("otel"),
            topic: named("metrics"),
            partitioning: Partitioning::PartitionId(0),
            messages: messages.collect(),
        }),
    ] {
        client.ask(&request).await.unwrap();
    }
    standin
}

fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

fn route(name: &str, server: &Standin, cluster: Option<&str>) -> RouteConfig {
    RouteConfig {
        name: Some(RouteName::new(name).unwrap()),
        http: Some(format!("http://{}", server.http)),
        cluster: cluster.map(|name| RouteName::new(name).unwrap()),
        ..RouteConfig::before(server.tcp)
    }
}

async fn before(routes: Vec<RouteConfig>) -> Proxy {
    let config = ProxyConfig {
        routes,
        ..ProxyConfig::before("unused:1")
    };
    Proxy::start(config).await.unwrap()
}

fn poll(kind: PollingKind, auto_commit: bool) -> Request {
    Request::PollMessages(PollMessages {
        partition_layout: PartitionLayout::Flagged,
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: named("reader"),
        },
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(0),
        strategy: PollingStrategy { kind, value: 0 },
        count: 100,
        auto_commit,
    })
}

/// The exchanges, once `count` of them have a verdict.
async fn judged(proxy: &Proxy, count: usize) -> Vec<Exchange> {
    let looking = async {
        loop {
            let all = proxy.journal().exchanges().into_iter();
            let judged: Vec<_> = all
                .filter(|one| one.verdict.is_some())
                .map(|one| Exchange::clone(&one))
                .collect();
            if judged.len() >= count {
                return judged;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(20), looking).await.unwrap()
}

/// What is wrong after everything was read from both, one after the other, as the same
/// consumer.
async fn findings_of_a_reader_of_both(
    one: &Standin,
    two: &Standin,
    cluster: Option<&str>,
) -> Vec<Finding> {
    let proxy = before(vec![
        route("east", one, cluster),
        route("west", two, cluster),
    ])
    .await;
    for listen in proxy.listens() {
        let mut client = Client::log_in(listen, Dialect::Classic).await.unwrap();
        client.ask(&poll(Next, true)).await.unwrap();
    }
    judged(&proxy, 2).await;
    let journal = std::sync::Arc::clone(proxy.journal());
    proxy.shutdown().signal();
    proxy.finished().await;
    let mut findings = journal.findings();
    findings.retain(Finding::is_wrong);
    findings
}

#[tokio::test]
async fn each_servers_polls_are_put_to_its_own_http_and_all_are_in_one_journal() {
    let (one, two) = (
        server("from the east", 5).await,
        server("from the west", 3).await,
    );
    let proxy = before(vec![route("east", &one, None), route("west", &two, None)]).await;
    for listen in proxy.listens() {
        let mut client = Client::log_in(listen, Dialect::Classic).await.unwrap();
        client.ask(&poll(First, false)).await.unwrap();
    }
    let judged = judged(&proxy, 2).await;
    for (exchange, (name, server)) in judged.iter().zip([("east", &one), ("west", &two)]) {
        assert_eq!(exchange.route.as_ref().unwrap().as_str(), name);
        let verdict = exchange.verdict.as_ref().unwrap();
        assert_eq!(verdict.kind, VerdictKind::Agree, "{verdict:?}");
        let connection = proxy.journal().connection(exchange.conn).unwrap();
        assert_eq!(connection.route.unwrap().as_str(), name);
        assert_eq!(connection.server, server.tcp);
    }
    assert_ne!(judged[0].conn, judged[1].conn);
    let mirrors = proxy.journal().mirrors();
    let asked: Vec<_> = mirrors.iter().map(|one| one.server.clone()).collect();
    let expected = [&one, &two].map(|server| format!("http://{}", server.http));
    assert_eq!(asked, expected);
    assert!(
        mirrors.iter().all(|mirror| mirror.requests > 0),
        "{mirrors:?}"
    );
    proxy.shutdown().signal();
    assert_eq!(proxy.finished().await.accepted, 2);
}

#[tokio::test]
async fn a_topic_of_another_server_has_the_same_name_and_is_another() {
    let (one, two) = (
        server("from the east", 5).await,
        server("from the west", 3).await,
    );
    let apart = findings_of_a_reader_of_both(&one, &two, None).await;
    assert!(apart.is_empty(), "{apart:?}");
}

#[tokio::test]
async fn of_nodes_of_one_cluster_what_one_holds_the_other_must_hold() {
    let (one, two) = (
        server("from the east", 5).await,
        server("from the west", 3).await,
    );
    let together = findings_of_a_reader_of_both(&one, &two, Some("nodes")).await;
    assert!(!together.is_empty());
    let places = together.iter().map(|finding| finding.place.as_str());
    let prefixed: Vec<_> = places
        .filter(|place| place.starts_with("nodes: "))
        .collect();
    assert!(
        prefixed.is_empty(),
        "one server needs no name: {prefixed:?}"
    );
}

#[tokio::test]
async fn of_several_servers_a_finding_names_its_own() {
    let (one, two) = (
        server("from the east", 5).await,
        server("from the west", 3).await,
    );
    let proxy = before(vec![route("east", &one, None), route("west", &two, None)]).await;
    let mut client = Client::log_in(proxy.listens()[1], Dialect::Classic)
        .await
        .unwrap();
    // A client that asks the same again and again.
    for _ in 0..10 {
        client.ask(&poll(First, false)).await.unwrap();
    }
    let looking = async {
        while proxy.journal().findings().is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(20), looking).await.unwrap();
    let finding = proxy.journal().findings().remove(0);
    assert!(
        finding.place.starts_with("west: otel/metrics"),
        "{}",
        finding.place
    );
    proxy.shutdown().signal();
}

#[tokio::test]
async fn clients_of_all_routes_share_the_places_and_the_numbers() {
    let (one, two) = (
        server("from the east", 1).await,
        server("from the west", 1).await,
    );
    let config = ProxyConfig {
        routes: vec![route("east", &one, None), route("west", &two, None)],
        max_connections: 2,
        ..ProxyConfig::before("unused:1")
    };
    let proxy = Proxy::start(config).await.unwrap();
    let listens = proxy.listens();
    let _first = Client::log_in(listens[0], Dialect::Classic).await.unwrap();
    let _second = Client::log_in(listens[1], Dialect::Classic).await.unwrap();
    assert!(Client::log_in(listens[0], Dialect::Classic).await.is_err());
    let told = async {
        while proxy.journal().connections().len() < 3 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(20), told).await.unwrap();
    let connections = proxy.journal().connections();
    let numbers: Vec<_> = connections.iter().map(|one| one.id.0).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let refused = &connections[2];
    assert_eq!(refused.route.as_ref().unwrap().as_str(), "east");
    assert!(refused.closed.as_ref().unwrap().1.contains("turned away"));
    proxy.shutdown().signal();
}

#[tokio::test]
async fn a_route_that_leads_to_another_ones_listener_does_not_start() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let config = ProxyConfig {
        routes: vec![
            RouteConfig {
                listen: address.to_string(),
                ..RouteConfig::before("127.0.0.1:1")
            },
            RouteConfig::before(address),
        ],
        ..ProxyConfig::before("unused:1")
    };
    let error = Proxy::start(config).await.unwrap_err().to_string();
    assert!(error.contains("Point the upstream"), "{error}");
}
