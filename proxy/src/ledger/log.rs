//! What is known of a partition's log.

use std::collections::BTreeMap;

use parallax_captures::Exchange;
use parallax_codec::messages::Message;

use super::fact::{Fact, How, Span};
use crate::limits::LEDGER_MESSAGES;

/// A partition's log, as far as it was seen.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The highest offset that the server said it has.
    pub watermark: Option<Fact<u64>>,
    /// The lowest offset that was served.
    pub earliest: Option<Fact<u64>>,
    /// Some of the messages that were served, by offset.
    messages: BTreeMap<u64, Seen>,
}

/// A message that was served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    id: u128,
    checksum: u64,
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
    /// The server said that its last offset is this. Gives what was known, where
    /// that was surely said earlier and is higher.
    pub(super) fn ends_at(&mut self, offset: u64, exchange: &Exchange) -> Option<Fact<u64>> {
        let now = Fact::new(offset, How::Served, exchange);
        match &self.watermark {
            Some(known) if known.value > offset => {
                // Sent at the same time, either may be the older answer.
                (!known.span.overlaps(now.span)).then(|| known.clone())
            }
            _ => {
                self.watermark = Some(now);
                None
            }
        }
    }

    /// These messages were served. Gives an offset that had another message
    /// before.
    pub(super) fn served(&mut self, messages: &[Message], exchange: &Exchange) -> Option<Reused> {
        let (first, last) = (messages.first()?, messages.last()?);
        let reused = self.reused(messages, first.header.offset, last.header.offset);
        let earlier = |fact: &Fact<u64>| fact.value <= first.header.offset;
        if !self.earliest.as_ref().is_some_and(earlier) {
            self.earliest = Some(Fact::new(first.header.offset, How::Served, exchange));
        }
        for message in [first, last] {
            let seen = Seen {
                id: message.header.id,
                checksum: message.header.checksum,
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

    fn reused(&self, messages: &[Message], first: u64, last: u64) -> Option<Reused> {
        if first > last {
            return None;
        }
        self.messages
            .range(first..=last)
            .find_map(|(offset, seen)| {
                let index = usize::try_from(offset - first).ok()?;
                let header = &messages.get(index)?.header;
                let other = header.offset == *offset
                    && (header.id, header.checksum) != (seen.id, seen.checksum);
                other.then_some(Reused {
                    offset: *offset,
                    before: (seen.n, seen.id),
                    now: header.id,
                })
            })
    }
}
