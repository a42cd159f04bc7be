//! From what an exchange has to the conditions that it fulfils.

use super::expression::{Comparison, Expression};
use super::field::{Field, FieldKind};
use super::literal::{Literal, Number};
use super::read::read;
use super::seen::Seen;
use super::table::FIELDS;
use crate::exchange::Exchange;

/// A condition for each value that `exchange` has in `field` (a path or short name), as
/// text: `topic == "metrics"`. The exchange fulfils it. A value that no condition can be
/// written with has none; neither has a field that there is not.
pub fn equal_to(exchange: &Exchange, field: &str) -> Vec<String> {
    compared(exchange, field, Comparison::Equal)
}

/// The same of numbers, durations and times: at least as much. A name has none.
pub fn at_least(exchange: &Exchange, field: &str) -> Vec<String> {
    compared(exchange, field, Comparison::AtLeast)
}

fn compared(exchange: &Exchange, name: &str, comparison: Comparison) -> Vec<String> {
    let Ok(field) = Field::find(name) else {
        return Vec::new();
    };
    let entry = FIELDS.iter().find(|entry| entry.path == field.path());
    let shown = entry.and_then(|entry| entry.short).unwrap_or(field.path());
    let mut all = Vec::new();
    read(exchange, &field, &mut |seen| {
        if let Some(literal) = literal(seen)
            && (comparison == Comparison::Equal || has_order(&literal))
        {
            let condition = Expression::Compare(field.clone(), comparison, literal);
            let text = condition.to_string();
            let text = text.replacen(field.path(), shown, 1);
            if !all.contains(&text) && text.parse::<Expression>().is_ok() {
                all.push(text);
            }
        }
    });
    if matches!(field.kind(), FieldKind::Group) {
        all.clear();
    }
    all
}

fn literal(seen: Seen<'_>) -> Option<Literal> {
    Some(match seen {
        Seen::Null => Literal::Null,
        Seen::Flag(flag) => Literal::Flag(flag),
        Seen::Whole(number) => Literal::Number(Number::whole(number)),
        Seen::Text(text) => Literal::Text(text.to_owned()),
        Seen::Time(time) => Literal::Time(time),
        Seen::Float(_) | Seen::Group => return None,
    })
}

const fn has_order(literal: &Literal) -> bool {
    matches!(literal, Literal::Number(_) | Literal::Time(_))
}
