//! Paths, queries and bodies as commands.

use std::collections::HashMap;

use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier, PollingKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answers::Failure;
use crate::standin::model::Refusal;

/// A query's parameters by name.
pub(super) type Parameters = HashMap<String, String>;

/// A path's segment as an identifier: all digits are a number.
pub(super) fn identifier(text: &str) -> Result<Identifier, Failure> {
    match text.parse() {
        Ok(number) => Ok(Identifier::Numeric(number)),
        Err(_) if (1..=255).contains(&text.len()) => Ok(Identifier::Named(text.to_owned())),
        Err(_) => Err(Refusal::invalid_identifier().into()),
    }
}

/// A consumer; over HTTP there are no groups.
pub(super) fn consumer(text: Option<&str>) -> Result<Consumer, Failure> {
    Ok(Consumer {
        kind: ConsumerKind::Consumer,
        id: text.map_or(Ok(Identifier::Numeric(0)), identifier)?,
    })
}

/// A parameter that may be left out.
pub(super) fn parameter<T: std::str::FromStr<Err: std::fmt::Display>>(
    parameters: &Parameters,
    name: &str,
) -> Result<Option<T>, Failure> {
    let value = parameters.get(name).map(|text| text.parse());
    value.transpose().map_err(|error| unreadable_query(&error))
}

/// A strategy by its name.
pub(super) fn strategy(name: &str) -> Result<PollingKind, Failure> {
    match name {
        "offset" => Ok(PollingKind::Offset),
        "timestamp" => Ok(PollingKind::Timestamp),
        "first" => Ok(PollingKind::First),
        "last" => Ok(PollingKind::Last),
        "next" => Ok(PollingKind::Next),
        _ => Err(unreadable_query(&"Invalid command")),
    }
}

/// A body.
pub(super) fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| {
        // The error quotes no part of the body, which may be a password.
        let (line, column) = (error.line(), error.column());
        Failure::Unreadable(format!(
            "Failed to parse the request body as JSON: line {line}, column {column}"
        ))
    })
}

/// A consumer in a body: clients write numbers as numbers and as text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum ConsumerId {
    Number(u32),
    Text(String),
}

impl ConsumerId {
    /// The consumer that is called so.
    pub(super) fn consumer(&self) -> Result<Consumer, Failure> {
        match self {
            Self::Number(number) => consumer(Some(&number.to_string())),
            Self::Text(text) => consumer(Some(text)),
        }
    }
}

fn unreadable_query(error: &impl std::fmt::Display) -> Failure {
    Failure::Unreadable(format!("Failed to deserialize query string: {error}"))
}
