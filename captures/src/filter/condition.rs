//! What of an expression an index of exchanges can look for.

use std::sync::LazyLock;

use super::expression::{Comparison, Expression};
use super::field::{Field, Place};
use super::literal::Literal;
use super::part::{Asked, Own};
use super::read::read;
use super::seen::Seen;
use crate::exchange::Exchange;
use crate::finding::FindingCode;
use crate::journal::{Column, Comparison as By, Condition, Scalar, Wanted};

impl Wanted for Expression {
    fn accepts(&self, exchange: &Exchange) -> bool {
        Self::accepts(self, exchange)
    }

    fn condition(&self) -> Condition {
        match self {
            Self::And(all) => Condition::All(all.iter().map(Wanted::condition).collect()),
            Self::Or(any) => Condition::Either(any.iter().map(Wanted::condition).collect()),
            Self::Not(inner) => Condition::Not(Box::new(inner.condition())),
            Self::Present(field) => present(field),
            Self::Compare(field, comparison, literal) => compare(field, *comparison, literal),
            Self::OneOf(field, literals) => {
                let equal = |literal| compare(field, Comparison::Equal, literal);
                Condition::Either(literals.iter().map(equal).collect())
            }
            Self::Contains(..) | Self::Matches(..) => Condition::Unknown,
        }
    }
}

/// The values of those fields of requests that an index has a column for; `None` where an
/// exchange does not have it, or has null. In the order of [`ASKED`].
pub(crate) fn indexed(exchange: &Exchange) -> [Option<Indexed>; ASKED.len()] {
    static FIELDS: LazyLock<[Option<Field>; ASKED.len()]> =
        LazyLock::new(|| ASKED.map(|path| Field::find(path).ok()));
    FIELDS
        .each_ref()
        .map(|field| value_of(exchange, field.as_ref()?))
}

const ASKED: [&str; 6] = [
    "request.stream",
    "request.topic",
    "request.partition_id",
    "request.consumer_kind",
    "request.consumer",
    "request.strategy",
];

fn value_of(exchange: &Exchange, field: &Field) -> Option<Indexed> {
    let mut found = None;
    read(exchange, field, &mut |seen| {
        let value = match seen {
            Seen::Null => return,
            Seen::Whole(number) => u64::try_from(number).ok().map(Scalar::Number),
            Seen::Text(text) => Some(Scalar::Text(text.to_owned())),
            Seen::Flag(flag) => Some(Scalar::Flag(flag)),
            Seen::Float(_) | Seen::Time(_) | Seen::Group => None,
        };
        found.get_or_insert(value.map_or(Indexed::Other, Indexed::Scalar));
    });
    found
}

/// A value in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Indexed {
    Scalar(Scalar),
    /// It is there, and equal to nothing that can be compared with it.
    Other,
}

fn column(field: &Field) -> Option<Column> {
    Some(match field.place {
        Place::Own(own) => match own {
            Own::N => Column::N,
            Own::Conn => Column::Conn,
            Own::Dialect => Column::Dialect,
            Own::Command => Column::Command,
            Own::Code => Column::Code,
            Own::Status => Column::Status,
            Own::Error => Column::Error,
            Own::Latency => Column::LatencyUs,
            Own::Verdict => Column::Verdict,
            Own::VerdictMuted => Column::VerdictMuted,
            Own::Bytes => Column::Bytes,
            Own::Marked => Column::Marked,
            Own::Route
            | Own::Time
            | Own::Findings
            | Own::MutedFindings
            | Own::Undecoded
            | Own::Basis
            | Own::Reason
            | Own::Comment
            | Own::Injected
            | Own::Rewritten
            | Own::ServerStatus
            | Own::ServerLength => return None,
        },
        Place::Request(Some(asked)) => match asked {
            Asked::Stream => Column::Stream,
            Asked::Topic => Column::Topic,
            Asked::PartitionId => Column::PartitionId,
            Asked::ConsumerKind => Column::ConsumerKind,
            Asked::Consumer => Column::Consumer,
            Asked::Strategy => Column::Strategy,
            Asked::Value | Asked::Count | Asked::AutoCommit => return None,
        },
        _ => return None,
    })
}

fn present(field: &Field) -> Condition {
    match (field.place, column(field)) {
        (Place::Own(Own::VerdictMuted | Own::Marked), Some(column)) => {
            Condition::Compare(column, By::Equal, vec![true.into()])
        }
        (_, Some(column)) => Condition::Not(Box::new(Condition::IsNull(column))),
        (_, None) => Condition::Unknown,
    }
}

fn compare(field: &Field, comparison: Comparison, literal: &Literal) -> Condition {
    if let Some(finding) = finding(field, comparison, literal) {
        return finding;
    }
    let Some(column) = column(field) else {
        return Condition::Unknown;
    };
    let is_own = matches!(field.place, Place::Own(_));
    let scalar = match literal {
        // A request's field that is not there is null in a column too.
        Literal::Null if !is_own => return Condition::Unknown,
        Literal::Null => {
            let null = Condition::IsNull(column);
            return match comparison {
                Comparison::Equal => null,
                Comparison::NotEqual => Condition::Not(Box::new(null)),
                _ => Condition::Unknown,
            };
        }
        Literal::Flag(flag) => Some(Scalar::Flag(*flag)),
        Literal::Number(number) => number.as_whole().and_then(whole),
        Literal::Duration(nanoseconds) if nanoseconds % 1_000 == 0 => whole(nanoseconds / 1_000),
        Literal::Duration(_) | Literal::Time(_) => None,
        Literal::Text(text) => Some(Scalar::Text(text.clone())),
    };
    let by = match comparison {
        Comparison::Equal => By::Equal,
        Comparison::NotEqual => By::NotEqual,
        _ if !matches!(scalar, Some(Scalar::Number(_))) => return Condition::Unknown,
        Comparison::Less => By::Less,
        Comparison::AtMost => By::LessOrEqual,
        Comparison::Greater => By::Greater,
        Comparison::AtLeast => By::GreaterOrEqual,
    };
    scalar.map_or(Condition::Unknown, |scalar| {
        Condition::Compare(column, by, vec![scalar])
    })
}

/// `findings == PX104`.
fn finding(field: &Field, comparison: Comparison, literal: &Literal) -> Option<Condition> {
    let muted = match field.place {
        Place::Own(Own::Findings) => false,
        Place::Own(Own::MutedFindings) => true,
        _ => return None,
    };
    let (Comparison::Equal, Literal::Text(code)) = (comparison, literal) else {
        return None;
    };
    let number = code.strip_prefix("PX")?.parse().ok()?;
    Some(Condition::Finding(FindingCode(number), muted))
}

fn whole(number: u128) -> Option<Scalar> {
    u64::try_from(number).ok().map(Scalar::Number)
}
