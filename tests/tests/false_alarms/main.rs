//! Healthy traffic raises nothing: the real SDKs, a producer, a group whose members
//! come and go, a consumer that commits by hand, purges, and a server that begins
//! anew, all at speed.
//!
//! `PARALLAX_TEST_SECONDS` says how long each test goes on (10); a real server takes
//! the stand-in's place as [`parallax_tests::Server`] says.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod classic;
mod vsr;

use std::time::{Duration, Instant};

use parallax_captures::{Finding, VerdictKind};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::standin::{Standin, StandinConfig};
use parallax_tests::Server;
use tokio::sync::RwLock;

#[tokio::test(flavor = "multi_thread")]
async fn healthy_clients_of_sdk_0_10_raise_nothing() {
    let server = Server::start().await;
    let proxy = proxy_before(server.tcp.to_string(), server.http.clone()).await;
    let until = Instant::now() + seconds();
    classic::run(proxy.listen(), &unique("calm"), until, &RwLock::new(())).await;
    expect_nothing_wrong(proxy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn healthy_clients_of_sdk_0_11_raise_nothing() {
    let server = Server::start_vsr().await;
    let proxy = proxy_before(server.tcp.to_string(), server.http.clone()).await;
    let until = Instant::now() + seconds();
    vsr::run(proxy.listen(), &unique("calm"), until, &RwLock::new(())).await;
    expect_nothing_wrong(proxy).await;
}

/// Two servers on one address, one after the other, with the same names in them:
/// what was known of the first does not count against the second.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_begins_anew_raises_nothing() {
    let first = standin(StandinConfig::default()).await;
    let (tcp, http) = (first.tcp, first.http);
    let proxy = proxy_before(tcp.to_string(), format!("http://{http}")).await;
    let turn = seconds() / 2;
    let until = Instant::now() + turn;
    classic::run(proxy.listen(), "otel", until, &RwLock::new(())).await;
    first.stop().await;
    let second = standin(StandinConfig {
        tcp,
        http,
        ..StandinConfig::default()
    })
    .await;
    let until = Instant::now() + turn;
    classic::run(proxy.listen(), "otel", until, &RwLock::new(())).await;
    expect_nothing_wrong(proxy).await;
    second.stop().await;
}

async fn expect_nothing_wrong(proxy: Proxy) {
    let journal = std::sync::Arc::clone(proxy.journal());
    proxy.shutdown().signal();
    proxy.finished().await;
    let totals = journal.totals();
    let verdicts: Vec<String> = VerdictKind::ALL
        .iter()
        .map(|kind| format!("{} {}", totals.verdicts_of(*kind), kind.name()))
        .collect();
    println!("{} exchanges: {}", totals.exchanges, verdicts.join(", "));
    let findings = journal.findings();
    for finding in &findings {
        println!("{} {} x{}", finding.code, finding.place, finding.count);
    }
    let wrong: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.is_wrong())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(totals.verdicts_of(VerdictKind::Diverge), 0);
    assert!(
        totals.verdicts_of(VerdictKind::Agree) > 0,
        "nothing was compared"
    );
}

async fn proxy_before(upstream: String, http: String) -> Proxy {
    Proxy::start(ProxyConfig::before(upstream).asking(http))
        .await
        .unwrap()
}

async fn standin(config: StandinConfig) -> Standin {
    Standin::start(config).await.unwrap()
}

fn seconds() -> Duration {
    let given = std::env::var("PARALLAX_TEST_SECONDS");
    let seconds = given.map_or(10, |seconds| seconds.parse().expect("a number of seconds"));
    Duration::from_secs(seconds)
}

/// A stream's name that no earlier run has used.
fn unique(name: &str) -> String {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    format!("parallax-{name}-{}", now.as_micros())
}
