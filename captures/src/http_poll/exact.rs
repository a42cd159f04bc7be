//! Integers exactly as they are written, never by way of floating point (case
//! C7): an id has 128 bits, and a JSON number may have as many digits.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::value::RawValue;

/// An integer written as a JSON number or as a string.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exact<T>(pub(crate) T);

impl<'de, T> Deserialize<'de> for Exact<T>
where
    T: FromStr,
    T::Err: Display,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        let digits = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .unwrap_or(text);
        let invalid = |error| D::Error::custom(format!("not an integer in range: {error}"));
        digits.parse().map(Self).map_err(invalid)
    }
}
