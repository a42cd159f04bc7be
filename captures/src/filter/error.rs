//! What is wrong with an expression, and at which character.

use crate::limits::FILTER_ERROR_CHARACTERS;

/// An expression that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("character {}: {message}", .position + 1)]
pub struct FilterError {
    message: String,
    position: usize,
    excerpt: String,
    column: usize,
}

impl FilterError {
    /// That `message` is so at the byte `at` of the `expression`.
    pub(super) fn new(expression: &str, at: usize, message: impl Into<String>) -> Self {
        let before = expression.get(..at).unwrap_or(expression);
        let position = before.chars().count();
        let (excerpt, column) = excerpt(expression, position);
        Self {
            message: message.into(),
            position,
            excerpt,
            column,
        }
    }

    /// What is wrong and what to do, in a sentence without its full stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where: characters before it, from 0.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The expression, or the part of it around the error, and below it a caret
    /// at the character: two lines. Control characters are shown as spaces.
    pub fn pointed_out(&self) -> String {
        format!("{}\n{:>width$}", self.excerpt, "^", width = self.column + 1)
    }
}

/// What of the expression is shown, and the column of the character in it.
fn excerpt(expression: &str, position: usize) -> (String, usize) {
    let start = position.saturating_sub(FILTER_ERROR_CHARACTERS / 2);
    let mut characters = expression.chars().skip(start);
    let shown = characters.by_ref().take(FILTER_ERROR_CHARACTERS);
    let mut text: String = shown.map(visible).collect();
    if characters.next().is_some() {
        text.push_str(" ...");
    }
    if start == 0 {
        (text, position)
    } else {
        (format!("... {text}"), position - start + 4)
    }
}

/// No character that moves the cursor, or the text around it, of a terminal.
fn visible(character: char) -> char {
    let turns = matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if character.is_control() || turns {
        ' '
    } else {
        character
    }
}
