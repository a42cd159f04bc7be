// What both SDKs do, written once: included by the module of each, which imports its prelude and
// has `server` and `create_topic`.

use std::net::SocketAddr;
use std::str::FromStr as _;

use parallax_tests::{Server, TlsServer};

use crate::support::{World, connection, mirrored, soon};

/// With TLS, or plain.
async fn client(address: SocketAddr, ca_file: Option<&str>) -> IggyClient {
    let builder = IggyClient::builder().with_tcp().with_server_address(address.to_string());
    let builder = match ca_file {
        Some(file) => builder
            .with_tls_enabled(true)
            .with_tls_domain("localhost".to_owned())
            .with_tls_ca_file(file.to_owned()),
        None => builder,
    };
    let client = builder.build().unwrap();
    client.connect().await.unwrap();
    client.login_user("iggy", "iggy").await.unwrap();
    client
}

/// Creates, sends, and reads it again; how many messages came back.
async fn produce_and_consume(client: &IggyClient) -> usize {
    let (stream, topic) = (Identifier::named("tls").unwrap(), Identifier::named("metrics").unwrap());
    client.create_stream("tls").await.unwrap();
    create_topic(client, &stream).await;
    let text = "a message of some length, so that there is more than one record of TLS ".repeat(20);
    let mut messages: Vec<_> = (0..500).map(|_| IggyMessage::from_str(&text).unwrap()).collect();
    let partitioning = Partitioning::partition_id(0);
    client.send_messages(&stream, &topic, &partitioning, &mut messages).await.unwrap();
    let consumer = Consumer::new(Identifier::named("reader").unwrap());
    let first = PollingStrategy::first();
    let polled = client
        .poll_messages(&stream, &topic, Some(0), &consumer, &first, 1_000, false)
        .await
        .unwrap();
    polled.messages.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sdk_works_through_every_pair_of_sides_and_is_decoded() {
    let world = World::new(TEST);
    let ca_file = world.folder.file("ca.pem");
    for (with_client, with_server) in [(true, true), (true, false), (false, true)] {
        let server = server().await;
        let tls_server = TlsServer::before(server.tcp, &world.local()).await;
        let mut tls = world.both();
        tls.downstream = tls.downstream.filter(|_| with_client);
        tls.upstream = tls.upstream.filter(|_| with_server);
        let upstream = if with_server { tls_server.address } else { server.tcp };
        let proxy = mirrored(upstream, server.http.clone(), tls).await;
        let client = client(proxy.listen(), ca_file.to_str().filter(|_| with_client)).await;
        assert_eq!(soon(produce_and_consume(&client)).await, 500);
        client.shutdown().await.unwrap();
        drop(client);
        let closed = connection(&proxy, |one| one.closed.is_some()).await;
        assert_eq!(closed.user.as_deref(), Some("iggy"));
        assert!(closed.undecoded.is_none(), "{:?}", closed.undecoded);
        let sides = closed.tls.as_deref().cloned().unwrap_or_default();
        assert_eq!((sides.client.is_some(), sides.server.is_some()), (with_client, with_server));
        let exchanges = proxy.journal().exchanges();
        assert!(exchanges.iter().any(|one| one.command() == "poll_messages"));
        proxy.shutdown().signal();
        proxy.finished().await;
    }
}
