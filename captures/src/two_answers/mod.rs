//! Two answers to one poll, laid beside each other: field by field, and message by
//! message at its offset. It shows; whether what differs means anything is the
//! verdict's to say.

mod align;
mod conclusion;
mod fields;
mod json;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::exchange::Exchange;
use crate::http_poll::parse_target;
use crate::latency::Side;
use crate::poll::{PollAnswer, PolledMessage};
use crate::verdict::{MirrorAnswer, MirrorOutcome, TcpOutcome, Verdict, VerdictKind};

pub use self::align::first_difference;
pub use self::conclusion::{conclusion, expected_start, refuses_alike};
pub use self::json::json;

/// Everything that two answers hold, beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoAnswers {
    /// Status, error, partition, current offset and count, in this order.
    pub fields: Vec<ComparedField>,
    /// The messages by their offsets, equal ones next to each other as one.
    pub messages: Vec<Aligned>,
}

/// A field of both answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedField {
    /// Its name, as in JSON.
    pub name: &'static str,
    /// What TCP has there; `None` where it has no such thing.
    pub tcp: Option<String>,
    /// What HTTP has there.
    pub http: Option<String>,
    /// Whether both say the same.
    pub equal: bool,
    /// Whether both can tell it, and it matters to the verdict: else it is said, and not
    /// counted as a difference.
    pub comparable: bool,
    /// Of bytes that differ, where they begin to.
    pub bytes: Option<BytesDiffer>,
}

/// Where two runs of bytes begin to differ, and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BytesDiffer {
    /// The first byte that differs: bytes before it, which are equal.
    pub at: usize,
    /// The first of the bytes that are quoted.
    pub from: usize,
    /// What TCP has from there.
    pub tcp: Vec<u8>,
    /// What HTTP has from there.
    pub http: Vec<u8>,
}

/// Messages at an offset, or at several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aligned {
    /// Both have them, and the same. The places in TCP's list.
    Equal(Range<usize>),
    /// Both have one at this offset, and it is not the same.
    Differs {
        /// The offset.
        offset: u64,
        /// Its place in TCP's list.
        tcp: usize,
        /// Its place in HTTP's list.
        http: usize,
        /// Every field of it.
        fields: Vec<ComparedField>,
    },
    /// Only TCP has them. The places in its list.
    OnlyTcp(Range<usize>),
    /// Only HTTP has them. The places in its list.
    OnlyHttp(Range<usize>),
    /// Only the side has them that was asked for more messages, after all that the
    /// other was asked for and gave. The places in its list.
    NotAsked(Side, Range<usize>),
}

/// How much differs, of how much.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Fields of the answers that both can tell.
    pub fields: usize,
    /// Of those, the ones that differ.
    pub fields_differ: usize,
    /// Messages that both have, the same.
    pub equal: usize,
    /// Messages that both have, not the same.
    pub differ: usize,
    /// Messages that only TCP has.
    pub only_tcp: usize,
    /// Messages that only HTTP has.
    pub only_http: usize,
    /// Messages that one side was not asked for: no difference.
    pub not_asked: usize,
}

impl Counted {
    /// `1 of 4 fields differs, 12 messages equal, 1 message only on TCP`.
    pub fn words(&self) -> String {
        let differ = |number: usize| if number == 1 { "differs" } else { "differ" };
        let messages = |number: usize| match number {
            1 => "1 message".to_owned(),
            number => format!("{number} messages"),
        };
        let mut parts = vec![match self.fields_differ {
            0 if self.fields == 1 => "the 1 field that both tell is equal".to_owned(),
            0 => format!("all {} fields equal", self.fields),
            1 if self.fields == 1 => "1 of 1 field differs".to_owned(),
            number => format!("{number} of {} fields {}", self.fields, differ(number)),
        }];
        let mut part = |number: usize, words: String| {
            if number > 0 {
                parts.push(words);
            }
        };
        part(
            self.differ,
            format!("{} {}", messages(self.differ), differ(self.differ)),
        );
        part(
            self.only_tcp,
            format!("{} only on TCP", messages(self.only_tcp)),
        );
        part(
            self.only_http,
            format!("{} only over HTTP", messages(self.only_http)),
        );
        part(
            self.not_asked,
            format!("{} asked of one side only", messages(self.not_asked)),
        );
        part(self.equal, format!("{} equal", messages(self.equal)));
        parts.join(", ")
    }
}

impl TwoAnswers {
    /// TCP's outcome, of a poll for up to `count` messages, beside one of HTTP's
    /// answers; `None` where HTTP gave none, or one to another question than a poll.
    pub fn of(tcp: &TcpOutcome, count: u32, http: &MirrorAnswer) -> Option<Self> {
        let is_poll = matches!(
            http.outcome,
            MirrorOutcome::Answered(_) | MirrorOutcome::Refused(_)
        );
        let http_count = parse_target(&http.target).map_or(count, |poll| poll.count);
        is_poll.then(|| Self {
            fields: fields::of_answers(tcp, http, count == http_count),
            messages: align::align((messages(tcp), count), (http_messages(http), http_count)),
        })
    }

    /// What the verdict on an exchange compared, where that were two answers: of a
    /// probe of several partitions none is TCP's counterpart.
    pub fn in_exchange(exchange: &Exchange, verdict: &Verdict) -> Option<Self> {
        let [http] = verdict.answers.as_slice() else {
            return None;
        };
        let (poll, tcp) = (exchange.poll()?, TcpOutcome::of(exchange).ok()?);
        let mut two = Self::of(&tcp, poll.count, http)?;
        for field in &mut two.fields {
            field.comparable &= field.equal || is_a_difference(field.name, verdict);
        }
        Some(two)
    }

    /// How much differs.
    pub fn counted(&self) -> Counted {
        let comparable = self.fields.iter().filter(|field| field.comparable);
        let mut counted = Counted {
            fields: comparable.clone().count(),
            fields_differ: comparable.filter(|field| !field.equal).count(),
            ..Counted::default()
        };
        for aligned in &self.messages {
            match aligned {
                Aligned::Equal(range) => counted.equal += range.len(),
                Aligned::Differs { .. } => counted.differ += 1,
                Aligned::OnlyTcp(range) => counted.only_tcp += range.len(),
                Aligned::OnlyHttp(range) => counted.only_http += range.len(),
                Aligned::NotAsked(_, range) => counted.not_asked += range.len(),
            }
        }
        counted
    }
}

/// Whether the verdict takes it for one that a field of the answers is not the same: the
/// log may have grown in between, an error may have two codes, and a server may name no
/// partition where there is no message.
fn is_a_difference(name: &str, verdict: &Verdict) -> bool {
    let path = name.replace(' ', "_");
    let is_listed = verdict.differences.iter().any(|one| {
        one.field.starts_with(&path) || (name == "status" && one.field.starts_with("outcome"))
    });
    is_listed
        || match verdict.kind {
            VerdictKind::Agree => false,
            VerdictKind::Diverge => name == "count",
            _ => name != "current offset",
        }
}

fn messages(outcome: &TcpOutcome) -> &[PolledMessage] {
    match outcome {
        TcpOutcome::Answered(answer) => &answer.messages,
        TcpOutcome::Refused(_) => &[],
    }
}

fn http_messages(answer: &MirrorAnswer) -> &[PolledMessage] {
    match &answer.outcome {
        MirrorOutcome::Answered(PollAnswer { messages, .. }) => messages,
        _ => &[],
    }
}
