//! An expression, understood: a tree of conditions.

use regex::{Regex, RegexBuilder};

use super::field::{Field, FieldKind};
use super::literal::{Literal, write_quoted};
use crate::limits::FILTER_PATTERN_BYTES;

/// A filter expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// All of two or more.
    And(Vec<Self>),
    /// Any of two or more.
    Or(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// `auto_commit`: the field has a value, and not `false`.
    Present(Field),
    /// `status == 4100`.
    Compare(Field, Comparison, Literal),
    /// `status in {4100, 5006}`: any of them.
    OneOf(Field, Vec<Literal>),
    /// `topic contains "metr"`, in the same case.
    Contains(Field, String),
    /// `topic matches "^metr"`.
    Matches(Field, Pattern),
}

/// How a field is compared with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// All six; of two that begin alike the longer one first.
    pub(super) const ALL: [Self; 6] = [
        Self::Equal,
        Self::NotEqual,
        Self::AtMost,
        Self::AtLeast,
        Self::Less,
        Self::Greater,
    ];

    /// How it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Whether it asks which is larger.
    pub(super) const fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}

/// A regular expression, of the `regex` crate's syntax: matching takes time in
/// proportion to the text. Case does not matter, unless it says `(?-i)`.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    pub(super) regex: Regex,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub(super) fn new(text: String) -> Result<Self, String> {
        let mut builder = RegexBuilder::new(&text);
        builder
            .case_insensitive(true)
            .size_limit(FILTER_PATTERN_BYTES)
            .dfa_size_limit(FILTER_PATTERN_BYTES);
        match builder.build() {
            Ok(regex) => Ok(Self { text, regex }),
            Err(regex::Error::CompiledTooBig(limit)) => Err(format!(
                "this regular expression is too large: compiled it would take more than {limit} bytes"
            )),
            Err(error) => {
                let error = error.to_string();
                let last = error.lines().last().unwrap_or_default();
                let what = last.trim_start_matches("error: ");
                Err(format!("this is no regular expression: {what}"))
            }
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl std::fmt::Display for Expression {
    /// Parses back to the same.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::And(all) => join(f, all, " and ", |one| {
                matches!(one, Self::And(_) | Self::Or(_))
            }),
            Self::Or(any) => join(f, any, " or ", |one| matches!(one, Self::Or(_))),
            Self::Not(inner) => {
                f.write_str("not ")?;
                enclosed(f, inner, matches!(**inner, Self::And(_) | Self::Or(_)))
            }
            Self::Present(field) => f.write_str(field.path()),
            Self::Compare(field, comparison, literal) => {
                write!(f, "{} {} ", field.path(), comparison.sign())?;
                value(f, field, literal)
            }
            Self::OneOf(field, literals) => {
                write!(f, "{} in {{", field.path())?;
                for (index, literal) in literals.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    value(f, field, literal)?;
                }
                f.write_str("}")
            }
            Self::Contains(field, text) => {
                write!(f, "{} contains ", field.path())?;
                write_quoted(f, text)
            }
            Self::Matches(field, pattern) => {
                write!(f, "{} matches ", field.path())?;
                write_quoted(f, &pattern.text)
            }
        }
    }
}

fn join(
    f: &mut std::fmt::Formatter<'_>,
    expressions: &[Expression],
    sign: &str,
    needs_brackets: fn(&Expression) -> bool,
) -> std::fmt::Result {
    for (index, one) in expressions.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { sign })?;
        enclosed(f, one, needs_brackets(one))?;
    }
    Ok(())
}

fn enclosed(
    f: &mut std::fmt::Formatter<'_>,
    expression: &Expression,
    brackets: bool,
) -> std::fmt::Result {
    if brackets {
        write!(f, "({expression})")
    } else {
        write!(f, "{expression}")
    }
}

/// A field's own words stand without quotes.
fn value(f: &mut std::fmt::Formatter<'_>, field: &Field, literal: &Literal) -> std::fmt::Result {
    match (field.kind(), literal) {
        (FieldKind::Word(_), Literal::Text(word)) => f.write_str(word),
        _ => write!(f, "{literal}"),
    }
}
