//! Which questions over HTTP are fair.

use parallax_captures::known::{COUNT_OF_ZERO, KnownDifference};
use parallax_captures::poll::{Poll, PollAnswer};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::{ConsumerKind, Identifier, PollingKind};

use super::meaning::{self, Scope};
use super::{SENTINELS, TcpOutcome, is_blank, partitions};
use crate::limits::PARTITIONS_ASKED;

/// The consumer that parallax asks as. First and Offset do not depend on it, and
/// without a commit the server stores nothing for it.
const OWN_CONSUMER: &str = "parallax";

/// What is to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// These questions.
    Ask(Questions),
    /// The partition could be any: how many has the topic?
    NeedsPartitions,
    /// None is fair, for this reason.
    NotComparable(String),
    /// None: it is known that there is nothing to compare, and why.
    Known(&'static KnownDifference),
}

impl Plan {
    /// Adds a sentence to the reason or the ground.
    pub fn add(&mut self, sentence: &str) {
        let text = match self {
            Self::Ask(questions) => &mut questions.basis,
            Self::NotComparable(reason) => reason,
            Self::NeedsPartitions | Self::Known(_) => return,
        };
        text.push(' ');
        text.push_str(sentence);
    }
}

/// Questions over HTTP, and on what ground they are the client's question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Questions {
    /// What the answers can prove.
    pub ground: Ground,
    /// The polls; each names its partition, none commits.
    pub polls: Vec<Poll>,
    /// The ground, in words.
    pub basis: String,
}

/// Where a poll of Next was to begin, as the server had it before the poll moved
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedStart {
    /// The offset of the first message that was owed, in the partition that the
    /// poll read.
    pub offset: u64,
    /// How that is known: a sentence, with its full stop.
    pub learned: String,
}

/// From where a poll of Next reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// From this offset.
    At(ExpectedStart),
    /// From the first message: no offset is stored for whoever asks. How that is
    /// known, as a sentence.
    First(String),
}

/// What answers can prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// It is the client's own question.
    SameQuestion,
    /// It is the client's Next, translated to the offset where it was to begin.
    NextFrom(u64),
    /// The messages at the offsets that TCP returned are asked for: contents can
    /// be compared, not the choice of the offsets.
    Contents,
    /// The client's own question, put to every partition that it may have meant.
    EveryPartition,
    /// The client's own question, put to some of the partitions that it may have
    /// meant; there may be others.
    SomePartitions,
    /// Another question, the nearest that can be asked: it can explain a failure,
    /// never prove a divergence.
    Probe,
}

/// Plans the questions for a poll with this outcome. `partitions_count` is how
/// many partitions the topic has, `start` where a Next was to begin, as far as they
/// are known.
pub fn plan(
    poll: &Poll,
    tcp: &TcpOutcome,
    partitions_count: Option<u32>,
    start: Option<&Start>,
) -> Plan {
    if let Some(reason) = unaskable(poll) {
        return Plan::NotComparable(reason);
    }
    if poll.count == 0 {
        return Plan::Known(&COUNT_OF_ZERO);
    }
    let start = start.filter(|_| poll.strategy == PollingKind::Next);
    match tcp {
        TcpOutcome::Answered(answer) => after_answer(poll, answer, start),
        TcpOutcome::Refused(code) => after_refusal(poll, *code, partitions_count, start),
    }
}

/// `poll`, put to one partition as parallax's own consumer, without a commit.
pub(crate) fn own(poll: &Poll, partition_id: u32, strategy: PollingKind, value: u64) -> Poll {
    Poll {
        consumer_kind: ConsumerKind::Consumer,
        consumer: Identifier::Named(OWN_CONSUMER.to_owned()),
        stream: poll.stream.clone(),
        topic: poll.topic.clone(),
        partition_id: Some(partition_id),
        strategy,
        value,
        count: poll.count,
        auto_commit: false,
    }
}

/// Why a poll cannot be expressed over HTTP, whatever it came to.
pub(super) fn unaskable(poll: &Poll) -> Option<String> {
    let names = [("stream", &poll.stream), ("topic", &poll.topic)];
    let unaskable = names
        .into_iter()
        .find_map(|(what, name)| unaskable_name(what, name));
    if unaskable.is_some() {
        return unaskable;
    }
    let is_placeholder = poll.partition_id.is_some_and(|id| SENTINELS.contains(&id));
    is_placeholder
        .then(|| "The request's partition is a placeholder for none, not a partition.".to_owned())
}

/// Why HTTP would read a name as something else (case C3).
pub(super) fn unaskable_name(what: &str, name: &Identifier) -> Option<String> {
    if name.is_numeric_name() {
        return Some(format!(
            "The {what} is named \"{name}\", and HTTP reads that as the number {name}: it would be \
             asked about another {what}. Compare by the {what}'s number instead."
        ));
    }
    matches!(name, Identifier::Named(name) if name == "." || name == "..")
        .then(|| format!("The {what} is named \"{name}\", which no URL can carry as a name."))
}

fn after_answer(poll: &Poll, answer: &PollAnswer, start: Option<&Start>) -> Plan {
    if SENTINELS.contains(&answer.partition_id) {
        return Plan::NotComparable(
            "The reply names no partition: the member has none now and is to ask for its \
             assignment again. HTTP has no groups, so there is nothing to ask it."
                .to_owned(),
        );
    }
    if let Some(asked) = poll.partition_id
        && asked != answer.partition_id
        && !is_blank(answer)
    {
        return Plan::NotComparable(format!(
            "The poll names partition {asked}, and the reply names another partition, {}: two \
             partitions are not compared.",
            answer.partition_id
        ));
    }
    let partition_id = poll.partition_id.unwrap_or(answer.partition_id);
    if poll.strategy != PollingKind::Next {
        let named_by = if poll.partition_id.is_some() {
            "the request"
        } else {
            "the reply"
        };
        let asked = asked(poll);
        return Plan::Ask(Questions {
            ground: Ground::SameQuestion,
            polls: vec![own(poll, partition_id, poll.strategy, value(poll))],
            basis: format!(
                "The same question: {asked} on partition {partition_id}, which {named_by} names."
            ),
        });
    }
    if let Some(start) = start {
        return Plan::Ask(next_from(poll, partition_id, start));
    }
    let Some(first) = answer.messages.first() else {
        return Plan::NotComparable(
            "The poll of Next returned no message. From which offset the server read is not known \
             (HTTP has no groups, and its own consumer's Next is another question), so there is \
             nothing to compare with."
                .to_owned(),
        );
    };
    let mut question = own(poll, answer.partition_id, PollingKind::Offset, first.offset);
    question.count = answer.count;
    let (count, offset, partition_id) = (answer.count, first.offset, answer.partition_id);
    Plan::Ask(Questions {
        ground: Ground::Contents,
        polls: vec![question],
        basis: format!(
            "Contents only: the messages at the offsets that TCP returned ({count} from offset \
             {offset}, partition {partition_id}). Whether Next was right to begin there is not \
             compared: HTTP has no groups, and its own consumer's Next is another question."
        ),
    })
}

/// `First`, `offset 24`.
fn asked(poll: &Poll) -> String {
    match poll.strategy {
        PollingKind::First => "First".to_owned(),
        PollingKind::Last => "Last".to_owned(),
        PollingKind::Next => "Next".to_owned(),
        PollingKind::Offset => format!("offset {}", poll.value),
        PollingKind::Timestamp => format!("timestamp {}", poll.value),
    }
}

/// The value, where the strategy has one.
fn value(poll: &Poll) -> u64 {
    match poll.strategy {
        PollingKind::Offset | PollingKind::Timestamp => poll.value,
        PollingKind::First | PollingKind::Last | PollingKind::Next => 0,
    }
}

/// The client's Next, as a question that does not depend on who asks.
fn next_from(poll: &Poll, partition_id: u32, start: &Start) -> Questions {
    match start {
        Start::At(ExpectedStart { offset, learned }) => Questions {
            ground: Ground::NextFrom(*offset),
            polls: vec![own(poll, partition_id, PollingKind::Offset, *offset)],
            basis: format!(
                "The same question by its offset: on partition {partition_id} Next was to begin at \
                 offset {offset}. {learned}"
            ),
        },
        Start::First(learned) => Questions {
            ground: Ground::SameQuestion,
            polls: vec![own(poll, partition_id, PollingKind::First, 0)],
            basis: format!(
                "The same question: on partition {partition_id} Next was to begin at the first \
                 message. {learned}"
            ),
        },
    }
}

fn after_refusal(
    poll: &Poll,
    code: ErrorCode,
    partitions_count: Option<u32>,
    start: Option<&Start>,
) -> Plan {
    let candidates = match (meaning::scope(code), poll.partition_id, poll.consumer_kind) {
        (Scope::NotOnHttp(why), ..) => {
            return Plan::NotComparable(format!("TCP refused with {code}: {why}"));
        }
        (_, Some(id), _) => vec![id],
        // A consumer that names no partition reads partition 0, and of a topic
        // that is not there it does not matter which is asked.
        (Scope::Topic, None, _) | (_, None, ConsumerKind::Consumer) => vec![0],
        (Scope::Partition, None, ConsumerKind::Group) => match partitions_count {
            None => return Plan::NeedsPartitions,
            Some(count) if count > PARTITIONS_ASKED => {
                return Plan::NotComparable(format!(
                    "TCP refused with {code} and does not say for which of the topic's {count} \
                     partitions. parallax asks at most {PARTITIONS_ASKED} of them."
                ));
            }
            Some(count) => (0..count).collect(),
        },
    };
    match (start, candidates.as_slice()) {
        (Some(start), [id]) => Plan::Ask(next_from(poll, *id, start)),
        _ => Plan::Ask(refusal_questions(poll, &candidates)),
    }
}

/// What was asked, or First in the place of Next, put to every partition that a
/// refused poll may have been about.
pub(super) fn refusal_questions(poll: &Poll, candidates: &[u32]) -> Questions {
    let named = match (candidates, poll.partition_id) {
        ([id], Some(_)) => format!("partition {id}, which the request names"),
        ([id], None) => format!("partition {id}, which is read where none is named"),
        _ => format!(
            "{}, every one that the poll may have meant",
            partitions(candidates)
        ),
    };
    let (strategy, value) = match poll.strategy {
        PollingKind::Next => (PollingKind::First, 0),
        strategy => (strategy, value(poll)),
    };
    let polls = candidates.iter().map(|id| own(poll, *id, strategy, value));
    if poll.strategy != PollingKind::Next {
        return Questions {
            ground: Ground::EveryPartition,
            polls: polls.collect(),
            basis: format!("The same question: {} on {named}.", asked(poll)),
        };
    }
    Questions {
        ground: Ground::Probe,
        polls: polls
            .map(|question| Poll {
                count: 1,
                ..question
            })
            .collect(),
        basis: format!(
            "Not the same question: from which offset Next read is not known, so First was asked \
             of {named}. A partition that refuses with the same error explains the failure; \
             partitions that answer prove nothing."
        ),
    }
}
