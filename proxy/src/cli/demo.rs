mod list;
mod told;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use parallax_codec::Dialect;

use super::mute::MuteArguments;
use super::run::end_on_ctrl_c;
use super::ui::UiArguments;
use super::{Outcome, say};
use crate::demo::{
    BROKEN_PARTITION, CLAIMED_OFFSET, Scene, placed, play as play_scene, prepare_topic, run_sink,
};
use crate::live::{Proxy, ProxyConfig};
use crate::mirror::MirrorAlso;
use crate::standin::{Fault, Standin, StandinConfig};
use told::{Told, print_changes};

/// See it at work, with nothing else installed: a stand-in server with a broken
/// partition, parallax before it, and a client that loops on InvalidOffset(0).
/// Other faults can be had by name.
#[derive(Debug, Args)]
pub(super) struct DemoArguments {
    #[command(flatten)]
    ui: UiArguments,
    /// Put these to HTTP as well, besides polls of First and Next; several with commas.
    #[arg(long, env = "PARALLAX_MIRROR_ALSO", value_enum, value_delimiter = ',')]
    mirror_also: Vec<MirrorAlso>,
    #[command(flatten)]
    mute: MuteArguments,
    /// One JSON value a line: exchanges with a verdict, then findings; with --list
    /// the faults.
    #[arg(long)]
    json: bool,
    /// Print the faults that there are, and end.
    #[arg(long)]
    list: bool,
    /// What is broken, by its name in the list.
    #[arg(long, value_name = "NAME", default_value = "false_first_offset", value_parser = fault)]
    fault: Fault,
    /// What client and server speak; without it the first that the fault has.
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,
}

/// A dialect on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DialectName {
    /// Servers up to 0.8.
    Classic,
    /// Servers from 0.9.
    Vsr,
}

/// From one step of a scene to the next.
const PACE: Duration = Duration::from_millis(250);

fn fault(name: &str) -> Result<Fault, String> {
    let fault = Fault::from_name(name);
    fault.ok_or_else(|| "there is no such fault; `parallax demo --list` prints them".to_owned())
}

pub(super) fn demo(arguments: DemoArguments) -> anyhow::Result<Outcome> {
    if arguments.list {
        list::print_faults(arguments.json)?;
        return Ok(Outcome::NothingFound);
    }
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(play(arguments))
}

async fn play(arguments: DemoArguments) -> anyhow::Result<Outcome> {
    let fault = arguments.fault;
    let dialect = dialect_of(fault, arguments.dialect)?;
    let mutes = arguments.mute.rules()?;
    let standin = Standin::start(StandinConfig {
        dialect,
        fault: Some(placed(fault)),
        ..StandinConfig::default()
    })
    .await
    .context("the stand-in server cannot start")?;
    let proxy = Proxy::start(ProxyConfig {
        mirror_also: arguments.mirror_also.clone(),
        ui: Some(arguments.ui.page()?),
        mutes,
        ..ProxyConfig::before(standin.tcp).asking(format_args!("http://{}", standin.http))
    })
    .await?;
    end_on_ctrl_c(&proxy);
    let talk = !arguments.json;
    if talk {
        introduce(fault, &proxy, &standin);
    }
    let journal = Arc::clone(proxy.journal());
    let changes = journal.changes();
    let server = proxy.listen();
    let shutdown = proxy.shutdown().clone();
    let told = match fault {
        Fault::FalseFirstOffset => Told::from_the_first_failure(arguments.json),
        _ => Told::everything(arguments.json),
    };
    tokio::select! {
        played = client(fault, dialect, server, talk) => played?,
        printed = print_changes(&journal, changes, told) => printed?,
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

/// The dialect to play a fault in.
fn dialect_of(fault: Fault, wanted: Option<DialectName>) -> anyhow::Result<Dialect> {
    let has = fault.description().dialects;
    let wanted = match wanted {
        None => has.first().copied(),
        Some(DialectName::Classic) => Some(Dialect::Classic),
        Some(DialectName::Vsr) => Some(Dialect::Vsr),
    };
    match wanted {
        Some(dialect) if has.contains(&dialect) => Ok(dialect),
        _ => bail!(
            "{fault} cannot be shown in that dialect, but in {}",
            list::names_of(has)
        ),
    }
}

fn introduce(fault: Fault, proxy: &Proxy, standin: &Standin) {
    let what = match fault {
        Fault::FalseFirstOffset => {
            format!("partition {BROKEN_PARTITION}'s first message claims offset {CLAIMED_OFFSET}")
        }
        _ => fault.description().summary.to_owned(),
    };
    say(format!(
        "stand-in server  tcp {}, http {}: {what}",
        standin.tcp, standin.http
    ));
    say(format!("parallax         {}", proxy.listen()));
    if let Some(page) = proxy.page() {
        say(format!("page             {page}"));
    }
    say("Ctrl-C ends it.\n");
}

async fn client(
    fault: Fault,
    dialect: Dialect,
    server: SocketAddr,
    talk: bool,
) -> anyhow::Result<()> {
    if fault == Fault::FalseFirstOffset {
        return sink(server, talk).await;
    }
    let mut log = |line: String| {
        if talk {
            say(format!("client's log: {line}"));
        }
    };
    let mut scene = Scene {
        server,
        dialect,
        pace: PACE,
        log: &mut log,
    };
    let _stay = play_scene(fault, &mut scene).await?;
    // What was found can be looked at until Ctrl-C.
    std::future::pending().await
}

async fn sink(server: SocketAddr, talk: bool) -> anyhow::Result<()> {
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
