//! Values and refusals as responses.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::standin::model::Refusal;

/// What a handler returns.
pub(super) type Answer = Result<Response, Failure>;

/// Why there is no answer.
pub(super) enum Failure {
    /// The server's own refusal.
    Refused(Refusal),
    /// "There is none", which TCP says with an empty body.
    NotFound,
    /// A request that cannot be read, and why.
    Unreadable(String),
}

/// A value in JSON, with 200.
pub(super) fn json(value: &impl Serialize) -> Response {
    respond(StatusCode::OK, value)
}

/// A value in JSON with 200, or 404 where there is none.
pub(super) fn json_or_not_found(value: Option<impl Serialize>) -> Answer {
    value.map_or(Err(Failure::NotFound), |value| Ok(json(&value)))
}

/// 204.
pub(super) fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(refusal) => {
                let body = ErrorBody {
                    id: refusal.code.0,
                    code: match refusal.code.0 {
                        504 => "partition_read_timeout",
                        _ => refusal.code.name().unwrap_or("error"),
                    },
                    reason: &refusal.reason,
                    field: refusal.field,
                };
                respond(status_of(refusal.code.0), &body)
            }
            Self::NotFound => {
                let body = ErrorBody {
                    id: 404,
                    code: "not_found",
                    reason: "Resource not found",
                    field: None,
                };
                respond(StatusCode::NOT_FOUND, &body)
            }
            Self::Unreadable(reason) => (StatusCode::BAD_REQUEST, reason).into_response(),
        }
    }
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    id: u32,
    code: &'a str,
    reason: &'a str,
    field: Option<&'a str>,
}

/// From servers 0.8.0 and 0.9.0-edge.5, `http/error.rs`.
fn status_of(code: u32) -> StatusCode {
    match code {
        20 | 100 | 1009 | 2010 | 3007 | 3021 | 4000 | 5000 | 5003 | 5006 => StatusCode::NOT_FOUND,
        40 | 53 | 77 | 78 => StatusCode::UNAUTHORIZED,
        41 => StatusCode::FORBIDDEN,
        504 => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_REQUEST,
    }
}

fn respond(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => {
            let content_type = [(header::CONTENT_TYPE, "application/json")];
            (status, content_type, Body::from(text)).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
