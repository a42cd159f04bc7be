//! Exchanges that are kept elsewhere than in memory, and how they are asked for.

use std::fmt::Debug;
use std::sync::Arc;

use crate::exchange::Exchange;
use crate::finding::FindingCode;
use crate::journal::{Measure, Rank, Ranking};

/// Where exchanges are that memory no longer holds. Asked without the journal's
/// lock: an answer may take as long as a disk does.
pub trait Archive: Debug + Send + Sync {
    /// The exchange with this number, where it is kept.
    fn exchange(&self, n: u64) -> Option<Arc<Exchange>>;

    /// The latest exchanges before the number `before`, newest first, at most
    /// `most`, of those that `wanted` accepts.
    fn older(&self, before: u64, most: usize, wanted: &dyn Wanted) -> Listing;

    /// The first exchanges after `after` and before `before`, oldest first, at most
    /// `most`, of those that `wanted` accepts.
    fn newer(&self, after: u64, before: u64, most: usize, wanted: &dyn Wanted) -> Listing;

    /// Of the exchanges before the number `before` that `wanted` accepts those that have
    /// most of `measure`, at most `most`: after `past` where that is given.
    fn top(
        &self,
        measure: Measure,
        past: Option<Rank>,
        before: u64,
        most: usize,
        wanted: &dyn Wanted,
    ) -> Ranking;
}

/// Exchanges in the order of their numbers, from either end.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// The exchanges.
    pub exchanges: Vec<Arc<Exchange>>,
    /// Where there may be further ones: beyond this number. `None`: there are none.
    pub more: Option<u64>,
}

/// Which exchanges are wanted.
pub trait Wanted {
    /// Whether this one is.
    fn accepts(&self, exchange: &Exchange) -> bool;

    /// What an index can look for: at least all that [`accepts`](Self::accepts)
    /// takes.
    fn condition(&self) -> Condition {
        Condition::Unknown
    }
}

impl<F: Fn(&Exchange) -> bool> Wanted for F {
    fn accepts(&self, exchange: &Exchange) -> bool {
        self(exchange)
    }
}

/// The exchanges on one connection.
#[derive(Debug, Clone, Copy)]
pub struct OnConnection(pub crate::connection::ConnectionId);

impl Wanted for OnConnection {
    fn accepts(&self, exchange: &Exchange) -> bool {
        exchange.conn == self.0
    }

    fn condition(&self) -> Condition {
        Condition::Compare(Column::Conn, Comparison::Equal, vec![self.0.0.into()])
    }
}

/// What an index can decide of an exchange. A comparison with what an exchange does
/// not have is false, also `NotEqual`.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Only the exchange itself tells.
    Unknown,
    /// All of these; with none of them, always.
    All(Vec<Self>),
    /// At least one of these; with none of them, never.
    Either(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// A field against a value, or against any of several.
    Compare(Column, Comparison, Vec<Scalar>),
    /// There is nothing in this field.
    IsNull(Column),
    /// This finding names it: muted, or not.
    Finding(FindingCode, bool),
}

impl Condition {
    /// Whether it depends on this field.
    pub fn asks_for(&self, column: Column) -> bool {
        match self {
            Self::Unknown | Self::Finding(..) => false,
            Self::All(several) | Self::Either(several) => {
                several.iter().any(|one| one.asks_for(column))
            }
            Self::Not(inner) => inner.asks_for(column),
            Self::Compare(asked, ..) | Self::IsNull(asked) => *asked == column,
        }
    }
}

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Equal to one of the values.
    Equal,
    /// Equal to none of the values.
    NotEqual,
    /// Less than the first value.
    Less,
    /// At most the first value.
    LessOrEqual,
    /// More than the first value.
    Greater,
    /// At least the first value.
    GreaterOrEqual,
}

/// A field that an index has, by its name in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the field of the same name in JSON")]
pub enum Column {
    N,
    Conn,
    Dialect,
    Command,
    Code,
    Status,
    Error,
    LatencyUs,
    Stream,
    Topic,
    PartitionId,
    ConsumerKind,
    Consumer,
    Strategy,
    Verdict,
    VerdictMuted,
    /// The partition that it is about: the key that
    /// [`OfPartition`](crate::partition::OfPartition) looks for.
    Partition,
    /// Whether it did not succeed.
    Failed,
    /// Whether it is a poll that was answered with no message.
    Empty,
    /// Whether its verdict or one of its findings is muted.
    Muted,
    /// Whether it diverges and no finding says why.
    Unexplained,
    Bytes,
    Marked,
}

/// A value to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number.
    Number(u64),
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
}

impl From<u64> for Scalar {
    fn from(value: u64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}
