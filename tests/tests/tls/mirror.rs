//! What parallax asks the server by itself goes over the same TLS.

use std::str::FromStr as _;
use std::time::Duration;

use iggy::prelude::*;
use parallax_captures::VerdictKind;
use parallax_proxy::tls::Tls;
use parallax_tests::{Server, TlsServer};
use tokio::time::sleep;

use crate::support::{World, mirrored, soon};

#[tokio::test(flavor = "multi_thread")]
async fn a_groups_offset_is_asked_for_over_tls_and_messages_over_https() {
    let world = World::new("mirror");
    let server = Server::start().await;
    let tcp = TlsServer::before(server.tcp, &world.local()).await;
    let plain = server.http.strip_prefix("http://").unwrap();
    let https = TlsServer::before(plain.parse().unwrap(), &world.local()).await;
    let tls = Tls {
        upstream: Some(world.upstream()),
        http: Some(world.upstream()),
        downstream: None,
    };
    let proxy = mirrored(tcp.address, format!("https://{}", https.address), tls).await;
    let address = proxy.listen();
    let client =
        IggyClient::from_connection_string(&format!("iggy://iggy:iggy@{address}")).unwrap();
    client.connect().await.unwrap();
    let (stream, topic) = (
        Identifier::named("tls").unwrap(),
        Identifier::named("t").unwrap(),
    );
    client.create_stream("tls").await.unwrap();
    let (expiry, size) = (IggyExpiry::NeverExpire, MaxTopicSize::ServerDefault);
    let none = CompressionAlgorithm::None;
    let made = client
        .create_topic(&stream, "t", 1, none, None, expiry, size)
        .await;
    made.unwrap();
    let mut messages = vec![IggyMessage::from_str("one").unwrap()];
    let partition = Partitioning::partition_id(0);
    client
        .send_messages(&stream, &topic, &partition, &mut messages)
        .await
        .unwrap();
    client
        .create_consumer_group(&stream, &topic, "sink")
        .await
        .unwrap();
    let group = Identifier::named("sink").unwrap();
    client
        .join_consumer_group(&stream, &topic, &group)
        .await
        .unwrap();
    let (consumer, next) = (Consumer::group(group), PollingStrategy::next());
    let polled = client
        .poll_messages(&stream, &topic, None, &consumer, &next, 10, false)
        .await;
    assert_eq!(polled.unwrap().messages.len(), 1);

    let verdict = soon(async {
        loop {
            let all = proxy.journal().exchanges();
            if let Some(verdict) = all.iter().find_map(|one| one.verdict.clone()) {
                return verdict;
            }
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let status = proxy.journal().mirrors().remove(0);
    assert!(status.tcp_requests > 0, "{status:?}");
    assert_eq!(verdict.kind, VerdictKind::Agree, "{}", verdict.reason);
}
