//! What a capture tells, in order, whether parallax recorded it or somebody else.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use jiff::Timestamp;
use parallax_captures::file::{Lost, Reader};
use parallax_captures::import::ImportError;
use parallax_captures::{Connection, Exchange, Finding, Journal, Mutes};

use super::cannot_read;
use crate::cli::wanted::Wanted;
use crate::limits::EXPORT_CONNECTIONS;
use crate::offline::{ImportOptions, Source, import};

/// Something of a capture.
pub(super) enum Told {
    /// A connection, as it is known then: before its exchanges, and again when more is
    /// known.
    Connection(Box<Connection>),
    /// An exchange, and whether it is wanted.
    Exchange(Arc<Exchange>, bool),
    /// A finding, after the exchanges that it names.
    Finding(Box<Finding>),
    Lost(Lost),
}

/// What is known of a capture before it is read.
pub(super) struct First {
    /// What its recording says of all of it.
    pub(super) note: Option<String>,
    /// When its file was made, or last written.
    pub(super) time: Timestamp,
}

/// What is said of a capture at its end.
pub(super) struct End {
    pub(super) damage: Option<ImportError>,
    pub(super) remarks: Vec<String>,
}

/// Where what was told goes.
pub(super) type Taker<'a> = dyn FnMut(Told) -> anyhow::Result<()> + 'a;

/// What is known of a capture before it is read.
pub(super) fn peek(path: &Path) -> anyhow::Result<First> {
    let file = File::open(path).with_context(|| cannot_read(path))?;
    let metadata = file.metadata().with_context(|| cannot_read(path))?;
    let modified = metadata.modified().ok();
    let modified = modified.and_then(|time| Timestamp::try_from(time).ok());
    let mut reader = Reader::new(BufReader::new(file));
    // Of a file that is no recording there is nothing to be read.
    let _ = reader.next();
    Ok(First {
        note: reader.note().map(str::to_owned),
        time: modified.unwrap_or_default(),
    })
}

/// Reads a capture to its end. `wanted` says of which exchanges there is something to be
/// told.
pub(super) fn read(
    path: &Path,
    mutes: Mutes,
    wanted: &mut Wanted,
    take: &mut Taker<'_>,
) -> anyhow::Result<End> {
    let source = Source::open(path).with_context(|| cannot_read(path))?;
    let defaults = ImportOptions::default();
    let journal = Arc::new(defaults.limits.journal());
    let options = ImportOptions {
        mutes,
        journal: Some(Arc::clone(&journal)),
        ..defaults
    };
    let mut introduced = BTreeSet::new();
    let mut failed = None;
    let summary = import(source, options, &mut |exchange| {
        let is_wanted = wanted.see(&exchange);
        let told = introduce(&journal, &exchange, &mut introduced, take)
            .and_then(|()| take(Told::Exchange(exchange, is_wanted)));
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    let mut summary = summary.with_context(|| cannot_read(path))?;
    if let Some(error) = failed {
        return Err(error);
    }
    wanted.keep(&mut summary);
    let remarks = [summary.notes, summary.counts.remarks()].concat();
    for connection in summary.connections {
        take(Told::Connection(Box::new(connection)))?;
    }
    for finding in summary.findings.into_iter().chain(summary.muted_findings) {
        take(Told::Finding(Box::new(finding)))?;
    }
    take(Told::Lost(Lost {
        exchanges_not_kept: summary.counts.not_kept,
        findings_dropped: summary.counts.findings_dropped,
        ..Lost::default()
    }))?;
    Ok(End {
        damage: summary.damage,
        remarks,
    })
}

/// Tells an exchange's connection before its first exchange, as it was then: open.
fn introduce(
    journal: &Journal,
    exchange: &Exchange,
    introduced: &mut BTreeSet<u64>,
    take: &mut Taker<'_>,
) -> anyhow::Result<()> {
    if !introduced.insert(exchange.conn.0) {
        return Ok(());
    }
    if introduced.len() > EXPORT_CONNECTIONS {
        introduced.pop_first();
    }
    let Some(connection) = journal.connection(exchange.conn) else {
        return Ok(());
    };
    take(Told::Connection(Box::new(Connection {
        closed: None,
        ..connection
    })))
}
