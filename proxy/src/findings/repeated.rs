//! PX501: the same request fails the same way again and again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::{SignedDuration, Timestamp};
use parallax_captures::catalog::SAME_FAILURE_AGAIN;
use parallax_captures::{ConnectionId, Exchange, Finding, is_transient};
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier, PollingKind};
use parallax_codec::{ErrorCode, Request};

use super::place::{repeated_place, what_failed};
use crate::limits::{
    ERRORS_OF_ONE_REQUEST, FAILURES_THAT_REPEAT, NOT_NOW_LASTS, REPEATED_REQUESTS,
    SUCCESSES_THAT_CLEAR,
};

/// Requests that failed lately, and how often.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    failing: HashMap<Key, Failing>,
    /// Counts up with every exchange, to tell which was seen longest ago.
    clock: u64,
    forgotten: u64,
}

/// What makes two requests the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Poll {
        consumer: Consumer,
        stream: Identifier,
        topic: Identifier,
        partition_id: Option<u32>,
        strategy: PollingKind,
        value: u64,
    },
    Store {
        consumer: Consumer,
        stream: Identifier,
        topic: Identifier,
        partition_id: Option<u32>,
        offset: u64,
    },
    /// Of others, the connection, the command and a hash of the frame.
    Other(ConnectionId, u32, u64),
}

/// A request that failed.
#[derive(Debug, Default)]
struct Failing {
    /// Such requests since the first failure, whatever came of them.
    requests: u64,
    successes_in_a_row: u64,
    touched: u64,
    by_error: Vec<(ErrorCode, Streak)>,
}

/// Failures of one request with one error.
#[derive(Debug)]
struct Streak {
    failures: u64,
    since: Timestamp,
    /// Such requests before the first failure of this kind.
    requests_before: u64,
    /// The first failures.
    exchanges: Vec<u64>,
    /// Whether the finding was raised.
    told: bool,
}

impl Repeated {
    pub(super) fn finding(&mut self, exchange: &Exchange) -> Option<Finding> {
        let status = exchange.status()?;
        // Most succeed, and of most nothing has failed.
        if status == 0 && self.failing.is_empty() {
            return None;
        }
        let key = Key::of(exchange)?;
        self.clock += 1;
        if status == 0 {
            self.succeeded(&key);
            return None;
        }
        self.failed(key, ErrorCode(status), exchange)
    }

    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    fn failed(&mut self, key: Key, code: ErrorCode, exchange: &Exchange) -> Option<Finding> {
        if self.failing.len() >= REPEATED_REQUESTS && !self.failing.contains_key(&key) {
            self.forget_oldest();
        }
        let time = exchange.times.request_first;
        let failing = self.failing.entry(key).or_default();
        failing.touched = self.clock;
        failing.successes_in_a_row = 0;
        failing.requests += 1;
        let requests = failing.requests;
        let streak = failing.streak(code, time);
        streak.failures += 1;
        if streak.failures <= FAILURES_THAT_REPEAT {
            streak.exchanges.push(exchange.n);
        }
        if streak.failures < FAILURES_THAT_REPEAT || streak.may_pass(code, time) {
            return None;
        }
        let evidence = vec![streak.evidence(&what_failed(exchange), code, requests, time)];
        let mut finding = Finding::new(
            SAME_FAILURE_AGAIN,
            repeated_place(exchange),
            exchange.n,
            time,
            evidence,
        );
        if !std::mem::replace(&mut streak.told, true) {
            finding.exchanges.clone_from(&streak.exchanges);
            finding.count = streak.failures;
            finding.first = streak.since;
        }
        Some(finding)
    }

    /// A member of a group gets its partitions in turn, so that its poll may well
    /// succeed between two failures; anybody else is past its failure.
    fn succeeded(&mut self, key: &Key) {
        let Some(failing) = self.failing.get_mut(key) else {
            return;
        };
        failing.touched = self.clock;
        failing.requests += 1;
        failing.successes_in_a_row += 1;
        if !key.is_a_groups_poll() || failing.successes_in_a_row >= SUCCESSES_THAT_CLEAR {
            self.failing.remove(key);
        }
    }

    fn forget_oldest(&mut self) {
        let oldest = self
            .failing
            .iter()
            .min_by_key(|(_, failing)| failing.touched);
        if let Some(key) = oldest.map(|(key, _)| key.clone()) {
            self.failing.remove(&key);
            self.forgotten += 1;
        }
    }
}

impl Failing {
    /// The streak of this error, begun now if there is none.
    fn streak(&mut self, code: ErrorCode, now: Timestamp) -> &mut Streak {
        let known = self.by_error.iter().position(|(known, _)| *known == code);
        let index = known.unwrap_or_else(|| {
            if self.by_error.len() >= ERRORS_OF_ONE_REQUEST {
                self.by_error.remove(0);
            }
            let streak = Streak {
                failures: 0,
                since: now,
                requests_before: self.requests - 1,
                exchanges: Vec::new(),
                told: false,
            };
            self.by_error.push((code, streak));
            self.by_error.len() - 1
        });
        &mut self.by_error[index].1
    }
}

/// Seconds below which a rate a minute would say more than was seen.
const SHORTEST_FOR_A_RATE: f64 = 1.0;

impl Streak {
    /// Whether this is a client that was told "not now" and tries again, as it is
    /// meant to (PX506).
    fn may_pass(&self, code: ErrorCode, now: Timestamp) -> bool {
        let lasts = SignedDuration::try_from(NOT_NOW_LASTS).unwrap_or(SignedDuration::ZERO);
        is_transient(code) && now.duration_since(self.since) < lasts
    }

    fn evidence(&self, what: &str, code: ErrorCode, requests: u64, now: Timestamp) -> String {
        let failures = self.failures;
        let requests = requests - self.requests_before;
        let elapsed = now.duration_since(self.since).as_secs_f64();
        let rate = if elapsed >= SHORTEST_FOR_A_RATE {
            // The precision of a rate that is shown with one decimal.
            #[expect(clippy::cast_precision_loss)]
            let a_minute = (failures - 1) as f64 * 60.0 / elapsed;
            format!(", {a_minute:.1} a minute")
        } else {
            format!(", within {:.0} ms", elapsed * 1000.0)
        };
        let since = self.since.strftime("%H:%M:%S%.3f UTC");
        format!(
            "{what} failed with {code} {failures} times since {since}{rate}: {failures} of \
             {requests} such requests"
        )
    }
}

impl Key {
    fn of(exchange: &Exchange) -> Option<Self> {
        let content = exchange.binary()?;
        Some(match &content.request {
            Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => Self::Poll {
                consumer: r.consumer.clone(),
                stream: r.stream.clone(),
                topic: r.topic.clone(),
                partition_id: r.partition_id,
                strategy: r.strategy.kind,
                value: r.strategy.value,
            },
            Some(Request::StoreConsumerOffset(r)) => Self::Store {
                consumer: r.consumer.clone(),
                stream: r.stream.clone(),
                topic: r.topic.clone(),
                partition_id: r.partition_id,
                offset: r.offset,
            },
            _ => {
                let mut hasher = DefaultHasher::new();
                content.request_frame.hash(&mut hasher);
                Self::Other(exchange.conn, content.code, hasher.finish())
            }
        })
    }

    fn is_a_groups_poll(&self) -> bool {
        matches!(self, Self::Poll { consumer, partition_id: None, .. }
            if consumer.kind == ConsumerKind::Group)
    }
}
