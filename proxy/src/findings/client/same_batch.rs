//! PX502: the same poll, the same batch, again and again (case B10).

use jiff::Timestamp;
use parallax_captures::catalog::SAME_BATCH_AGAIN;
use parallax_captures::{ConnectionId, Exchange, Finding};
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::{Consumer, Identifier, PollingKind, PollingStrategy};
use parallax_codec::{Reply, Request};

use crate::bounded::{Bounded, KeyOf};
use crate::findings::place::reader_place;
use crate::limits::{BATCHES_THAT_REPEAT, COMMIT_INTERVAL, READERS_OF_A_BATCH};

/// What each reader was given last, and how often in a row.
#[derive(Debug)]
pub(super) struct SameBatch {
    readers: Bounded<Reader, Option<Batch>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Reader {
    /// Two programs that read as one consumer are two.
    conn: ConnectionId,
    consumer: Consumer,
    stream: Identifier,
    topic: Identifier,
    /// The partition that was read.
    partition_id: u32,
}

/// What a [`Reader`] is made of, in the same order.
#[derive(Debug, Clone, Copy, Hash)]
struct Read<'a> {
    conn: ConnectionId,
    consumer: &'a Consumer,
    stream: &'a Identifier,
    topic: &'a Identifier,
    partition_id: u32,
}

/// What is asked for, by one reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    partition_id: Option<u32>,
    strategy: PollingStrategy,
    count: u32,
    auto_commit: bool,
}

#[derive(Debug)]
struct Batch {
    asked: Asked,
    /// The first and the last offset.
    offsets: (u64, u64),
    since: Timestamp,
    times: u64,
    exchanges: Vec<u64>,
    told: bool,
}

impl Default for SameBatch {
    fn default() -> Self {
        Self {
            readers: Bounded::new(READERS_OF_A_BATCH),
        }
    }
}

impl SameBatch {
    pub(super) fn finding(&mut self, exchange: &Exchange) -> Option<Finding> {
        let content = exchange.binary()?;
        match (&content.request, &content.reply) {
            (Some(Request::StoreConsumerOffset(r)), _) => {
                self.moved(exchange, &r.consumer, &r.stream, &r.topic);
                None
            }
            (Some(Request::DeleteConsumerOffset(r)), _) => {
                self.moved(exchange, &r.consumer, &r.stream, &r.topic);
                None
            }
            (
                Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)),
                Some(Reply::PolledMessages(reply)),
            ) if exchange.undecoded.is_none() => {
                let read = Read {
                    conn: exchange.conn,
                    consumer: &r.consumer,
                    stream: &r.stream,
                    topic: &r.topic,
                    partition_id: reply.partition_id,
                };
                let ends = reply.messages.first().zip(reply.messages.last());
                let Some((first, last)) = ends else {
                    self.readers.remove(&read);
                    return None;
                };
                let offsets = (first.header.offset, last.header.offset);
                self.given(read, r, offsets, reply.current_offset, exchange)
            }
            _ => None,
        }
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.readers.forgotten()
    }

    /// Whoever stores a reader's offset, on whatever connection and partition: it
    /// gets on.
    fn moved(
        &mut self,
        exchange: &Exchange,
        consumer: &Consumer,
        stream: &Identifier,
        topic: &Identifier,
    ) {
        // A store that is refused moves nothing.
        if exchange.error().is_none() {
            self.readers.retain(|reader, _| {
                (&reader.consumer, &reader.stream, &reader.topic) != (consumer, stream, topic)
            });
        }
    }

    fn given(
        &mut self,
        read: Read<'_>,
        poll: &PollMessages,
        offsets: (u64, u64),
        end: u64,
        exchange: &Exchange,
    ) -> Option<Finding> {
        let now = exchange.times.request_first;
        let asked = Asked::of(poll);
        let known = self.readers.entry(&read);
        let is_same = |batch: &&mut Batch| batch.asked == asked && batch.offsets == offsets;
        let Some(batch) = known.as_mut().filter(is_same) else {
            let mut exchanges = known.take().map_or_else(Vec::new, |batch| batch.exchanges);
            exchanges.clear();
            exchanges.push(exchange.n);
            *known = Some(Batch {
                asked,
                offsets,
                since: now,
                times: 1,
                exchanges,
                told: false,
            });
            return None;
        };
        batch.times += 1;
        if batch.times <= BATCHES_THAT_REPEAT {
            batch.exchanges.push(exchange.n);
        }
        if batch.times < BATCHES_THAT_REPEAT || batch.awaits_its_commit(end, now) {
            return None;
        }
        let place = reader_place(poll, read.partition_id);
        let evidence = vec![batch.told(now)];
        let mut finding = Finding::new(SAME_BATCH_AGAIN, place, exchange.n, now, evidence);
        if !batch.told {
            batch.told = true;
            finding.exchanges.clone_from(&batch.exchanges);
            finding.count = batch.times;
            finding.first = batch.since;
        }
        Some(finding)
    }
}

impl KeyOf<Reader> for Read<'_> {
    fn is(&self, key: &Reader) -> bool {
        (self.conn, self.partition_id) == (key.conn, key.partition_id)
            && (self.consumer, self.stream, self.topic) == (&key.consumer, &key.stream, &key.topic)
    }

    fn key(&self) -> Reader {
        Reader {
            conn: self.conn,
            consumer: self.consumer.clone(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: self.partition_id,
        }
    }
}

impl Asked {
    const fn of(poll: &PollMessages) -> Self {
        Self {
            partition_id: poll.partition_id,
            strategy: poll.strategy,
            count: poll.count,
            auto_commit: poll.auto_commit,
        }
    }
}

impl Batch {
    /// Whether it is polled by Next and may still be committed: SDKs commit in
    /// intervals, and leave what they have handled at the log's `end` uncommitted
    /// until more comes.
    fn awaits_its_commit(&self, end: u64, now: Timestamp) -> bool {
        let lasts = now.duration_since(self.since).unsigned_abs();
        let is_recent = lasts < COMMIT_INTERVAL || self.offsets.1 >= end;
        self.asked.strategy.kind == PollingKind::Next && is_recent
    }

    fn told(&self, now: Timestamp) -> String {
        let (first, last) = self.offsets;
        let elapsed = now.duration_since(self.since).as_secs_f64();
        let rate = if elapsed > 0.0 {
            // The precision of a rate that is shown with one decimal.
            #[expect(clippy::cast_precision_loss)]
            let a_second = (self.times - 1) as f64 / elapsed;
            format!(", {a_second:.1} a second")
        } else {
            String::new()
        };
        let value = match self.asked.strategy.value {
            0 => String::new(),
            value => format!(" of {value}"),
        };
        let stored = if self.asked.auto_commit {
            "each of them commits, and still asks for the same"
        } else {
            "nothing was stored in between"
        };
        format!(
            "the same poll ({}{value}, count {}) brought offsets {first} to {last} {} times in a \
             row since {}{rate}, and {stored}",
            self.asked.strategy.kind.name(),
            self.asked.count,
            self.times,
            self.since.strftime("%H:%M:%S%.3f UTC")
        )
    }
}
