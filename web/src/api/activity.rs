use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::json as noun;
use serde_json::Value;
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use crate::app::App;
use crate::problem::ApiProblem;

/// What passed over time
///
/// Of all that was seen, kept or not. Slots begin at whole multiples of their length, which
/// doubles where there are too many of them.
#[utoipa::path(
    get,
    path = "/activity",
    responses((status = OK, description = "All slots.", body = Activity)),
)]
pub(super) async fn activity(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    Ok(Json(noun::activity(&app.journal.activity())))
}

/// Slots of equal length; those in which nothing passed are left out.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Activity {
    /// How long each slot lasts.
    slot_ms: u64,
    /// The slots, in their order.
    slots: Vec<ActivitySlot>,
}

/// What passed within one slot; muted verdicts are left out.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct ActivitySlot {
    /// When the slot begins.
    #[schema(format = DateTime)]
    begin: String,
    /// Exchanges that began in it.
    exchanges: u64,
    /// Of those, the ones that were refused or not answered at all.
    failed: u64,
    /// Verdicts of `agree` on exchanges that began in it.
    agree: u64,
    /// Of `diverge`.
    diverge: u64,
    /// Of `not_comparable`.
    not_comparable: u64,
    /// Of `transient`.
    transient: u64,
    /// Of `stale`.
    stale: u64,
    /// Of `mirror_failed`.
    mirror_failed: u64,
}
