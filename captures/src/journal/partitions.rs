//! How many of the exchanges that are kept are about each partition.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use parallax_codec::Reply;
use parallax_codec::primitives::Identifier;

use super::{Column, Comparison, Condition, Journal, State, Wanted};
use crate::catalog::describe;
use crate::exchange::{Content, Exchange};
use crate::finding::Severity;
use crate::limits::{JOURNAL_PARTITIONS, PARTITION_NAMES_READ};
use crate::partition::{Concern, Names, id_named_by_http, read_key};

/// Figures of the exchanges that are kept, by partition as requests name it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Partitions {
    /// Shared with whoever reads them, and copied when they change meanwhile.
    places: Arc<HashMap<String, PartitionFigures>>,
    not_counted: u64,
}

/// What is counted of a partition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartitionFigures {
    /// Exchanges that are about it.
    pub exchanges: u64,
    /// Of these, polls.
    pub polls: u64,
    /// Messages that polls brought.
    pub messages: u64,
    /// Exchanges that failed.
    pub errors: u64,
    /// Exchanges that diverge from HTTP, unmuted.
    pub diverging: u64,
    /// Exchanges that a finding names which says that something is wrong, unmuted.
    pub with_findings: u64,
    /// Exchanges that failed without naming a partition, for which HTTP gave the same error
    /// for this one alone. They are not among `exchanges`.
    pub named_by_http: u64,
    /// The number of the latest exchange.
    pub last: u64,
}

/// A stream's topic, and a partition of it: `None` for what failed without naming one.
pub type PartitionPlace = (Identifier, Identifier, Option<u32>);

impl Partitions {
    /// Each partition that is counted, in no order.
    pub fn each(&self) -> impl Iterator<Item = (PartitionPlace, PartitionFigures)> + '_ {
        let places = self.places.iter();
        places.filter_map(|(key, figures)| Some((read_key(key)?, *figures)))
    }

    /// Exchanges of partitions for which there was no room.
    pub const fn not_counted(&self) -> u64 {
        self.not_counted
    }

    pub(super) fn add(&mut self, about: &About<'_>) {
        self.change_by(about, PartitionFigures::add);
    }

    pub(super) fn remove(&mut self, about: &About<'_>) {
        self.change_by(about, PartitionFigures::remove);
    }

    pub(super) fn add_all(&mut self, others: &Self) {
        for (key, figures) in others.places.iter() {
            self.change(key, *figures, PartitionFigures::add);
        }
        self.not_counted += others.not_counted;
    }

    pub(super) fn remove_all(&mut self, others: &Self) {
        for (key, figures) in others.places.iter() {
            self.change(key, *figures, PartitionFigures::remove);
        }
        self.not_counted = self.not_counted.saturating_sub(others.not_counted);
    }

    fn change_by(
        &mut self,
        about: &About<'_>,
        change: fn(&mut PartitionFigures, &PartitionFigures),
    ) {
        self.change(&about.key, about.figures, change);
        if let Some((key, figures)) = about.named_by_http() {
            self.change(&key, figures, change);
        }
    }

    fn change(
        &mut self,
        key: &str,
        figures: PartitionFigures,
        change: fn(&mut PartitionFigures, &PartitionFigures),
    ) {
        let places = Arc::make_mut(&mut self.places);
        let is_full = places.len() >= JOURNAL_PARTITIONS;
        if let Some(known) = places.get_mut(key) {
            change(known, &figures);
            if known.is_empty() {
                places.remove(key);
            }
            return;
        }
        let mut new = PartitionFigures::default();
        change(&mut new, &figures);
        if new.is_empty() {
            self.not_counted = self.not_counted.saturating_sub(figures.exchanges);
        } else if is_full {
            self.not_counted += figures.exchanges;
        } else {
            places.insert(key.to_owned(), new);
        }
    }
}

impl PartitionFigures {
    /// Counts what others count as well.
    pub fn add(&mut self, others: &Self) {
        self.each(others, u64::saturating_add);
        self.last = self.last.max(others.last);
    }

    const fn is_empty(&self) -> bool {
        self.exchanges == 0 && self.named_by_http == 0
    }

    fn remove(&mut self, others: &Self) {
        self.each(others, u64::saturating_sub);
    }

    fn each(&mut self, others: &Self, change: fn(u64, u64) -> u64) {
        for (count, other) in [
            (&mut self.exchanges, others.exchanges),
            (&mut self.polls, others.polls),
            (&mut self.messages, others.messages),
            (&mut self.errors, others.errors),
            (&mut self.diverging, others.diverging),
            (&mut self.with_findings, others.with_findings),
            (&mut self.named_by_http, others.named_by_http),
        ] {
            *count = change(*count, other);
        }
    }
}

/// What one exchange counts of the partition that it is about.
#[derive(Debug, Clone)]
pub(crate) struct About<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) figures: PartitionFigures,
    /// The partition that HTTP names where the exchange names none.
    pub(crate) named_by_http: Option<u32>,
}

impl About<'_> {
    /// `None` where it is about none, or about every one of a topic.
    pub(super) fn of(exchange: &Exchange) -> Option<Self> {
        let concern = Concern::of(exchange)?;
        if matches!(concern, Concern::Topic(..) | Concern::Stream(_)) {
            return None;
        }
        let verdict = exchange.verdict.as_ref();
        let verdict = verdict.filter(|verdict| verdict.muted.is_none());
        let diverges = verdict.is_some_and(|one| one.kind == crate::VerdictKind::Diverge);
        Some(Self {
            key: concern.key().into(),
            figures: PartitionFigures {
                exchanges: 1,
                polls: u64::from(exchange.command() == "poll_messages"),
                messages: messages_of(exchange),
                errors: u64::from(exchange.failed()),
                diverging: u64::from(diverges),
                with_findings: u64::from(is_named_wrong(exchange)),
                last: exchange.n,
                named_by_http: 0,
            },
            named_by_http: id_named_by_http(exchange),
        })
    }

    /// What it counts of the partition that HTTP names.
    fn named_by_http(&self) -> Option<(String, PartitionFigures)> {
        let topic = self.key.strip_suffix('?')?;
        let figures = PartitionFigures {
            named_by_http: 1,
            last: self.figures.last,
            ..PartitionFigures::default()
        };
        Some((format!("{topic}{}", self.named_by_http?), figures))
    }
}

/// Exchanges that tell names.
struct Describing;

impl Wanted for Describing {
    fn accepts(&self, exchange: &Exchange) -> bool {
        Names::tells(exchange)
    }

    fn condition(&self) -> Condition {
        let commands = [
            "get_stream",
            "get_streams",
            "create_stream",
            "get_topic",
            "get_topics",
            "create_topic",
            "get_consumer_group",
            "get_consumer_groups",
            "create_consumer_group",
        ];
        let commands = commands.map(Into::into).into();
        Condition::Compare(Column::Command, Comparison::Equal, commands)
    }
}

/// Messages that a poll brought.
pub(crate) fn messages_of(exchange: &Exchange) -> u64 {
    let length = match &exchange.content {
        Content::Binary(content) => match &content.reply {
            Some(Reply::PolledMessages(reply)) => reply.messages.len(),
            _ => 0,
        },
        Content::Http(content) => match &content.answer {
            Some(Ok(answer)) => answer.messages.len(),
            _ => 0,
        },
        Content::Unsolicited(_) => 0,
    };
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Whether a finding that something is wrong names it, unmuted.
pub(crate) fn is_named_wrong(exchange: &Exchange) -> bool {
    let wrong = |code: &crate::FindingCode| describe(*code).severity != Severity::Info;
    exchange.findings.iter().any(wrong)
}

impl Journal {
    /// Figures of each partition, of the exchanges that are kept.
    pub fn partitions(&self) -> Partitions {
        let state = self.lock();
        let (kept, archived) = (state.counts.partitions(), state.archived.partitions());
        let (mut partitions, archived) = (kept.clone(), archived.clone());
        drop(state);
        partitions.add_all(&archived);
        partitions
    }

    /// Which names and numbers are one thing, as far as replies said so.
    pub fn names(&self) -> Names {
        Names::clone(&self.lock().names)
    }

    /// Learns the names that a recording tells.
    pub(super) fn learn_recorded_names(&self) {
        let mut told = self.latest(None, PARTITION_NAMES_READ, &Describing);
        told.reverse();
        let mut state = self.lock();
        for exchange in told {
            state.learn_names(&exchange);
        }
    }
}

impl State {
    pub(super) fn learn_names(&mut self, exchange: &Exchange) {
        if Names::tells(exchange) {
            Arc::make_mut(&mut self.names).learn(exchange);
        }
    }
}
