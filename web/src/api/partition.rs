use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use parallax_captures::json::{identifier, time};
use parallax_captures::partition::{Partition, life};
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::asked::{Pairs, query};
use super::schema;
use crate::app::App;
use crate::partition::{Range, told};
use crate::problem::{ApiProblem, Problem};

/// A partition's life
///
/// What was delivered to whom, what was stored, purged, skipped and replayed, as far as the
/// exchanges tell that are kept: at most the latest 5000 up to the end of the time. A name
/// that looks like a number stands in quotes: `%227%22`.
#[utoipa::path(
    get,
    path = "/partitions/{stream}/{topic}/{partition}",
    params(
        ("stream" = String, Path, min_length = 1, description = "The stream, by number or name."),
        ("topic" = String, Path, min_length = 1, description = "The topic, by number or name."),
        ("partition" = u32, Path, maximum = 4_294_967_295_u64, description = "The partition's number."),
        Time,
    ),
    responses(
        (status = OK, description = "Its life.", body = schema::Life),
        (status = NOT_FOUND, description = "Nothing that is kept is about it; or there is no such exchange.", body = schema::Problem),
    ),
)]
pub(super) async fn partition(
    State(app): State<Arc<App>>,
    segments: Result<Path<(String, String, String)>, PathRejection>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    let unreadable = |_| Problem::bad_query("The names in the address are not UTF-8.");
    let Path((stream, topic, id)) = segments.map_err(unreadable)?;
    let partition = Partition::of_segments(&stream, &topic, &id).map_err(Problem::bad_query)?;
    let range = Range::parse(&query::<Time>(asked)?)?;
    let told = told(&app, partition, range).await?;
    let mut value = life(&told.life);
    value["stream"] = identifier(&told.partition.stream);
    value["topic"] = identifier(&told.partition.topic);
    value["partition_id"] = told.partition.id.into();
    value["from"] = time(told.window.from).into();
    value["to"] = time(told.window.to).into();
    value["older"] = json!(told.older);
    let named = |one: &Partition| json!({ "stream": identifier(&one.stream), "topic": identifier(&one.topic) });
    value["by_number"] = told.also.as_ref().map_or(Value::Null, named);
    value["perhaps"] = told.perhaps.iter().map(named).collect();
    Ok(Json(value))
}

/// Which time; all that is kept where nothing is asked.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the query")]
struct Time {
    /// Its begin.
    #[param(format = DateTime)]
    from: Option<String>,
    /// Its end.
    #[param(format = DateTime)]
    to: Option<String>,
    /// Instead of both: the exchange in its middle.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    around: Option<u64>,
}
