//! The filter expression in an address.

use parallax_captures::filter::{Expression, FilterError};
use parallax_captures::limits::FILTER_BYTES;
pub(crate) use parallax_captures::text::percent_encoded as encoded;
use parallax_captures::{Condition, Exchange, Wanted as _};

/// An expression as it was typed, and what it means.
#[derive(Debug, Clone)]
pub(crate) struct Where {
    text: String,
    parsed: Result<Expression, FilterError>,
}

impl PartialEq for Where {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Where {}

impl Where {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            parsed: text.parse(),
            text: text.to_owned(),
        }
    }

    /// As it was typed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Why it is not understood.
    pub(crate) fn mistake(&self) -> Option<&FilterError> {
        self.parsed.as_ref().err()
    }

    /// Whether it is understood, and so of this exchange.
    pub(crate) fn accepts(&self, exchange: &Exchange) -> bool {
        let parsed = self.parsed.as_ref();
        parsed.is_ok_and(|expression| expression.accepts(exchange))
    }

    /// The same with one more condition, where it is understood; `None` where that is
    /// longer than an expression may be. What it has already is not added again.
    pub(crate) fn and(&self, condition: &str) -> Option<Self> {
        let text = match &self.parsed {
            Err(_) => condition.to_owned(),
            Ok(_) if self.text == condition => condition.to_owned(),
            Ok(Expression::And(all)) if all.last() == condition.parse().ok().as_ref() => {
                self.text.clone()
            }
            Ok(Expression::Or(_)) => format!("({}) and {condition}", self.text),
            Ok(_) => format!("{} and {condition}", self.text),
        };
        (text.len() <= FILTER_BYTES).then(|| Self::new(&text))
    }

    /// What of it an index can look for.
    pub(crate) fn condition(&self) -> Condition {
        match &self.parsed {
            Ok(expression) => expression.condition(),
            Err(_) => Condition::Either(Vec::new()),
        }
    }
}
