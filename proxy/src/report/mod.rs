//! Exchanges and findings as text for a terminal.

mod connection;
pub(crate) mod difference;
mod exchange;
mod fields;
mod finding;

pub(crate) use connection::connection_lines;
pub(crate) use exchange::{exchange_line, verdict_lines};
pub(crate) use fields::field_lines;
pub(crate) use finding::finding_lines;

/// A name from the wire must not move the cursor or end the line.
fn without_controls(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}
