use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use super::rows::rows_of;
use crate::app::App;
use crate::figures::figures as all_figures;
use crate::problem::ApiProblem;

/// How many exchanges of each kind are kept
///
/// Each with the address of the list behind it, which has as many.
#[utoipa::path(
    get,
    path = "/figures",
    responses((status = OK, description = "The figures.", body = Figures)),
)]
pub(super) async fn figures(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let figures = all_figures(&app.journal.counts());
    let figures: Vec<_> = figures
        .iter()
        .map(|figure| {
            json!({
                "what": figure.what.name(),
                "count": figure.count,
                "rows": rows_of(&figure.filter),
            })
        })
        .collect();
    Ok(Json(json!({ "figures": figures })))
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Figures {
    /// Every figure.
    figures: Vec<Figure>,
}

/// How many exchanges a list has.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Figure {
    /// What is counted: `exchanges`, `errors`, a verdict, `nothing_to_compare`, `muted`.
    what: String,
    /// How many there are.
    count: u64,
    /// Where they are listed.
    rows: String,
}
