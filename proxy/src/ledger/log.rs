//! What is known of a partition's log.

use std::collections::BTreeMap;

use parallax_captures::Exchange;
use parallax_codec::messages::{Message, MessageHeader};

use super::fact::{Fact, How, Span};
use crate::limits::LEDGER_MESSAGES;

/// From where to where a partition's log goes, as far as it was seen.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The highest offset that the server said it has.
    pub watermark: Option<Fact<u64>>,
    /// The lowest offset that was served.
    pub earliest: Option<Fact<u64>>,
    /// What a poll of First was last answered with: below it there is nothing any
    /// more.
    pub begins: Option<Fact<u64>>,
    /// That segments were deleted on a client's request.
    pub deleted: Option<Fact<()>>,
}

/// A partition's log, and some of what is in it.
#[derive(Debug, Default)]
pub(super) struct SeenLog {
    pub(super) log: Log,
    /// Some of the messages that were served, by offset.
    messages: BTreeMap<u64, Seen>,
    /// Likewise some of those from before the last purge that buried any.
    buried: BTreeMap<u64, Seen>,
}

/// A message that was served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    id: u128,
    /// In batch records it does not cover the timestamp.
    checksum: u64,
    timestamp: u64,
    n: u64,
    span: Span,
}

/// An offset that was served twice, with two messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reused {
    /// The offset.
    pub offset: u64,
    /// The exchange that was served the first message, and its id.
    pub before: (u64, u128),
    /// The id of the one that was served now.
    pub now: u128,
}

impl Log {
    /// Keeps what was surely told after it had begun anew, and says whether there is
    /// any.
    fn outlasts(&mut self, anew: Span) -> bool {
        let offsets = [&mut self.watermark, &mut self.earliest, &mut self.begins];
        let mut is_known = false;
        for fact in offsets {
            fact.take_if(|fact| !anew.is_before(fact.span));
            is_known |= fact.is_some();
        }
        self.deleted.take_if(|fact| !anew.is_before(fact.span));
        is_known || self.deleted.is_some()
    }
}

impl SeenLog {
    /// The server said that its last offset is this. Gives what was known, where
    /// that was surely said earlier and is higher.
    pub(super) fn ends_at(&mut self, offset: u64, exchange: &Exchange) -> Option<Fact<u64>> {
        let now = Fact::new(offset, How::Served, exchange);
        match &self.log.watermark {
            Some(known) if known.value > offset => {
                // Sent at the same time, either may be the older answer.
                known.span.is_before(now.span).then(|| known.clone())
            }
            _ => {
                self.log.watermark = Some(now);
                None
            }
        }
    }

    /// These messages were served. Gives an offset that had another message
    /// before.
    pub(super) fn served(&mut self, messages: &[Message], exchange: &Exchange) -> Option<Reused> {
        let (first, last) = (messages.first()?, messages.last()?);
        let reused = self.reused(messages, Span::of(exchange));
        let earlier = |fact: &Fact<u64>| fact.value <= first.header.offset;
        if !self.log.earliest.as_ref().is_some_and(earlier) {
            self.log.earliest = Some(Fact::new(first.header.offset, How::Served, exchange));
        }
        for message in [first, last] {
            let seen = Seen {
                id: message.header.id,
                checksum: message.header.checksum,
                timestamp: message.header.timestamp,
                n: exchange.n,
                span: Span::of(exchange),
            };
            self.messages.insert(message.header.offset, seen);
        }
        while self.messages.len() > LEDGER_MESSAGES {
            self.messages.pop_first();
        }
        reused
    }

    /// A poll of First was answered with this offset.
    pub(super) fn begins_at(&mut self, offset: u64, exchange: &Exchange) {
        self.log.begins = Some(Fact::new(offset, How::Served, exchange));
    }

    /// An offset that is served with the message that it had before the log began
    /// anew, and the exchange that was served it then.
    pub(super) fn unburied(&self, messages: &[Message]) -> Option<(u64, u64)> {
        let same = |header: &MessageHeader, seen: &Seen| seen.is(header);
        seen_before(&self.buried, messages, same).map(|(offset, seen, _)| (offset, seen.n))
    }

    /// Keeps what still holds once the log has begun anew in the course of `anew`, and
    /// says whether there is any: of a purge, the memory of what must not come again.
    /// What was served meanwhile may be of either log.
    pub(super) fn outlasts(&mut self, anew: Span, is_purge: bool) -> bool {
        let (since, mut old): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.messages)
            .into_iter()
            .partition(|(_, seen)| anew.is_before(seen.span));
        self.messages = since;
        old.retain(|_, seen| is_purge && seen.span.is_before(anew));
        if !old.is_empty() || !is_purge {
            self.buried = old;
        }
        let is_known = self.log.outlasts(anew);
        is_known || !self.messages.is_empty() || !self.buried.is_empty()
    }

    fn reused(&self, messages: &[Message], span: Span) -> Option<Reused> {
        let other =
            |header: &MessageHeader, seen: &Seen| seen.span.is_before(span) && !seen.is(header);
        let (offset, seen, now) = seen_before(&self.messages, messages, other)?;
        Some(Reused {
            offset,
            before: (seen.n, seen.id),
            now: now.id,
        })
    }
}

impl Seen {
    fn is(&self, header: &MessageHeader) -> bool {
        (self.id, self.checksum, self.timestamp) == (header.id, header.checksum, header.timestamp)
    }
}

/// The first of these messages at whose offset one was seen that is wanted.
fn seen_before<'a>(
    seen: &BTreeMap<u64, Seen>,
    messages: &'a [Message],
    wanted: impl Fn(&MessageHeader, &Seen) -> bool,
) -> Option<(u64, Seen, &'a MessageHeader)> {
    let first = messages.first()?.header.offset;
    let last = messages.last()?.header.offset.max(first);
    seen.range(first..=last).find_map(|(offset, seen)| {
        let index = usize::try_from(offset - first).ok()?;
        let header = &messages.get(index)?.header;
        let is_it = header.offset == *offset && wanted(header, seen);
        is_it.then_some((*offset, *seen, header))
    })
}
