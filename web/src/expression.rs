//! The filter expression in an address.

use std::sync::Arc;

use parallax_captures::filter::{Expression, FilterError};
use parallax_captures::limits::FILTER_BYTES;
pub(crate) use parallax_captures::text::percent_encoded as encoded;
use parallax_captures::{Condition, Exchange, Wanted as _};

/// An expression as it was typed, and what it means.
#[derive(Debug, Clone)]
pub(crate) struct Where {
    text: String,
    parsed: Arc<Result<Expression, FilterError>>,
}

impl PartialEq for Where {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Where {}

impl Where {
    pub(crate) fn new(text: &str) -> Self {
        #[cfg(test)]
        tests::READ.with(|read| read.set(read.get() + 1));
        Self {
            parsed: Arc::new(text.parse()),
            text: text.to_owned(),
        }
    }

    /// As it was typed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Why it is not understood.
    pub(crate) fn mistake(&self) -> Option<&FilterError> {
        self.parsed.as_ref().as_ref().err()
    }

    /// Whether it is understood, and so of this exchange.
    pub(crate) fn accepts(&self, exchange: &Exchange) -> bool {
        let parsed = self.parsed.as_ref().as_ref();
        parsed.is_ok_and(|expression| expression.accepts(exchange))
    }

    /// The text of the same with one more condition, where it is understood; `None` where
    /// that is longer than an expression may be. What it ends with is not added again. Only
    /// the text: a list has a thousand such links, and an expression is not cheap to read.
    pub(crate) fn and(&self, condition: &str) -> Option<String> {
        let text = match self.parsed.as_ref() {
            Err(_) => condition.to_owned(),
            Ok(_) if self.text == condition => condition.to_owned(),
            Ok(Expression::And(_)) if self.text.ends_with(&format!(" and {condition}")) => {
                self.text.clone()
            }
            Ok(Expression::Or(_)) => format!("({}) and {condition}", self.text),
            Ok(_) => format!("{} and {condition}", self.text),
        };
        (text.len() <= FILTER_BYTES).then_some(text)
    }

    /// What of it an index can look for.
    pub(crate) fn condition(&self) -> Condition {
        match self.parsed.as_ref() {
            Ok(expression) => expression.condition(),
            Err(_) => Condition::Either(Vec::new()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// Expressions that were read on this thread.
        pub(crate) static READ: Cell<usize> = const { Cell::new(0) };
    }
}
