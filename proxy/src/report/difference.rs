//! What differs, as text and as JSON.

use std::fmt::Write as _;

use parallax_captures::Exchange;
use parallax_captures::difference::{Comparer, Counted, FieldDifference, Row};
use parallax_captures::summary::asked;
use parallax_codec::ErrorCode;
use serde_json::{Value, json};

use super::without_controls;

/// Characters of a value that a line shows.
const SHOWN: usize = 60;

/// A row as lines.
pub(crate) fn row_lines(row: &Row<'_>) -> String {
    match row {
        Row::Connections { pair, is_in_order } => {
            let name = |id: Option<parallax_captures::ConnectionId>| {
                id.map_or_else(|| "none".to_owned(), |id| format!("c{id}"))
            };
            let mut line = format!("A {} is B {}: {}", name(pair.a), name(pair.b), pair.how);
            if !is_in_order {
                line.push_str("; too different to be aligned in order: paired by occurrence");
            }
            line.push('\n');
            line
        }
        Row::Differs { a, b, differences } => {
            let mut lines = format!("A {} / B {}  {}\n", a.n, b.n, asking(a));
            lines.push_str(&difference_lines(differences, ["A", "B"]));
            lines
        }
        Row::OnlyInA(a) => format!("A {}  only in A  {}\n", a.n, asking(a)),
        Row::OnlyInB(b) => format!("B {}  only in B  {}\n", b.n, asking(b)),
    }
}

/// Each field that differs, and what the two sides have there.
pub(crate) fn difference_lines(differences: &[FieldDifference], sides: [&str; 2]) -> String {
    let mut lines = String::new();
    for one in differences {
        let is_status = one.path == "status";
        let [a, b] = [&one.a, &one.b].map(|value| shown(value.as_ref(), is_status));
        let [first, second] = sides;
        let path = without_controls(&one.path);
        let _ = writeln!(lines, "      {path}: {first} {a}, {second} {b}");
    }
    lines
}

/// A row as JSON.
pub(crate) fn row_json(row: &Row<'_>) -> Value {
    match row {
        Row::Connections { pair, is_in_order } => json!({
            "row": "connections",
            "a": pair.a.map(|id| id.0),
            "b": pair.b.map(|id| id.0),
            "how": pair.how,
            "in_order": is_in_order,
        }),
        Row::Differs { a, b, differences } => json!({
            "row": "differs",
            "a": a.n,
            "b": b.n,
            "command": a.command(),
            "asked": asked(a),
            "differences": differences_json(differences, ["a", "b"]),
        }),
        Row::OnlyInA(a) => only("only_in_a", a),
        Row::OnlyInB(b) => only("only_in_b", b),
    }
}

/// Fields that differ; a side without the field has no entry.
pub(crate) fn differences_json(differences: &[FieldDifference], sides: [&str; 2]) -> Value {
    let [first, second] = sides;
    let difference = |one: &FieldDifference| {
        let mut value = json!({ "field": one.path });
        for (side, has) in [(first, &one.a), (second, &one.b)] {
            if let Some(has) = has {
                value[side] = has.clone();
            }
        }
        value
    };
    differences.iter().map(difference).collect()
}

fn only(row: &str, exchange: &Exchange) -> Value {
    json!({
        "row": row,
        "n": exchange.n,
        "command": exchange.command(),
        "asked": asked(exchange),
    })
}

/// How often which field differed, the most frequent first.
pub(crate) fn fields_lines(comparer: &Comparer<'_>) -> String {
    let mut lines = String::new();
    for (command, path, count) in by_count(comparer) {
        let path = without_controls(path);
        let _ = writeln!(lines, "{count:>8}  {command}: {path}");
    }
    if lines.is_empty() {
        return lines;
    }
    format!("\nfields that differ, by how often:\n{lines}\n")
}

/// The same, one JSON value a line.
pub(crate) fn fields_json(comparer: &Comparer<'_>) -> String {
    by_count(comparer).fold(String::new(), |mut lines, (command, path, count)| {
        let value = json!({ "row": "field", "command": command, "field": path, "count": count });
        let _ = writeln!(lines, "{value}");
        lines
    })
}

fn by_count<'a>(comparer: &'a Comparer<'_>) -> impl Iterator<Item = (&'a str, &'a str, u64)> {
    let mut fields: Vec<_> = comparer.fields().collect();
    fields.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    fields.into_iter()
}

/// Rules that have hidden nothing.
pub(crate) fn unused_lines(comparer: &Comparer<'_>) -> String {
    comparer
        .unused_rules()
        .fold(String::new(), |mut lines, rule| {
            let _ = writeln!(lines, "unused rule: {rule}");
            lines
        })
}

/// The same, one JSON value a line.
pub(crate) fn unused_json(comparer: &Comparer<'_>) -> String {
    comparer
        .unused_rules()
        .fold(String::new(), |mut lines, rule| {
            let value = json!({ "row": "unused_rule", "rule": rule.to_string() });
            let _ = writeln!(lines, "{value}");
            lines
        })
}

/// The headline.
pub(crate) fn counted_json(counted: Counted, comparer: &Comparer<'_>) -> Value {
    json!({
        "row": "counted",
        "equal": counted.equal,
        "differing": counted.differing,
        "differences": counted.differences,
        "only_in_a": counted.only_in_a,
        "only_in_b": counted.only_in_b,
        "ignored": comparer.hidden(),
    })
}

/// Command and what it asks, for a line.
pub(crate) fn asking(exchange: &Exchange) -> String {
    without_controls(&format!("{} {}", exchange.command(), asked(exchange)))
}

fn shown(value: Option<&Value>, is_status: bool) -> String {
    let Some(value) = value else {
        return "nothing".to_owned();
    };
    let status = value.as_u64().filter(|status| is_status && *status > 0);
    if let Some(code) = status.and_then(|status| u32::try_from(status).ok()) {
        return ErrorCode(code).to_string();
    }
    let text = without_controls(&value.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}... ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}
