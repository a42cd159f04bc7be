use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::json as noun;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use super::schema;
use crate::app::{App, looked_up};
use crate::limits::GAPS_TOLD;
use crate::problem::ApiProblem;

/// Where looking fell behind what passed
///
/// What was not looked at, so that no client had to wait; or how long clients were slowed
/// down, so that everything is (`--on-overload slow-clients`).
#[utoipa::path(
    get,
    path = "/overload",
    responses((status = OK, description = "The figures and the latest gaps.", body = Overload)),
)]
pub(super) async fn overload(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    Ok(Json(looked_up(app, told).await))
}

fn told(app: &App) -> Value {
    let totals = app.journal.totals();
    let gaps = app.journal.gaps(0, u64::MAX);
    let latest = gaps.iter().rev().take(GAPS_TOLD).map(|(id, gap)| {
        let mut value = noun::gap(gap);
        value["conn"] = id.0.into();
        value
    });
    let slowed_for = u64::try_from(totals.clients_slowed_for.as_micros());
    json!({
        "observations_dropped": noun::number(totals.observations_dropped),
        "clients_slowed": noun::number(totals.clients_slowed),
        "clients_slowed_us": noun::number(slowed_for.unwrap_or(u64::MAX)),
        "gaps": latest.collect::<Vec<_>>(),
        "gaps_kept": gaps.len(),
    })
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Overload {
    /// Pieces of what passed that were not looked at.
    observations_dropped: schema::Number,
    /// Times that a client was slowed down.
    clients_slowed: schema::Number,
    /// How long they were slowed down in all, in microseconds.
    clients_slowed_us: schema::Number,
    /// Where something was not looked at, the latest first, at most 1,000.
    gaps: Vec<schema::GapOfConnection>,
    /// How many gaps are known of the connections that are remembered.
    gaps_kept: u64,
}
