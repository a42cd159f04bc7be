//! What holds for every request and every answer.

use std::sync::Arc;

use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::limits::BODY_READ_TIMEOUT;
use crate::origin::is_our_own;
use crate::problem::Problem;
use crate::sign_in::kept_out;

pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = match is_asked_here(&app, &request) {
        Err(problem) => problem.told_at(&path),
        Ok(()) => match kept_out(&app, &request) {
            Some(response) => response,
            None if *request.method() == Method::POST => in_time(next.run(request))
                .await
                .unwrap_or_else(|problem| problem.told_at(&path)),
            None => next.run(request).await,
        },
    };
    secure(response.headers_mut());
    response
}

/// Whether a request means this page, and may be sent to it by where it comes from.
fn is_asked_here(app: &App, request: &Request) -> Result<(), Problem> {
    if !app.hosts.allow(request) {
        let what = "This page answers to its own names only. Open it under the address that \
                    parallax printed; --ui-host gives it more names where it has a password.";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, what));
    }
    let only_asks = matches!(*request.method(), Method::GET | Method::HEAD);
    if !only_asks && !is_our_own(request.headers()) {
        let what = "Only this page itself may send something to it, or a tool that says who it is: \
                    the request has no Origin header of this page's, nor Sec-Fetch-Site: \
                    same-origin, nor Authorization.";
        return Err(Problem::new(StatusCode::FORBIDDEN, what));
    }
    Ok(())
}

/// The answer, unless what is sent takes too long to come.
async fn in_time(answer: impl Future<Output = Response>) -> Result<Response, Problem> {
    let answered = tokio::time::timeout(BODY_READ_TIMEOUT, answer).await;
    answered.map_err(|_| {
        let what = "What was sent did not come in time.";
        Problem::new(StatusCode::REQUEST_TIMEOUT, what)
    })
}

/// There is something at this address, but not to be asked so.
pub(crate) async fn other_method(uri: OriginalUri) -> Response {
    let what = "This cannot be done here: the Allow header says what can.";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, what).told_at(uri.path())
}

fn secure(headers: &mut HeaderMap) {
    for (name, value) in SECURITY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}

const SECURITY: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // With no-referrer a browser would not say where a form is sent from.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];
