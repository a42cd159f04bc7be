use std::collections::BTreeSet;
use std::io::{Write as _, stdout};
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use parallax_captures::{Change, FindingCode, Journal, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::Outcome;
use super::run::end_on_ctrl_c;
use crate::demo::{BROKEN_PARTITION, CLAIMED_OFFSET, STREAM, TOPIC, prepare_topic, run_sink};
use crate::live::{Proxy, ProxyConfig};
use crate::report::{exchange_line, finding_lines, verdict_lines};
use crate::standin::{FalseFirstOffset, Standin, StandinConfig};

/// See it at work, with nothing else installed: a stand-in server with a broken
/// partition, parallax before it, and a client that loops on InvalidOffset(0).
#[derive(Debug, Args)]
pub(super) struct DemoArguments {
    /// Where the page is served.
    #[arg(long, env = "PARALLAX_UI", default_value = "127.0.0.1:8191")]
    ui: String,
    /// One JSON value a line: exchanges with a verdict, then findings.
    #[arg(long)]
    json: bool,
}

pub(super) fn demo(arguments: DemoArguments) -> anyhow::Result<Outcome> {
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(play(arguments))
}

async fn play(arguments: DemoArguments) -> anyhow::Result<Outcome> {
    let standin = Standin::start(StandinConfig {
        faults: vec![FalseFirstOffset {
            stream: STREAM.to_owned(),
            topic: TOPIC.to_owned(),
            partition_id: BROKEN_PARTITION,
            claimed_offset: CLAIMED_OFFSET,
        }],
        ..StandinConfig::default()
    })
    .await
    .context("the stand-in server cannot start")?;
    let proxy = Proxy::start(ProxyConfig {
        listen: "127.0.0.1:0".to_owned(),
        upstream: standin.tcp.to_string(),
        http: Some(format!("http://{}", standin.http)),
        http_credentials: None,
        ui: Some(arguments.ui),
        bypass: false,
    })
    .await?;
    end_on_ctrl_c(&proxy);
    let talk = !arguments.json;
    if talk {
        introduce(&proxy, &standin);
    }
    let journal = Arc::clone(proxy.journal());
    let changes = journal.changes();
    let server = proxy.listen();
    let shutdown = proxy.shutdown().clone();
    tokio::select! {
        played = client(server, talk) => played?,
        printed = print_changes(&journal, changes, arguments.json) => printed?,
        () = shutdown.draining() => {}
    }
    proxy.finished().await;
    standin.stop().await;
    Ok(if journal.findings().is_empty() {
        Outcome::NothingFound
    } else {
        Outcome::Found
    })
}

fn introduce(proxy: &Proxy, standin: &Standin) {
    println!(
        "stand-in server  tcp {}, http {}: partition {BROKEN_PARTITION}'s first message claims \
         offset {CLAIMED_OFFSET}",
        standin.tcp,
        standin.http
    );
    println!("parallax         {}", proxy.listen());
    if let Some(ui) = proxy.ui() {
        println!("page             http://{ui}/");
    }
    println!("Ctrl-C ends it.\n");
}

async fn client(server: SocketAddr, talk: bool) -> anyhow::Result<()> {
    prepare_topic(server).await?;
    let mut said = BTreeSet::new();
    run_sink(server, |line| {
        // A sink's log says the same for ever; each sentence is shown once.
        if talk && said.insert(line.clone()) {
            println!("sink's log: {line}");
        }
    })
    .await?;
    Ok(())
}

/// Prints what is new: the first failing poll with its verdict, and each finding
/// when it is first made.
async fn print_changes(
    journal: &Journal,
    mut changes: Receiver<Change>,
    json: bool,
) -> anyhow::Result<()> {
    let mut known = BTreeSet::<FindingCode>::new();
    let mut printed = BTreeSet::new();
    let mut shown_failure = false;
    loop {
        let change = match changes.recv().await {
            Ok(change) => change,
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return Ok(()),
        };
        let mut out = stdout().lock();
        match change {
            Change::Exchange(n) => {
                let Some(exchange) = journal.exchange(n) else {
                    continue;
                };
                let Some(verdict) = &exchange.verdict else {
                    continue;
                };
                if json {
                    // A finding changes an exchange that was printed already.
                    if printed.insert(n) {
                        writeln!(out, "{}", json::exchange(&exchange))?;
                    }
                    if printed.len() > PRINTED_REMEMBERED {
                        printed.pop_first();
                    }
                } else if exchange.error().is_some() && !shown_failure {
                    shown_failure = true;
                    writeln!(out, "\n{}", exchange_line(&exchange))?;
                    writeln!(out, "{}", verdict_lines(verdict))?;
                }
            }
            Change::Finding(code) if known.insert(code) => {
                let findings = journal.findings();
                for finding in findings.iter().filter(|finding| finding.code == code) {
                    if json {
                        writeln!(out, "{}", json::finding(finding))?;
                    } else {
                        writeln!(out, "{}", finding_lines(finding))?;
                    }
                }
            }
            Change::Finding(_) | Change::Connection(_) => {}
        }
    }
}

/// Exchanges that are remembered as printed.
const PRINTED_REMEMBERED: usize = 1_000;
