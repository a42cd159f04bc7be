//! Numbers that JavaScript would round are strings, as everywhere in parallax's
//! JSON.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

use crate::http_poll::Exact;

pub(super) fn serialize<T: Copy + Display, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = value.to_string();
    match text.parse::<u64>() {
        Ok(number) => crate::json::number(number).serialize(serializer),
        Err(_) => text.serialize(serializer),
    }
}

pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr,
    T::Err: Display,
    D: Deserializer<'de>,
{
    Exact::<T>::deserialize(deserializer).map(|exact| exact.0)
}
