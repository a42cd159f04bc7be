//! Exchanges and findings as text for a terminal.

mod exchange;
mod fields;
mod finding;

pub(crate) use exchange::{exchange_line, verdict_lines};
pub(crate) use fields::field_lines;
pub(crate) use finding::finding_lines;
