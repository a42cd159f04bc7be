//! Exchanges and findings as text for a terminal.

mod exchange;
mod finding;

pub(crate) use exchange::{exchange_line, verdict_lines};
pub(crate) use finding::finding_lines;
