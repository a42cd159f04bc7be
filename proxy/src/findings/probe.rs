//! One question over HTTP that tells which of two findings a claim is.

use jiff::Timestamp;
use parallax_captures::catalog::{OFFSET_JUMP, RETENTION_GAP, SILENT_SKIP};
use parallax_captures::poll::Poll;
use parallax_captures::verdict::MirrorOutcome;
use parallax_captures::{ConnectionId, Finding, FindingCode};

/// The question, and what is claimed.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The exchange that raised it.
    pub n: u64,
    /// Its connection: whose user asks.
    pub conn: ConnectionId,
    /// When that was sent.
    pub time: Timestamp,
    /// What to ask; names its partition, never commits.
    pub question: Poll,
    /// What the answer decides.
    pub purpose: Purpose,
    /// Where the finding is.
    pub place: String,
    /// What was seen on TCP.
    pub evidence: Vec<String>,
}

/// What the answer to a probe decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A reader went from before `expected` to `found`: were there messages in
    /// between?
    Jump {
        /// Where it was to go on.
        expected: u64,
        /// Where it did.
        found: u64,
    },
}

impl Probe {
    /// What the answer shows; `None` where nobody could ask.
    pub(super) fn concluded(self, outcome: Option<&MirrorOutcome>) -> Finding {
        let (code, told) = match self.purpose {
            Purpose::Jump { expected, found } => jump(expected, found, outcome),
        };
        let mut evidence = self.evidence;
        evidence.push(told);
        Finding::new(code, self.place, self.n, self.time, evidence)
    }
}

fn jump(expected: u64, found: u64, outcome: Option<&MirrorOutcome>) -> (FindingCode, String) {
    match outcome {
        Some(MirrorOutcome::Answered(answer)) => match answer.messages.first() {
            Some(message) if message.offset < found => (
                SILENT_SKIP,
                format!(
                    "HTTP, asked for offset {expected}, answers with offset {}: what was skipped \
                     is there",
                    message.offset
                ),
            ),
            Some(message) => (
                RETENTION_GAP,
                format!(
                    "HTTP, asked for offset {expected}, answers with offset {}: nothing before it \
                     is there any more",
                    message.offset
                ),
            ),
            None => (
                OFFSET_JUMP,
                format!("HTTP, asked for offset {expected}, answers with no message"),
            ),
        },
        Some(MirrorOutcome::Refused(refusal)) => (OFFSET_JUMP, format!("{refusal}")),
        Some(MirrorOutcome::Failed(why)) => (OFFSET_JUMP, why.clone()),
        None => (
            OFFSET_JUMP,
            "HTTP was not asked, so whether the skipped messages are there is not known".to_owned(),
        ),
    }
}
