//! Ends that do not finish a TLS handshake, and ends that finish none in time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod relay_support;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::civil::date;
use parallax_proxy::relay::{CloseReason, Event, Side, TapLimits};
use parallax_proxy::tls::authority::{AuthorityFiles, create};
use parallax_proxy::tls::{DownstreamTls, Roots, Tls, TlsFault, UpstreamOptions, UpstreamTls};
use relay_support::{Running, listen, relay_with, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An authority in a folder of its own, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("parallax-relay-{test}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        create(&path, &[], date(2026, 1, 1)).unwrap();
        Self(path)
    }

    fn downstream(&self) -> Tls {
        let files = AuthorityFiles::of(&self.0).served;
        Tls {
            downstream: Some(Arc::new(DownstreamTls::load(files).unwrap())),
            ..Tls::default()
        }
    }

    fn upstream(&self) -> Tls {
        let options = UpstreamOptions {
            roots: Roots::Given(AuthorityFiles::of(&self.0).authority),
            ..UpstreamOptions::default()
        };
        Tls {
            upstream: Some(Arc::new(UpstreamTls::load(options).unwrap())),
            ..Tls::default()
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Short, for ends that are silent on purpose.
const LIMIT: Duration = Duration::from_millis(50);

async fn relay(upstream: std::net::SocketAddr, tls: Tls) -> Running {
    relay_with(upstream, TapLimits::default(), |config| {
        config.tls = tls;
        config.handshake_timeout = LIMIT;
    })
    .await
}

async fn fault(relay: &mut Running) -> (Side, TlsFault, String) {
    let closed = relay.closed().await;
    let Event::Closed {
        reason: CloseReason::Tls { by, fault, message },
        ..
    } = closed
    else {
        panic!("{closed:?}");
    };
    (by, fault, message)
}

#[tokio::test]
async fn a_client_that_says_nothing_is_given_up_and_the_server_never_hears_of_it() {
    let folder = Folder::new("silent-client");
    let (listener, upstream) = listen().await;
    let mut relay = relay(upstream, folder.downstream()).await;
    let mut client = TcpStream::connect(relay.address).await.unwrap();
    let (by, fault, message) = fault(&mut relay).await;
    assert_eq!((by, fault), (Side::Client, TlsFault::TimedOut));
    assert!(message.contains("within 50ms"), "{message}");
    assert_eq!(soon(client.read(&mut [0])).await.unwrap(), 0);
    assert_eq!(relay.counters.snapshot().client_handshake_failures, 1);
    let never = tokio::time::timeout(Duration::ZERO, listener.accept()).await;
    assert!(never.is_err());
}

#[tokio::test]
async fn a_client_that_stops_in_the_middle_of_the_handshake_is_given_up() {
    let folder = Folder::new("half-a-hello");
    let (_listener, upstream) = listen().await;
    let mut relay = relay(upstream, folder.downstream()).await;
    let mut client = TcpStream::connect(relay.address).await.unwrap();
    // The head of a record of 512 bytes, and the head of a ClientHello in it.
    client
        .write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc")
        .await
        .unwrap();
    let (by, fault, _) = fault(&mut relay).await;
    assert_eq!((by, fault), (Side::Client, TlsFault::TimedOut));
}

#[tokio::test]
async fn a_client_that_goes_before_the_handshake_is_done_is_told() {
    let folder = Folder::new("gone");
    let (_listener, upstream) = listen().await;
    let mut relay = relay(upstream, folder.downstream()).await;
    let mut client = TcpStream::connect(relay.address).await.unwrap();
    client.shutdown().await.unwrap();
    let (by, fault, _) = fault(&mut relay).await;
    assert_eq!((by, fault), (Side::Client, TlsFault::Closed));
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up_and_the_client_is_let_go() {
    let folder = Folder::new("silent-server");
    let (listener, upstream) = listen().await;
    let mut relay = relay(upstream, folder.upstream()).await;
    let (mut client, server) = relay.pair(&listener).await;
    let (by, fault, message) = fault(&mut relay).await;
    assert_eq!((by, fault), (Side::Server, TlsFault::TimedOut));
    assert!(message.contains("--upstream-tls"), "{message}");
    assert_eq!(soon(client.read(&mut [0])).await.unwrap(), 0);
    assert_eq!(relay.counters.snapshot().server_handshake_failures, 1);
    drop(server);
}

#[tokio::test]
async fn a_client_that_goes_while_the_server_is_silent_is_not_waited_for() {
    let folder = Folder::new("reset");
    let (listener, upstream) = listen().await;
    let mut relay = relay_with(upstream, TapLimits::default(), |config| {
        config.tls = folder.upstream();
    })
    .await;
    let (client, server) = relay.pair(&listener).await;
    client.set_zero_linger().unwrap();
    drop(client);
    let Event::Closed { reason, .. } = relay.closed().await else {
        unreachable!()
    };
    assert_eq!(reason, CloseReason::Reset { by: Side::Client });
    drop(server);
}
