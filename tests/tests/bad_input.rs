//! Whatever comes in: a clear message, no panic, and the process lives on.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use parallax_captures::Connection;
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_tests::{Server, parallax, recording};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

async fn proxy_before(upstream: SocketAddr) -> Proxy {
    Proxy::start(ProxyConfig::before(upstream)).await.unwrap()
}

/// A server that answers nothing and keeps what it receives.
async fn silent_server() -> (SocketAddr, tokio::task::JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let received = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut all = Vec::new();
        // A reset ends it as well as a close.
        let _ = socket.read_to_end(&mut all).await;
        all
    });
    (address, received)
}

/// The connection, once it is known to be closed.
async fn closed_connection(proxy: &Proxy) -> Connection {
    let mut changes = proxy.journal().changes();
    let closed = async {
        loop {
            let connections = proxy.journal().connections();
            if let Some(connection) = connections.into_iter().find(|c| c.closed.is_some()) {
                return connection;
            }
            let _ = changes.recv().await;
        }
    };
    timeout(PATIENCE, closed).await.unwrap()
}

/// A ping through the proxy is answered: it lives on.
async fn assert_alive(proxy: &Proxy) {
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    client.write_all(&[4, 0, 0, 0, 1, 0, 0, 0]).await.unwrap();
    let mut reply = [9; 8];
    timeout(PATIENCE, client.read_exact(&mut reply))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(reply, [0; 8]);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_no_known_protocol_reach_the_server_and_are_said_to_be_that() {
    let gibibytes: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0x64, 0, 0, 0, 1, 2, 3];
    let garbage: Vec<u8> = (0..100_000u32).map(|n| (n * 7919 % 251) as u8).collect();
    let cases: [(&[u8], &str); 6] = [
        (&garbage, "no request of any known protocol"),
        (gibibytes, "4294967295"),
        (b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", "TLS"),
        (
            b"GET /ping HTTP/1.1\r\nAuthorization: Bearer s3cr3t\r\n\r\n",
            "HTTP",
        ),
        (b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n", "PROXY"),
        (b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c", "PROXY"),
    ];
    for (bytes, named) in cases {
        let (server, received) = silent_server().await;
        let proxy = proxy_before(server).await;
        let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
        client.write_all(bytes).await.unwrap();
        client.shutdown().await.unwrap();
        let received = timeout(PATIENCE, received).await.unwrap().unwrap();
        assert!(received == bytes, "{named}: the server got other bytes");
        let connection = closed_connection(&proxy).await;
        let why = connection
            .undecoded
            .expect("it cannot be decoded")
            .to_string();
        assert!(why.contains(named), "{named} is not in: {why}");
        assert!(!format!("{why:?}").contains("s3cr3t"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_cut_in_every_byte_of_a_frame_harms_nobody() {
    let server = Server::start().await;
    let proxy = proxy_before(server.tcp).await;
    let login = b"\x1c\0\0\0\x26\0\0\0\x04iggy\x04iggy\x06\0\0\x000.10.0\0\0\0\0";
    for cut in 1..login.len() {
        let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
        client.write_all(&login[..cut]).await.unwrap();
        drop(client);
    }
    assert_alive(&proxy).await;
    let journal = std::sync::Arc::clone(proxy.journal());
    proxy.shutdown().signal();
    timeout(PATIENCE, proxy.finished()).await.unwrap();
    let connections = journal.connections();
    let cut: Vec<_> = connections.iter().filter(|c| c.exchanges == 0).collect();
    assert_eq!(cut.len(), login.len() - 1);
    for connection in cut {
        let why = connection.undecoded.as_ref().unwrap().to_string();
        assert!(why.contains("the connection ended"), "{why}");
        assert!(connection.closed.is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_refuses_is_a_close_to_the_client_and_a_reason_to_the_page() {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let proxy = proxy_before(address).await;
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    let mut rest = Vec::new();
    // A close or a reset: in any case an end.
    let ended = timeout(PATIENCE, client.read_to_end(&mut rest)).await;
    assert!(ended.is_ok() && rest.is_empty());
    let (_, why) = closed_connection(&proxy).await.closed.unwrap();
    assert!(
        why.contains(&address.to_string()) && why.contains("refused"),
        "{why}"
    );
}

/// A file of this test run.
fn file_with(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("parallax-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::File::create(&path)
        .unwrap()
        .write_all(bytes)
        .unwrap();
    path
}

fn refused(path: &std::path::Path) -> String {
    let output = parallax(&["inspect", path.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

#[test]
fn a_file_that_is_no_capture_is_named_with_what_it_seems_to_be() {
    let path = file_with("notes.txt", b"Dear diary, today the sink stalled again.");
    let said = refused(&path);
    assert!(
        said.contains("notes.txt") && said.contains("Dear diary"),
        "{said}"
    );
    let path = file_with("empty.pcap", b"");
    assert!(refused(&path).contains("empty"));
    assert!(refused("no/such/file.pcap".as_ref()).contains("no/such/file.pcap"));
}

#[test]
fn of_a_truncated_capture_what_is_there_is_printed_and_the_damage_named() {
    let whole = std::fs::read(recording("server-0.8.0_sdk-0.10.0/polls.pcap")).unwrap();
    let path = file_with("truncated.pcap", &whole[..whole.len() / 2]);
    let output = parallax(&["inspect", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.lines().count() > 10, "{printed}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("truncated.pcap") && said.contains("byte"),
        "{said}"
    );
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_next_from_being_read() {
    let broken = file_with("first.txt", b"Dear diary");
    let whole = recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let output = parallax(&["inspect", broken.to_str().unwrap(), whole.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("poll_messages"), "{printed}");
}

#[test]
fn an_upstream_without_a_port_is_refused_with_the_form_it_should_have() {
    let output = parallax(&["run", "--upstream", "nohost"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("nohost") && said.contains("host:port"),
        "{said}"
    );
}

#[test]
fn an_error_does_not_say_its_cause_twice() {
    let output = parallax(&["run", "--listen", "no.such.name.invalid:1"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let cause = "failed to lookup";
    assert!(said.matches(cause).count() <= 1, "{said}");
}

#[test]
fn every_cut_of_a_capture_is_an_error_or_a_shorter_capture_and_never_a_panic() {
    let whole = std::fs::read(recording("skew_python-0.9.0_server-0.8.0/login.pcap")).unwrap();
    for cut in (0..whole.len()).step_by(97) {
        let path = file_with("cut.pcap", &whole[..cut]);
        let output = parallax(&["inspect", path.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("panicked"), "at {cut}: {said}");
        assert!(
            output.status.code().is_some_and(|code| code <= 2),
            "at {cut}: {said}"
        );
    }
}

#[test]
fn an_address_in_use_is_named_with_the_flag_that_changes_it() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (flag, other) in [("--listen", "--ui"), ("--ui", "--listen")] {
        let output = parallax(&["run", flag, &address, other, "127.0.0.1:0"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&address) && said.contains(flag), "{said}");
    }
}

#[test]
fn a_page_that_others_could_reach_is_refused() {
    let output = parallax(&["run", "--listen", "127.0.0.1:0", "--ui", "0.0.0.0:0"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("127.0.0.1"), "{said}");
}

#[test]
fn parallax_does_not_relay_to_itself() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let output = parallax(&[
        "run",
        "--listen",
        &address,
        "--upstream",
        &address,
        "--ui",
        "127.0.0.1:0",
    ]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("itself") && said.contains(&address), "{said}");
}

#[test]
fn a_finding_that_does_not_exist_is_named_with_those_that_do() {
    let output = parallax(&["explain", "PX999"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("PX999") && said.contains("PX101"), "{said}");
}
