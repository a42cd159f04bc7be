//! The one style sheet, the one script and the icon, built in.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

const CSS: &str = include_str!("../static/parallax.css");
const SCRIPT: &str = include_str!("../static/parallax.js");
const ICON: &str = include_str!("../static/icon.svg");

pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(
            "/static/parallax.css",
            asset("text/css; charset=utf-8", CSS),
        )
        .route(
            "/static/parallax.js",
            asset("text/javascript; charset=utf-8", SCRIPT),
        )
        .route("/static/icon.svg", asset("image/svg+xml", ICON))
}

fn asset<S: Clone + Send + Sync + 'static>(
    kind: &'static str,
    body: &'static str,
) -> axum::routing::MethodRouter<S> {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    get(move |headers: HeaderMap| async move { answer(&headers, &tag, kind, body) })
}

fn answer(headers: &HeaderMap, tag: &str, kind: &'static str, body: &'static str) -> Response {
    let fixed = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache")];
    let held = headers.get(header::IF_NONE_MATCH);
    if held.is_some_and(|held| held.as_bytes() == tag.as_bytes()) {
        (StatusCode::NOT_MODIFIED, fixed).into_response()
    } else {
        (fixed, [(header::CONTENT_TYPE, kind)], body).into_response()
    }
}
