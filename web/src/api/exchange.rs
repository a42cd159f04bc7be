use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use parallax_captures::json as noun;
use serde_json::Value;

use super::asked::{Nothing, Pairs, of_exchange, query};
use super::schema;
use crate::app::{App, looked_up};
use crate::problem::ApiProblem;
use crate::view::exchange::find;

/// One exchange
///
/// With all of its messages, and everything that the comparison rests on.
#[utoipa::path(
    get,
    path = "/exchanges/{n}",
    params(("n" = u64, Path, minimum = 1, maximum = 9_007_199_254_740_991_u64, description = "Its number.")),
    responses(
        (status = OK, description = "The exchange.", body = schema::Exchange),
        (status = NOT_FOUND, description = "There is none with this number, or it is no longer kept.", body = schema::Problem),
    ),
)]
pub(super) async fn exchange(
    State(app): State<Arc<App>>,
    n: Result<Path<String>, PathRejection>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let n = of_exchange(n)?;
    let found = looked_up(app, move |app| find(&app.journal, &n)).await?;
    Ok(Json(noun::exchange(&found)))
}
