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
    // Those that turn the direction of what follows are no controls to Unicode.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |c: char| {
        if c.is_control() || turns(c) {
            '\u{fffd}'
        } else {
            c
        }
    };
    text.chars().map(shown).collect()
}
