use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::Latencies;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use crate::app::App;
use crate::problem::ApiProblem;

/// Service times, by command and side
///
/// In microseconds, within 1 %, as they passed here.
#[utoipa::path(
    get,
    path = "/latency",
    responses((status = OK, description = "Percentiles of each.", body = LatencySeries)),
)]
pub(super) async fn latency(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    Ok(Json(latencies(&app.journal.latencies())))
}

fn latencies(latencies: &Latencies) -> Value {
    let series = latencies.series().map(|(command, side, histogram)| {
        json!({
            "command": command,
            "side": side.name(),
            "count": histogram.len(),
            "p50_us": histogram.value_at_quantile(0.5),
            "p90_us": histogram.value_at_quantile(0.9),
            "p99_us": histogram.value_at_quantile(0.99),
            "p99_9_us": histogram.value_at_quantile(0.999),
            "max_us": histogram.max(),
        })
    });
    json!({ "series": series.collect::<Vec<_>>(), "unrecorded": latencies.unrecorded() })
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LatencySeries {
    /// One for each command and side.
    series: Vec<Percentiles>,
    /// Exchanges that are in none, for a limit.
    unrecorded: u64,
}

/// How long one command took on one side.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Percentiles {
    /// The command.
    command: String,
    /// `tcp`: the client's own exchanges; `http`: the mirror's questions.
    #[schema(pattern = "^(tcp|http)$")]
    side: String,
    /// Exchanges that were timed.
    count: u64,
    /// Half took no longer.
    p50_us: u64,
    /// Nine of ten took no longer.
    p90_us: u64,
    /// 99 of 100 took no longer.
    p99_us: u64,
    /// 999 of 1000 took no longer.
    p99_9_us: u64,
    /// The longest.
    max_us: u64,
}
