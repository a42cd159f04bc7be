//! What is refused before a page sees it, in the page's own words: a body that is too long
//! or of another kind, an address that is no text.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::limits::{BODY_BYTES, REFUSAL_BYTES};
use crate::problem::Problem;

/// Tells bare text as every other problem is told.
pub(crate) async fn told(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !status.is_client_error() || !kind.is_some_and(is_plain) {
        return response;
    }
    let what = match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!("What is sent to this page has at most {BODY_BYTES} bytes.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "This is sent as a form is: \
            Content-Type: application/x-www-form-urlencoded."
            .to_owned(),
        _ => {
            let text = to_bytes(response.into_body(), REFUSAL_BYTES).await;
            format!("{}.", String::from_utf8_lossy(&text.unwrap_or_default()))
        }
    };
    Problem::new(status, what).told_at(&path)
}

fn is_plain(kind: &HeaderValue) -> bool {
    kind.as_bytes().starts_with(b"text/plain")
}
