mod feed;
mod format;
mod output;
mod pcapng;
mod target;

use std::collections::BTreeMap;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use parallax_captures::redaction::{Redaction, Redactor};
use parallax_captures::{Connection, ConnectionId};

use self::feed::Told;
use self::format::{Format, Sink};
use self::target::Target;
use super::mute::MuteArguments;
use super::redact::RedactArguments;
use super::wanted::WantedArguments;
use super::{Outcome, complain};
use crate::limits::EXPORT_CONNECTIONS;

/// Write captures in a form that other programs read.
///
/// Exits 0, or 2 when a capture could not be read to its end or the export not be
/// written.
#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    /// Captures: recordings of parallax, pcap or pcapng.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// pcapng (one FILE; Wireshark and parallax read it), jsonl (as inspect --json), csv,
    /// hdr (an interval log of HdrHistogram), parquet.
    #[arg(long, value_enum, default_value_t = Format::Pcapng)]
    format: Format,
    /// A file, - for standard output, or an address, `file:///…` or `s3://bucket/key`.
    /// Where it ends with a slash the name is made up, and is told.
    #[arg(long, short, default_value = "-", value_name = "TO")]
    output: String,
    /// In parquet, and in names that are made up: whose captures these are. [default: the
    /// host's name]
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    #[command(flatten)]
    wanted: WantedArguments,
    #[command(flatten)]
    mute: MuteArguments,
    #[command(flatten)]
    redact: RedactArguments,
    /// Rename streams, topics, consumers, groups, users, hosts and addresses as well as
    /// --redact payloads, the same by the same.
    #[arg(long)]
    anonymize: bool,
}

pub(super) fn export(arguments: &ExportArguments) -> anyhow::Result<Outcome> {
    if arguments.format == Format::Pcapng && arguments.files.len() > 1 {
        bail!(
            "a pcapng export holds one capture, since each counts its exchanges anew: \
             export each FILE by itself"
        );
    }
    let redaction = if arguments.anonymize {
        Some(Redaction::Names)
    } else {
        arguments.redact.redaction()
    };
    let mut exporter = Exporter {
        redactor: redaction.map(Redactor::new),
        connections: BTreeMap::new(),
        sink: None,
    };
    let wanted = arguments.wanted.wanted()?;
    let source = source(arguments, exporter.redactor.as_mut());
    let mut outcome = Outcome::NothingFound;
    for file in &arguments.files {
        if exporter.sink.is_none() {
            let first = feed::peek(file)?;
            let note = redaction.map(|redaction| redaction.note().to_owned());
            let note = note.or(first.note);
            let target = Target::parse(&arguments.output)?;
            target.is_none_of(&arguments.files)?;
            let name = target::made_up_name(&source, first.time, arguments.format.extension());
            let output = target.open(&name, arguments.format.is_binary())?;
            exporter.sink = Some(Sink::new(arguments.format, output, &source, note)?);
        }
        exporter.connections.clear();
        let name = file.display().to_string();
        let mutes = arguments.mute.rules()?;
        let mut wanted = wanted.clone();
        let end = feed::read(file, mutes, &mut wanted, &mut |told| exporter.take(told))?;
        for remark in end.remarks {
            let _ = writeln!(stderr(), "parallax: {name}: {remark}");
        }
        if let Some(damage) = end.damage {
            complain(&anyhow::Error::new(damage).context(format!("{name} is damaged")));
            outcome = Outcome::Incomplete;
        }
    }
    let shared = exporter
        .redactor
        .as_ref()
        .map_or(0, Redactor::shared_aliases);
    if shared > 0 {
        let _ = writeln!(
            stderr(),
            "parallax: {shared} short names share an alias with another: there are no more"
        );
    }
    if let Some(sink) = exporter.sink {
        sink.finish()?;
    }
    Ok(outcome)
}

/// Everything between what a capture tells and what is written.
struct Exporter {
    redactor: Option<Redactor>,
    /// The latest connections, as they were told last.
    connections: BTreeMap<ConnectionId, Connection>,
    sink: Option<Sink>,
}

impl Exporter {
    fn take(&mut self, told: Told) -> anyhow::Result<()> {
        let Some(sink) = &mut self.sink else {
            return Ok(());
        };
        let redactor = self.redactor.as_mut();
        match told {
            Told::Connection(connection) => {
                let connection = match redactor {
                    Some(redactor) => redactor.connection(&connection),
                    None => *connection,
                };
                sink.connection(&connection)?;
                self.connections.insert(connection.id, connection);
                while self.connections.len() > EXPORT_CONNECTIONS {
                    self.connections.pop_first();
                }
            }
            Told::Exchange(exchange, is_wanted) => {
                // Of one that is not wanted the names are learned: others tell of it.
                let redacted = redactor.map(|redactor| redactor.exchange(&exchange));
                let exchange = redacted.as_ref().unwrap_or(&exchange);
                if is_wanted {
                    sink.exchange(exchange, self.connections.get(&exchange.conn))?;
                }
            }
            Told::Finding(finding) => {
                let redacted = redactor.map(|redactor| redactor.finding(&finding));
                sink.finding(redacted.as_ref().unwrap_or(&finding))?;
            }
            Told::Lost(lost) => sink.lost(&lost)?,
        }
        Ok(())
    }
}

/// Whose captures these are: as is said, or the host's name.
fn source(arguments: &ExportArguments, redactor: Option<&mut Redactor>) -> String {
    let host = || {
        let name = std::fs::read_to_string(HOST_NAME).unwrap_or_default();
        match redactor {
            Some(redactor) => redactor.name(name.trim()),
            None => name.trim().to_owned(),
        }
    };
    arguments.source.clone().unwrap_or_else(host)
}

/// Where Linux says it; elsewhere it is not known.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// What could not be done, to which file.
fn cannot_read(file: &Path) -> String {
    format!("cannot read {}", file.display())
}

fn written<T>(result: std::io::Result<T>) -> anyhow::Result<T> {
    result.context("cannot write the export")
}
