use std::collections::BTreeSet;
use std::io::{Write as _, stdout};
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use parallax_captures::{Change, FindingCode, Journal, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::mute::MuteArguments;
use super::run::end_on_ctrl_c;
use super::{Outcome, say};
use crate::demo::{BROKEN_PARTITION, CLAIMED_OFFSET, STREAM, TOPIC, prepare_topic, run_sink};
use crate::live::{Proxy, ProxyConfig};
use crate::mirror::MirrorAlso;
use crate::report::{exchange_line, finding_lines, verdict_lines};
use crate::standin::{FalseFirstOffset, Standin, StandinConfig};

/// See it at work, with nothing else installed: a stand-in server with a broken
/// partition, parallax before it, and a client that loops on InvalidOffset(0).
#[derive(Debug, Args)]
pub(super) struct DemoArguments {
    /// Where the page is served.
    #[arg(long, env = "PARALLAX_UI", default_value = "127.0.0.1:8191")]
    ui: String,
    /// Put these to HTTP as well, besides polls of First and Next; several with commas.
    #[arg(long, env = "PARALLAX_MIRROR_ALSO", value_enum, value_delimiter = ',')]
    mirror_also: Vec<MirrorAlso>,
    #[command(flatten)]
    mute: MuteArguments,
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
    let mutes = arguments.mute.rules()?;
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
        mirror_also: arguments.mirror_also.clone(),
        http_credentials: None,
        ui: Some(arguments.ui),
        mutes,
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
    say(format!(
        "stand-in server  tcp {}, http {}: partition {BROKEN_PARTITION}'s first message claims \
         offset {CLAIMED_OFFSET}",
        standin.tcp, standin.http
    ));
    say(format!("parallax         {}", proxy.listen()));
    if let Some(ui) = proxy.ui() {
        say(format!("page             http://{ui}/"));
    }
    say("Ctrl-C ends it.\n");
}

async fn client(server: SocketAddr, talk: bool) -> anyhow::Result<()> {
    prepare_topic(server).await?;
    let mut said = BTreeSet::new();
    run_sink(server, |line| {
        // A sink's log says the same for ever; each sentence is shown once.
        if talk && said.insert(line.clone()) {
            say(format!("sink's log: {line}"));
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
    let mut told = Told::nothing(json);
    loop {
        match changes.recv().await {
            Ok(Change::Exchange(n)) => told.exchange(journal, n)?,
            Ok(Change::Finding(_)) => told.findings(journal)?,
            Ok(Change::Connection(_)) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return Ok(()),
        }
    }
}

/// What has been printed.
struct Told {
    json: bool,
    exchanges: BTreeSet<u64>,
    findings: BTreeSet<FindingCode>,
    /// Whether findings may follow: as text they make sense once the poll that
    /// they explain was shown.
    failure: bool,
}

/// Exchanges that are remembered as printed.
const EXCHANGES_REMEMBERED: usize = 1_000;

impl Told {
    const fn nothing(json: bool) -> Self {
        Self {
            json,
            exchanges: BTreeSet::new(),
            findings: BTreeSet::new(),
            failure: json,
        }
    }

    fn exchange(&mut self, journal: &Journal, n: u64) -> anyhow::Result<()> {
        let Some(exchange) = journal.exchange(n) else {
            return Ok(());
        };
        let Some(verdict) = &exchange.verdict else {
            return Ok(());
        };
        let mut out = stdout().lock();
        if self.json {
            // A finding changes an exchange that was printed already.
            if self.exchanges.insert(n) {
                writeln!(out, "{}", json::exchange(&exchange))?;
            }
            if self.exchanges.len() > EXCHANGES_REMEMBERED {
                self.exchanges.pop_first();
            }
        } else if exchange.error().is_some() && !self.failure {
            self.failure = true;
            writeln!(out, "\n{}", exchange_line(&exchange))?;
            writeln!(out, "{}", verdict_lines(verdict))?;
            drop(out);
            self.findings(journal)?;
        }
        Ok(())
    }

    fn findings(&mut self, journal: &Journal) -> anyhow::Result<()> {
        if !self.failure {
            return Ok(());
        }
        let mut out = stdout().lock();
        for finding in journal.findings() {
            if !self.findings.insert(finding.code) {
                continue;
            }
            if self.json {
                writeln!(out, "{}", json::finding(&finding))?;
            } else {
                writeln!(out, "{}", finding_lines(&finding))?;
            }
        }
        Ok(())
    }
}
