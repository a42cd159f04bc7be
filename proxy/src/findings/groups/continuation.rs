//! PX309: a client begins a partition where it is to go on in another one (case
//! B9).

use std::collections::{BTreeMap, BTreeSet};

use parallax_captures::ConnectionId;
use parallax_codec::primitives::{Consumer, PollingKind};

use super::super::claims::{Claim, Conclusion};
use super::super::probe::{Probe, Purpose};
use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::{How, Partition, Polled, Reader, Scope, Topic};
use crate::limits::{CONTINUATIONS, GROUPS_WATCHED, TELLING_OFFSET};

/// Each client's way through a topic.
#[derive(Debug)]
pub(super) struct Continuations {
    ways: Bounded<(ConnectionId, Topic, Consumer), Way>,
    /// Ways that went through too many partitions, and were forgotten.
    too_long: u64,
}

#[derive(Debug, Default)]
struct Way {
    /// Where it is to go on, by partition.
    next: BTreeMap<u32, u64>,
    /// Partitions that it has asked for.
    asked: BTreeSet<u32>,
    /// Partitions that it began where it was to go on in another one.
    coincidences: u32,
    /// The last of them, until something of it is committed.
    begun: Option<(Reader, u64, Probe)>,
}

impl Default for Continuations {
    fn default() -> Self {
        Self {
            ways: Bounded::new(GROUPS_WATCHED),
            too_long: 0,
        }
    }
}

impl Continuations {
    pub(super) fn begins_anew(&mut self, scope: &Scope) {
        let reader = |topic: &Topic, consumer: &Consumer| Reader {
            partition: Partition {
                topic: topic.clone(),
                id: 0,
            },
            consumer: consumer.clone(),
        };
        self.ways
            .retain(|(_, topic, consumer), _| !scope.covers(&reader(topic, consumer)));
    }

    pub(super) fn claim(&mut self, act: &Act<'_>) -> Option<Claim> {
        let key = (&act.exchange.conn, act.topic.as_deref()?, act.who?.consumer);
        if let Some(polled) = act.polled() {
            let way = self.ways.entry(&key);
            if way.asked.len() >= CONTINUATIONS {
                *way = Way::default();
                self.too_long += 1;
            }
            return way.polled(act, polled);
        }
        let stored = act.stored().filter(|_| act.is_done())?;
        let way = self.ways.entry(&key);
        let committed = |(reader, from, _): &(Reader, u64, Probe)| {
            *reader == stored.reader && stored.offset >= *from
        };
        let (reader, _, probe) = way.begun.take_if(|begun| committed(begun))?;
        Some(act.claim(&reader, Conclusion::Probe(probe)))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.ways.forgotten() + self.too_long
    }
}

impl Way {
    fn polled(&mut self, act: &Act<'_>, polled: &Polled) -> Option<Claim> {
        let id = polled.reader.partition.id;
        let begins = self.asked.insert(id) && polled.before.delivered.is_none();
        let other = begins.then(|| self.taken_from(polled)).flatten();
        if let Some((_, last)) = polled.offsets {
            self.next.insert(id, last.saturating_add(1));
        }
        let other = other?;
        self.coincidences += 1;
        let is_telling = is_certain(polled) && polled.poll.strategy.value >= TELLING_OFFSET;
        if !is_telling && self.coincidences < 2 {
            return None;
        }
        let probe = question(act, polled, other)?;
        if polled.poll.auto_commit {
            return Some(act.claim(&polled.reader, Conclusion::Probe(probe)));
        }
        self.begun = Some((polled.reader.clone(), polled.poll.strategy.value, probe));
        None
    }

    /// The other partition in which the client was to go on where it begins this
    /// one, which is not where it has itself stored in this one.
    fn taken_from(&self, polled: &Polled) -> Option<u32> {
        let from = polled.poll.strategy.value;
        polled.offsets?;
        if polled.poll.strategy.kind != PollingKind::Offset || from == 0 {
            return None;
        }
        let stored = polled.before.stored.as_ref().and_then(|fact| fact.value);
        if stored.is_some_and(|stored| stored.saturating_add(1) >= from) {
            return None;
        }
        let id = polled.reader.partition.id;
        let mut others = self.next.iter().filter(|(other, _)| **other != id);
        others
            .find(|(_, next)| **next == from)
            .map(|(other, _)| *other)
    }
}

/// Whether it cannot be the reader's own place that it goes on at: that is known,
/// or the client did not choose the partition.
fn is_certain(polled: &Polled) -> bool {
    let created = |begun: &crate::ledger::Fact<()>| begun.how == How::Created;
    polled.before.stored.is_some()
        || polled.poll.partition_id.is_none()
        || polled.begun.as_ref().is_some_and(created)
}

fn question(act: &Act<'_>, polled: &Polled, other: u32) -> Option<Probe> {
    let id = polled.reader.partition.id;
    let from = polled.poll.strategy.value;
    let timestamp = act.poll_reply()?.messages.first()?.header.timestamp;
    let held = match &polled.before.stored {
        Some(fact) => {
            let held = fact.value.map_or_else(
                || "no offset".to_owned(),
                |held| format!("{held} as consumed"),
            );
            format!(
                "on partition {id} the server held {held}: {}",
                fact.source()
            )
        }
        None => format!("no commit on partition {id} was seen here before"),
    };
    let evidence = vec![
        format!(
            "the first request for partition {id} asks for offset {from}, which is where the \
             client was to go on in partition {other}; then it commits on partition {id}"
        ),
        held,
    ];
    let purpose = Purpose::SkippedStart { from, timestamp };
    Some(Probe::of(act.exchange, polled, purpose, evidence))
}
