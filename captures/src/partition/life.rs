//! What happened to a partition, in the order in which it passed.

use std::sync::Arc;

use jiff::Timestamp;
use parallax_codec::primitives::{Consumer, ConsumerKind, PollingKind};
use parallax_codec::{ErrorCode, Reply, Request};

use super::concern::Concern;
use super::key::Partition;
use super::names::Names;
use super::reader::Reader;
use super::wanted::OfPartition;
use crate::connection::{ConnectionId, Dialect};
use crate::exchange::Exchange;
use crate::finding::FindingCode;
use crate::limits::PARTITION_READERS;
use crate::poll::Poll;
use crate::verdict::{MirrorOutcome, VerdictKind};

/// When something was seen, and where it can be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The exchange's number.
    pub n: u64,
    /// The request's first byte.
    pub from: Timestamp,
    /// The reply's last byte, or the request's where there was none.
    pub to: Timestamp,
    /// The connection.
    pub conn: ConnectionId,
    /// The unmuted findings that name the exchange.
    pub findings: Vec<FindingCode>,
    /// Whether it diverges from HTTP, unmuted.
    pub diverges: bool,
}

/// A partition's life, as far as the exchanges tell that it was made of.
#[derive(Debug, Clone, Default)]
pub struct Life {
    /// Who read, in the order in which they were first seen.
    pub readers: Vec<Reader>,
    /// Messages sent where the request named the partition.
    pub sends: Vec<Send>,
    /// Where the log ended, whenever that was told and new.
    pub ends: Vec<End>,
    /// When what was known before ceased to hold.
    pub breaks: Vec<Break>,
    /// What failed on the topic without naming a partition: it may have been this one.
    pub unknown: Vec<Unknown>,
    /// Exchanges that it is made of.
    pub exchanges: u64,
    /// Exchanges of readers for whom there was no room.
    pub left_out: u64,
}

/// Messages sent.
#[derive(Debug, Clone)]
pub struct Send {
    /// When.
    pub moment: Moment,
    /// How many. Their offsets are not on the wire.
    pub messages: u64,
    /// Why they were refused; `Some(None)`: there was no reply.
    pub failed: Option<Option<ErrorCode>>,
}

/// The end of the log, told by a reply.
#[derive(Debug, Clone)]
pub struct End {
    /// When.
    pub moment: Moment,
    /// The last offset.
    pub offset: u64,
}

/// What changed the log or what is stored, as it was acknowledged.
#[derive(Debug, Clone)]
pub struct Break {
    /// When.
    pub moment: Moment,
    /// What.
    pub kind: BreakKind,
}

/// What can be done to a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakKind {
    /// The topic or stream was purged.
    Purged,
    /// The topic, the stream or partitions of the topic were deleted.
    Deleted,
    /// Oldest segments were deleted.
    SegmentsDeleted,
    /// A consumer group was deleted, and what was stored for it.
    GroupDeleted,
}

impl BreakKind {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Purged => "purged",
            Self::Deleted => "deleted",
            Self::SegmentsDeleted => "segments_deleted",
            Self::GroupDeleted => "group_deleted",
        }
    }
}

/// A failure that names no partition.
#[derive(Debug, Clone)]
pub struct Unknown {
    /// When.
    pub moment: Moment,
    /// Whose.
    pub consumer: Consumer,
    /// The command.
    pub command: &'static str,
    /// The error; `None`: there was no reply.
    pub error: Option<ErrorCode>,
    /// What HTTP was answered for this partition, where the mirror asked it.
    pub http: Option<String>,
    /// Whether that was the same error: it fails on this partition.
    pub http_fails_too: bool,
}

impl Life {
    /// The life of `partition` in these exchanges, oldest first. What is not about it
    /// is passed over.
    pub fn of(
        partition: &Partition,
        names: &Names,
        exchanges: impl IntoIterator<Item = Arc<Exchange>>,
    ) -> Self {
        let wanted = OfPartition::new(partition, names);
        let mut life = Self::default();
        for exchange in exchanges {
            let about = Concern::of(&exchange).filter(|concern| wanted.is_about(*concern));
            if let Some(concern) = about {
                life.exchanges += 1;
                life.add(partition, names, &exchange, concern);
            }
        }
        for reader in &mut life.readers {
            reader.finish();
        }
        life
    }

    /// From the first to the last moment; `None` where nothing was seen.
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let mut span = None;
        self.each_moment(&mut |moment| {
            let (from, to) = span.get_or_insert((moment.from, moment.to));
            (*from, *to) = ((*from).min(moment.from), (*to).max(moment.to));
        });
        span
    }

    /// Shows every moment of which something is known.
    pub fn each_moment(&self, see: &mut dyn FnMut(&Moment)) {
        for reader in &self.readers {
            reader.deliveries.iter().for_each(|one| see(&one.moment));
            reader.failures.iter().for_each(|one| see(&one.moment));
            reader.empties.iter().for_each(&mut *see);
            reader.stored.iter().for_each(|one| see(&one.moment));
        }
        self.sends.iter().for_each(|one| see(&one.moment));
        self.ends.iter().for_each(|one| see(&one.moment));
        self.breaks.iter().for_each(|one| see(&one.moment));
        self.unknown.iter().for_each(|one| see(&one.moment));
    }

    fn add(
        &mut self,
        partition: &Partition,
        names: &Names,
        exchange: &Exchange,
        concern: Concern<'_>,
    ) {
        let moment = Moment::of(exchange);
        if let Some(poll) = exchange.poll() {
            let consumer = Consumer {
                kind: poll.consumer_kind,
                id: poll.consumer.clone(),
            };
            let consumer = names.reader(&partition.stream, &partition.topic, &consumer);
            match concern {
                Concern::Unknown(..) if exchange.failed() => {
                    self.fails_somewhere(partition.id, consumer, exchange, moment);
                }
                Concern::One(..) => self.polled(consumer, &poll, exchange, &moment),
                _ => {}
            }
            return;
        }
        let Some(content) = exchange.binary() else {
            return;
        };
        let done = content.status == Some(0);
        let reader = |consumer| names.reader(&partition.stream, &partition.topic, consumer);
        match (content.request.as_ref(), concern) {
            (Some(Request::SendMessages(r)), _) => self.sends.push(Send {
                moment,
                messages: u64::try_from(r.messages.len()).unwrap_or(u64::MAX),
                failed: exchange.failed().then(|| exchange.error()),
            }),
            (Some(Request::StoreConsumerOffset(r)), Concern::Unknown(..)) if !done => {
                self.fails_somewhere(partition.id, reader(&r.consumer), exchange, moment);
            }
            (_, Concern::Unknown(..)) => {}
            (Some(Request::StoreConsumerOffset(r)), _) => match self.reader(reader(&r.consumer)) {
                Some(reader) if done => reader.stores(r.offset, &moment),
                Some(reader) => reader.fails_to_store(r.offset, exchange.error(), moment),
                None => {}
            },
            (Some(Request::GetConsumerOffset(r)), _) if done => {
                let told = match &content.reply {
                    Some(Reply::ConsumerOffset(told)) => Some(told),
                    _ => None,
                };
                if let Some(told) = told {
                    self.ends_at(told.current_offset, &moment);
                }
                if let Some(reader) = self.reader(reader(&r.consumer)) {
                    reader.told(told.map(|told| told.stored_offset), &moment);
                }
            }
            (Some(Request::DeleteConsumerOffset(r)), _) if done => {
                if let Some(reader) = self.reader(reader(&r.consumer)) {
                    reader.forgets(&moment);
                }
            }
            (Some(Request::DeleteConsumerGroup(r)), _) if done => {
                let group = Consumer {
                    kind: ConsumerKind::Group,
                    id: r.group.clone(),
                };
                let group = reader(&group);
                if let Some(known) = self.readers.iter_mut().find(|one| one.consumer == group) {
                    known.forgets(&moment);
                    self.breaks_with(BreakKind::GroupDeleted, moment);
                }
            }
            (Some(request), _) if done => {
                if let Some(kind) = break_of(request) {
                    self.breaks_with(kind, moment);
                }
            }
            _ => {}
        }
    }

    fn polled(&mut self, consumer: Consumer, poll: &Poll, exchange: &Exchange, moment: &Moment) {
        let answer = Answer::of(exchange);
        let known_end = self.end_before(moment);
        let vsr = exchange.dialect == Dialect::Vsr;
        if let Some(reader) = self.reader(consumer) {
            match &answer {
                Some(answer) if !answer.runs.is_empty() => {
                    reader.delivered(poll, &answer.runs, vsr, moment);
                }
                Some(answer) => reader.found_nothing(poll, known_end, answer, moment),
                None => reader.failed(poll, exchange.error(), known_end, moment),
            }
        }
        let first = answer.as_ref().and_then(|one| one.runs.first());
        if let (PollingKind::First, Some((first, _))) = (poll.strategy, first) {
            for reader in &mut self.readers {
                reader.learns_where_the_log_begins(*first);
            }
        }
        // Zero may be a log without a message as well as one with one (case A2).
        if let Some(answer) = answer
            && (answer.current_offset > 0 || !answer.runs.is_empty())
        {
            self.ends_at(answer.current_offset, moment);
        }
    }

    /// Where the log ended, as far as that was known before this; not from before it
    /// began anew.
    fn end_before(&self, moment: &Moment) -> Option<u64> {
        let anew = |one: &&Break| matches!(one.kind, BreakKind::Purged | BreakKind::Deleted);
        let anew = self.breaks.iter().rev().find(anew);
        let end = self.ends.last()?;
        let holds = anew.is_none_or(|anew| anew.moment.to <= end.moment.from);
        (holds && end.moment.to <= moment.from).then_some(end.offset)
    }

    fn reader(&mut self, consumer: Consumer) -> Option<&mut Reader> {
        let known = self.readers.iter().position(|one| one.consumer == consumer);
        let index = match known {
            Some(index) => index,
            None if self.readers.len() < PARTITION_READERS => {
                self.readers.push(Reader::new(consumer));
                self.readers.len() - 1
            }
            None => {
                self.left_out += 1;
                return None;
            }
        };
        self.readers.get_mut(index)
    }

    fn ends_at(&mut self, offset: u64, moment: &Moment) {
        let known = self.ends.last();
        if known.is_none_or(|end| end.offset != offset) {
            self.ends.push(End {
                moment: moment.clone(),
                offset,
            });
        }
    }

    fn breaks_with(&mut self, kind: BreakKind, moment: Moment) {
        for reader in &mut self.readers {
            match kind {
                BreakKind::Purged | BreakKind::Deleted => {
                    reader.begins_anew(kind == BreakKind::Purged, &moment);
                }
                BreakKind::SegmentsDeleted => reader.loses_its_past(),
                BreakKind::GroupDeleted => {}
            }
        }
        self.breaks.push(Break { moment, kind });
    }

    fn fails_somewhere(
        &mut self,
        id: u32,
        consumer: Consumer,
        exchange: &Exchange,
        moment: Moment,
    ) {
        let answers = exchange.verdict.iter().flat_map(|one| &one.answers);
        let mut of_this = answers.filter(|answer| answer.partition_id == Some(id));
        let answer = of_this.next();
        let http_fails_too = answer.is_some_and(|answer| {
            matches!(&answer.outcome, MirrorOutcome::Refused(refusal)
                if refusal.code.is_some() && refusal.code == exchange.error())
        });
        let http = answer.map(|answer| match &answer.outcome {
            MirrorOutcome::Answered(answer) => {
                format!("HTTP answers, {} messages", answer.messages.len())
            }
            MirrorOutcome::Stored(_) => "HTTP answers".to_owned(),
            MirrorOutcome::Refused(refusal) => refusal.to_string(),
            MirrorOutcome::Failed(why) => why.clone(),
        });
        let is_poll = exchange.poll().is_some();
        self.unknown.push(Unknown {
            moment,
            consumer,
            command: if is_poll {
                "poll_messages"
            } else {
                "store_consumer_offset"
            },
            error: exchange.error(),
            http,
            http_fails_too,
        });
    }
}

fn break_of(request: &Request) -> Option<BreakKind> {
    Some(match request {
        Request::PurgeTopic(_) | Request::PurgeStream(_) => BreakKind::Purged,
        Request::DeleteTopic(_) | Request::DeleteStream(_) | Request::DeletePartitions(_) => {
            BreakKind::Deleted
        }
        Request::DeleteSegments(_) => BreakKind::SegmentsDeleted,
        _ => return None,
    })
}

impl Moment {
    pub(super) fn of(exchange: &Exchange) -> Self {
        let times = &exchange.times;
        let verdict = exchange.verdict.as_ref();
        let verdict = verdict.filter(|verdict| verdict.muted.is_none());
        Self {
            n: exchange.n,
            from: times.request_first,
            to: times.reply.map_or(times.request_last, |(_, last)| last),
            conn: exchange.conn,
            findings: exchange.findings.clone(),
            diverges: verdict.is_some_and(|verdict| verdict.kind == VerdictKind::Diverge),
        }
    }
}

/// What a poll was answered, without a copy of its messages.
pub(super) struct Answer {
    pub(super) current_offset: u64,
    /// The offsets that came, each run of consecutive ones from its first to its last.
    pub(super) runs: Vec<(u64, u64)>,
}

impl Answer {
    /// `None` where the poll failed.
    fn of(exchange: &Exchange) -> Option<Self> {
        if let Some(content) = exchange.binary() {
            let Some(Reply::PolledMessages(reply)) = &content.reply else {
                return None;
            };
            let offsets = reply.messages.iter().map(|message| message.header.offset);
            return Some(Self {
                current_offset: reply.current_offset,
                runs: runs(offsets),
            });
        }
        let answer = exchange.poll_answer()?;
        Some(Self {
            current_offset: answer.current_offset,
            runs: runs(answer.messages.iter().map(|message| message.offset)),
        })
    }
}

fn runs(offsets: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut runs = Vec::<(u64, u64)>::new();
    for offset in offsets {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(offset) => *last = offset,
            _ => runs.push((offset, offset)),
        }
    }
    runs
}
