//! From a poll to its verdict.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use parallax_captures::Exchange;
use parallax_captures::http_poll::{target, topic_target};
use parallax_captures::poll::Poll;
use parallax_captures::verdict::{AskedBy, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind};
use parallax_codec::primitives::{ConsumerKind, PollingKind};
use tokio::time::sleep;

use super::client::Client;
use super::figures::Figures;
use super::offsets::{offset_target, stored_offset};
use super::pace::{Backoff, Rate};
use super::tcp::{Tcp, Whom};
use super::topics::partitions_count;
use super::users::Users;
use super::{Job, Task};
use crate::analyst::Analyst;
use crate::comparison::{
    ExpectedStart, Plan, Questions, Start, TcpOutcome, When, asked_start, asks_again, asks_start,
    comparable_poll, judge, judge_again, not_asked_again, nothing_to_ask, only_confirms, outcome,
    plan, unasked,
};
use crate::credentials::Credentials;
use crate::findings::Probe;
use crate::limits::{ASKED_AGAIN_PER_SECOND, CLAIM_SETTLES};

/// A poll and what it came to on TCP.
struct Subject<'a> {
    poll: &'a Poll,
    tcp: &'a TcpOutcome,
    /// When it was sent.
    asked: Timestamp,
    /// How parallax asks over TCP; `None` without a login.
    whom: Option<Whom>,
}

/// Asks, within the limits.
#[derive(Debug)]
pub(super) struct Asker {
    pub(super) client: Client,
    pub(super) pace: Mutex<(Rate, Backoff)>,
    pub(super) users: tokio::sync::Mutex<Users>,
    /// Whether the other side has shown that it is an Iggy server, since it last
    /// fell silent.
    pub(super) is_iggy: AtomicBool,
    pub(super) tcp: Tcp,
    pub(super) again_pace: Mutex<Rate>,
    pub(super) figures: Figures,
    pub(super) analyst: Arc<Analyst>,
}

impl Asker {
    pub(super) fn new(
        client: Client,
        tcp: Tcp,
        requests_per_second: u32,
        backoff: (Duration, Duration),
        figures: Figures,
        analyst: Arc<Analyst>,
    ) -> Self {
        let pace = (Rate::new(requests_per_second), Backoff::new(backoff));
        Self {
            client,
            pace: Mutex::new(pace),
            users: tokio::sync::Mutex::new(Users::new(backoff)),
            is_iggy: AtomicBool::new(false),
            tcp,
            again_pace: Mutex::new(Rate::new(ASKED_AGAIN_PER_SECOND)),
            figures,
            analyst,
        }
    }

    pub(super) async fn work(&self, job: Job) {
        let credentials = job.credentials.as_ref();
        match job.task {
            Task::Poll(n, expected) => self.mirror(n, expected, credentials).await,
            Task::Probe(probe) => self.probe(*probe, credentials).await,
        }
    }

    async fn probe(&self, probe: Probe, credentials: Option<&Credentials>) {
        let asked = match credentials {
            Some(credentials) => self.get(&target(&probe.question), credentials).await,
            None => Err(NO_LOGIN.to_owned()),
        };
        let outcome = match asked {
            Ok(reply) => self.judge(reply.status, outcome(reply.status, &reply.body)),
            Err(why) => MirrorOutcome::Failed(why),
        };
        self.analyst.probed(probe, Some(&outcome));
    }

    async fn mirror(
        &self,
        n: u64,
        expected: Option<ExpectedStart>,
        credentials: Option<&Credentials>,
    ) {
        let journal = self.analyst.journal();
        let Some(exchange) = journal.exchange(n) else {
            journal.update_totals(|totals| totals.polls_not_mirrored += 1);
            return;
        };
        if let Some(verdict) = self.stored_offset_verdict(&exchange, credentials).await {
            return self.give(&exchange, verdict, credentials).await;
        }
        // What is not wanted was not queued.
        let Some(poll) = comparable_poll(&exchange, &PollingKind::ALL) else {
            return;
        };
        let verdict = match TcpOutcome::of(&exchange) {
            Ok(tcp) => {
                let subject = Subject {
                    poll: &poll,
                    tcp: &tcp,
                    asked: exchange.times.request_first,
                    whom: credentials.and_then(|c| Whom::of(&exchange, c)),
                };
                let expected = self.settled(n, expected, &tcp).await;
                let start = expected.map(Start::At);
                self.compare(&subject, start, credentials).await
            }
            Err(reason) => unasked(VerdictKind::NotComparable, reason),
        };
        self.give(&exchange, verdict, credentials).await;
    }

    /// Records the verdict, and why there is none where HTTP does not let the user
    /// in.
    async fn give(&self, exchange: &Exchange, verdict: Verdict, credentials: Option<&Credentials>) {
        if let (VerdictKind::MirrorFailed, Some(credentials)) = (verdict.kind, credentials) {
            let refusal = self.users.lock().await.user(credentials).refusal.clone();
            if let Some(why) = refusal {
                let whom = format!("{credentials:?}");
                self.analyst.mirror_refused(exchange, &whom, &why);
            }
        }
        self.analyst.verdict(exchange, verdict);
    }

    /// Where the poll was to begin, unless it began elsewhere and something that was
    /// under way at the same time, and is only seen by and by, explains it.
    async fn settled(
        &self,
        n: u64,
        expected: Option<ExpectedStart>,
        tcp: &TcpOutcome,
    ) -> Option<ExpectedStart> {
        let expected = expected?;
        let TcpOutcome::Answered(answer) = tcp else {
            return Some(expected);
        };
        let first = answer.messages.first().map(|message| message.offset);
        if first.is_none_or(|first| first == expected.offset) {
            return Some(expected);
        }
        sleep(CLAIM_SETTLES).await;
        (!self.analyst.start_is_explained(n)).then_some(expected)
    }

    async fn compare(
        &self,
        subject: &Subject<'_>,
        start: Option<Start>,
        credentials: Option<&Credentials>,
    ) -> Verdict {
        let (poll, tcp) = (subject.poll, subject.tcp);
        let mut planned = plan(poll, tcp, None, start.as_ref());
        let asks_start = asks_start(poll, tcp).filter(|_| start.is_none());
        let mut started_late = false;
        if let (Some(partition_id), Some(credentials)) = (asks_start, credentials) {
            match self.stored(subject, partition_id, credentials).await {
                Ok(stored) => {
                    let start = asked_start(poll, tcp, stored);
                    started_late = start.is_some();
                    planned = plan(poll, tcp, None, start.as_ref());
                }
                Err(why) => planned.add(&format!("Asked where it began: {why}.")),
            }
        }
        match planned {
            Plan::NotComparable(reason) => return unasked(VerdictKind::NotComparable, reason),
            Plan::Known(known) => return nothing_to_ask(known),
            Plan::Ask(_) | Plan::NeedsPartitions => {}
        }
        let Some(credentials) = credentials else {
            return unasked(VerdictKind::MirrorFailed, NO_LOGIN.to_owned());
        };
        if planned == Plan::NeedsPartitions {
            planned = match self.partitions_count(poll, credentials).await {
                Ok(count) => plan(poll, tcp, Some(count), start.as_ref()),
                Err(why) => return unasked(VerdictKind::MirrorFailed, why),
            };
        }
        match planned {
            Plan::Ask(questions) => {
                let verdict = self.ask(subject, &questions, credentials).await;
                if started_late {
                    only_confirms(verdict)
                } else {
                    verdict
                }
            }
            Plan::NotComparable(reason) => unasked(VerdictKind::NotComparable, reason),
            Plan::Known(known) => nothing_to_ask(known),
            Plan::NeedsPartitions => unasked(
                VerdictKind::MirrorFailed,
                "How many partitions the topic has could not be learned.".to_owned(),
            ),
        }
    }

    /// Asks HTTP, and where it differs both sides again.
    async fn ask(
        &self,
        subject: &Subject<'_>,
        questions: &Questions,
        credentials: &Credentials,
    ) -> Verdict {
        let answers = self.answers(questions, credentials).await;
        let when = When {
            tcp: subject.asked,
            http_is_later: true,
        };
        let first = judge(subject.poll, subject.tcp, when, questions, answers);
        if !asks_again(subject.tcp, questions, &first) {
            return first;
        }
        let Some(whom) = &subject.whom else {
            return not_asked_again(subject.tcp, first, "as whom is not known");
        };
        match self.again(whom, questions, credentials).await {
            Ok(again) => judge_again(subject.tcp, questions, first, again),
            Err(why) => not_asked_again(subject.tcp, first, &why),
        }
    }

    /// The offset that is stored for whoever polled, if one is.
    async fn stored(
        &self,
        subject: &Subject<'_>,
        partition_id: u32,
        credentials: &Credentials,
    ) -> Result<Option<u64>, String> {
        let poll = subject.poll;
        match (poll.consumer_kind, &subject.whom) {
            (ConsumerKind::Consumer, _) => {
                let topic = (&poll.stream, &poll.topic);
                let target = offset_target(topic, &poll.consumer, partition_id);
                let reply = self.get(&target, credentials).await;
                stored_offset(&reply.map_err(|why| why.trim_end_matches('.').to_owned())?)
            }
            (ConsumerKind::Group, Some(whom)) => {
                self.tcp.group_offset(whom, poll, partition_id).await
            }
            (ConsumerKind::Group, None) => Err("how the client asks is not known".to_owned()),
        }
    }

    pub(super) async fn answers(
        &self,
        questions: &Questions,
        credentials: &Credentials,
    ) -> Vec<MirrorAnswer> {
        let mut answers = Vec::with_capacity(questions.polls.len());
        for question in &questions.polls {
            let target = target(question);
            let (latency, times, outcome) = match self.get(&target, credentials).await {
                Ok(reply) => (
                    Some(reply.latency),
                    Some(reply.times()),
                    self.judge(reply.status, outcome(reply.status, &reply.body)),
                ),
                Err(why) => (None, None, MirrorOutcome::Failed(why)),
            };
            answers.push(MirrorAnswer {
                asked_by: AskedBy::Mirror,
                partition_id: question.partition_id,
                target,
                latency,
                times,
                outcome,
            });
        }
        answers
    }

    async fn partitions_count(
        &self,
        poll: &Poll,
        credentials: &Credentials,
    ) -> Result<u32, String> {
        let path = topic_target(&poll.stream, &poll.topic);
        partitions_count(&self.get(&path, credentials).await?)
    }
}

pub(super) const NO_LOGIN: &str = "No login was seen on this connection: it began before parallax did, or logged \
                        in in a way that parallax cannot read. Tell parallax whom to ask as \
                        (--http-user), or let the client connect again.";

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
