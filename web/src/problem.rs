//! What a browser is told when there is nothing to show.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use parallax_captures::filter::FilterError;
use serde_json::json;

use crate::api;
use crate::view::layout::bare_page;

/// A request that cannot be answered: which status, and what was wrong and what
/// to do, in a sentence.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    what: String,
    mistake: Option<FilterError>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, what: impl Into<String>) -> Self {
        Self {
            status,
            what: what.into(),
            mistake: None,
        }
    }

    /// An expression, in this parameter, that is not understood.
    pub(crate) fn in_expression(parameter: &str, mistake: &FilterError) -> Self {
        Self {
            mistake: Some(mistake.clone()),
            ..Self::bad_query(format!("{parameter}, {mistake}."))
        }
    }

    pub(crate) fn bad_query(what: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, what)
    }

    /// A parameter that is none of those that there are.
    pub(crate) fn unknown_parameter(name: &str, known: &[&str]) -> Self {
        let known = match known {
            [] => "there are none here".to_owned(),
            _ => format!("there are {}", known.join(", ")),
        };
        Self::bad_query(format!("There is no parameter {name:?}: {known}."))
    }

    /// The same of what a parameter names.
    pub(crate) fn into_bad_query(self) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            ..self
        }
    }

    /// The answer to a request for this path: in the form that is read there.
    pub(crate) fn told_at(self, path: &str) -> Response {
        if path.starts_with(api::ROOT) {
            ApiProblem::from(self).into_response()
        } else {
            self.into_response()
        }
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
            @if let Some(mistake) = &self.mistake {
                pre { (mistake.pointed_out()) }
            }
            p { a href="/" { "To the overview" } }
        };
        (self.status, bare_page(&self.status.to_string(), &body)).into_response()
    }
}

/// The same for the API: `error`, and of an expression `position` (characters before
/// what is wrong) and `pointed_out` (the expression with a caret below it).
#[derive(Debug)]
pub(crate) struct ApiProblem(Problem);

impl From<Problem> for ApiProblem {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.0.what });
        if let Some(mistake) = &self.0.mistake {
            body["position"] = mistake.position().into();
            body["pointed_out"] = mistake.pointed_out().into();
        }
        (self.0.status, Json(body)).into_response()
    }
}
