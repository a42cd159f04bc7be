//! Paths, queries and bodies as commands.

use std::collections::HashMap;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
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
    value.transpose().map_err(|error| match name {
        // The server's text names every parameter but those of the strategy.
        "value" => unreadable_query(&error),
        _ => unreadable_query(&format_args!("{name}: {error}")),
    })
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

/// A request's body in JSON.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        if !content_type.is_some_and(|value| value.starts_with("application/json")) {
            let reason = "Expected request with `Content-Type: application/json`";
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, reason).into_response());
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(IntoResponse::into_response)?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            // The server adds what it found; here that may be a password.
            let (line, column) = (error.line(), error.column());
            let (status, reason) = if error.is_data() {
                let reason = "Failed to deserialize the JSON body into the target type";
                (StatusCode::UNPROCESSABLE_ENTITY, reason)
            } else {
                let reason = "Failed to parse the request body as JSON";
                (StatusCode::BAD_REQUEST, reason)
            };
            let reason = format!("{reason}: at line {line} column {column}");
            (status, reason).into_response()
        })
    }
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
