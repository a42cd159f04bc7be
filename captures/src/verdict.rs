//! What comparing a TCP poll with HTTP showed.

use std::time::Duration;

use jiff::Timestamp;
use parallax_codec::ErrorCode;
use parallax_codec::primitives::PollingKind;

use crate::exchange::Exchange;
use crate::known::KnownDifference;
use crate::mute::MutedBy;
use crate::poll::PollAnswer;

/// The outcome of a comparison, exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VerdictKind {
    /// Both gave the same answer.
    Agree,
    /// The answers to one fair question differ.
    Diverge,
    /// The question cannot be asked fairly over HTTP, or not any more.
    NotComparable,
    /// They differed, and agreed when both were asked again.
    Transient,
    /// One answer is a strict prefix of the other.
    Stale,
    /// The instrument's own trouble: refused, unauthorised, timed out.
    MirrorFailed,
}

impl VerdictKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Agree,
        Self::Diverge,
        Self::NotComparable,
        Self::Transient,
        Self::Stale,
        Self::MirrorFailed,
    ];

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Diverge => "diverge",
            Self::NotComparable => "not_comparable",
            Self::Transient => "transient",
            Self::Stale => "stale",
            Self::MirrorFailed => "mirror_failed",
        }
    }
}

/// A verdict and what it rests on.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The outcome.
    pub kind: VerdictKind,
    /// Why, in a sentence or two that a person can act on.
    pub reason: String,
    /// What was asked over HTTP and on what ground that is the same question.
    pub basis: String,
    /// Field by field, what differs. Empty unless the answers differ.
    pub differences: Vec<Difference>,
    /// Everything that was asked over HTTP, in the order it was asked.
    pub answers: Vec<MirrorAnswer>,
    /// Both sides once more, where they differed and could be asked.
    pub asked_again: Option<Box<AskedAgain>>,
    /// The known, harmless differences that were met, whatever the outcome.
    pub known: Vec<&'static KnownDifference>,
    /// The rule that mutes it, if one does: it is counted apart then.
    pub muted: Option<MutedBy>,
}

/// Both sides asked once more: TCP, HTTP, TCP again, one after the other, over
/// parallax's own connections. HTTP's answer stands between two of TCP's, so that
/// a log that moved meanwhile shows.
#[derive(Debug, Clone)]
pub struct AskedAgain {
    /// What these answers come to on their own.
    pub kind: VerdictKind,
    /// Why, in a sentence or two.
    pub reason: String,
    /// What differs between TCP's first answer and HTTP's.
    pub differences: Vec<Difference>,
    /// What TCP answered first, one for each question.
    pub tcp_before: Vec<TcpAnswer>,
    /// What HTTP answered then, in the same order.
    pub answers: Vec<MirrorAnswer>,
    /// What TCP answered last, in the same order.
    pub tcp_after: Vec<TcpAnswer>,
}

/// One poll over parallax's own TCP connection and what came back.
#[derive(Debug, Clone)]
pub struct TcpAnswer {
    /// The partition that it named.
    pub partition_id: u32,
    /// From where it read.
    pub strategy: PollingKind,
    /// The offset or time that it named; 0 where the strategy has none.
    pub value: u64,
    /// From the request's first byte to the reply's last.
    pub latency: Duration,
    /// When; not known from files of versions that did not keep it.
    pub times: Option<AskedTimes>,
    /// What came back.
    pub outcome: TcpOutcome,
}

/// When a question was sent and when its whole answer was there, by the clock of
/// whoever saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedTimes {
    /// The question was sent.
    pub asked: Timestamp,
    /// The answer was read to its end.
    pub answered: Timestamp,
}

impl AskedTimes {
    /// Of a question that was sent at `asked` and answered after `latency`.
    pub fn after(asked: Timestamp, latency: Duration) -> Self {
        let answered = asked.saturating_add(latency).unwrap_or(asked);
        Self { asked, answered }
    }
}

/// What a poll came to on TCP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TcpOutcome {
    /// Messages, or none.
    Answered(PollAnswer),
    /// An error, of which TCP carries the code and nothing else.
    Refused(ErrorCode),
}

impl TcpOutcome {
    /// The outcome of a poll.
    ///
    /// # Errors
    /// Why there is nothing to compare: no reply, or one that cannot be read.
    pub fn of(exchange: &Exchange) -> Result<Self, String> {
        if exchange.hides_the_server() {
            return Err(
                "The reply was injected by parallax: it does not say what the server \
                        has."
                    .to_owned(),
            );
        }
        if exchange.times.reply.is_none() {
            return Err("The poll was not answered on TCP.".to_owned());
        }
        if let Some(code) = exchange.error() {
            return Ok(Self::Refused(code));
        }
        if let Some(undecoded) = &exchange.undecoded {
            return Err(format!("The answer on TCP could not be read: {undecoded}."));
        }
        let answer = exchange.poll_answer().map(Self::Answered);
        answer.ok_or_else(|| "The answer on TCP has no body to compare.".to_owned())
    }
}

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The field's path: `current_offset`, `messages[3].payload`.
    pub field: String,
    /// What TCP said.
    pub tcp: String,
    /// What HTTP said.
    pub http: String,
}

/// One HTTP request and what came back.
#[derive(Debug, Clone)]
pub struct MirrorAnswer {
    /// Who asked.
    pub asked_by: AskedBy,
    /// The partition that the request named; `None` only in a capture, where
    /// somebody else's request named none.
    pub partition_id: Option<u32>,
    /// Path and query. Never holds a secret: those travel in headers.
    pub target: String,
    /// How long the answer took.
    pub latency: Option<Duration>,
    /// When; `None` where nothing came back, and where a file does not tell.
    pub times: Option<AskedTimes>,
    /// What came back.
    pub outcome: MirrorOutcome,
}

/// Whose HTTP request an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedBy {
    /// The mirror's own, made for this poll.
    Mirror,
    /// A request in the same capture: the exchange with this number.
    Capture(u64),
}

/// What an HTTP request came to.
#[derive(Debug, Clone)]
pub enum MirrorOutcome {
    /// An answer with messages, or without.
    Answered(PollAnswer),
    /// The offset that is stored for a consumer, if one is.
    Stored(Option<StoredOffset>),
    /// The server refused and said why.
    Refused(HttpRefusal),
    /// No usable answer: a sentence that says what happened and what to do.
    Failed(String),
}

impl MirrorOutcome {
    /// The command that was put to HTTP; `None` where nothing usable came back.
    pub const fn command(&self) -> Option<&'static str> {
        match self {
            Self::Failed(_) => None,
            Self::Stored(_) => Some("get_consumer_offset"),
            Self::Answered(_) | Self::Refused(_) => Some("poll_messages"),
        }
    }
}

/// What is stored for a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredOffset {
    /// The partition.
    pub partition_id: u32,
    /// The partition's last offset.
    pub current_offset: u64,
    /// The last offset consumed.
    pub stored_offset: u64,
}

/// An error that HTTP reported: unlike TCP it carries text, and in the text the
/// number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRefusal {
    /// The HTTP status.
    pub http_status: u16,
    /// Iggy's code, where the body had one.
    pub code: Option<ErrorCode>,
    /// The text, as the server wrote it; empty where it wrote none.
    pub reason: String,
}

impl std::fmt::Display for HttpRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HTTP {}", self.http_status)?;
        if let Some(code) = self.code {
            write!(f, ", {code}")?;
        }
        if !self.reason.is_empty() {
            write!(f, ": {}", self.reason)?;
        }
        Ok(())
    }
}
