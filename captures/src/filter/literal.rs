//! Values in an expression, exact.

use std::cmp::Ordering;

use jiff::Timestamp;

/// A value that a field is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// `null`: the field is there, and has no value.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(Number),
    /// Nanoseconds: `5ms`, and for a field that is a duration also a bare number,
    /// which is in microseconds.
    Duration(u128),
    /// A time, RFC 3339.
    Time(Timestamp),
    /// Text in quotes, or one of a field's words.
    Text(String),
}

/// A decimal number that is not negative: `digits / 10^scale`, with no zero at
/// the end of its fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    digits: u128,
    scale: u32,
}

impl Number {
    /// A whole number.
    pub const fn whole(digits: u128) -> Self {
        Self { digits, scale: 0 }
    }

    /// Reads `12` or `0.25`; `None` where it has more digits than 128 bits hold.
    pub(super) fn parse(whole: &str, fraction: &str) -> Option<Self> {
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}").parse().ok()?;
        let scale = u32::try_from(fraction.len()).ok()?;
        Some(Self { digits, scale })
    }

    /// The whole number that it is, where it is one.
    pub fn as_whole(self) -> Option<u128> {
        (self.scale == 0).then_some(self.digits)
    }

    /// So many units, where that is a whole number.
    pub(super) fn times(self, unit: u128) -> Option<u128> {
        let product = self.digits.checked_mul(unit)?;
        let divisor = 10_u128.checked_pow(self.scale)?;
        (product % divisor == 0).then_some(product / divisor)
    }

    /// How `value` compares to this, exactly.
    pub(super) fn order(self, value: u128) -> Ordering {
        let scaled = 10_u128
            .checked_pow(self.scale)
            .and_then(|factor| value.checked_mul(factor));
        // Larger than 128 bits is larger than any.
        scaled.map_or(Ordering::Greater, |scaled| scaled.cmp(&self.digits))
    }

    /// How `value` compares to this, as floating point.
    pub(super) fn order_float(self, value: f64) -> Option<Ordering> {
        let own: f64 = self.to_string().parse().ok()?;
        value.partial_cmp(&own)
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = self.scale as usize;
        if scale == 0 {
            return write!(f, "{}", self.digits);
        }
        let digits = format!("{:0>width$}", self.digits, width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        write!(f, "{whole}.{fraction}")
    }
}

/// Units of durations, the longest first, in nanoseconds.
pub(super) const UNITS: [(&str, u128); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

impl std::fmt::Display for Literal {
    /// As it is written in an expression; text in quotes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Duration(nanoseconds) => {
                let whole = |(_, unit): &&(&str, u128)| nanoseconds % unit == 0;
                let (name, unit) = UNITS.iter().find(whole).unwrap_or(&("ns", 1));
                write!(f, "{}{name}", nanoseconds / unit)
            }
            Self::Time(time) => write!(f, "\"{time}\""),
            Self::Text(text) => write_quoted(f, text),
        }
    }
}

/// Text in quotes: a quote and a backslash in it are escaped.
pub(super) fn write_quoted(f: &mut std::fmt::Formatter<'_>, text: &str) -> std::fmt::Result {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    write!(f, "\"{escaped}\"")
}
