//! Is a poll answered the same way over HTTP? Pure: questions, answers and the
//! judgement are values; who asks is somebody else's business.
//!
//! A verdict is worth what its question is worth. [`plan`] says which questions
//! over HTTP are fair for a poll seen on TCP, or why none is; [`judge`] weighs
//! the answers.

mod again;
mod answered;
pub mod captured;
mod changes;
mod fields;
mod kept;
#[cfg(test)]
mod known_tests;
mod meaning;
mod outcome;
mod overlap;
mod plan;
mod refused;
#[cfg(test)]
pub(crate) mod sample;
mod start;
mod stored;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use parallax_captures::Exchange;
use parallax_captures::known::{self, KnownDifference};
use parallax_captures::poll::{Poll, PollAnswer};
pub use parallax_captures::verdict::TcpOutcome;
use parallax_captures::verdict::{Difference, MirrorAnswer, Verdict, VerdictKind};
use parallax_codec::Request;
use parallax_codec::primitives::PollingKind;

pub use again::{Again, asks_again, judge_again, not_asked_again};
pub(crate) use meaning::is_under_another_code;
pub use outcome::outcome;
pub(crate) use plan::own;
pub use plan::{ExpectedStart, Ground, Plan, Questions, Start, plan};
pub use start::{asked_start, asks_start, only_confirms};
pub use stored::{
    OffsetAgain, TcpOffset, judge_offset, offset_partition, offset_question, offsets_differ,
};

/// Partitions that are none: "ask again which are yours" (server, 0.9) and "none
/// assigned" (SDKs). They stand in the partition field of an empty reply (case
/// B5).
const SENTINELS: [u32; 2] = [0xFFFF_FFFF, 0xFFFF_FFFE];

/// The strategies of the polls that are compared unless more are asked for.
pub const COMPARED: [PollingKind; 2] = [PollingKind::First, PollingKind::Next];

/// The poll, where it is one of the binary protocol, of a `wanted` strategy.
pub fn comparable_poll(exchange: &Exchange, wanted: &[PollingKind]) -> Option<Poll> {
    is_comparable_poll(exchange, wanted)
        .then(|| exchange.poll())
        .flatten()
}

/// Whether there is one.
pub fn is_comparable_poll(exchange: &Exchange, wanted: &[PollingKind]) -> bool {
    let request = exchange
        .binary()
        .and_then(|content| content.request.as_ref());
    match request {
        Some(Request::PollMessages(poll) | Request::PollMessagesOnPrimary(poll)) => {
            wanted.contains(&poll.strategy.kind)
        }
        _ => false,
    }
}

/// When the two sides were asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// When the poll was sent on TCP.
    pub tcp: Timestamp,
    /// Whether HTTP was asked after that, as the mirror always does.
    pub http_is_later: bool,
}

/// Weighs what HTTP answered to `questions` against what TCP said.
pub fn judge(
    poll: &Poll,
    tcp: &TcpOutcome,
    when: When,
    questions: &Questions,
    mut answers: Vec<MirrorAnswer>,
) -> Verdict {
    let judgement = judgement(poll, tcp, when, questions, &answers);
    let judgement = about_the_default_partition(judgement, &answers);
    kept::keep_little(tcp, &mut answers);
    Verdict {
        kind: judgement.kind,
        reason: judgement.reason,
        basis: questions.basis.clone(),
        differences: judgement.differences,
        answers,
        asked_again: None,
        known: judgement.known,
        muted: None,
    }
}

fn judgement(
    poll: &Poll,
    tcp: &TcpOutcome,
    when: When,
    questions: &Questions,
    answers: &[MirrorAnswer],
) -> Judgement {
    match tcp {
        TcpOutcome::Answered(answer) => answered::judge(poll, answer, when, questions, answers),
        TcpOutcome::Refused(code) => refused::judge(*code, questions, answers),
    }
}

/// The verdict on a poll of which it is known that there is nothing to compare.
pub fn nothing_to_ask(known: &'static KnownDifference) -> Verdict {
    let reason = format!("There is nothing to compare. {known}");
    Verdict {
        known: vec![known],
        ..unasked(VerdictKind::NotComparable, reason)
    }
}

/// The verdict on a poll that was not asked about.
pub fn unasked(kind: VerdictKind, reason: String) -> Verdict {
    Verdict {
        kind,
        reason,
        basis: "Nothing was asked over HTTP.".to_owned(),
        differences: Vec::new(),
        answers: Vec::new(),
        asked_again: None,
        known: Vec::new(),
        muted: None,
    }
}

/// Partition 0, offset 0, no message: an empty partition 0, or what a server
/// sends where it has nothing better: on TCP see cases B4 and C2, and over HTTP
/// server 0.8.0 answers so whenever there is no message (recording
/// `http_server-0.8.0`, the poll with count 0).
fn is_blank(answer: &PollAnswer) -> bool {
    (answer.partition_id, answer.current_offset, answer.count) == (0, 0, 0)
}

/// HTTP polls of a capture may name no partition; the mirror's always do.
fn about_the_default_partition(judgement: Judgement, answers: &[MirrorAnswer]) -> Judgement {
    let unnamed = answers.iter().any(|answer| answer.partition_id.is_none());
    judgement.knowing(unnamed.then_some(&known::DEFAULT_PARTITION))
}

/// A verdict without what it rests on.
struct Judgement {
    kind: VerdictKind,
    reason: String,
    differences: Vec<Difference>,
    known: Vec<&'static KnownDifference>,
}

impl Judgement {
    fn new(kind: VerdictKind, reason: impl Into<String>) -> Self {
        Self {
            kind,
            reason: reason.into(),
            differences: Vec::new(),
            known: Vec::new(),
        }
    }

    fn diverge(reason: impl Into<String>, differences: Vec<Difference>) -> Self {
        Self {
            kind: VerdictKind::Diverge,
            reason: reason.into(),
            differences,
            known: Vec::new(),
        }
    }

    /// The same, and that a known difference was met.
    fn knowing(mut self, known: impl IntoIterator<Item = &'static KnownDifference>) -> Self {
        for known in known {
            self.reason = format!("{} {known}", self.reason);
            self.known.push(known);
        }
        self
    }
}

/// `partition 2`, or what a request that named none was about.
fn partition_of(answer: &MirrorAnswer) -> String {
    use parallax_captures::verdict::MirrorOutcome::Answered;
    match (answer.partition_id, &answer.outcome) {
        (Some(id), _) => format!("partition {id}"),
        (None, Answered(body)) => format!("partition {} (by default)", body.partition_id),
        (None, _) => "the default partition".to_owned(),
    }
}

/// `partition 0`, `partitions 0 and 1`, `partitions 0, 1 and 2`.
fn partitions(ids: &[u32]) -> String {
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    match texts.as_slice() {
        [] => "no partition".to_owned(),
        [one] => format!("partition {one}"),
        [all @ .., last] => format!("partitions {} and {last}", all.join(", ")),
    }
}
