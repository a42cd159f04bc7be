//! A packet capture, read as if it had been seen live: the same sessions, the
//! same findings. HTTP polls in the capture take the mirror's part.
//!
//! A capture of any size is read in bounded memory: [`import`] hands each exchange on
//! once what can be learned of it is learned, and says at the end what it all came to.

mod evidence;
mod http;
mod options;
mod pipeline;
mod reader;
mod recorded;
mod settling;
mod source;
mod streams;
mod summary;
#[cfg(test)]
mod tests;
mod window;

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use parallax_captures::file::Item;
use parallax_captures::import::ImportError;
use parallax_captures::import::packets::{PacketCounts, PacketReader};
use parallax_captures::{Connection, Exchange, Finding, Mutes};

pub use self::options::{ImportLimits, ImportOptions};
use self::pipeline::Pipeline;
use self::reader::{Batch, BatchReader};
use self::recorded::Recorded;
use self::settling::Sink;
use self::source::Kind;
pub use self::source::Source;
pub use self::summary::{ImportCounts, Summary};

/// Ports that are taken for a server's where a capture does not show who opened
/// a connection: Iggy's defaults and parallax's own.
const SERVER_PORTS: [u16; 3] = [8090, 3000, 8190];

/// Reads a capture to its end, and hands its exchanges to `sink`, in the order in
/// which they were asked, each once it is known what is wrong with it. Ends early where
/// the sink breaks.
///
/// What is learned of an exchange after it was handed on is in the summary alone.
///
/// # Errors
/// The system gives no thread to read it with. Why a file cannot be read further is the
/// summary's [`damage`](Summary::damage).
pub fn import(
    source: Source,
    options: ImportOptions,
    sink: &mut dyn FnMut(Arc<Exchange>) -> ControlFlow<()>,
) -> Result<Summary, ImportError> {
    match source.kind {
        Kind::Packets(packets) => import_packets(packets, options, sink),
        Kind::Recorded(items) => Ok(import_recorded(items, options, sink)),
        Kind::Directory(items) => Ok(import_recorded(items, options, sink)),
    }
}

/// What parallax wrote, with what it knew then: from one file, or from several in their
/// order.
pub fn import_recorded(
    items: impl Iterator<Item = Result<Item, ImportError>>,
    options: ImportOptions,
    sink: &mut dyn FnMut(Arc<Exchange>) -> ControlFlow<()>,
) -> Summary {
    let mut recorded = Recorded::new(options);
    let mut damage = None;
    for item in items {
        match item {
            Ok(item) => {
                if recorded.push(item, sink).is_break() {
                    return recorded.summary(None);
                }
            }
            // Of several segments each may be damaged.
            Err(error) => {
                if let Some(earlier) = damage.replace(error) {
                    recorded.note(earlier.to_string());
                }
            }
        }
    }
    // Where the sink breaks here, it has got all that it wants.
    let _ = recorded.finish(sink);
    recorded.summary(damage)
}

fn import_packets(
    packets: PacketReader,
    options: ImportOptions,
    sink: &mut Sink<'_>,
) -> Result<Summary, ImportError> {
    let live = options.live;
    let stop = Arc::clone(&options.stop);
    let batches = BatchReader::start(packets, live, stop).map_err(|source| {
        let position = 0;
        ImportError::Read { position, source }
    })?;
    let mut pipeline = Pipeline::new(options);
    let mut packets = PacketCounts::default();
    let damage = loop {
        let clock = batches.clock();
        let told = match batches.next() {
            Batch::Segments(segments, counts) => {
                packets = counts;
                let mut segments = segments.iter();
                segments.try_for_each(|segment| pipeline.push(segment, clock, sink))
            }
            Batch::Nothing => ControlFlow::Continue(()),
            Batch::End(damage) => {
                // Where the sink breaks here, it has got all that it wants.
                let _ = pipeline.finish(clock, sink);
                break damage;
            }
        };
        let told = match told {
            ControlFlow::Continue(()) if live => pipeline.wait(batches.clock(), sink),
            told => told,
        };
        if told.is_break() {
            break None;
        }
    };
    Ok(pipeline.summary(damage, packets))
}

/// What a capture holds, all of it: for captures that fit into memory.
pub struct Reading {
    /// The exchanges, in the order in which they were asked.
    pub exchanges: Vec<Arc<Exchange>>,
    /// The connections, in the order in which they began.
    pub connections: Vec<Connection>,
    /// What is wrong, the gravest first.
    pub findings: Vec<Finding>,
    /// What would be, but is muted.
    pub muted_findings: Vec<Finding>,
    /// What could not be decoded, or is missing from the capture.
    pub notes: Vec<String>,
    /// Why the file could not be read to its end. What stands before the damage
    /// has been read.
    pub damage: Option<ImportError>,
}

/// Reads a packet capture, all of it into memory.
///
/// # Errors
/// The file cannot be opened, or is no packet capture.
pub fn read_capture(path: &Path) -> Result<Reading, ImportError> {
    read_capture_muting(path, Mutes::none())
}

/// Likewise, muting by these rules.
///
/// # Errors
/// As [`read_capture`].
pub fn read_capture_muting(path: &Path, mutes: Mutes) -> Result<Reading, ImportError> {
    read(Source::open(path)?, mutes)
}

/// Likewise, from anything that holds the bytes of a capture file.
///
/// # Errors
/// It cannot be read, or is no packet capture.
pub fn read_packets(bytes: impl Read + Send + 'static) -> Result<Reading, ImportError> {
    read(Source::new(bytes)?, Mutes::none())
}

fn read(source: Source, mutes: Mutes) -> Result<Reading, ImportError> {
    let options = ImportOptions {
        mutes,
        ..ImportOptions::default()
    };
    let mut exchanges = Vec::new();
    let summary = import(source, options, &mut |exchange| {
        exchanges.push(exchange);
        ControlFlow::Continue(())
    })?;
    Ok(Reading {
        exchanges,
        connections: summary.connections,
        findings: summary.findings,
        muted_findings: summary.muted_findings,
        notes: summary.notes,
        damage: summary.damage,
    })
}
