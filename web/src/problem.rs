//! What a browser is told when there is nothing to show.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use serde_json::json;

use crate::view::layout::bare_page;

/// A request that cannot be answered: which status, and what was wrong and what
/// to do, in a sentence.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    what: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { status, what }
    }

    pub(crate) fn bad_query(what: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, what)
    }

    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, what)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = html! {
            h1 { (self.status) }
            p { (self.what) }
            p { a href="/" { "To the overview" } }
        };
        (self.status, bare_page(&self.status.to_string(), &body)).into_response()
    }
}

/// The same for the API.
#[derive(Debug)]
pub(crate) struct ApiProblem(Problem);

impl From<Problem> for ApiProblem {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        (self.0.status, Json(json!({ "error": self.0.what }))).into_response()
    }
}
