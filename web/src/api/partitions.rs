use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::partition::tally;
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::asked::{Pairs, parameter, query, words};
use super::schema::{Identifier, Number};
use crate::app::{App, looked_up};
use crate::partition::{Row, Sort, listed};
use crate::problem::ApiProblem;

/// Partitions
///
/// Every one that an exchange that is kept is about, by the names that are known of it.
#[utoipa::path(
    get,
    path = "/partitions",
    params(Order),
    responses((status = OK, description = "All of them.", body = Partitions)),
)]
pub(super) async fn partitions(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    let sort = Sort::parse(&query::<Order>(asked)?)?;
    let (rows, not_counted) = looked_up(app, move |app| listed(&app.journal, sort)).await;
    let told = |row: &Row| tally(&row.place, &row.figures);
    let partitions: Vec<_> = rows.iter().map(told).collect();
    Ok(Json(
        json!({ "partitions": partitions, "not_counted": not_counted }),
    ))
}

/// In which order.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the query")]
struct Order {
    /// What comes first; `gravity`, what is wrong, where nothing is asked.
    #[param(inline, nullable = false)]
    sort: Option<OrderName>,
}

parameter!(OrderName, words(Sort::ALL.map(|(_, word)| word)));

/// Partitions and their figures.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Partitions {
    /// Each once.
    partitions: Vec<PartitionFigures>,
    /// Exchanges about further ones, of which there are too many to count each.
    not_counted: u64,
}

/// What is counted of a partition, of the exchanges that are kept.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct PartitionFigures {
    /// The stream.
    stream: Identifier,
    /// The topic.
    topic: Identifier,
    /// The partition; `null` for what failed without naming one.
    #[schema(required)]
    partition_id: Option<u32>,
    /// Exchanges that are about it.
    exchanges: u64,
    /// Of these, polls.
    polls: u64,
    /// Messages that polls brought.
    messages: Number,
    /// Exchanges that failed.
    errors: u64,
    /// Exchanges that diverge from HTTP.
    diverging: u64,
    /// Exchanges that a finding names which says that something is wrong.
    with_findings: u64,
    /// Exchanges that failed without naming a partition, for which HTTP gave the same error
    /// for this one alone; not among `exchanges`.
    named_by_http: u64,
    /// The latest exchange.
    last: u64,
}
