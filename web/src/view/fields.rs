//! A decoded frame as a tree. Every leaf has a number, under which the hex dump
//! beside it shows its bytes.

use std::ops::Range;

use maud::{Markup, html};
use parallax_codec::{Field, Value};

use super::format::length;
use super::payload::preview;

/// The group that is closed at first.
pub(crate) const FOLDED: &str = "header";

/// A field without fields: where its bytes are, and its path.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) range: Range<usize>,
    pub(crate) path: String,
}

/// A tree as rendered, and its leaves in wire order.
pub(crate) struct Tree {
    pub(crate) markup: Markup,
    pub(crate) leaves: Vec<Leaf>,
    /// The first byte of a field for which there was no room.
    pub(crate) cut_at: Option<usize>,
}

/// The tree of those `fields` that have bytes in `window` of `frame`, at most `most`
/// of them, groups included. With none for which there is no byte but at its end.
pub(crate) fn tree(fields: &[Field], frame: &[u8], window: &Range<usize>, most: usize) -> Tree {
    let mut walk = Walk {
        frame,
        window,
        leaves: Vec::new(),
        shown: 0,
        most,
        cut_at: None,
    };
    let inner = walk.list(fields, "");
    Tree {
        markup: html! { ul.fields { (inner) } },
        leaves: walk.leaves,
        cut_at: walk.cut_at,
    }
}

struct Walk<'a> {
    frame: &'a [u8],
    window: &'a Range<usize>,
    leaves: Vec<Leaf>,
    shown: usize,
    most: usize,
    cut_at: Option<usize>,
}

impl Walk<'_> {
    fn list(&mut self, fields: &[Field], path: &str) -> Markup {
        html! {
            @for (index, field) in fields.iter().enumerate() {
                @if self.is_wanted(field) { (self.field(field, index, path)) }
            }
        }
    }

    /// Whether it is to be shown; once one was not, none after it is.
    fn is_wanted(&mut self, field: &Field) -> bool {
        let Range { start, end } = field.range;
        let is_empty = start == end;
        let is_before = end <= self.window.start && !(is_empty && start == self.window.start);
        let ends_there = is_empty && start == self.frame.len() && self.window.end == start;
        if is_before || (start >= self.window.end && !ends_there) || self.cut_at.is_some() {
            return false;
        }
        // A group that began before the window is not where the next one begins.
        let is_full = self.shown >= self.most;
        if is_full {
            self.cut_at = Some(start.max(self.window.start));
        }
        !is_full
    }

    fn field(&mut self, field: &Field, index: usize, path: &str) -> Markup {
        self.shown += 1;
        let first = self.leaves.len();
        let path = if path.is_empty() {
            field.name.to_owned()
        } else {
            format!("{path}.{}", field.name)
        };
        let (value, inner) = match &field.value {
            Value::Group(inner) if path == FOLDED => {
                let words = format!("{} fields", inner.len());
                (words, Some(self.list(inner, &path)))
            }
            Value::Group(inner) => (group_words(inner), Some(self.list(inner, &path))),
            Value::List(items) => {
                let words = format!("{} of them", length(items.len()));
                (words, Some(self.list(items, &format!("{path}[]"))))
            }
            leaf => {
                self.leaves.push(Leaf {
                    range: field.range.clone(),
                    path: path.clone(),
                });
                (self.words(leaf, &field.range), None)
            }
        };
        let bytes = bytes_words(&field.range);
        let line = html! {
            span.name {
                (field.name)
                @if is_element(field.name) { " " (index) }
            }
            " " span.value { bdi { (value) } }
            " " span.range { (bytes) }
        };
        html! {
            li {
                @match inner {
                    Some(inner) => {
                        details open[self.shown < 120 && path != FOLDED] {
                            summary data-from=(first) data-to=(self.leaves.len()) { (line) }
                            ul { (inner) }
                        }
                    }
                    None => {
                        div.leaf tabindex="0" data-from=(first) data-to=(first + 1) { (line) }
                    }
                }
            }
        }
    }

    fn words(&self, value: &Value, range: &Range<usize>) -> String {
        match value {
            Value::Number(number) => number.to_string(),
            Value::Wide(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Kind { number, meaning } => format!("{number} ({meaning})"),
            Value::Flag(flag) => flag.to_string(),
            Value::Text(text) => format!("\"{text}\""),
            Value::Bytes(0) => "none".to_owned(),
            Value::Bytes(_) => self
                .frame
                .get(range.clone())
                .map(preview)
                .unwrap_or_default(),
            Value::Secret(_) => "*** (masked)".to_owned(),
            Value::Group(_) | Value::List(_) => String::new(),
        }
    }
}

/// What a group says of itself when it is closed: an identifier is its value.
fn group_words(inner: &[Field]) -> String {
    match inner {
        [_, _, value] if value.name == "value" => match &value.value {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => format!("\"{text}\""),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// Elements of a list are told apart by their place in it.
fn is_element(name: &str) -> bool {
    matches!(name, "message" | "entry" | "user_header")
}

fn bytes_words(range: &Range<usize>) -> String {
    match range.len() {
        0 => "no byte".to_owned(),
        1 => format!("byte {}", range.start),
        _ => format!("bytes {}\u{2013}{}", range.start, range.end - 1),
    }
}
