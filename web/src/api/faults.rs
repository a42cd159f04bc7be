use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{RouteName, json as noun};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use super::schema;
use crate::app::App;
use crate::problem::ApiProblem;

/// The faults that are being injected
///
/// None unless parallax was asked to (`--fault`). What was injected into an exchange is in
/// its `injected`.
#[utoipa::path(
    get,
    path = "/faults",
    responses((status = OK, description = "The faults, in the order given.", body = [InForce])),
)]
pub(super) async fn faults(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let faults = app.about.faults.iter().map(|fault| {
        json!({
            "route": fault.route().map(RouteName::as_str),
            "fault": fault.rule(),
            "matched": noun::number(fault.matched()),
            "injected": noun::number(fault.injected()),
        })
    });
    Ok(Json(faults.collect()))
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct InForce {
    /// The route on which it is injected; `null` where there are none with names.
    #[schema(required)]
    route: Option<String>,
    /// The fault, as it was asked for.
    fault: String,
    /// Requests that it is about.
    matched: schema::Number,
    /// Those of them into which it was injected.
    injected: schema::Number,
}
