use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use serde_json::{Value, json};

use super::asked::{Nothing, Pairs, of_exchange, query};
use super::schema;
use crate::app::{App, looked_up};
use crate::moments::moments;
use crate::problem::ApiProblem;
use crate::view::exchange::find;

/// When everything of an exchange happened
///
/// The client's request and reply, and all that was asked over HTTP and TCP because of
/// it, in the order it was asked.
#[utoipa::path(
    get,
    path = "/exchanges/{n}/times",
    params(("n" = u64, Path, minimum = 1, maximum = 9_007_199_254_740_991_u64, description = "The exchange's number.")),
    responses(
        (status = OK, description = "The times.", body = schema::Times),
        (status = NOT_FOUND, description = "There is none with this number, or it is no longer kept.", body = schema::Problem),
    ),
)]
pub(super) async fn times(
    State(app): State<Arc<App>>,
    n: Result<Path<String>, PathRejection>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let n = of_exchange(n)?;
    let exchange = looked_up(app, move |app| find(&app.journal, &n)).await?;
    let moments = moments(&exchange);
    let moments = moments.iter().map(
        |moment| json!({ "what": moment.what, "time": moment.time.map(|time| time.to_string()) }),
    );
    Ok(Json(json!({
        "n": exchange.n,
        "moments": moments.collect::<Vec<_>>(),
    })))
}
