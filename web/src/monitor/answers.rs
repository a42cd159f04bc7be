use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Monitor, Readiness};

/// `Content-Type`, and that nobody keeps it.
type Kind = [(HeaderName, &'static str); 2];

const TEXT: Kind = [
    (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Prometheus' text format.
const EXPOSITION: Kind = [
    (
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    ),
    (header::CACHE_CONTROL, "no-store"),
];

pub(super) async fn metrics(State(monitor): State<Arc<Monitor>>) -> Response {
    let failed = |why: &dyn std::fmt::Display| {
        let what = format!("The figures could not be gathered: {why}.\n");
        (StatusCode::INTERNAL_SERVER_ERROR, TEXT, what).into_response()
    };
    // Whoever scrapes often waits: gathering holds the journal for a moment.
    let permit = match Arc::clone(&monitor.scrapes).acquire_owned().await {
        Ok(permit) => permit,
        Err(closed) => return failed(&closed),
    };
    let gathered = tokio::task::spawn_blocking(move || {
        let text = monitor.monitored.metrics();
        drop(permit);
        text
    });
    match gathered.await {
        Ok(text) => (EXPOSITION, text).into_response(),
        Err(error) => failed(&error),
    }
}

/// That it answers says it all.
pub(super) async fn healthz() -> Response {
    (TEXT, "ok\n").into_response()
}

pub(super) async fn readyz(State(monitor): State<Arc<Monitor>>) -> Response {
    let (status, says) = match monitor.monitored.readiness() {
        Readiness::Ready(says) => (StatusCode::OK, says),
        Readiness::NotReady(why) => (StatusCode::SERVICE_UNAVAILABLE, why),
    };
    (status, TEXT, format!("{says}\n")).into_response()
}

pub(super) async fn elsewhere() -> Response {
    let what = "There is /metrics, /healthz and /readyz here; the page is elsewhere (--ui).\n";
    (StatusCode::NOT_FOUND, TEXT, what).into_response()
}

/// Where only this machine reaches it, no page from elsewhere reads it either, by having
/// its own name lead here.
pub(super) async fn guard(
    State(monitor): State<Arc<Monitor>>,
    request: Request,
    next: Next,
) -> Response {
    if monitor
        .hosts
        .as_ref()
        .is_some_and(|hosts| !hosts.allow(&request))
    {
        let what = "This answers to the names of this machine only: ask for 127.0.0.1, [::1] or \
                    localhost, with the port.\n";
        return (StatusCode::MISDIRECTED_REQUEST, TEXT, what).into_response();
    }
    next.run(request).await
}
