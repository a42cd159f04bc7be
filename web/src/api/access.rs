use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use crate::app::App;
use crate::problem::ApiProblem;

/// Who may see this
///
/// What is asked for, and how often it was wrong.
#[utoipa::path(
    get,
    path = "/access",
    responses((status = OK, description = "What is asked for.", body = Access)),
)]
pub(super) async fn access(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let (wrong, refused) = app.access.failed();
    Ok(Json(json!({
        "needs": app.access.kind().name(),
        "wrong": wrong,
        "refused": refused,
    })))
}

/// Who may see this, and who tried.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Access {
    /// `token`: what parallax printed at the start; `password`: the one that it was given.
    #[schema(pattern = "^(token|password)$")]
    needs: String,
    /// Attempts with another.
    wrong: u64,
    /// Attempts that were not heard, since too many before them were wrong.
    refused: u64,
}
