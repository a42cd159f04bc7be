//! What is known of a consumer's, or a group's, way through a partition.

use parallax_captures::{ConnectionId, Dialect, Exchange};
use parallax_codec::primitives::PollingKind;

use super::fact::{Fact, How, Span};

/// How far a reader is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The offset that the server holds as the last one consumed; `Some(None)`
    /// where it is known to hold none.
    pub stored: Option<Fact<Option<u64>>>,
    /// The messages that were last delivered.
    pub delivered: Option<Fact<Delivered>>,
    /// When exchanges contradicted each other about what is stored.
    contested: Option<Span>,
}

/// Messages that a poll brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivered {
    /// The first one's offset.
    pub first: u64,
    /// The last one's offset.
    pub last: u64,
    /// To which connection.
    pub conn: ConnectionId,
}

impl Progress {
    /// The server holds this now. Where another exchange said otherwise at the
    /// same time, which of the two holds is not known.
    pub(super) fn stores(&mut self, offset: Option<u64>, how: How, exchange: &Exchange) {
        let now = Fact::new(offset, how, exchange);
        let known = self.stored.as_ref().map(|known| known.span);
        let is_older = |span: Option<Span>| span.is_some_and(|span| now.span.is_before(span));
        if is_older(known) || is_older(self.contested) {
            // Seen late: a later exchange has told already what is stored.
            return;
        }
        let contradicts =
            |known: &&Fact<Option<u64>>| known.span.overlaps(now.span) && known.value != now.value;
        let known = self.stored.as_ref().filter(contradicts);
        let contested = self.contested.filter(|span| span.overlaps(now.span));
        if let Some(other) = known.map(|known| known.span).or(contested) {
            self.is_not_known(other.joined(now.span));
            return;
        }
        self.stored = Some(now);
    }

    /// Whether exchanges left it open what is stored, since the reader was first seen
    /// or began anew: there may be an offset that nobody saw stored.
    pub const fn is_open(&self) -> bool {
        self.contested.is_some()
    }

    /// What was under way then leaves it open what is stored.
    pub(super) fn is_not_known(&mut self, span: Span) {
        self.stored = None;
        let contested = self.contested.filter(|other| other.overlaps(span));
        self.contested = Some(contested.map_or(span, |other| other.joined(span)));
    }

    /// Nothing, for what was under way then leaves it open.
    pub(super) fn not_known(span: Span) -> Self {
        Self {
            contested: Some(span),
            ..Self::default()
        }
    }

    /// Keeps what still holds once the reader has begun anew in the course of `anew`,
    /// and says whether there is any. Of what was told meanwhile is not known whether
    /// it was told of before.
    pub(super) fn outlasts(&mut self, anew: Span) -> bool {
        self.contested.take_if(|span| span.is_before(anew));
        self.delivered.take_if(|fact| !anew.is_before(fact.span));
        if let Some(fact) = self.stored.take_if(|fact| !anew.is_before(fact.span))
            && fact.span.overlaps(anew)
        {
            self.is_not_known(fact.span.joined(anew));
        }
        self.stored.is_some() || self.delivered.is_some() || self.contested.is_some()
    }

    /// The server committed by itself what it served, up to `last`. Server 0.8
    /// overwrites what it holds. Server 0.9 only ever moves forward by this, and is
    /// moved back by a store alone (0.9.0-edge.5, `persist_consumer_offset_commit`).
    pub(super) fn auto_commits(&mut self, last: u64, strategy: PollingKind, exchange: &Exchange) {
        if exchange.dialect == Dialect::Vsr {
            let span = Span::of(exchange);
            match &mut self.stored {
                Some(Fact {
                    value: Some(held),
                    span: since,
                    ..
                }) if *held >= last => {
                    // It holds still. A store that is seen later and was under way
                    // with this one may have come before it.
                    *since = since.joined(span);
                    return;
                }
                // Next begins after what is held, so that `last` is beyond it.
                None if strategy != PollingKind::Next => {
                    self.is_not_known(span);
                    return;
                }
                _ => {}
            }
        }
        self.stores(Some(last), How::AutoCommit, exchange);
    }

    /// What is known from before this exchange; of what was under way at the same time
    /// no more than that it leaves open what is stored.
    pub(super) fn before(&self, exchange: &Exchange) -> Self {
        let span = Span::of(exchange);
        let stored = earlier(self.stored.as_ref(), span);
        let meanwhile = self.stored.as_ref().filter(|_| stored.is_none());
        Self {
            stored,
            delivered: earlier(self.delivered.as_ref(), span),
            contested: self.contested.or(meanwhile.map(|fact| fact.span)),
        }
    }
}

fn earlier<T: Clone>(fact: Option<&Fact<T>>, span: Span) -> Option<Fact<T>> {
    fact.filter(|fact| fact.span.is_before(span)).cloned()
}
