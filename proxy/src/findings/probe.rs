//! One question over HTTP that decides a finding.

use jiff::Timestamp;
use parallax_captures::catalog::{
    DELETED_BEFORE_READ, EMPTY_BELOW_THE_END, FRESH_READER_AT_TAIL, MESSAGES_MAY_BE_MISSING,
    OFFSET_JUMP, PARTITION_START_SKIPPED, RETENTION_GAP, SILENT_SKIP, SKIP_AFTER_PURGE, STALLED,
};
use parallax_captures::poll::Poll;
use parallax_captures::verdict::MirrorOutcome;
use parallax_captures::{ConnectionId, Exchange, Finding, FindingCode};
use parallax_codec::primitives::PollingKind;

use super::place::reader_place;
use crate::comparison::own;
use crate::ledger::Polled;

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
        /// Whether a client had segments of the partition deleted.
        deleted: bool,
    },
    /// First gave nothing of a partition that ends at `end`: is there a message?
    EmptyFirst {
        /// The partition's last offset, by the reply.
        end: u64,
    },
    /// A reader that was to go on at `from` gets nothing, again and again, of a
    /// partition that ends at `end`: is there a message?
    Stalled {
        /// Where it was to go on.
        from: u64,
        /// The partition's last offset, by the reply.
        end: u64,
    },
    /// After a purge a reader began at `found`: were there messages before it?
    AfterPurge {
        /// Where it began.
        found: u64,
    },
    /// A reader without a stored offset began near the end: were there messages
    /// before that?
    FreshAtTail {
        /// Where it began.
        found: u64,
        /// When that message was appended, in microseconds since 1970.
        timestamp: u64,
    },
    /// A client began a partition from where it was in another one: were there
    /// messages before that?
    SkippedStart {
        /// Where it began.
        from: u64,
        /// When the first message that it was given was appended, in microseconds
        /// since 1970.
        timestamp: u64,
    },
}

impl Purpose {
    /// What is to be asked.
    const fn question(self) -> (PollingKind, u64) {
        match self {
            Self::Jump { expected, .. } => (PollingKind::Offset, expected),
            // Below offset 0 there is nothing: what is asked is whether there is any.
            Self::EmptyFirst { .. } | Self::Stalled { from: 0, .. } => (PollingKind::Last, 0),
            Self::Stalled { from, .. } => (PollingKind::Offset, from),
            Self::AfterPurge { .. } | Self::FreshAtTail { .. } | Self::SkippedStart { .. } => {
                (PollingKind::First, 0)
            }
        }
    }
}

impl Probe {
    /// A question about what this poll was answered.
    pub(super) fn of(
        exchange: &Exchange,
        polled: &Polled,
        purpose: Purpose,
        evidence: Vec<String>,
    ) -> Self {
        let id = polled.reader.partition.id;
        let (strategy, value) = purpose.question();
        Self {
            n: exchange.n,
            conn: exchange.conn,
            time: exchange.times.request_first,
            question: Poll {
                count: 1,
                ..own(&Poll::from(polled.poll), id, strategy, value)
            },
            purpose,
            place: reader_place(polled.poll, id),
            evidence,
        }
    }

    /// Whether it is about a reader that is given no message, and this poll of it
    /// was asked likewise and is given some.
    pub(super) fn is_settled_by(&self, polled: &Polled) -> bool {
        let strategy = polled.poll.strategy.kind;
        let likewise = match self.purpose {
            Purpose::EmptyFirst { .. } => strategy == PollingKind::First,
            Purpose::Stalled { .. } => matches!(strategy, PollingKind::Next | PollingKind::Offset),
            _ => false,
        };
        likewise && polled.offsets.is_some()
    }

    /// What the answer shows, if it shows anything; `None` where nobody could ask.
    pub(super) fn concluded(self, outcome: Option<&MirrorOutcome>) -> Option<Finding> {
        let code = self.decided(outcome)?;
        let mut evidence = self.evidence.clone();
        evidence.push(self.told(outcome));
        Some(Finding::new(code, self.place, self.n, self.time, evidence))
    }

    fn decided(&self, outcome: Option<&MirrorOutcome>) -> Option<FindingCode> {
        let there = first_offset(outcome);
        let within = |from: u64, to: u64| there.is_some_and(|there| (from..=to).contains(&there));
        match self.purpose {
            Purpose::Jump {
                expected,
                found,
                deleted,
            } => Some(match there {
                Some(there) if there >= expected && there < found => SILENT_SKIP,
                _ if deleted => DELETED_BEFORE_READ,
                Some(there) if there >= found => RETENTION_GAP,
                _ => OFFSET_JUMP,
            }),
            Purpose::EmptyFirst { .. } | Purpose::Stalled { .. } | Purpose::AfterPurge { .. }
                if !is_answered(outcome) =>
            {
                Some(MESSAGES_MAY_BE_MISSING)
            }
            // A message above the end was appended since.
            Purpose::EmptyFirst { end } => within(0, end).then_some(EMPTY_BELOW_THE_END),
            Purpose::Stalled { from, end } => within(from, end).then_some(STALLED),
            Purpose::AfterPurge { found } => {
                (there.is_some_and(|there| there < found)).then_some(SKIP_AFTER_PURGE)
            }
            // Without a proof nothing is claimed.
            Purpose::FreshAtTail { found, timestamp } => {
                is_older(outcome, found, timestamp)?.then_some(FRESH_READER_AT_TAIL)
            }
            // The request is at fault, whatever is still there: only what shows that
            // nothing was skipped clears it.
            Purpose::SkippedStart { from, timestamp } => is_older(outcome, from, timestamp)
                .unwrap_or(true)
                .then_some(PARTITION_START_SKIPPED),
        }
    }

    /// `HTTP, asked for offset 5, answers with offset 5`.
    fn told(&self, outcome: Option<&MirrorOutcome>) -> String {
        let asked = match self.question.strategy {
            PollingKind::Offset => format!("offset {}", self.question.value),
            other => format!("the {} message", other.name()),
        };
        match outcome {
            Some(MirrorOutcome::Answered(_)) => match first_offset(outcome) {
                Some(there) => format!("HTTP, asked for {asked}, answers with offset {there}"),
                None => format!("HTTP, asked for {asked}, answers with no message"),
            },
            Some(MirrorOutcome::Refused(refusal)) => format!("asked for {asked}: {refusal}"),
            Some(MirrorOutcome::Failed(why)) => format!("HTTP could not be asked: {why}"),
            Some(MirrorOutcome::Stored(_)) | None => {
                "HTTP was not asked, so whether messages are there is not known".to_owned()
            }
        }
    }
}

/// Whether HTTP's message is before `offset`; `None` where there is none. One that
/// was appended after `timestamp` is of another log.
fn is_older(outcome: Option<&MirrorOutcome>, offset: u64, timestamp: u64) -> Option<bool> {
    let MirrorOutcome::Answered(answer) = outcome? else {
        return None;
    };
    let message = answer.messages.first()?;
    Some(message.offset < offset && message.timestamp <= timestamp)
}

fn is_answered(outcome: Option<&MirrorOutcome>) -> bool {
    matches!(outcome, Some(MirrorOutcome::Answered(_)))
}

fn first_offset(outcome: Option<&MirrorOutcome>) -> Option<u64> {
    match outcome? {
        MirrorOutcome::Answered(answer) => Some(answer.messages.first()?.offset),
        _ => None,
    }
}
