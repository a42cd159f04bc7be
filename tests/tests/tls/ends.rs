//! What one end does the other end sees, whatever each of them speaks.

use parallax_captures::PeerCertificate;
use parallax_proxy::tls::Tls;
use parallax_tests::TlsServer;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use crate::support::{World, connection, echo, listen, proxy, read, soon, why};

/// More than what both ends, both libraries and parallax hold back together.
const BYTES: usize = 8 * 1024 * 1024;

/// Sends it all, says so, and reads what comes back to its end.
async fn there_and_back(stream: impl AsyncRead + AsyncWrite, sent: &[u8]) -> Vec<u8> {
    let (mut reader, mut writer) = tokio::io::split(stream);
    let mut back = Vec::new();
    let (written, read) = tokio::join!(
        async {
            writer.write_all(sent).await?;
            writer.shutdown().await
        },
        reader.read_to_end(&mut back)
    );
    written.unwrap();
    // Of TLS this fails where the end is not said (`close_notify`).
    read.unwrap();
    back
}

#[tokio::test(flavor = "multi_thread")]
async fn each_side_is_plain_or_tls_by_itself_and_every_byte_and_end_goes_through() {
    let world = World::new("sides");
    let sent: Vec<u8> = (0..=250).cycle().take(BYTES).collect();
    for (with_client, with_server) in [(false, false), (false, true), (true, false), (true, true)] {
        let echo = echo().await;
        let server = TlsServer::before(echo, &world.local()).await;
        let upstream = if with_server { server.address } else { echo };
        let all = world.both();
        let tls = Tls {
            downstream: all.downstream.filter(|_| with_client),
            upstream: all.upstream.filter(|_| with_server),
            http: None,
        };
        let proxy = proxy(upstream, tls).await;
        let back = if with_client {
            soon(there_and_back(world.client(proxy.listen()).await, &sent)).await
        } else {
            let client = TcpStream::connect(proxy.listen()).await.unwrap();
            soon(there_and_back(client, &sent)).await
        };
        assert!(back == sent, "{} bytes came back", back.len());

        let closed = connection(&proxy, |one| one.closed.is_some()).await;
        let (_, why) = closed.closed.clone().unwrap();
        assert_eq!(why, "the client closed the connection");
        let sides = closed.tls.as_deref().cloned().unwrap_or_default();
        assert_eq!(sides.client.is_some(), with_client);
        assert_eq!(sides.server.is_some(), with_server);
        if let Some(client) = sides.client {
            assert_eq!(client.version, "TLS 1.3");
            assert!(client.cipher_suite.starts_with("TLS_AES_"), "{client:?}");
            assert_eq!(client.server_name.as_deref(), Some("localhost"));
            assert_eq!(client.peer_certificate, PeerCertificate::None);
        }
        if let Some(server) = sides.server {
            assert_eq!(server.server_name.as_deref(), Some("127.0.0.1"));
            assert_eq!(server.peer_certificate, PeerCertificate::Checked);
        }
        // The decoder sees what is in the records: as many bytes as were sent.
        assert_eq!(closed.bytes_to_server, BYTES as u64);
        proxy.shutdown().signal();
        let statistics = proxy.finished().await;
        assert_eq!(
            (statistics.to_server, statistics.to_client),
            (BYTES as u64, BYTES as u64)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_without_saying_so_is_told_and_the_server_sees_the_same() {
    let world = World::new("cut");
    let (listener, address) = listen().await;
    let acceptor = TlsAcceptor::from(TlsServer::config(&world.local(), None));
    let proxy = proxy(address, world.both()).await;
    let (mut client, server) = tokio::join!(world.client(proxy.listen()), async {
        let (stream, _) = listener.accept().await.unwrap();
        soon(acceptor.accept(stream)).await.unwrap()
    });
    let mut server = server;
    client.write_all(b"half a requ").await.unwrap();
    client.flush().await.unwrap();
    assert_eq!(read(&mut server, 11).await, b"half a requ");
    // The socket ends, and no close_notify before it.
    let (mut socket, _) = client.into_inner();
    socket.shutdown().await.unwrap();
    let error = soon(server.read(&mut [0])).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    drop(server);
    let why = why(&proxy).await;
    assert!(
        why.contains("no close_notify") && why.contains("client"),
        "{why}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_of_one_end_resets_the_other() {
    let world = World::new("reset");
    let (listener, address) = listen().await;
    let acceptor = TlsAcceptor::from(TlsServer::config(&world.local(), None));
    let proxy = proxy(address, world.both()).await;
    let (client, server) = tokio::join!(world.client(proxy.listen()), async {
        let (stream, _) = listener.accept().await.unwrap();
        soon(acceptor.accept(stream)).await.unwrap()
    });
    let mut server = server;
    // Both are relayed between once something went through.
    server.write_all(b"hello").await.unwrap();
    server.flush().await.unwrap();
    let mut client = client;
    read(&mut client, 5).await;
    client.get_ref().0.set_zero_linger().unwrap();
    drop(client);
    let error = soon(server.read(&mut [0])).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    assert_eq!(why(&proxy).await, "the client reset the connection");
}
