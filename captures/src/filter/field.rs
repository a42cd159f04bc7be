//! Names of fields, and what stands under each.

use serde_json::{Value, json};

use super::nearest::nearest;
use super::part::{Answered, Asked};
use super::table::FIELDS;
use super::vocabulary::NAMES;
use super::words::Words;

/// What a field's values are, and so what it can be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// What differs from command to command: numbers, text, or flags.
    Any,
    /// Microseconds: compared with `5ms`, or a number of microseconds.
    Duration,
    /// True or false.
    Flag,
    /// Fields within it: it can only be asked whether it is there.
    Group,
    /// A number, or a name in quotes: the name "7" is not the number 7.
    Identifier,
    /// A whole number, also where it is a string in JSON.
    Number,
    /// Text, in quotes.
    Text,
    /// A time, RFC 3339.
    Time,
    /// Microseconds since 1970: compared with a time, or a number.
    Timestamp,
    /// One of a few words.
    Word(Words),
}

impl FieldKind {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Duration => "duration",
            Self::Flag => "flag",
            Self::Group => "group",
            Self::Identifier => "identifier",
            Self::Number => "number",
            Self::Text => "text",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::Word(_) => "word",
        }
    }
}

/// A field that is listed: the usual ones. Of the others any that a request, a
/// response or a comparison has in JSON can be named as well.
#[derive(Debug)]
pub struct FieldEntry {
    /// Its path in the JSON of an exchange.
    pub path: &'static str,
    /// A shorter name for the same.
    pub short: Option<&'static str>,
    /// What its values are.
    pub kind: FieldKind,
    /// What it is.
    pub meaning: &'static str,
    /// A condition on it.
    pub example: &'static str,
    pub(super) place: Place,
}

impl FieldEntry {
    /// As JSON: `name`, `short` (or null), `type`, `words` (those of a closed list, or
    /// null), `meaning`, `example`.
    pub fn json(&self) -> Value {
        let words = match self.kind {
            FieldKind::Word(words) => Some(words.all()),
            _ => None,
        };
        json!({
            "name": self.path,
            "short": self.short,
            "type": self.kind.name(),
            "words": words,
            "meaning": self.meaning,
            "example": self.example,
        })
    }
}

/// Where a field's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the exchange itself.
    Own(super::part::Own),
    /// In the request; `None`: only in its JSON.
    Request(Option<Asked>),
    /// In the response; `None`: only in its JSON.
    Response(Option<Answered>),
    /// In the JSON of the layout.
    Layout,
    /// In the JSON of the comparison.
    Comparison,
}

/// A field that an expression names.
#[derive(Debug, Clone)]
pub struct Field {
    path: String,
    kind: FieldKind,
    pub(super) place: Place,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Field {
    /// The field with this path or short name.
    ///
    /// # Errors
    /// A sentence that says which there is instead.
    pub(super) fn find(name: &str) -> Result<Self, String> {
        let called = |entry: &&FieldEntry| entry.path == name || entry.short == Some(name);
        if let Some(entry) = FIELDS.iter().find(called) {
            return Ok(Self {
                path: entry.path.to_owned(),
                kind: entry.kind,
                place: entry.place,
            });
        }
        let (head, tail) = name.split_once('.').unwrap_or((name, ""));
        let place = match head {
            "request" => Place::Request(None),
            "response" => Place::Response(None),
            "comparison" => Place::Comparison,
            _ => return Err(unknown(name)),
        };
        for segment in tail.split('.') {
            if !NAMES.contains(&segment) {
                return Err(unknown(name));
            }
        }
        Ok(Self {
            path: name.to_owned(),
            kind: FieldKind::Any,
            place,
        })
    }

    /// Its path in the JSON of an exchange, without the numbers of elements.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What its values are.
    pub fn kind(&self) -> FieldKind {
        self.kind
    }
}

/// What to say of a name that no field has.
fn unknown(name: &str) -> String {
    let within: Vec<_> = paths().filter(|path| ends_with(path, name)).collect();
    if !within.is_empty() {
        return format!("there is no field {name}; there is {}", within.join(", "));
    }
    let known = paths().chain(FIELDS.iter().filter_map(|entry| entry.short));
    if let Some(near) = nearest(name, known) {
        return format!("there is no field {name}; did you mean {near}?");
    }
    if let Some((_, segment)) = name.rsplit_once('.')
        && let Some(near) = nearest(segment, NAMES.iter().copied())
        && near != segment
    {
        return format!("there is no field {name}; did you mean {near}?");
    }
    format!("there is no field {name}; parallax explain filters lists them")
}

fn paths() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|entry| entry.path)
}

/// Whether `path` is `name` within something.
fn ends_with(path: &str, name: &str) -> bool {
    let before = path.strip_suffix(name);
    before.is_some_and(|before| before.ends_with('.'))
}
