//! A condition as SQL.

use parallax_codec::Command;
use rusqlite::types::Value;

use super::row::whole;
use super::seen::Asked;
use crate::journal::{Column, Comparison, Condition, Scalar};

/// A part of a query: true, false, never null.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
    /// What it asks of a run of exchanges, where that can be told.
    pub(super) run: Option<Asked>,
    /// Whether it asks for a finding, whose own table has its exchanges in order.
    pub(super) is_finding: bool,
}

/// What of a condition the index can decide: all that are wanted fulfil these parts.
/// The flag says whether only those do.
pub(super) fn parts(condition: &Condition) -> (Vec<Part>, bool) {
    let all = match condition {
        Condition::All(all) => all.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut exact = true;
    let mut parts = Vec::new();
    for one in all {
        match part(one) {
            Some((part, whole)) => {
                exact &= whole;
                parts.push(part);
            }
            None => exact = false,
        }
    }
    (parts, exact)
}

/// `None`: anything may fulfil it. The flag says whether it is exact.
fn part(condition: &Condition) -> Option<(Part, bool)> {
    match condition {
        Condition::Unknown => None,
        Condition::All(_) => {
            let (parts, exact) = parts(condition);
            (!parts.is_empty() || exact).then(|| (joined(&parts, " AND ", "1"), exact))
        }
        Condition::Either(any) => {
            let parts: Option<Vec<_>> = any.iter().map(part).collect();
            let (parts, exact): (Vec<_>, Vec<_>) = parts?.into_iter().unzip();
            let exact = exact.into_iter().all(|exact| exact);
            Some((joined(&parts, " OR ", "0"), exact))
        }
        Condition::Not(inner) => {
            let (inner, exact) = part(inner)?;
            exact.then(|| (plain(format!("NOT ({})", inner.sql), inner.values), true))
        }
        Condition::Compare(column, comparison, values) => {
            compare(*column, *comparison, values).map(|part| (part, true))
        }
        Condition::IsNull(column) => {
            let sql = format!("({} IS NULL)", name(*column));
            Some((plain(sql, Vec::new()), true))
        }
        Condition::Finding(code, muted) => {
            let sql = "EXISTS (SELECT 1 FROM exchange_finding AS f \
                       WHERE f.code = ? AND f.muted = ? AND f.n = exchange.n)";
            let values = vec![i64::from(code.0).into(), (*muted).into()];
            let part = plain(sql.to_owned(), values);
            Some((
                Part {
                    is_finding: true,
                    ..part
                },
                true,
            ))
        }
    }
}

fn compare(column: Column, comparison: Comparison, values: &[Scalar]) -> Option<Part> {
    if column == Column::Code
        && comparison == Comparison::Equal
        && let [Scalar::Number(code)] = values
        && let Some(command) = u32::try_from(*code).ok().and_then(Command::from_code)
    {
        // A command has one code, and runs know it by its name.
        let run = Asked::of("command", "value = ?", vec![command.name.to_owned().into()]);
        let sql = "(code IS NOT NULL AND code = ?)".to_owned();
        return Some(Part {
            run,
            ..plain(sql, vec![whole(*code)])
        });
    }
    if let ([Scalar::Flag(flag)], Comparison::Equal) = (values, comparison)
        && is_flag(column)
    {
        let sql = format!("({} = {})", name(column), u8::from(*flag));
        let run = Asked::of(name(column), "value = 1", Vec::new());
        return Some(Part {
            run: run.filter(|_| *flag),
            ..plain(sql, Vec::new())
        });
    }
    let is_refusal = column == Column::Status && refuses(comparison, values);
    let name = if is_refusal { "refusal" } else { name(column) };
    let sign = match comparison {
        Comparison::Equal => "IN",
        Comparison::NotEqual => "NOT IN",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    };
    let test = match (comparison, values) {
        (Comparison::Equal, [_]) => "= ?".to_owned(),
        (Comparison::Equal | Comparison::NotEqual, many) => {
            let marks = vec!["?"; many.len()].join(", ");
            format!("{sign} ({marks})")
        }
        (_, [_]) if !is_mixed(column) => format!("{sign} ?"),
        _ => return None,
    };
    let values = values.iter().map(value).collect::<Option<Vec<_>>>()?;
    let asked = match (is_refusal || is_kept(column), comparison) {
        (true, Comparison::NotEqual) => None,
        (false, _) if !is_measure(column) => None,
        // Of these a run has the largest.
        (false, Comparison::Equal) if values.len() == 1 => Some("value >= ?".to_owned()),
        (true, _) | (false, Comparison::Greater | Comparison::GreaterOrEqual) => {
            Some(format!("value {test}"))
        }
        (false, _) => None,
    };
    let run = asked.and_then(|sql| Asked::of(name, &sql, values.clone()));
    let sql = format!("({name} IS NOT NULL AND {name} {test})");
    Some(Part {
        run,
        ..plain(sql, values)
    })
}

/// Whether only errors fulfil it: most exchanges succeed, and the index of errors
/// leaves them out.
fn refuses(comparison: Comparison, values: &[Scalar]) -> bool {
    let positive = |value: &Scalar| matches!(value, Scalar::Number(number) if *number > 0);
    match comparison {
        Comparison::Equal | Comparison::GreaterOrEqual => values.iter().all(positive),
        Comparison::Greater => true,
        _ => false,
    }
}

fn value(scalar: &Scalar) -> Option<Value> {
    Some(match scalar {
        Scalar::Number(number) => Value::Integer(i64::try_from(*number).ok()?),
        Scalar::Text(text) => Value::Text(text.clone()),
        Scalar::Flag(flag) => (*flag).into(),
    })
}

/// Numbers and names: these have no order among each other.
const fn is_mixed(column: Column) -> bool {
    matches!(column, Column::Stream | Column::Topic | Column::Consumer)
}

const fn is_flag(column: Column) -> bool {
    matches!(
        column,
        Column::Failed | Column::Empty | Column::Muted | Column::Unexplained | Column::Marked
    )
}

const fn is_measure(column: Column) -> bool {
    matches!(column, Column::LatencyUs | Column::Bytes)
}

/// Whether each of its values is told of a run.
const fn is_kept(column: Column) -> bool {
    matches!(
        column,
        Column::Conn
            | Column::Command
            | Column::Stream
            | Column::Topic
            | Column::Consumer
            | Column::PartitionId
            | Column::Strategy
            | Column::Verdict
            | Column::Partition
    )
}

const fn name(column: Column) -> &'static str {
    match column {
        Column::N => "n",
        Column::Conn => "conn",
        Column::Dialect => "dialect",
        Column::Command => "command",
        Column::Code => "code",
        Column::Status => "status",
        Column::Error => "error",
        Column::LatencyUs => "latency_us",
        Column::Stream => "stream",
        Column::Topic => "topic",
        Column::PartitionId => "partition_id",
        Column::ConsumerKind => "consumer_kind",
        Column::Consumer => "consumer",
        Column::Strategy => "strategy",
        Column::Verdict => "verdict",
        Column::VerdictMuted => "verdict_muted",
        Column::Partition => "partition",
        Column::Failed => "failed",
        Column::Empty => "empty",
        Column::Muted => "muted",
        Column::Unexplained => "unexplained",
        Column::Bytes => "bytes",
        Column::Marked => "marked",
    }
}

fn plain(sql: String, values: Vec<Value>) -> Part {
    Part {
        sql,
        values,
        run: None,
        is_finding: false,
    }
}

fn joined(parts: &[Part], sign: &str, none: &str) -> Part {
    let sql: Vec<_> = parts.iter().map(|part| part.sql.as_str()).collect();
    let sql = if sql.is_empty() {
        none.to_owned()
    } else {
        format!("({})", sql.join(sign))
    };
    let values = parts.iter().flat_map(|part| part.values.clone()).collect();
    plain(sql, values)
}
