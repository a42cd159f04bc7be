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
    // Each client needs two. Of two limits in a row, one runs out between the
    // two of a client, the other in the accept itself.
    let mut outcomes = Vec::new();
    for limit in [40, 41] {
        outcomes.extend(exhaust_and_recover(upstream, limit).await);
    }
    assert!(outcomes.contains(&Outcome::Closed), "no dial failed");
    assert!(outcomes.contains(&Outcome::Waiting), "no accept failed");
}

/// What became of a client's request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Closed,
    Served,
    Waiting,
}

/// Puts more clients on a child than it has descriptors for, then none, then one.
async fn exhaust_and_recover(upstream: SocketAddr, limit: u32) -> Vec<Outcome> {
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -n {limit} && exec \"$0\" --exact child --nocapture"
        ))
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

    let (mut clients, mut outcomes) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let mut client = TcpStream::connect(address).await.unwrap();
        let patience = if outcomes.contains(&Outcome::Waiting) {
            1
        } else {
            1000
        };
        outcomes.push(ask(&mut client, Duration::from_millis(patience)).await);
        clients.push(client);
    }
    drop(clients);

    soon(async {
        loop {
            let mut client = TcpStream::connect(address).await.unwrap();
            if ask(&mut client, Duration::from_secs(5)).await == Outcome::Served {
                return;
            }
        }
    })
    .await;
    child.kill().unwrap();
    child.wait().unwrap();
    outcomes
}

/// Sends a byte that should come back.
async fn ask(client: &mut TcpStream, patience: Duration) -> Outcome {
    let exchange = async {
        client.write_all(b"!").await?;
        client.read_exact(&mut [0]).await
    };
    match timeout(patience, exchange).await {
        Ok(Ok(_)) => Outcome::Served,
        Ok(Err(_)) => Outcome::Closed,
        Err(_) => Outcome::Waiting,
    }
}
