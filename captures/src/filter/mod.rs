//! Which exchanges somebody wants to see: a language over the fields of an
//! exchange, as they are in its [JSON](crate::json).
//!
//! ```text
//! command == poll_messages and status == 4100 and topic == "metrics"
//! latency_us > 5ms or not (verdict in {agree, transient})
//! ```
//!
//! - Conditions: `==` `!=` `<` `<=` `>` `>=`, `in {a, b}`, `contains` (in the same
//!   case), `matches` (a regular expression, in any case), or a field alone: it has
//!   a value, and not `false`. They are joined by `and`, `or`, `not` (also `&&`,
//!   `||`, `!`; `and` binds closer than `or`) and parentheses.
//! - Fields have their path in the JSON (`response.messages.offset`) or the short
//!   name that [`FIELDS`] lists. Any other field of a request, a response or a
//!   comparison can be named by its path.
//! - Where a field has several values, a condition holds if it does for any of them;
//!   `!=` if it does for all, and there is one.
//! - A condition on what an exchange does not have is false, `!=` too. So it is on
//!   null; only `== null` is true then.
//! - Values: words (`poll_messages`, `first`, `PX104`, in any case), text in quotes,
//!   numbers (exact, also those that are strings in JSON), durations (`5ms`), times
//!   (`2026-11-30T07:05:05Z`), `true`, `false`, `null`. What does not fit the field
//!   is an error when the expression is read.

mod check;
mod condition;
mod error;
mod evaluate;
mod expression;
mod field;
mod grammar;
mod lexis;
mod literal;
mod nearest;
mod of_value;
mod part;
mod read;
mod seen;
mod table;
mod vocabulary;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use condition::{Indexed, indexed};
pub use error::FilterError;
pub use expression::{Comparison, Expression, Pattern};
pub use field::{Field, FieldEntry, FieldKind};
pub use literal::{Literal, Number};
pub use nearest::nearest;
pub use of_value::{at_least, equal_to};
pub use table::FIELDS;
#[cfg(test)]
pub(crate) use tests::sample;
pub use words::Words;
