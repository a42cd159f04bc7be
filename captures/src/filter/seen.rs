//! A value of an exchange, and how it compares to one in an expression.

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::Value;

use super::field::FieldKind;
use super::literal::Literal;

/// Receives the values of a field, one after the other.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Seen<'_>);

/// A value as it is found in an exchange, or in its JSON.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seen<'a> {
    Null,
    Flag(bool),
    Whole(u128),
    Float(f64),
    Text(&'a str),
    Time(Timestamp),
    /// Something with fields.
    Group,
}

impl<'a> Seen<'a> {
    /// What stands in JSON.
    pub(super) fn of(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => match (number.as_u64(), number.as_f64()) {
                (Some(whole), _) => Self::Whole(whole.into()),
                (None, Some(float)) => Self::Float(float),
                (None, None) => Self::Null,
            },
            Value::String(text) => Self::Text(text),
            Value::Array(_) | Value::Object(_) => Self::Group,
        }
    }

    pub(super) const fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether a field that is named alone holds.
    pub(super) const fn holds(self) -> bool {
        !matches!(self, Self::Null | Self::Flag(false))
    }

    pub(super) const fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// How it compares to `literal`; `None` where they are not of one kind, so
    /// that nothing but "they differ" can be said.
    pub(super) fn order(self, literal: &Literal, kind: FieldKind) -> Option<Ordering> {
        match literal {
            Literal::Null => self.is_null().then_some(Ordering::Equal),
            Literal::Flag(wanted) => match self {
                Self::Flag(flag) => Some(flag.cmp(wanted)),
                _ => None,
            },
            Literal::Text(wanted) => self.text().map(|text| text.cmp(wanted)),
            Literal::Number(wanted) => match self {
                Self::Float(value) => wanted.order_float(value),
                _ => self.whole(kind).map(|value| wanted.order(value)),
            },
            Literal::Duration(wanted) => {
                let micros = self.whole(kind)?;
                Some(micros.saturating_mul(1_000).cmp(wanted))
            }
            Literal::Time(wanted) => {
                let nanoseconds = match self {
                    Self::Time(time) => time.as_nanosecond(),
                    Self::Text(text) if kind == FieldKind::Time => {
                        text.parse::<Timestamp>().ok()?.as_nanosecond()
                    }
                    _ => i128::try_from(self.whole(kind)?.checked_mul(1_000)?).ok()?,
                };
                Some(nanoseconds.cmp(&wanted.as_nanosecond()))
            }
        }
    }

    /// The whole number that it is. In JSON large ones are strings; an identifier
    /// of digits is a name all the same.
    fn whole(self, kind: FieldKind) -> Option<u128> {
        match self {
            Self::Whole(value) => Some(value),
            Self::Text(digits) if kind != FieldKind::Identifier => {
                let all = digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse().ok().filter(|_| all)
            }
            _ => None,
        }
    }
}
