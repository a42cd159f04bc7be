//! What is known, and how.

use jiff::Timestamp;
use parallax_captures::Exchange;

use crate::comparison::ExpectedStart;

/// When an exchange was under way: from its request's first byte to its reply's
/// last. What the server did lies somewhere in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The request's first byte.
    pub from: Timestamp,
    /// The reply's last byte; the request's, where there was no reply.
    pub to: Timestamp,
}

impl Span {
    /// When this exchange was under way.
    pub fn of(exchange: &Exchange) -> Self {
        let times = exchange.times;
        Self {
            from: times.request_first,
            to: times.reply.map_or(times.request_last, |(_, last)| last),
        }
    }

    /// Whether both were under way at one time, so that which of them the server
    /// did first is not known.
    pub fn overlaps(self, other: Self) -> bool {
        !self.is_before(other) && !other.is_before(self)
    }

    /// Whether this was over when the other began.
    pub fn is_before(self, other: Self) -> bool {
        self.to < other.from
    }

    /// The time from the beginning of the one that began first to the end of the
    /// one that ended last.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self {
            from: self.from.min(other.from),
            to: self.to.max(other.to),
        }
    }
}

/// Something known, and the exchange that told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact<T> {
    /// What is known.
    pub value: T,
    /// The exchange.
    pub n: u64,
    /// When that was under way.
    pub span: Span,
    /// How it told it.
    pub how: How,
}

impl<T> Fact<T> {
    /// A fact that this exchange tells.
    pub fn new(value: T, how: How, exchange: &Exchange) -> Self {
        Self {
            value,
            n: exchange.n,
            span: Span::of(exchange),
            how,
        }
    }

    /// `exchange 12 stored it`.
    pub fn source(&self) -> String {
        format!("exchange {} {}", self.n, self.how.told())
    }
}

/// Where a poll of Next was to begin, of what the server held as consumed.
impl From<Fact<u64>> for ExpectedStart {
    fn from(held: Fact<u64>) -> Self {
        Self {
            offset: held.value.saturating_add(1),
            learned: format!(
                "The server held {} as consumed: {}.",
                held.value,
                held.source()
            ),
        }
    }
}

/// How an exchange tells a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A poll's reply brought it.
    Served,
    /// A poll with `auto_commit` was served these messages.
    AutoCommit,
    /// A store of an offset was acknowledged.
    Stored,
    /// A question for the stored offset was answered.
    Asked,
    /// A deletion of a stored offset was acknowledged.
    OffsetDeleted,
    /// A purge was acknowledged.
    Purged,
    /// A creation was acknowledged.
    Created,
    /// A deletion was acknowledged.
    Deleted,
    /// Segments were deleted.
    SegmentsDeleted,
    /// Something was done of which is not known what it changed.
    NotFollowed,
}

impl How {
    const fn told(self) -> &'static str {
        match self {
            Self::Served => "was served it",
            Self::AutoCommit => "was served it with auto_commit",
            Self::Stored => "stored it",
            Self::Asked => "asked for it",
            Self::OffsetDeleted => "deleted the stored offset",
            Self::Purged => "purged the topic",
            Self::Created => "created it",
            Self::Deleted => "deleted it",
            Self::SegmentsDeleted => "deleted segments",
            Self::NotFollowed => "may have changed it",
        }
    }
}
