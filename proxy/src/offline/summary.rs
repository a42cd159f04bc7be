//! What is said of a capture at its end.

use std::sync::Arc;

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::PacketCounts;
use parallax_captures::import::reassembly::ReassemblyCounts;
use parallax_captures::{Connection, Exchange, Finding};

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
    /// The exchanges that findings name, as far as there was room
    /// ([`EVIDENCE_BYTES`](crate::limits::EVIDENCE_BYTES)), in the order of their
    /// numbers.
    pub named: Vec<Arc<Exchange>>,
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
    /// Exchanges that parallax saw when it wrote this file and that are not in it.
    pub not_kept: u64,
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

impl ImportCounts {
    /// Whether there were packets, and none of them could be read as TCP.
    pub const fn holds_no_tcp(&self) -> bool {
        self.packets.packets > 0 && self.packets.segments == 0
    }

    /// What is to be known beside what was read: what the capture lacks, and where
    /// limits were reached. Sentences; none where there is nothing.
    pub fn remarks(&self) -> Vec<String> {
        let packets = &self.packets;
        let none_is_tcp = if self.holds_no_tcp() {
            packets.packets
        } else {
            0
        };
        let remarks = [
            (
                none_is_tcp,
                "packets, and none of them is TCP over IP: nothing could be read. Is the file's \
                 link type the right one? (capinfos FILE says it)",
            ),
            (
                self.not_kept,
                "exchanges were seen and not kept when this file was written",
            ),
            (
                packets.fragments,
                "IP fragments of TCP segments are not put together: their bytes count as missing",
            ),
            (
                packets.payload_cut,
                "packets were cut when they were captured: their bytes count as missing; \
                 capture with tcpdump -s 0",
            ),
            (
                packets.headers_cut,
                "packets were cut before their TCP header's end, and passed over; capture with \
                 tcpdump -s 0",
            ),
            (
                packets.unsupported_link,
                "packets of an interface whose link type is not read were passed over",
            ),
            (
                self.passed_over,
                "TCP streams showed nothing of Iggy's and were passed over",
            ),
            (
                self.late,
                "exchanges are numbered after some that were asked later: their end came late",
            ),
            (
                self.reassembly.evicted,
                "TCP streams were given up, because too many were open at once",
            ),
            (
                self.reassembly.gaps_by_limit,
                "gaps were taken for lost, because too much waited for them",
            ),
            (
                self.judged_early,
                "polls were compared before all HTTP polls within a minute of them were seen",
            ),
            (
                self.forgotten,
                "HTTP polls and changes of topics were forgotten for want of room",
            ),
            (
                self.notes_dropped,
                "more sentences about what could not be decoded had no room",
            ),
            (self.findings_dropped, "more findings had no room"),
        ];
        let said = remarks.into_iter().filter(|(count, _)| *count > 0);
        said.map(|(count, what)| format!("{count} {what}"))
            .collect()
    }
}
