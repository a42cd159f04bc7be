//! What is known of offsets: of each partition's log, and of each consumer's and
//! group's way through it, learned from everything that passes, on all
//! connections. Pure: exchanges in, what they add out.
//!
//! Each fact says which exchange told it and how ([`Fact`]). Of two exchanges that
//! were under way at the same time nobody outside the server knows which came
//! first: what they say of one thing is then not known, unless they agree. Nor is
//! known what others do who do not pass through here: whatever is drawn from the
//! ledger says "nothing that passed here".

mod changes;
mod fact;
mod hidden;
mod learned;
mod log;
mod names;
mod place;
mod progress;

use parallax_captures::{Content, Exchange};
use parallax_codec::commands::{ConsumerOffset, PollMessages, PolledMessages};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PollingKind, partition_meaning,
};
use parallax_codec::{ErrorCode, Reply, Request};

use crate::bounded::{Bounded, KeyOf as _};
pub use fact::{Fact, How, Span};
pub use learned::{Asked, Learned, Polled, Scope, Stored};
pub use log::Log;
use log::SeenLog;
use names::Names;
use place::NamedReader;
pub use place::{Partition, Reader, Topic};
use progress::Delivered;
pub use progress::Progress;

use crate::limits::{LEDGER_NAMES, LEDGER_PARTITIONS, LEDGER_READERS};

/// The ledger.
#[derive(Debug)]
pub struct Ledger {
    names: Names,
    logs: Bounded<Partition, SeenLog>,
    readers: Bounded<Reader, Progress>,
    /// When something was last seen to begin anew.
    begun: Bounded<Scope, Option<Fact<()>>>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new()
    }
}

impl Ledger {
    /// Nothing known yet.
    pub fn new() -> Self {
        Self {
            names: Names::new(),
            logs: Bounded::new(LEDGER_PARTITIONS),
            readers: Bounded::new(LEDGER_READERS),
            begun: Bounded::new(LEDGER_NAMES),
        }
    }

    /// Learns from an exchange, which has its number.
    pub fn learn<'a>(&mut self, exchange: &'a Exchange) -> Vec<Learned<'a>> {
        let content = match &exchange.content {
            Content::Binary(content) => content,
            Content::Http(content) => return self.learn_http(content, exchange),
            Content::Unsolicited(_) => return Vec::new(),
        };
        let Some(request) = &content.request else {
            return Vec::new();
        };
        let done = content.status == Some(0);
        match (request, &content.reply) {
            (
                Request::PollMessages(r) | Request::PollMessagesOnPrimary(r),
                Some(Reply::PolledMessages(reply)),
            ) if exchange.undecoded.is_none() => {
                let learned = self.polled(r, reply, exchange);
                learned.into_iter().collect()
            }
            (Request::StoreConsumerOffset(r), _) => {
                let refused = exchange.error();
                match self.reader(&r.stream, &r.topic, &r.consumer, r.partition_id) {
                    Ok(reader) => self.stored(reader.key(), r.offset, refused, exchange),
                    Err(scope) if done => self.begins_anew(scope, How::NotFollowed, exchange),
                    Err(_) => Vec::new(),
                }
            }
            (Request::GetConsumerOffset(r), Some(reply)) if done => {
                let given = match reply {
                    Reply::ConsumerOffset(reply) => Some(reply),
                    Reply::Empty => None,
                    _ => return Vec::new(),
                };
                let id = r.partition_id.or(given.map(|reply| reply.partition_id));
                match self.reader(&r.stream, &r.topic, &r.consumer, id) {
                    Ok(reader) => vec![self.asked(reader.key(), given, exchange)],
                    Err(_) => Vec::new(),
                }
            }
            (Request::DeleteConsumerOffset(r), _) if done => {
                match self.reader(&r.stream, &r.topic, &r.consumer, r.partition_id) {
                    Ok(reader) => {
                        let reader = reader.key();
                        let is_of_before = self.may_be_of_before(&reader, exchange);
                        let progress = self.readers.entry(&reader);
                        if is_of_before {
                            progress.is_not_known(Span::of(exchange));
                        } else {
                            progress.stores(None, How::OffsetDeleted, exchange);
                        }
                        vec![Learned::OffsetDeleted(reader)]
                    }
                    Err(scope) => self.begins_anew(scope, How::NotFollowed, exchange),
                }
            }
            _ if done => self.changed(request, content.reply.as_ref(), exchange),
            _ => Vec::new(),
        }
    }

    /// What the server held as consumed before this poll of Next, which was to begin
    /// after it; `None` where that is not known, or it is no poll of Next that was
    /// answered. To be asked before the exchange is learned.
    pub fn held_before(&self, exchange: &Exchange) -> Option<Fact<u64>> {
        let content = exchange.binary()?;
        let (
            Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)),
            Some(Reply::PolledMessages(reply)),
        ) = (&content.request, &content.reply)
        else {
            return None;
        };
        if r.strategy.kind != PollingKind::Next {
            return None;
        }
        let read = (!reply.messages.is_empty()).then_some(reply.partition_id);
        let id = r.partition_id.or(read);
        let reader = self.reader(&r.stream, &r.topic, &r.consumer, id).ok()?;
        let stored = self.readers.get(&reader)?.before(exchange).stored?;
        let value = stored.value.filter(|offset| *offset < u64::MAX)?;
        Some(Fact {
            value,
            n: stored.n,
            span: stored.span,
            how: stored.how,
        })
    }

    /// What the server holds as consumed (`None` in the fact: nothing), by the names
    /// that a client uses; `None` where that is not known.
    pub fn held(
        &self,
        stream: &Identifier,
        topic: &Identifier,
        consumer: &Consumer,
        partition_id: u32,
    ) -> Option<&Fact<Option<u64>>> {
        let reader = self.reader(stream, topic, consumer, Some(partition_id));
        self.readers.get(&reader.ok()?)?.stored.as_ref()
    }

    /// The key of a topic, however a request names it.
    pub fn topic(&self, stream: &Identifier, topic: &Identifier) -> Topic {
        self.names.topic(stream, topic)
    }

    /// Likewise of a group.
    pub fn group(&self, stream: &Identifier, topic: &Identifier, group: &Identifier) -> Scope {
        let topic = self.names.topic(stream, topic);
        let group = self.names.group(&topic, group);
        Scope::Group(topic, group)
    }

    /// Entries that were forgotten for want of room.
    pub const fn forgotten(&self) -> u64 {
        self.names.forgotten() + self.logs.forgotten() + self.readers.forgotten()
    }

    fn polled<'a>(
        &mut self,
        poll: &'a PollMessages,
        reply: &PolledMessages,
        exchange: &Exchange,
    ) -> Option<Learned<'a>> {
        let blank = (reply.partition_id, reply.current_offset, reply.count) == (0, 0, 0);
        let says_nothing = blank && poll.partition_id.is_none();
        if says_nothing || partition_meaning(reply.partition_id).is_some() {
            return None;
        }
        let id = poll.partition_id.unwrap_or(reply.partition_id);
        let reader = self.reader(&poll.stream, &poll.topic, &poll.consumer, Some(id));
        let reader = reader.ok()?.key();
        let span = Span::of(exchange);
        let begun = self.begun(&reader);
        let mut progress = self.readers.entry(&reader);
        let before = progress.before(exchange);
        let mut log = self.logs.entry(&reader.partition);
        let log_before = log.log.clone();
        if is_of_before(begun.as_ref(), exchange) {
            // Read before the log began anew, or after: not known.
            if poll.auto_commit {
                progress.is_not_known(span);
            }
            return poll.auto_commit.then_some(Learned::NotKnown(reader));
        }
        let says_where_it_ends = reply.current_offset > 0 || !reply.messages.is_empty();
        let went_back = if says_where_it_ends {
            log.ends_at(reply.current_offset, exchange)
        } else {
            None
        };
        let unburied = log.unburied(&reply.messages);
        let reused = log.served(&reply.messages, exchange);
        if went_back.is_some() || reused.is_some() || unburied.is_some() {
            // Another log than the one that was known.
            self.is_another_log(&reader.partition, span);
            progress = self.readers.entry(&reader);
            log = self.logs.entry(&reader.partition);
            log.ends_at(reply.current_offset, exchange);
            log.served(&reply.messages, exchange);
        }
        if let (PollingKind::First, Some(first)) = (poll.strategy.kind, reply.messages.first()) {
            log.begins_at(first.header.offset, exchange);
        }
        let ends = reply.messages.first().zip(reply.messages.last());
        let offsets = ends.map(|(first, last)| (first.header.offset, last.header.offset));
        if let Some((first, last)) = offsets {
            let delivered = Delivered {
                first,
                last,
                conn: exchange.conn,
            };
            progress.delivered = Some(Fact::new(delivered, How::Served, exchange));
            if poll.auto_commit {
                progress.auto_commits(last, poll.strategy.kind, exchange);
            }
        }
        Some(Learned::Poll(Box::new(Polled {
            reader,
            span,
            poll,
            current_offset: reply.current_offset,
            offsets,
            before,
            log_before,
            begun,
            reused,
            unburied,
            went_back,
        })))
    }

    fn stored(
        &mut self,
        reader: Reader,
        offset: u64,
        refused: Option<ErrorCode>,
        exchange: &Exchange,
    ) -> Vec<Learned<'static>> {
        let is_of_before = self.may_be_of_before(&reader, exchange);
        let progress = self.readers.entry(&reader);
        let before = progress.before(exchange);
        let span = Span::of(exchange);
        match (refused, exchange.times.reply) {
            (None, Some(_)) if !is_of_before => {
                progress.stores(Some(offset), How::Stored, exchange);
            }
            // Whether it was stored is not known, or whether it still is.
            (None, _) => progress.is_not_known(span),
            (Some(_), _) => {}
        }
        vec![Learned::Store(Box::new(Stored {
            reader,
            span,
            offset,
            refused,
            before,
        }))]
    }

    fn asked(
        &mut self,
        reader: Reader,
        reply: Option<&ConsumerOffset>,
        exchange: &Exchange,
    ) -> Learned<'static> {
        let log_before = self.logs.entry(&reader.partition).log.clone();
        let is_of_before = self.may_be_of_before(&reader, exchange);
        let progress = self.readers.entry(&reader);
        let before = progress.before(exchange);
        let stored = reply.map(|reply| reply.stored_offset);
        if !is_of_before {
            progress.stores(stored, How::Asked, exchange);
        }
        Learned::Asked(Box::new(Asked {
            reader,
            span: Span::of(exchange),
            stored,
            current_offset: reply.map(|reply| reply.current_offset),
            before,
            log_before,
        }))
    }

    /// Who reads where.
    ///
    /// # Errors
    /// The partition is not known: what the group may have changed.
    fn reader<'a>(
        &self,
        stream: &'a Identifier,
        topic: &'a Identifier,
        consumer: &'a Consumer,
        partition_id: Option<u32>,
    ) -> Result<NamedReader<'a>, Scope> {
        let kind = consumer.kind;
        let topic = self.names.named_topic(stream, topic);
        let consumer = self.names.named_consumer(&topic, consumer);
        let partition_id = match (partition_id, kind) {
            (Some(id), _) => id,
            // Where a single consumer names none the server takes partition 0
            // (cases, section 0).
            (None, ConsumerKind::Consumer) => 0,
            (None, ConsumerKind::Group) => {
                return Err(Scope::Group(topic.key(), consumer.into_owned()));
            }
        };
        Ok(NamedReader {
            topic,
            partition_id,
            kind,
            consumer,
        })
    }

    /// Whether what this reader reads may have begun anew since the exchange: it
    /// was under way then, or is seen late.
    fn may_be_of_before(&self, reader: &Reader, exchange: &Exchange) -> bool {
        is_of_before(self.begun(reader).as_ref(), exchange)
    }

    /// When what this reader reads last began anew, where that was seen.
    fn begun(&self, reader: &Reader) -> Option<Fact<()>> {
        if self.begun.is_empty() {
            return None;
        }
        let Partition { topic, .. } = &reader.partition;
        let scopes = [
            Scope::All,
            Scope::Stream(topic.stream.clone()),
            Scope::Topic(topic.clone()),
            Scope::Group(topic.clone(), reader.consumer.id.clone()),
        ];
        let facts = scopes.iter().filter(|scope| scope.covers(reader));
        let facts = facts.filter_map(|scope| self.begun.get(scope)?.clone());
        facts.max_by_key(|fact| fact.span.to)
    }

    /// Forgets what no longer holds once this exchange has made `scope` anew.
    fn begins_anew(
        &mut self,
        scope: Scope,
        how: How,
        exchange: &Exchange,
    ) -> Vec<Learned<'static>> {
        let anew = Fact::new((), how, exchange);
        let span = anew.span;
        self.readers
            .retain(|reader, progress| !scope.covers(reader) || progress.outlasts(span));
        self.logs.retain(|partition, log| {
            !scope.covers_all_of(partition) || log.outlasts(span, how == How::Purged)
        });
        let begun = self.begun.entry(&scope);
        // The one that was over last: until then it may have begun anew.
        if begun.as_ref().is_none_or(|known| known.span.to <= span.to) {
            *begun = Some(anew);
        }
        vec![Learned::Anew(scope)]
    }

    /// The partition's log is not the one that was known: what is stored of it is not
    /// known either.
    fn is_another_log(&mut self, partition: &Partition, span: Span) {
        self.readers.change(
            |reader| reader.partition == *partition,
            |progress| *progress = Progress::not_known(span),
        );
        self.logs.remove(partition);
    }
}

/// Whether what began anew then may have done so after the exchange.
fn is_of_before(begun: Option<&Fact<()>>, exchange: &Exchange) -> bool {
    begun.is_some_and(|fact| !fact.span.is_before(Span::of(exchange)))
}
