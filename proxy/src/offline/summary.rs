//! What is said of a capture at its end.

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::PacketCounts;
use parallax_captures::import::reassembly::ReassemblyCounts;
use parallax_captures::{Connection, Finding};

/// What a capture came to, beside its exchanges.
#[derive(Debug)]
pub struct Summary {
    /// The connections, in the order in which they began; of closed ones the latest
    /// that a journal remembers.
    pub connections: Vec<Connection>,
    /// What is wrong, the gravest first.
    pub findings: Vec<Finding>,
    /// What would be, but is muted.
    pub muted_findings: Vec<Finding>,
    /// What could not be decoded: the first
    /// [`CAPTURE_NOTES`](crate::limits::CAPTURE_NOTES).
    pub notes: Vec<String>,
    /// Why the file could not be read to its end. What stands before the damage has
    /// been read.
    pub damage: Option<ImportError>,
    /// Figures.
    pub counts: ImportCounts,
}

/// Figures of a capture that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// Exchanges that were handed on.
    pub exchanges: u64,
    /// Findings that were new when there was no room for another.
    pub findings_dropped: u64,
    /// HTTP polls, and changes of topics, that were forgotten for want of room while
    /// they could still have said something of a poll on TCP.
    pub forgotten: u64,
    /// Polls that got their verdict before all HTTP polls near them in time were seen,
    /// for want of room, or because they were waited for.
    pub judged_early: u64,
    /// Exchanges that were told after one that was asked later.
    pub late: u64,
    /// Bytes of the exchanges that waited to settle, at most at one time.
    pub most_settling_bytes: usize,
    /// Bytes of what waited for its order, at most at one time.
    pub most_window_bytes: usize,
    /// Notes that there was no room for.
    pub notes_dropped: u64,
    /// Exchanges and other things that went on before their order was sure, for want
    /// of room.
    pub ordered_early: u64,
    /// TCP streams that showed nothing of Iggy's.
    pub passed_over: u64,
    /// What packets there were.
    pub packets: PacketCounts,
    /// What was odd about the TCP segments.
    pub reassembly: ReassemblyCounts,
}
