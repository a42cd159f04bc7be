//! Whether an exchange is as an expression says.

use std::cmp::Ordering;

use super::expression::{Comparison, Expression};
use super::field::Field;
use super::literal::Literal;
use super::read::read;
use super::seen::{Seen, Visit};
use crate::exchange::Exchange;

impl Expression {
    /// Whether it holds for this exchange.
    ///
    /// A field may have several values (a poll's messages, findings): a condition
    /// holds if it does for any of them, `!=` if it does for all and there is one.
    /// Where a field is not there, and where it is null, nothing but `== null`
    /// of the latter holds.
    pub fn accepts(&self, exchange: &Exchange) -> bool {
        self.holds(&|field, visit| read(exchange, field, visit))
    }

    /// The same over anything that shows the values of fields.
    pub(super) fn holds(&self, values: &dyn Fn(&Field, Visit<'_>)) -> bool {
        let any = |field: &Field, wanted: &dyn Fn(Seen<'_>) -> bool| {
            let mut found = false;
            values(field, &mut |seen| found = found || wanted(seen));
            found
        };
        match self {
            Self::And(all) => all.iter().all(|one| one.holds(values)),
            Self::Or(alternatives) => alternatives.iter().any(|one| one.holds(values)),
            Self::Not(inner) => !inner.holds(values),
            Self::Present(field) => any(field, &|seen| seen.holds()),
            Self::Compare(field, Comparison::NotEqual, literal) => {
                let (mut there, mut equal) = (false, false);
                values(field, &mut |seen| {
                    there = there || *literal == Literal::Null || !seen.is_null();
                    equal = equal || is_equal(seen, literal, field);
                });
                there && !equal
            }
            Self::Compare(field, comparison, literal) => any(field, &|seen| {
                let order = seen.order(literal, field.kind());
                order.is_some_and(|order| comparison.allows(order))
            }),
            Self::OneOf(field, literals) => any(field, &|seen| {
                literals
                    .iter()
                    .any(|literal| is_equal(seen, literal, field))
            }),
            Self::Contains(field, part) => any(field, &|seen| {
                seen.text().is_some_and(|text| text.contains(part.as_str()))
            }),
            Self::Matches(field, pattern) => any(field, &|seen| {
                seen.text().is_some_and(|text| pattern.regex.is_match(text))
            }),
        }
    }
}

fn is_equal(seen: Seen<'_>, literal: &Literal, field: &Field) -> bool {
    seen.order(literal, field.kind()) == Some(Ordering::Equal)
}

impl Comparison {
    fn allows(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}
