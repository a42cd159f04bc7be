//! The one style sheet, the script's modules and the icon, built in.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

/// One sheet, kept in a file a subject.
const CSS: &str = concat!(
    include_str!("../static/css/base.css"),
    include_str!("../static/css/overview.css"),
    include_str!("../static/css/over-time.css"),
    include_str!("../static/css/list.css"),
    include_str!("../static/css/sign-in.css"),
    include_str!("../static/css/exchanges.css"),
    include_str!("../static/css/exchange.css"),
    include_str!("../static/css/two_answers.css"),
    include_str!("../static/css/timing.css"),
    include_str!("../static/css/bytes.css"),
    include_str!("../static/css/latency.css"),
    include_str!("../static/css/partition.css"),
    include_str!("../static/css/narrow.css"),
);
const ICON: &str = include_str!("../static/icon.svg");

/// The script's modules; `main.js` asks for the others.
const MODULES: [(&str, &str); 17] = [
    ("/static/js/main.js", include_str!("../static/js/main.js")),
    ("/static/js/bytes.js", include_str!("../static/js/bytes.js")),
    ("/static/js/copy.js", include_str!("../static/js/copy.js")),
    (
        "/static/js/exchanges.js",
        include_str!("../static/js/exchanges.js"),
    ),
    ("/static/js/keys.js", include_str!("../static/js/keys.js")),
    ("/static/js/list.js", include_str!("../static/js/list.js")),
    (
        "/static/js/matching.js",
        include_str!("../static/js/matching.js"),
    ),
    ("/static/js/menu.js", include_str!("../static/js/menu.js")),
    ("/static/js/note.js", include_str!("../static/js/note.js")),
    (
        "/static/js/select.js",
        include_str!("../static/js/select.js"),
    ),
    (
        "/static/js/complete.js",
        include_str!("../static/js/complete.js"),
    ),
    (
        "/static/js/events.js",
        include_str!("../static/js/events.js"),
    ),
    (
        "/static/js/follow.js",
        include_str!("../static/js/follow.js"),
    ),
    (
        "/static/js/fragment.js",
        include_str!("../static/js/fragment.js"),
    ),
    (
        "/static/js/panels.js",
        include_str!("../static/js/panels.js"),
    ),
    ("/static/js/parts.js", include_str!("../static/js/parts.js")),
    (
        "/static/js/partition.js",
        include_str!("../static/js/partition.js"),
    ),
];

pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let pictures = Router::new()
        .route(
            "/static/parallax.css",
            asset("text/css; charset=utf-8", CSS),
        )
        .route("/static/icon.svg", asset("image/svg+xml", ICON));
    MODULES.into_iter().fold(pictures, |router, (path, body)| {
        router.route(path, asset("text/javascript; charset=utf-8", body))
    })
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
