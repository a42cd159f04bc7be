//! A process without file descriptors left serves again once some are free.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod relay_support;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Duration;

use parallax_proxy::relay::{Relay, RelayConfig, Shutdown};
use relay_support::{echo, listen, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Set in the child, which has few descriptors: the upstream server's address.
const UPSTREAM: &str = "RELAY_TEST_UPSTREAM";

/// The child: says its address and serves until it is ended.
#[tokio::test]
async fn child() {
    let Ok(upstream) = std::env::var(UPSTREAM) else {
        return;
    };
    let (listener, address) = listen().await;
    let relay = Relay::new(listener, RelayConfig::new(upstream), None)
        .await
        .unwrap();
    println!("\nlistening {address}");
    relay.serve(Shutdown::new()).await;
}

#[tokio::test]
async fn clients_are_served_again_after_the_process_ran_out_of_descriptors() {
    let upstream = echo().await;
    let mut child = Command::new("sh")
        .arg("-c")
        .arg("ulimit -n 40 && exec \"$0\" --exact child --nocapture")
        .arg(std::env::current_exe().unwrap())
        .env(UPSTREAM, upstream.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address: SocketAddr = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .find_map(|line| line.unwrap().strip_prefix("listening ")?.parse().ok())
        .unwrap();

    // Each client needs two of the child's descriptors, so these are too many.
    let mut clients = Vec::new();
    let mut unserved = 0;
    for _ in 0..40 {
        let mut client = TcpStream::connect(address).await.unwrap();
        let patience = if unserved == 0 { 1000 } else { 1 };
        if !served(&mut client, Duration::from_millis(patience)).await {
            unserved += 1;
        }
        clients.push(client);
    }
    assert!((10..40).contains(&unserved), "{unserved} of 40 unserved");
    drop(clients);

    let again = async {
        loop {
            let mut client = TcpStream::connect(address).await.unwrap();
            if served(&mut client, Duration::from_secs(5)).await {
                return;
            }
        }
    };
    soon(again).await;
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Whether a client gets its byte back in time.
async fn served(client: &mut TcpStream, patience: Duration) -> bool {
    let exchange = async {
        client.write_all(b"!").await?;
        client.read_exact(&mut [0]).await
    };
    matches!(timeout(patience, exchange).await, Ok(Ok(_)))
}
