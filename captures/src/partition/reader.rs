//! One reader's way through a partition: a consumer's, or a group's with all its
//! members.

use std::ops::Range;

use jiff::Timestamp;
use parallax_codec::ErrorCode;
use parallax_codec::primitives::{Consumer, PollingKind};

use super::life::{Answer, Moment};
use super::trouble::{Gap, GapCause, Replay, ReplayCause, Stall};
use crate::limits::{PARTITION_STALL, PARTITION_TROUBLES};
use crate::poll::Poll;

/// A consumer or a group, and how it read the partition.
#[derive(Debug, Clone)]
pub struct Reader {
    /// Who; a group by its name where that is known.
    pub consumer: Consumer,
    /// What it was given, a run of consecutive offsets each.
    pub deliveries: Vec<Delivery>,
    /// What is stored as consumed for it, whenever that was told.
    pub stored: Vec<Stored>,
    /// Polls, and stores of offsets, that failed.
    pub failures: Vec<Failure>,
    /// Polls that were answered with no message.
    pub empties: Vec<Moment>,
    /// Offsets that it was not given.
    pub gaps: Vec<Gap>,
    /// Offsets that it was given again.
    pub replays: Vec<Replay>,
    /// Times in which it got nothing though there was something.
    pub stalls: Vec<Stall>,
    /// Gaps, replays and stalls for which there was no room.
    pub troubles_left_out: u64,
    state: State,
}

/// Messages that a poll brought.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// When.
    pub moment: Moment,
    /// The first one's offset.
    pub first: u64,
    /// The last one's offset.
    pub last: u64,
    /// From where the poll was to read.
    pub strategy: PollingKind,
    /// Whether the server was to store this as consumed.
    pub auto_commit: bool,
}

/// The offset that is stored as consumed.
#[derive(Debug, Clone)]
pub struct Stored {
    /// When.
    pub moment: Moment,
    /// The offset; `None`: none is stored, or [none is known](StoredBy::LogBeganAnew).
    pub offset: Option<u64>,
    /// How it is known.
    pub how: StoredBy,
}

/// How it is known what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredBy {
    /// A store was acknowledged.
    Store,
    /// A poll with `auto_commit` was served.
    AutoCommit,
    /// A question for it was answered.
    Told,
    /// Its deletion, or its group's, was acknowledged.
    Deletion,
    /// It is not known any more: the topic, its stream or the partition was purged or
    /// deleted. Server 0.8.0 reads from 0 then (recording `purge`).
    LogBeganAnew,
}

impl StoredBy {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::AutoCommit => "auto_commit",
            Self::Told => "told",
            Self::Deletion => "deletion",
            Self::LogBeganAnew => "log_began_anew",
        }
    }
}

/// A poll, or a store of an offset, that failed.
#[derive(Debug, Clone)]
pub struct Failure {
    /// When.
    pub moment: Moment,
    /// `poll_messages` or `store_consumer_offset`.
    pub command: &'static str,
    /// The error; `None`: there was no reply.
    pub error: Option<ErrorCode>,
    /// The offset where the reader was, or that the request names, where that is known.
    pub at: Option<u64>,
}

/// What is needed to judge what comes next.
#[derive(Debug, Clone, Default)]
struct State {
    last: Option<Last>,
    stored: Held,
    /// Whether a purge was the last that was seen of the log: it begins at 0.
    purged: bool,
    /// Whether a store or a deletion came after the last delivery.
    moved: bool,
    /// When the log last began anew.
    anew: Option<Timestamp>,
    /// Where the log began, as First was answered last.
    begins: Option<u64>,
    /// Whether segments were deleted since the last delivery.
    segments_deleted: bool,
    /// A poll that found nothing had read the log up to here at least.
    read_up_to: Option<u64>,
    starving: Option<Stall>,
}

/// Where a poll was to begin.
struct Start {
    /// What the client asked for, or had stored: it passes over what is before.
    chosen: Option<(u64, GapCause)>,
    /// What the server was to go on with, where that is known.
    expected: Option<u64>,
}

impl Start {
    const fn at(expected: Option<u64>) -> Self {
        Self {
            chosen: None,
            expected,
        }
    }
}

/// What the server holds as consumed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Held {
    #[default]
    NotKnown,
    Nothing,
    Offset(u64),
}

impl Held {
    const fn offset(self) -> Option<u64> {
        match self {
            Self::Offset(offset) => Some(offset),
            Self::NotKnown | Self::Nothing => None,
        }
    }
}

impl From<Option<u64>> for Held {
    fn from(offset: Option<u64>) -> Self {
        offset.map_or(Self::Nothing, Self::Offset)
    }
}

/// The last delivery.
#[derive(Debug, Clone)]
struct Last {
    offset: u64,
    moment: Moment,
    auto_commit: bool,
}

impl Reader {
    pub(super) fn new(consumer: Consumer) -> Self {
        Self {
            consumer,
            deliveries: Vec::new(),
            stored: Vec::new(),
            failures: Vec::new(),
            empties: Vec::new(),
            gaps: Vec::new(),
            replays: Vec::new(),
            stalls: Vec::new(),
            troubles_left_out: 0,
            state: State::default(),
        }
    }

    pub(super) fn delivered(
        &mut self,
        poll: &Poll,
        runs: &[(u64, u64)],
        vsr: bool,
        moment: &Moment,
    ) {
        self.feeds();
        for (index, (first, last)) in runs.iter().copied().enumerate() {
            let start = if index == 0 {
                self.start(poll, first)
            } else {
                // Within one reply the next one follows.
                Start::at(self.follows())
            };
            if self.is_comparable(moment) {
                self.judge(poll, (first, last), &start, moment);
            } else {
                self.fill_gaps(first, last, moment);
            }
            self.deliveries.push(Delivery {
                moment: moment.clone(),
                first,
                last,
                strategy: poll.strategy,
                auto_commit: poll.auto_commit,
            });
            self.keep_last(last, poll.auto_commit, moment);
        }
        self.state.moved = false;
        self.state.segments_deleted = false;
        self.state.read_up_to = None;
        if let (true, Some((_, last))) = (poll.auto_commit, runs.last()) {
            self.auto_commits(*last, vsr, moment);
        }
    }

    /// The offset after the last one that was delivered.
    fn follows(&self) -> Option<u64> {
        self.state.last.as_ref()?.offset.checked_add(1)
    }

    /// Where a poll was to begin that brought `first`.
    fn start(&self, poll: &Poll, first: u64) -> Start {
        let follows = self.follows();
        match (poll.strategy, self.state.stored) {
            (PollingKind::Offset, _) => Start {
                chosen: Some((poll.value.min(first), GapCause::Asked)),
                expected: Some(poll.value),
            },
            (PollingKind::Next, Held::Offset(stored)) => {
                let next = stored.saturating_add(1);
                let behind = follows.filter(|_| !self.state.moved).unwrap_or(0);
                Start {
                    chosen: Some((next.min(first), GapCause::Stored)),
                    expected: Some(next.max(behind)),
                }
            }
            (PollingKind::Next, Held::Nothing) => Start::at(None),
            (PollingKind::Next, Held::NotKnown) => {
                Start::at(follows.or(self.state.purged.then_some(0)))
            }
            (PollingKind::First | PollingKind::Last | PollingKind::Timestamp, _) => Start {
                chosen: Some((first, GapCause::Asked)),
                expected: None,
            },
        }
    }

    fn judge(&mut self, poll: &Poll, (first, last): (u64, u64), start: &Start, moment: &Moment) {
        let before = self.state.last.clone();
        if let (Some(follows), Some((chosen, cause))) = (self.follows(), start.chosen) {
            self.add_gap(follows..chosen, cause, moment);
        }
        if let Some(expected) = start.expected {
            let is_gone = self.state.begins.is_some_and(|begins| first <= begins);
            let cause = if is_gone || self.state.segments_deleted {
                GapCause::Gone
            } else {
                GapCause::Served
            };
            self.add_gap(expected..first, cause, moment);
        }
        if let Some(before) = before.filter(|before| first <= before.offset) {
            self.add_replay(poll, (first, last.min(before.offset)), &before, moment);
        }
    }

    fn add_gap(&mut self, missing: Range<u64>, cause: GapCause, moment: &Moment) {
        if missing.is_empty() {
            return;
        }
        if self.gaps.len() == PARTITION_TROUBLES {
            self.troubles_left_out += 1;
            return;
        }
        self.gaps.push(Gap {
            from: missing.start,
            to: missing.end - 1,
            since: self.state.last.as_ref().map(|last| last.moment.clone()),
            moment: moment.clone(),
            cause,
        });
    }

    /// What came at the same time as what lies beyond it was not passed over.
    fn fill_gaps(&mut self, first: u64, last: u64, moment: &Moment) {
        let gaps = std::mem::take(&mut self.gaps);
        for gap in gaps {
            let is_apart = gap.moment.to <= moment.from || last < gap.from || first > gap.to;
            if is_apart {
                self.gaps.push(gap);
                continue;
            }
            if gap.from < first {
                let to = first - 1;
                self.gaps.push(Gap { to, ..gap.clone() });
            }
            if last < gap.to {
                let from = last + 1;
                self.gaps.push(Gap { from, ..gap });
            }
        }
    }

    fn add_replay(
        &mut self,
        poll: &Poll,
        (first, last): (u64, u64),
        before: &Last,
        moment: &Moment,
    ) {
        let cause = match self.state.stored {
            _ if poll.strategy != PollingKind::Next => ReplayCause::Asked,
            Held::Nothing => ReplayCause::Stored,
            Held::Offset(stored) if first <= stored => ReplayCause::Served,
            Held::Offset(_) if self.state.moved => ReplayCause::Stored,
            _ if before.auto_commit => ReplayCause::Served,
            _ => ReplayCause::NotStored,
        };
        let same = self.replays.last_mut();
        let same = same.filter(|known| {
            known.cause == cause && known.first == first && cause != ReplayCause::Served
        });
        if let Some(known) = same {
            known.times += 1;
            known.last = known.last.max(last);
            known.until = moment.clone();
        } else if self.replays.len() < PARTITION_TROUBLES {
            self.replays.push(Replay {
                first,
                last,
                before: before.moment.clone(),
                moment: moment.clone(),
                until: moment.clone(),
                times: 1,
                cause,
            });
        } else {
            self.troubles_left_out += 1;
        }
    }

    /// Not with what was under way at the same time on another connection, or when the
    /// log began anew: nobody outside the server knows which came first.
    fn is_comparable(&self, moment: &Moment) -> bool {
        let anew = self.state.anew.is_none_or(|anew| anew <= moment.from);
        let last = self.state.last.as_ref();
        let apart = |last: &Last| last.moment.to <= moment.from || last.moment.conn == moment.conn;
        anew && last.is_none_or(apart)
    }

    fn keep_last(&mut self, last: u64, auto_commit: bool, moment: &Moment) {
        if self.state.anew.is_some_and(|anew| anew > moment.from) {
            return;
        }
        // Of two at the same time the one that got further.
        let comparable = self.is_comparable(moment);
        if let Some(known) = &self.state.last
            && !comparable
            && known.offset > last
        {
            return;
        }
        self.state.last = Some(Last {
            offset: last,
            moment: moment.clone(),
            auto_commit,
        });
    }

    /// Server 0.9 only ever moves forward by this; server 0.8 overwrites what it holds
    /// (0.9.0-edge.5, `persist_consumer_offset_commit`).
    fn auto_commits(&mut self, last: u64, vsr: bool, moment: &Moment) {
        let held = self.state.stored.offset().filter(|_| vsr);
        if held.is_none_or(|held| held < last) {
            self.holds(Some(last), StoredBy::AutoCommit, moment);
        }
    }

    pub(super) fn stores(&mut self, offset: u64, moment: &Moment) {
        self.state.moved = true;
        self.holds(Some(offset), StoredBy::Store, moment);
    }

    pub(super) fn fails_to_store(&mut self, offset: u64, error: Option<ErrorCode>, moment: Moment) {
        self.failures.push(Failure {
            moment,
            command: "store_consumer_offset",
            error,
            at: Some(offset),
        });
    }

    pub(super) fn told(&mut self, offset: Option<u64>, moment: &Moment) {
        if self.state.stored != offset.into() {
            // Stored by somebody who did not pass here.
            self.state.moved = true;
        }
        self.holds(offset, StoredBy::Told, moment);
    }

    pub(super) fn forgets(&mut self, moment: &Moment) {
        self.state.moved = true;
        self.holds(None, StoredBy::Deletion, moment);
    }

    fn holds(&mut self, offset: Option<u64>, how: StoredBy, moment: &Moment) {
        self.state.stored = offset.into();
        self.stored.push(Stored {
            moment: moment.clone(),
            offset,
            how,
        });
    }

    pub(super) fn begins_anew(&mut self, purged: bool, moment: &Moment) {
        self.feeds();
        if self.state.stored.offset().is_some() {
            self.holds(None, StoredBy::LogBeganAnew, moment);
        }
        self.state = State {
            purged,
            anew: Some(moment.to),
            ..State::default()
        };
    }

    pub(super) fn loses_its_past(&mut self) {
        self.state.segments_deleted = true;
    }

    /// First was answered with this.
    pub(super) fn learns_where_the_log_begins(&mut self, offset: u64) {
        self.state.begins = Some(offset);
    }

    pub(super) fn found_nothing(
        &mut self,
        poll: &Poll,
        known_end: Option<u64>,
        answer: &Answer,
        moment: &Moment,
    ) {
        self.empties.push(moment.clone());
        if poll.count == 0 {
            return;
        }
        let next = self.next_of(poll);
        self.starves(next, known_end, moment);
        if next.is_none() && poll.strategy == PollingKind::Next && answer.current_offset > 0 {
            self.state.read_up_to = Some(answer.current_offset);
        }
    }

    pub(super) fn failed(
        &mut self,
        poll: &Poll,
        error: Option<ErrorCode>,
        known_end: Option<u64>,
        moment: &Moment,
    ) {
        let next = self.next_of(poll);
        self.failures.push(Failure {
            moment: moment.clone(),
            command: "poll_messages",
            error,
            // Of First it is not known where the log begins.
            at: next.filter(|_| poll.strategy != PollingKind::First),
        });
        self.starves(next, known_end, moment);
    }

    /// The offset that a poll is to bring, where that is known.
    fn next_of(&self, poll: &Poll) -> Option<u64> {
        let after = |offset: u64| offset.checked_add(1);
        match poll.strategy {
            PollingKind::Offset => Some(poll.value),
            PollingKind::First => Some(0),
            PollingKind::Next => {
                let stored = self.state.stored.offset();
                let last = self.state.last.as_ref().map(|last| last.offset);
                stored.or(last).or(self.state.read_up_to).and_then(after)
            }
            PollingKind::Last | PollingKind::Timestamp => None,
        }
    }

    /// A poll brought nothing. `known_end` was known before it was sent.
    fn starves(&mut self, next: Option<u64>, known_end: Option<u64>, moment: &Moment) {
        let waits = next.zip(known_end).filter(|(next, end)| end >= next);
        let Some((next, end)) = waits else {
            self.feeds();
            return;
        };
        match &mut self.state.starving {
            Some(stall) => {
                stall.polls += 1;
                stall.until = moment.clone();
                stall.end = stall.end.max(end);
            }
            None => {
                self.state.starving = Some(Stall {
                    at: next,
                    end,
                    moment: moment.clone(),
                    until: moment.clone(),
                    polls: 1,
                });
            }
        }
    }

    /// Whatever it waited for, it waits no more.
    fn feeds(&mut self) {
        let Some(stall) = self.state.starving.take() else {
            return;
        };
        if stall.polls < PARTITION_STALL {
            return;
        }
        if self.stalls.len() < PARTITION_TROUBLES {
            self.stalls.push(stall);
        } else {
            self.troubles_left_out += 1;
        }
    }

    pub(super) fn finish(&mut self) {
        self.feeds();
    }
}
