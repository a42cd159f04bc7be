//! Verdicts from traffic alone: the TCP polls of a capture against the HTTP polls
//! that somebody made in the same capture.

use std::collections::{HashMap, VecDeque};

use jiff::{SignedDuration, Timestamp};
use parallax_captures::poll::{Poll, PollAnswer, PolledMessage};
use parallax_captures::verdict::{
    AskedBy, AskedTimes, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind,
};
use parallax_captures::{Content, Exchange};
use parallax_codec::primitives::{Identifier, PollingKind};

use super::changes::Changes;
use super::plan::refusal_questions;
use super::{
    COMPARED, Ground, Plan, Questions, TcpOutcome, When, comparable_poll, judge, nothing_to_ask,
    outcome, partition_of, plan, unasked,
};
use crate::limits::{
    CAPTURED_NEAR, CAPTURED_NEIGHBOURS, CAPTURED_POLL_BYTES, CAPTURED_POLLS, CAPTURED_TOPICS,
};

/// The HTTP polls of a capture by stream and topic, and what else was done to the
/// topics, as far as it is not forgotten.
///
/// To an HTTP poll belongs its time: it counts for polls on TCP that are near
/// ([`CAPTURED_NEAR`]), either way round, and only where the log was not made another
/// one in between (a purge, say). Of HTTP polls that say the same thing those nearest
/// in time are used; at most [`CAPTURED_NEIGHBOURS`] to each side are looked at.
#[derive(Debug, Default)]
pub struct Captured {
    topics: HashMap<Topic, Asked>,
    changes: Changes,
    /// Whose poll is forgotten next, and the bytes that it counts.
    order: VecDeque<(Topic, Timestamp, usize)>,
    bytes: usize,
    forgotten: u64,
}

/// Stream and topic.
type Topic = (Identifier, Identifier);

/// The HTTP polls of one topic, in the order of time.
#[derive(Debug, Default)]
struct Asked {
    polls: VecDeque<HttpPoll>,
    /// The latest of those that are forgotten.
    last: Option<(u64, Timestamp)>,
}

/// An HTTP poll of the capture and what it came to.
#[derive(Debug)]
struct HttpPoll {
    n: u64,
    time: Timestamp,
    ended: Timestamp,
    target: String,
    poll: Poll,
    outcome: MirrorOutcome,
}

impl Captured {
    /// Takes note of an exchange that has its number: of an HTTP poll, and of what
    /// changes a topic.
    pub fn see(&mut self, exchange: &Exchange) {
        self.forgotten += u64::from(self.changes.see(exchange));
        let Content::Http(content) = &exchange.content else {
            return;
        };
        let (Some(poll), Some(status)) = (&content.poll, content.http_status) else {
            return;
        };
        let time = exchange.times.request_first;
        let topic = (poll.stream.clone(), poll.topic.clone());
        let bytes = content.target.len() + content.response_body.len();
        let asked = self.topics.entry(topic.clone()).or_default();
        let at = asked.polls.partition_point(|one| one.time <= time);
        let poll = HttpPoll {
            n: exchange.n,
            time,
            ended: ended(exchange),
            target: content.target.clone(),
            poll: poll.clone(),
            outcome: outcome(status, &content.response_body),
        };
        asked.polls.insert(at, poll);
        self.order.push_back((topic, time, bytes));
        self.bytes += bytes;
        while self.order.len() > CAPTURED_POLLS || self.bytes > CAPTURED_POLL_BYTES {
            self.forget_oldest();
            self.forgotten += 1;
        }
        if self.topics.len() > CAPTURED_TOPICS {
            self.topics.retain(|_, asked| !asked.polls.is_empty());
        }
    }

    /// Forgets what can say nothing any more about polls at or after this time.
    pub fn settled_before(&mut self, time: Timestamp) {
        let near = SignedDuration::try_from(CAPTURED_NEAR).unwrap_or(SignedDuration::MAX);
        let Ok(earliest) = time.checked_sub(near) else {
            return;
        };
        while self.order.front().is_some_and(|(_, at, _)| *at < earliest) {
            self.forget_oldest();
        }
        self.changes.forget_before(earliest);
    }

    /// HTTP polls that were forgotten for want of room, while they could still have
    /// said something, and changes of which it is no longer known what they changed.
    pub const fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Whether an HTTP poll was seen at all.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// The verdict that the HTTP polls allow on a poll on TCP. A poll of a topic that
    /// nobody polled over HTTP has none.
    pub fn verdict(&self, exchange: &Exchange) -> Option<Verdict> {
        if self.topics.is_empty() {
            return None;
        }
        let poll = comparable_poll(exchange, &COMPARED)?;
        match self.near(&poll, exchange)? {
            Ok(near) => compare(exchange, &poll, near),
            Err(reason) => Some(unasked(VerdictKind::NotComparable, reason)),
        }
    }

    fn forget_oldest(&mut self) {
        let Some((topic, _, bytes)) = self.order.pop_front() else {
            return;
        };
        self.bytes -= bytes;
        if let Some(asked) = self.topics.get_mut(&topic)
            && let Some(poll) = asked.polls.pop_front()
        {
            asked.last = Some((poll.n, poll.time));
        }
    }

    /// Those of the same topic that say something about the poll, the nearest in
    /// time first; or why none does. `None` where there is none at all.
    fn near<'a>(
        &'a self,
        poll: &Poll,
        exchange: &Exchange,
    ) -> Option<Result<impl Iterator<Item = &'a HttpPoll>, String>> {
        let (time, end) = (exchange.times.request_first, ended(exchange));
        let topic = (poll.stream.clone(), poll.topic.clone());
        let Asked { polls, last } = self.topics.get(&topic)?;
        let by_distance = nearest_first(polls, time);
        let known = by_distance.clone().next().map(|poll| (poll.n, poll.time));
        let (n, at) = known
            .into_iter()
            .chain(*last)
            .min_by_key(|(_, at)| at.duration_since(time).abs())?;
        let near = by_distance.take_while(move |asked| is_near(asked.time, time));
        let Some(nearest) = near.clone().next() else {
            return Some(Err(format!(
                "The nearest HTTP poll of this topic in the capture is exchange {n}, {}: too far in \
                 time to say something about this one (at most {} s).",
                apart(at, time),
                CAPTURED_NEAR.as_secs()
            )));
        };
        let changes = self.changes.concerning(poll);
        let change_between = move |asked: &HttpPoll| {
            let (from, to) = (time.min(asked.time), end.max(asked.ended));
            changes
                .iter()
                .find(|change| change.is_within(from, to))
                .copied()
        };
        let change = change_between(nearest);
        let mut comparable = near
            .filter(move |asked| change_between(asked).is_none())
            .peekable();
        Some(match (comparable.peek(), change) {
            (None, Some(change)) => Err(format!(
                "Between this poll and the HTTP polls of its topic that are near in time lies \
                 exchange {} ({}): they are about different logs.",
                change.n, change.what
            )),
            _ => Ok(comparable),
        })
    }
}

/// The polls before and after a time, at most [`CAPTURED_NEIGHBOURS`] to each side.
fn nearest_first(
    polls: &VecDeque<HttpPoll>,
    time: Timestamp,
) -> impl Iterator<Item = &HttpPoll> + Clone {
    let middle = polls.partition_point(|poll| poll.time < time);
    let start = middle.saturating_sub(CAPTURED_NEIGHBOURS);
    let end = polls.len().min(middle + CAPTURED_NEIGHBOURS);
    let mut before = polls.range(start..middle).rev().peekable();
    let mut after = polls.range(middle..end).peekable();
    std::iter::from_fn(move || {
        let distance = |poll: &&HttpPoll| poll.time.duration_since(time).abs();
        match (before.peek(), after.peek()) {
            (Some(one), Some(other)) if distance(one) > distance(other) => after.next(),
            (None, _) => after.next(),
            _ => before.next(),
        }
    })
}

fn is_near(asked: Timestamp, time: Timestamp) -> bool {
    asked.duration_since(time).unsigned_abs() <= CAPTURED_NEAR
}

/// `0.120 s later`, than `time`.
fn apart(asked: Timestamp, time: Timestamp) -> String {
    let apart = asked.duration_since(time);
    let which = if apart.is_negative() {
        "earlier"
    } else {
        "later"
    };
    format!("{:.3} s {which}", apart.unsigned_abs().as_secs_f64())
}

fn compare<'a>(
    exchange: &Exchange,
    poll: &Poll,
    near: impl Iterator<Item = &'a HttpPoll>,
) -> Option<Verdict> {
    let tcp = match TcpOutcome::of(exchange) {
        Ok(tcp) => tcp,
        Err(reason) => return Some(unasked(VerdictKind::NotComparable, reason)),
    };
    let time = exchange.times.request_first;
    match (plan(poll, &tcp, None, None), &tcp) {
        (Plan::NotComparable(reason), _) => Some(unasked(VerdictKind::NotComparable, reason)),
        (Plan::Known(known), _) => Some(nothing_to_ask(known)),
        (Plan::Ask(questions), TcpOutcome::Answered(answer)) => {
            contents(poll, answer, time, &questions, near)
        }
        (Plan::Ask(questions), TcpOutcome::Refused(_)) => {
            let ids = questions.polls.iter().filter_map(|poll| poll.partition_id);
            let ids: Vec<u32> = ids.collect();
            failure(poll, &tcp, time, Some(&ids), near)
        }
        (Plan::NeedsPartitions, _) => failure(poll, &tcp, time, None, near),
    }
}

/// When the last byte of an exchange passed.
fn ended(exchange: &Exchange) -> Timestamp {
    let times = &exchange.times;
    times.reply.map_or(times.request_last, |(_, last)| last)
}

/// A refused poll against First over HTTP: of `wanted` partitions, or of any.
fn failure<'a>(
    poll: &Poll,
    tcp: &TcpOutcome,
    time: Timestamp,
    wanted: Option<&[u32]>,
    near: impl Iterator<Item = &'a HttpPoll>,
) -> Option<Verdict> {
    let mut used: Vec<&HttpPoll> = Vec::new();
    for candidate in near.filter(|asked| asked.poll.strategy == PollingKind::First) {
        let is_wanted = wanted.is_none_or(|wanted| {
            candidate
                .partition_id()
                .is_some_and(|id| wanted.contains(&id))
        });
        let named = candidate.poll.partition_id;
        if is_wanted && used.iter().all(|asked| asked.poll.partition_id != named) {
            used.push(candidate);
        }
    }
    if used.is_empty() {
        return None;
    }
    used.sort_by_key(|asked| asked.poll.partition_id);
    let answers: Vec<MirrorAnswer> = used.iter().map(|asked| asked.answer()).collect();
    let mut ids: Vec<u32> = used
        .iter()
        .filter_map(|asked| asked.partition_id())
        .collect();
    ids.dedup();
    let mut questions = refusal_questions(poll, &ids);
    if wanted.is_none() && questions.ground == Ground::EveryPartition {
        questions.ground = Ground::SomePartitions;
    }
    let asked: Vec<String> = answers
        .iter()
        .zip(&used)
        .map(|(answer, asked)| format!("{} ({})", partition_of(answer), asked.apart(time)))
        .collect();
    let when = When {
        tcp: time,
        http_is_later: used.iter().all(|asked| asked.time >= time),
    };
    questions.basis = format!(
        "From the HTTP polls of First in the same capture: {}.{}",
        asked.join(", "),
        match questions.ground {
            Ground::Probe => {
                " For a failed Next that is not the same question: from which offset it read is not \
                 known. A partition that refuses with the same error explains the failure."
            }
            Ground::SomePartitions => " The topic may have other partitions.",
            _ => "",
        }
    );
    Some(judge(poll, tcp, when, &questions, answers))
}

/// An answered poll against the nearest HTTP poll that can be laid beside it.
fn contents<'a>(
    poll: &Poll,
    whole: &PollAnswer,
    time: Timestamp,
    questions: &Questions,
    near: impl Iterator<Item = &'a HttpPoll>,
) -> Option<Verdict> {
    let question = questions.polls.first()?;
    let first = questions.ground == Ground::SameQuestion;
    let beside = |asked: &&HttpPoll| {
        asked.partition_id() == question.partition_id
            && (!first || asked.poll.strategy == PollingKind::First)
    };
    let (asked, tcp, http, basis) = near.filter(beside).find_map(|asked| match &asked.outcome {
        MirrorOutcome::Answered(http) if first => {
            let count = poll.count.min(asked.poll.count);
            let basis = format!("First on the same partition, the first {count} messages.");
            Some((asked, head(whole, count), head(http, count), basis))
        }
        MirrorOutcome::Answered(http) => {
            let from = whole
                .messages
                .first()?
                .offset
                .max(http.messages.first()?.offset);
            let to = whole
                .messages
                .last()?
                .offset
                .min(http.messages.last()?.offset);
            let basis = format!(
                "Contents only: the messages that both returned, offsets {from} to {to}. Whether \
                 Next was right to begin where it did is not compared."
            );
            (from <= to).then(|| {
                (
                    asked,
                    between(whole, from, to),
                    between(http, from, to),
                    basis,
                )
            })
        }
        _ => None,
    })?;
    let mut question = question.clone();
    question.count = if first {
        poll.count.min(asked.poll.count)
    } else {
        tcp.count
    };
    let questions = Questions {
        ground: questions.ground,
        polls: vec![question],
        basis: format!(
            "From HTTP exchange {} in the same capture, {}. {basis}",
            asked.n,
            asked.apart(time)
        ),
    };
    let when = When {
        tcp: time,
        http_is_later: asked.time >= time,
    };
    let compared = tcp.messages.len();
    let mut answer = asked.answer();
    answer.outcome = MirrorOutcome::Answered(http);
    let mut verdict = judge(
        poll,
        &TcpOutcome::Answered(tcp),
        when,
        &questions,
        vec![answer],
    );
    verdict.answers = vec![asked.answer()];
    let left = whole.messages.len().saturating_sub(compared);
    if verdict.kind == VerdictKind::Agree && left > 0 {
        let same = match compared {
            1 => "The one message that both returned is the same.".to_owned(),
            compared => format!("The {compared} messages that both returned are the same."),
        };
        verdict.reason = format!("{same} Of the other {left} that TCP returned nothing is known.");
        for known in &verdict.known {
            verdict.reason = format!("{} {known}", verdict.reason);
        }
    }
    Some(verdict)
}

/// The first `count` messages.
fn head(answer: &PollAnswer, count: u32) -> PollAnswer {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    with_messages(answer, answer.messages.iter().take(count))
}

/// The messages from one offset to another.
fn between(answer: &PollAnswer, from: u64, to: u64) -> PollAnswer {
    let within = |message: &&PolledMessage| (from..=to).contains(&message.offset);
    with_messages(answer, answer.messages.iter().filter(within))
}

fn with_messages<'a>(
    answer: &PollAnswer,
    messages: impl Iterator<Item = &'a PolledMessage>,
) -> PollAnswer {
    let messages: Vec<PolledMessage> = messages.cloned().collect();
    PollAnswer {
        count: u32::try_from(messages.len()).unwrap_or(u32::MAX),
        messages,
        ..*answer
    }
}

impl HttpPoll {
    /// The partition: named in the request, else in the reply.
    fn partition_id(&self) -> Option<u32> {
        self.poll.partition_id.or(match &self.outcome {
            MirrorOutcome::Answered(answer) => Some(answer.partition_id),
            _ => None,
        })
    }

    /// `0.120 s later`, than the poll on TCP.
    fn apart(&self, time: Timestamp) -> String {
        apart(self.time, time)
    }

    /// Without the latency: that belongs to the HTTP exchange, not to each poll
    /// that is compared with it.
    fn answer(&self) -> MirrorAnswer {
        MirrorAnswer {
            asked_by: AskedBy::Capture(self.n),
            partition_id: self.poll.partition_id,
            target: self.target.clone(),
            latency: None,
            times: Some(AskedTimes {
                asked: self.time,
                answered: self.ended,
            }),
            outcome: self.outcome.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
