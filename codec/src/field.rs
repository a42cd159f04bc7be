//! The decoded view: which bytes are which field.
//!
//! A type that can be written ([`Encode`]) describes itself once, field by field
//! in wire order. Writing that description as bytes is the encoder; writing it
//! as a tree is the view which marks the bytes of a field and names the field of
//! a byte. The two cannot disagree, since they are one description.

use std::ops::Range;

use crate::writer::{Encode, Writer};

/// One field of a decoded body and the bytes it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The field's name, as in the JSON: `snake_case`.
    pub name: &'static str,
    /// Its bytes, counted from where the view was begun (see [`fields_of`]).
    pub range: Range<usize>,
    /// Its value.
    pub value: Value,
}

/// A field's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Fields within this one.
    Group(Vec<Field>),
    /// Elements of a sequence, each a field of its own.
    List(Vec<Field>),
    /// A number of up to 64 bits.
    Number(u64),
    /// A 128-bit number: message ids. Exact, never floating point.
    Wide(u128),
    /// A 32-bit float.
    Float(f32),
    /// A number that stands for something: `1 (first)`.
    Kind {
        /// The number on the wire.
        number: u64,
        /// What it stands for.
        meaning: &'static str,
    },
    /// True or false.
    Flag(bool),
    /// Text.
    Text(String),
    /// Bytes without further structure: a payload, a key. Only their length is
    /// held; the bytes are in the body, at the field's range.
    Bytes(usize),
    /// A password or token. Its bytes are to be masked wherever they are kept.
    Secret(usize),
}

/// The fields of `value`, their ranges counted from `start` (the length of what
/// precedes the body: 8 for a classic frame).
pub fn fields_of(value: &impl Encode, start: usize) -> Vec<Field> {
    let mut tree = FieldTree {
        at: start,
        fields: Vec::new(),
    };
    value.write(&mut tree);
    tree.fields
}

/// The byte ranges of all secrets in `fields`, however deep.
pub fn secret_ranges(fields: &[Field]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    collect_secrets(fields, &mut found);
    found
}

fn collect_secrets(fields: &[Field], found: &mut Vec<Range<usize>>) {
    for field in fields {
        match &field.value {
            Value::Secret(_) => found.push(field.range.clone()),
            Value::Group(inner) | Value::List(inner) => collect_secrets(inner, found),
            _ => {}
        }
    }
}

/// A [`Writer`] that builds [`Field`]s and counts bytes instead of writing them.
struct FieldTree {
    at: usize,
    fields: Vec<Field>,
}

impl FieldTree {
    fn push(&mut self, name: &'static str, length: usize, value: Value) {
        let range = self.at..self.at + length;
        self.at = range.end;
        self.fields.push(Field { name, range, value });
    }

    fn nested(
        &mut self,
        name: &'static str,
        wrap: fn(Vec<Field>) -> Value,
        inner: impl FnOnce(&mut Self),
    ) {
        let start = self.at;
        let outer = std::mem::take(&mut self.fields);
        inner(self);
        let fields = std::mem::replace(&mut self.fields, outer);
        self.fields.push(Field {
            name,
            range: start..self.at,
            value: wrap(fields),
        });
    }
}

impl Writer for FieldTree {
    fn group(&mut self, name: &'static str, inner: impl FnOnce(&mut Self)) {
        self.nested(name, Value::Group, inner);
    }

    fn list(&mut self, name: &'static str, inner: impl FnOnce(&mut Self)) {
        self.nested(name, Value::List, inner);
    }

    fn u8(&mut self, name: &'static str, value: u8) {
        self.push(name, 1, Value::Number(value.into()));
    }

    fn u16(&mut self, name: &'static str, value: u16) {
        self.push(name, 2, Value::Number(value.into()));
    }

    fn u32(&mut self, name: &'static str, value: u32) {
        self.push(name, 4, Value::Number(value.into()));
    }

    fn u64(&mut self, name: &'static str, value: u64) {
        self.push(name, 8, Value::Number(value));
    }

    fn u128(&mut self, name: &'static str, value: u128) {
        self.push(name, 16, Value::Wide(value));
    }

    fn f32(&mut self, name: &'static str, value: f32) {
        self.push(name, 4, Value::Float(value));
    }

    fn flag(&mut self, name: &'static str, value: bool) {
        self.push(name, 1, Value::Flag(value));
    }

    fn kind(&mut self, name: &'static str, number: u8, meaning: &'static str) {
        let number = number.into();
        self.push(name, 1, Value::Kind { number, meaning });
    }

    fn meaning(&mut self, name: &'static str, number: u32, meaning: &'static str) {
        let number = number.into();
        self.push(name, 4, Value::Kind { number, meaning });
    }

    fn describes(&self) -> bool {
        true
    }

    fn text(&mut self, name: &'static str, value: &str) {
        self.push(name, value.len(), Value::Text(value.to_owned()));
    }

    fn bytes(&mut self, name: &'static str, value: &[u8]) {
        self.push(name, value.len(), Value::Bytes(value.len()));
    }

    fn secret(&mut self, name: &'static str, value: &[u8]) {
        self.push(name, value.len(), Value::Secret(value.len()));
    }
}
