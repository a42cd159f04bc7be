//! What passes, step by step, and what is found in it.

use parallax_captures::catalog::AUTO_COMMIT_ON_POLL;
use parallax_captures::poll::Poll;
use parallax_captures::verdict::MirrorOutcome;
use parallax_captures::{ConnectionId, Content, Exchange, Finding, Times};
use parallax_codec::commands::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, PollMessages, StoreConsumerOffset,
    TopicRef,
};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::{Reply, Request};

use jiff::{SignedDuration, Timestamp};

use crate::comparison::sample::{answer, named};
use crate::findings::Findings;
use crate::findings::sample::{answered, exchange};

/// When, in seconds after the epoch, what is told with [`during`] begins.
const AFTERWARDS: i64 = 1_000;

/// Whoever reads or stores: consumer or group `sink` on partition 2 of
/// `otel/metrics`, unless told otherwise. One step a second.
pub(super) struct Story {
    findings: Findings,
    pub(super) kind: ConsumerKind,
    pub(super) stream: Identifier,
    pub(super) topic: Identifier,
    pub(super) partition_id: u32,
    pub(super) auto_commit: bool,
    pub(super) conn: u64,
    /// What HTTP answers to a probe.
    http: Option<MirrorOutcome>,
    /// Probes that were asked.
    pub(super) asked: Vec<Poll>,
    /// The highest offset that was served.
    end: u64,
    n: u64,
    drawn: Vec<Finding>,
    /// PX307, which every reader with `auto_commit` gets: kept apart from what is
    /// wrong.
    pub(super) badges: Vec<Finding>,
}

impl Story {
    pub(super) fn of(kind: ConsumerKind) -> Self {
        Self {
            findings: Findings::new(),
            kind,
            stream: named("otel"),
            topic: named("metrics"),
            partition_id: 2,
            auto_commit: true,
            conn: 1,
            http: None,
            asked: Vec::new(),
            end: 0,
            n: 0,
            drawn: Vec::new(),
            badges: Vec::new(),
        }
    }

    /// From now on HTTP answers so to probes.
    pub(super) fn over_http(&mut self, outcome: MirrorOutcome) -> &mut Self {
        self.http = Some(outcome);
        self
    }

    /// A poll of Next that brings these offsets.
    pub(super) fn next(&mut self, offsets: std::ops::Range<u64>) -> &mut Self {
        self.poll(PollingKind::Next, 0, offsets)
    }

    /// A poll that brings these offsets, of a partition that ends with the highest
    /// one that was seen.
    pub(super) fn poll(
        &mut self,
        strategy: PollingKind,
        value: u64,
        offsets: std::ops::Range<u64>,
    ) -> &mut Self {
        self.end = self.end.max(offsets.end.saturating_sub(1));
        self.poll_of(strategy, value, self.end, offsets)
    }

    /// Likewise, of a partition that ends at this offset.
    pub(super) fn poll_of(
        &mut self,
        strategy: PollingKind,
        value: u64,
        current_offset: u64,
        offsets: std::ops::Range<u64>,
    ) -> &mut Self {
        let poll = self.poll_request(strategy, value);
        let polled = answer(self.partition_id, current_offset, offsets);
        let exchange = answered(self.exchange(poll, 0), &polled);
        self.see(exchange)
    }

    /// A poll that is refused.
    pub(super) fn refused(&mut self, strategy: PollingKind, status: u32) -> &mut Self {
        let exchange = self.exchange(self.poll_request(strategy, 0), status);
        self.see(exchange)
    }

    pub(super) fn store(&mut self, offset: u64, status: u32) -> &mut Self {
        let exchange = self.exchange(self.store_request(offset), status);
        self.see(exchange)
    }

    /// The request of a store.
    pub(super) fn store_request(&self, offset: u64) -> Request {
        Request::StoreConsumerOffset(StoreConsumerOffset {
            consumer: self.consumer(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(self.partition_id),
            partition_layout: PartitionLayout::Flagged,
            offset,
            ack: None,
        })
    }

    /// The stored offset is asked for, and this is the answer.
    pub(super) fn asks(&mut self, stored_offset: Option<u64>, current_offset: u64) -> &mut Self {
        let request = Request::GetConsumerOffset(GetConsumerOffset {
            consumer: self.consumer(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(self.partition_id),
            partition_layout: PartitionLayout::Flagged,
        });
        let reply = stored_offset.map_or(Reply::Empty, |stored_offset| {
            Reply::ConsumerOffset(ConsumerOffset {
                partition_id: self.partition_id,
                current_offset,
                stored_offset,
            })
        });
        self.does(request, reply)
    }

    pub(super) fn deletes_the_offset(&mut self) -> &mut Self {
        let request = Request::DeleteConsumerOffset(DeleteConsumerOffset {
            consumer: self.consumer(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(self.partition_id),
            partition_layout: PartitionLayout::Flagged,
            ack: None,
        });
        self.does(request, Reply::Empty)
    }

    pub(super) fn purges_the_topic(&mut self) -> &mut Self {
        self.end = 0;
        self.does(self.purge_request(), Reply::Empty)
    }

    /// The request of a purge of the topic.
    pub(super) fn purge_request(&self) -> Request {
        Request::PurgeTopic(TopicRef {
            stream: self.stream.clone(),
            topic: self.topic.clone(),
        })
    }

    /// Any request that is done, and its reply.
    pub(super) fn does(&mut self, request: Request, reply: Reply) -> &mut Self {
        let mut exchange = self.exchange(request, 0);
        if let Content::Binary(content) = &mut exchange.content {
            content.reply = Some(reply);
        }
        self.see(exchange)
    }

    /// Any request, and the status of its reply.
    pub(super) fn tries(&mut self, request: Request, status: u32) -> &mut Self {
        let exchange = self.exchange(request, status);
        self.see(exchange)
    }

    /// Some seconds pass.
    pub(super) fn passes(&mut self, seconds: u64) -> &mut Self {
        self.n += seconds;
        self
    }

    /// This passes.
    pub(super) fn see(&mut self, mut exchange: Exchange) -> &mut Self {
        exchange.conn = ConnectionId(self.conn);
        let drawn = self.findings.on_exchange(&exchange);
        let is_badge = |finding: &Finding| finding.code == AUTO_COMMIT_ON_POLL;
        let (badges, drawn): (Vec<_>, Vec<_>) = drawn.into_iter().partition(is_badge);
        self.badges.extend(badges);
        self.drawn.extend(drawn);
        self.answer_probes();
        self
    }

    /// The next exchange, not seen yet.
    pub(super) fn exchange(&mut self, request: Request, status: u32) -> Exchange {
        self.n += 1;
        exchange(self.n, i64::try_from(self.n).unwrap(), request, status)
    }

    /// The request of a poll.
    pub(super) fn poll_request(&self, strategy: PollingKind, value: u64) -> Request {
        Request::PollMessages(PollMessages {
            partition_layout: PartitionLayout::Flagged,
            consumer: self.consumer(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(self.partition_id),
            strategy: PollingStrategy {
                kind: strategy,
                value,
            },
            count: 10,
            auto_commit: self.auto_commit,
        })
    }

    pub(super) fn start_is_explained(&self, n: u64) -> bool {
        self.findings.start_is_explained(n)
    }

    /// Everything that was found, once no claim waits any more.
    pub(super) fn findings(&mut self) -> &[Finding] {
        self.drawn.extend(self.findings.finish());
        self.answer_probes();
        &self.drawn
    }

    /// What was forgotten for want of room.
    pub(super) fn forgotten(&self) -> u64 {
        self.findings.forgotten()
    }

    fn consumer(&self) -> Consumer {
        Consumer {
            kind: self.kind,
            id: named("sink"),
        }
    }

    fn answer_probes(&mut self) {
        for probe in self.findings.take_probes() {
            self.asked.push(probe.question.clone());
            let found = self.findings.on_probe(probe, self.http.as_ref());
            self.drawn.extend(found);
        }
    }
}

/// The exchange, under way for so many seconds longer, before and after.
pub(super) fn lasting(mut exchange: Exchange, seconds: i64) -> Exchange {
    let longer = SignedDuration::from_secs(seconds);
    let shifted = |time: Timestamp, by: SignedDuration| time.checked_add(by).unwrap();
    let times = &mut exchange.times;
    times.request_first = shifted(times.request_first, -longer);
    times.reply = times
        .reply
        .map(|(first, last)| (first, shifted(last, longer)));
    exchange
}

/// The exchange, under way from one second to the other after everything before it.
pub(super) fn during(mut exchange: Exchange, seconds: std::ops::Range<i64>) -> Exchange {
    let at = |second: i64| Timestamp::from_second(AFTERWARDS + second).unwrap();
    exchange.times = Times {
        request_first: at(seconds.start),
        request_last: at(seconds.start),
        reply: Some((at(seconds.end), at(seconds.end))),
    };
    exchange
}
