use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use jiff::Timestamp;
use parallax_captures::{MirrorStatus, RouteName, json as noun};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use crate::app::App;
use crate::problem::ApiProblem;

/// How the mirror is doing
///
/// `null` where there is none: a recording, or HTTP turned off. Of several routes that of
/// the first; `/mirrors` has all.
#[utoipa::path(
    get,
    path = "/mirror",
    responses((status = OK, description = "Its state and figures.", body = Option<Mirror>)),
)]
pub(super) async fn mirror(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let not_mirrored = app.journal.totals().polls_not_mirrored;
    let status = app.journal.mirrors().into_iter().next();
    let status = status.map_or(Value::Null, |status| {
        told(&status, not_mirrored, Timestamp::now())
    });
    Ok(Json(status))
}

/// How the mirrors are doing
///
/// One for each route whose server is asked over HTTP.
#[utoipa::path(
    get,
    path = "/mirrors",
    responses((status = OK, description = "Their states and figures.", body = Mirrors)),
)]
pub(super) async fn mirrors(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let not_mirrored = app.journal.totals().polls_not_mirrored;
    let mirrors = app.journal.mirrors();
    let mirrors = mirrors
        .iter()
        .map(|status| told(status, not_mirrored, Timestamp::now()));
    Ok(Json(json!({ "mirrors": mirrors.collect::<Vec<_>>() })))
}

fn told(status: &MirrorStatus, not_mirrored: u64, now: Timestamp) -> Value {
    let trouble = status.state.trouble();
    json!({
        "route": status.route.as_ref().map(RouteName::as_str),
        "server": status.server,
        "state": status.state.name(),
        "since": trouble.map(|trouble| noun::time(trouble.since)),
        "until": trouble.and_then(|trouble| trouble.until).map(noun::time),
        "reason": trouble.map(|trouble| trouble.reason),
        "whom": status.whom,
        "is_whom_given": status.is_whom_given,
        "requests": status.requests,
        "failures": status.failures,
        "tcp_requests": status.tcp_requests,
        "requests_per_second": status.rate(now),
        "limit_per_second": status.limit_per_second,
        "polls_not_mirrored": not_mirrored,
    })
}

/// The mirror's state and figures.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Mirror {
    /// The route whose server it asks; `null` where there are none with names.
    #[schema(required)]
    route: Option<String>,
    /// Where it asks.
    server: String,
    /// `ok`; `backing_off`: HTTP does not answer; `unauthenticated`: it does not let in;
    /// `unusable`: its answers to polls are none.
    #[schema(pattern = "^(ok|backing_off|unauthenticated|unusable)$")]
    state: String,
    /// Since when it cannot ask.
    #[schema(required, format = DateTime)]
    since: Option<String>,
    /// When it asks again at the earliest.
    #[schema(required, format = DateTime)]
    until: Option<String>,
    /// What happened at the latest attempt.
    #[schema(required)]
    reason: Option<String>,
    /// Whom it asked as last: the kind of credentials and the user's name.
    #[schema(required)]
    whom: Option<String>,
    /// Whether it asks as one and the same, whom it was told; else as the user of each
    /// connection.
    is_whom_given: bool,
    /// HTTP requests sent, logins included.
    requests: u64,
    /// Of those, how many brought no usable answer.
    failures: u64,
    /// Requests over parallax's own TCP connections.
    tcp_requests: u64,
    /// HTTP requests a second, of the latest seconds.
    requests_per_second: f64,
    /// How many it may send a second.
    #[schema(required)]
    limit_per_second: Option<u32>,
    /// Polls that were not mirrored, because the mirror was busy: by all routes together.
    polls_not_mirrored: u64,
}

/// The mirrors of all routes.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Mirrors {
    /// In the order of the routes.
    mirrors: Vec<Mirror>,
}
