//! A packet capture, read as if it had been seen live: the same sessions, the
//! same findings. HTTP polls in the capture take the mirror's part.

mod http;
mod streams;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::PacketReader;
use parallax_captures::import::reassembly::Reassembler;
use parallax_captures::{Connection, Exchange, Finding, Journal, Mutes};

use self::streams::{Found, Streams};
use crate::analyst::Analyst;
use crate::comparison::captured;
use crate::findings::ConnectionEvent;

/// Ports that are taken for a server's where a capture does not show who opened
/// a connection: Iggy's defaults and parallax's own.
const SERVER_PORTS: [u16; 3] = [8090, 3000, 8190];

/// What a capture holds.
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

/// Reads a packet capture.
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
    Ok(read(PacketReader::open(path)?, mutes))
}

/// Likewise, from anything that holds the bytes of a capture file.
///
/// # Errors
/// It cannot be read, or is no packet capture.
pub fn read_packets(source: impl Read + Send + 'static) -> Result<Reading, ImportError> {
    Ok(read(PacketReader::new(source)?, Mutes::none()))
}

fn read(mut packets: PacketReader, mutes: Mutes) -> Reading {
    let mut reassembler = Reassembler::new(&SERVER_PORTS);
    let mut streams = Streams::default();
    let mut damage = None;
    for segment in packets.by_ref() {
        match segment {
            Ok(segment) => {
                for event in reassembler.push(&segment) {
                    streams.push(&event);
                }
            }
            Err(error) => damage = Some(error),
        }
    }
    for event in reassembler.finish() {
        streams.push(&event);
    }
    analyse(streams.finish(), damage, mutes)
}

fn analyse(mut found: Found, damage: Option<ImportError>, mutes: Mutes) -> Reading {
    let journal = Arc::new(Journal::with_limits(usize::MAX, usize::MAX));
    let analyst = Analyst::new(Arc::clone(&journal)).muting(mutes);
    for connection in found.connections {
        journal.open_connection(connection);
    }
    found.exchanges.sort_by_key(|one| one.times.request_first);
    let mut probes = Vec::new();
    // An opening before what passed at that time, an end after it.
    found
        .happened
        .sort_by_key(|event| (event.time, !event.what.is_opening()));
    let mut happened = found.happened.iter().peekable();
    for exchange in found.exchanges {
        let time = exchange.times.request_first;
        let is_before = |event: &&ConnectionEvent| {
            event.time < time || event.time == time && event.what.is_opening()
        };
        while let Some(event) = happened.next_if(is_before) {
            probes.extend(analyst.connection(event));
        }
        probes.extend(analyst.record(exchange).probes);
    }
    for event in happened {
        probes.extend(analyst.connection(event));
    }
    probes.extend(analyst.finish());
    for probe in probes {
        // Nobody can be asked any more.
        analyst.probed(probe, None);
    }
    for (connection, skew) in &found.skews {
        analyst.skewed(*connection, skew);
    }
    for (exchange, verdict) in captured::verdicts(&journal.exchanges()) {
        analyst.verdict(&exchange, verdict);
    }
    Reading {
        exchanges: journal.exchanges(),
        connections: journal.connections(),
        findings: journal.findings(),
        muted_findings: journal.muted_findings(),
        notes: found.notes,
        damage,
    }
}
