//! Handshakes that fail: which side, why, and what to do, in the journal.

use std::net::SocketAddr;

use parallax_captures::{PeerCertificate, troubles};
use parallax_proxy::live::Proxy;
use parallax_proxy::tls::{Roots, Tls, UpstreamOptions};
use parallax_tests::{Authority, Issued, TlsServer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{World, client_config, connect, connection, echo, proxy, read, soon, why};

/// A client comes and the server is not as parallax was told: why it was not served.
async fn unserved(server: SocketAddr, world: &World, options: UpstreamOptions) -> String {
    let proxy = proxy(server, dialled(world, options)).await;
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.write_all(PING).await.unwrap();
    let _ = soon(client.read_to_end(&mut Vec::new())).await;
    let closed = connection(&proxy, |one| one.closed.is_some()).await;
    assert!(closed.unserved);
    let (_, why) = closed.closed.unwrap();
    assert!(why.starts_with("TLS with the server failed: "), "{why}");
    // The trouble that the page and the terminal tell.
    let told = troubles(proxy.journal());
    assert!(told.iter().any(|one| one.sentence == why), "{told:?}");
    let counters = end(proxy).await;
    assert_eq!(counters, (0, 1));
    why
}

/// A client comes and gets its answer.
async fn must_serve(proxy: &Proxy) {
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.write_all(PING).await.unwrap();
    assert_eq!(read(&mut client, PING.len()).await, PING);
}

/// A client comes that is not as parallax was told, or does not take it: why.
async fn turned_away(proxy: Proxy) -> String {
    let closed = connection(&proxy, |one| one.closed.is_some()).await;
    assert!(closed.unserved);
    let (_, why) = closed.closed.unwrap();
    assert!(why.starts_with("TLS with the client failed: "), "{why}");
    assert_eq!(end(proxy).await, (1, 0));
    why
}

/// Times that TLS failed with clients, and with the server.
async fn end(proxy: Proxy) -> (u64, u64) {
    proxy.shutdown().signal();
    let told = proxy.finished().await;
    (
        told.client_handshake_failures,
        told.server_handshake_failures,
    )
}

/// A plain ping of the classic dialect.
const PING: &[u8] = &[4, 0, 0, 0, 1, 0, 0, 0];

async fn server(issued: &Issued) -> SocketAddr {
    TlsServer::before(echo().await, issued).await.address
}

fn dialled(world: &World, options: UpstreamOptions) -> Tls {
    Tls {
        upstream: Some(world.dialling(options)),
        ..Tls::default()
    }
}

fn served(world: &World, issued: &Issued) -> Tls {
    Tls {
        downstream: Some(world.downstream(issued)),
        ..Tls::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_by_an_unknown_authority_is_not_spoken_to() {
    let world = World::new("issuer");
    let stranger = Authority::new("somebody else").issue(&["127.0.0.1"]);
    let why = unserved(server(&stranger).await, &world, UpstreamOptions::default()).await;
    assert!(why.contains("--upstream-ca"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_another_name_is_not_spoken_to_unless_that_name_is_asked_for() {
    let world = World::new("name");
    let server = server(&world.authority.issue(&["iggy.example"])).await;
    let why = unserved(server, &world, UpstreamOptions::default()).await;
    for part in ["\"127.0.0.1\"", "iggy.example", "--upstream-name"] {
        assert!(why.contains(part), "{part} is not in: {why}");
    }
    let options = UpstreamOptions {
        server_name: Some("iggy.example".to_owned()),
        ..UpstreamOptions::default()
    };
    let proxy = proxy(server, dialled(&world, options)).await;
    must_serve(&proxy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_certificate_with_many_names_a_few_are_told() {
    let world = World::new("names");
    let names: Vec<_> = (0..20)
        .map(|n| format!("node-{n}.{}.example", "x".repeat(60)))
        .collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let server = server(&world.authority.issue(&names)).await;
    let why = unserved(server, &world, UpstreamOptions::default()).await;
    assert!(why.contains("node-3.") && why.contains("16 more"), "{why}");
    assert!(!why.contains("node-4."), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_past_its_time_is_told_with_its_last_moment() {
    let world = World::new("time");
    let server = server(&world.authority.issue_until(&["127.0.0.1"], 2020)).await;
    let why = unserved(server, &world, UpstreamOptions::default()).await;
    assert!(why.contains("2020-01-01T00:00:00Z"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_certificate_is_taken_where_that_was_asked_for_and_the_journal_says_so() {
    let world = World::new("unchecked");
    let stranger = Authority::new("somebody else");
    let server = server(&stranger.issue_until(&["another.example"], 2020)).await;
    let options = UpstreamOptions {
        roots: Roots::Unchecked,
        ..UpstreamOptions::default()
    };
    let proxy = proxy(server, dialled(&world, options)).await;
    must_serve(&proxy).await;
    let told = connection(&proxy, |one| one.tls.is_some()).await;
    let session = told.tls.unwrap().server.unwrap();
    assert_eq!(session.peer_certificate, PeerCertificate::Unchecked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_tls_is_told_where_tls_is_expected() {
    let world = World::new("plain-server");
    // It sends back the client's hello, which is TLS, but no server's.
    let why = unserved(echo().await, &world, UpstreamOptions::default()).await;
    assert!(why.contains("TLS"), "{why}");
    // It answers in the clear.
    let (listener, address) = crate::support::listen().await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(&[2, 0, 0, 0, 0, 0, 0, 0]).await;
            let _ = stream.read(&mut [0; 64]).await;
        }
    });
    let why = unserved(address, &world, UpstreamOptions::default()).await;
    assert!(
        why.contains("no TLS") && why.contains("--upstream-tls"),
        "{why}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_wants_a_certificate_is_told_and_shown_one() {
    let world = World::new("upstream-identity");
    let clients = Authority::new("the clients' authority");
    let server = TlsServer::asking(echo().await, &world.local(), &clients).await;
    let why = unserved(server.address, &world, UpstreamOptions::default()).await;
    assert!(why.contains("--upstream-certificate"), "{why}");
    let identity = world.identity("shown", &clients.issue(&["parallax.example"]));
    let tls = Tls {
        upstream: Some(world.dialling(UpstreamOptions {
            identity: Some(identity),
            ..UpstreamOptions::default()
        })),
        ..Tls::default()
    };
    let proxy = proxy(server.address, tls).await;
    must_serve(&proxy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_tls_is_told_with_what_it_speaks() {
    let world = World::new("plain-client");
    let cases: [(&[u8], &str); 3] = [
        (PING, "plain Iggy request, as to servers up to 0.8"),
        (b"GET / HTTP/1.1\r\n\r\n", "HTTP"),
        (b"nonsense, and much of it", "no TLS"),
    ];
    for (first, named) in cases {
        let proxy = proxy(echo().await, served(&world, &world.local())).await;
        let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
        client.write_all(first).await.unwrap();
        let why = turned_away(proxy).await;
        assert!(why.contains(named) && why.contains("tls_enabled"), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_take_the_certificate_says_why_and_what_to_do() {
    let world = World::new("refusing-client");
    let stranger = Authority::new("somebody else").issue(&["localhost"]);
    let other_name = world.authority.issue(&["another.example"]);
    let old = world.authority.issue_until(&["localhost"], 2020);
    for (issued, advice) in [
        (stranger, "tls_ca_file"),
        (other_name, "tls_domain"),
        (old, "expired"),
    ] {
        let proxy = proxy(echo().await, served(&world, &issued)).await;
        world
            .client_for(proxy.listen(), "localhost")
            .await
            .unwrap_err();
        let why = turned_away(proxy).await;
        assert!(why.contains(advice), "{advice} is not in: {why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_show_a_certificate_where_one_is_asked_for() {
    let world = World::new("client-identity");
    let clients = Authority::new("the clients' authority");
    world.folder.write("clients.pem", &clients.pem);
    let tls = Tls {
        downstream: Some(world.serving(&world.local(), Some("clients.pem"))),
        ..Tls::default()
    };
    let stranger = world.authority.issue(&["client.example"]);
    for (shown, advice) in [
        (None, "shows no certificate"),
        (Some(&stranger), "of no authority"),
    ] {
        let proxy = proxy(echo().await, tls.clone()).await;
        let config = client_config(&world.authority, shown);
        // TLS 1.3: it learns of it with its first read.
        let mut client = connect(proxy.listen(), "localhost", config).await.unwrap();
        soon(client.read(&mut [0])).await.unwrap_err();
        let why = turned_away(proxy).await;
        assert!(
            why.contains(advice) && why.contains("--tls-client-ca"),
            "{why}"
        );
    }
    let proxy = proxy(echo().await, tls).await;
    let config = client_config(&world.authority, Some(&clients.issue(&["client.example"])));
    let mut client = connect(proxy.listen(), "localhost", config).await.unwrap();
    client.write_all(PING).await.unwrap();
    client.flush().await.unwrap();
    assert_eq!(read(&mut client, PING.len()).await, PING);
    let told = connection(&proxy, |one| one.tls.is_some()).await;
    let session = told.tls.unwrap().client.unwrap();
    assert_eq!(session.peer_certificate, PeerCertificate::Checked);
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_that_parallax_was_not_told_of_goes_through_and_is_named() {
    let world = World::new("untold");
    let server = server(&world.local()).await;
    let proxy = proxy(server, Tls::default()).await;
    // Client and server speak TLS with each other: it works, and nothing can be read.
    let mut client = world.client(proxy.listen()).await;
    client.write_all(PING).await.unwrap();
    client.flush().await.unwrap();
    assert_eq!(read(&mut client, PING.len()).await, PING);
    let told = connection(&proxy, |one| one.undecoded.is_some()).await;
    let why = told.undecoded.unwrap().why;
    assert!(why.contains("--tls-ca"), "{why}");
    // A plain client before a server that speaks TLS.
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.write_all(PING).await.unwrap();
    let _ = soon(client.read_to_end(&mut Vec::new())).await;
    let is_servers = |why: &str| why.contains("--upstream-tls");
    connection(&proxy, |one| {
        one.undecoded
            .as_ref()
            .is_some_and(|one| is_servers(&one.why))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_told_of_the_right_side_when_both_speak_tls() {
    let world = World::new("both-fail");
    let stranger = Authority::new("somebody else").issue(&["127.0.0.1"]);
    let proxy = proxy(server(&stranger).await, world.both()).await;
    let mut client = world.client(proxy.listen()).await;
    // Its connection is ended as TLS has it.
    assert_eq!(soon(client.read(&mut [0])).await.unwrap(), 0);
    assert!(why(&proxy).await.starts_with("TLS with the server failed"));
}
