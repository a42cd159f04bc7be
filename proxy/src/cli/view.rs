use std::fs::File;
use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use parallax_captures::file::is_recording;
use parallax_captures::limits::CAPTURE_HEAD;
use parallax_captures::recording::{ImportedRecording, RecordingError, View, view};
use parallax_captures::{Exchange, Journal};
use parallax_web::{About, Source, may_listen, serve};
use tokio::net::TcpListener;

use super::mute::MuteArguments;
use super::signals::Ending;
use super::ui::UiArguments;
use super::{Outcome, complain, say};
use crate::live::PageConfig;
use crate::offline::{self, ImportOptions, import};

/// The page over what was recorded: a directory of `run --record`, one of its files, or any
/// packet capture.
#[derive(Debug, Args)]
pub(super) struct ViewArguments {
    /// A recording's directory, a file of it, or a packet capture.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    ui: UiArguments,
    #[command(flatten)]
    mute: MuteArguments,
}

pub(super) fn show(arguments: ViewArguments) -> anyhow::Result<Outcome> {
    let ui = arguments.ui.page()?;
    let name = arguments.file.display().to_string();
    let cannot = || format!("cannot read {name}");
    let opened = if arguments.file.is_dir() || is_own(&arguments.file).with_context(cannot)? {
        let opened = view(&arguments.file).with_context(cannot)?;
        for note in opened.notes() {
            complain(&anyhow::anyhow!("{note}"));
        }
        opened
    } else {
        imported(&arguments.file, arguments.mute.rules()?).with_context(cannot)?
    };
    let about = About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        source: Source::File {
            name,
            time: times(opened.journal()),
        },
        faults: Vec::new(),
    };
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(page(ui, Arc::clone(opened.journal()), about))?;
    Ok(Outcome::NothingFound)
}

/// Whether parallax wrote the file.
fn is_own(file: &Path) -> std::io::Result<bool> {
    let mut first = Vec::new();
    File::open(file)?
        .take(CAPTURE_HEAD)
        .read_to_end(&mut first)?;
    Ok(is_recording(&first) == Some(true))
}

/// A packet capture, with what is found in it.
fn imported(file: &Path, mutes: parallax_captures::Mutes) -> anyhow::Result<View> {
    let mut recording = ImportedRecording::new()?;
    let options = ImportOptions {
        mutes,
        ..ImportOptions::default()
    };
    let mut failed: Option<RecordingError> = None;
    let mut keep = |exchange: Arc<Exchange>| match recording.exchange(&exchange) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    let summary = import(offline::Source::open(file)?, options, &mut keep)?;
    if let Some(error) = failed {
        bail!("there is no room for what is read of it: {error}");
    }
    for note in &summary.notes {
        complain(&anyhow::anyhow!("{note}"));
    }
    if let Some(damage) = summary.damage {
        complain(&anyhow::Error::new(damage).context(format!("{} is damaged", file.display())));
    }
    let findings = [summary.findings, summary.muted_findings].concat();
    Ok(recording.finish(summary.connections, findings)?)
}

/// When the first and the last exchange began.
fn times(journal: &Journal) -> Option<(jiff::Timestamp, jiff::Timestamp)> {
    let any = |_: &Exchange| true;
    let last = journal.latest(None, 1, &any).pop()?;
    let first = journal.next_after(0, &any)?;
    Some((first.times.request_first, last.times.request_first))
}

async fn page(ui: PageConfig, journal: Arc<Journal>, about: About) -> anyhow::Result<()> {
    let PageConfig { listen, access } = ui;
    let listener = TcpListener::bind(&listen).await;
    let listener =
        listener.with_context(|| format!("cannot listen on {listen}; choose another with --ui"))?;
    let address = listener.local_addr()?;
    may_listen(address, &access)?;
    let exchanges = journal.counts().exchanges;
    let mut ending = Ending::listen();
    say(format!("page       {}", access.address(address)));
    say(format!("{exchanges} exchanges. Ctrl-C ends it."));
    let end = async move { ending.asked().await };
    serve(listener, journal, about, access, end).await?;
    Ok(())
}
