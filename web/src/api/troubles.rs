use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{Trouble as Noun, json as noun, troubles as all_troubles};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use crate::app::{App, looked_up};
use crate::problem::ApiProblem;

/// What is wrong and is no finding
///
/// Clients that were not served, bytes that cannot be decoded, verdicts that nothing explains, a
/// mirror that cannot ask, what was not looked at, or was
/// and slowed clients down: the gravest first.
#[utoipa::path(
    get,
    path = "/troubles",
    responses((status = OK, description = "All of them.", body = Troubles)),
)]
pub(super) async fn troubles(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let troubles = looked_up(app, |app| all_troubles(&app.journal)).await;
    let troubles: Vec<_> = troubles.iter().map(told).collect();
    Ok(Json(json!({ "troubles": troubles })))
}

fn told(trouble: &Noun) -> Value {
    json!({
        "kind": trouble.kind.name(),
        "sentence": trouble.sentence,
        "count": trouble.count,
        "conn": trouble.connection.map(|id| id.0),
        "since": trouble.since.map(noun::time),
    })
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Troubles {
    /// Each once.
    troubles: Vec<Trouble>,
}

/// What is the same twice is counted, not repeated.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Trouble {
    /// What kind.
    #[schema(pattern = "^(unserved|undecoded|unexplained|mirror|recording|dropped|slowed)$")]
    kind: String,
    /// What happened, and what to do where that is known.
    sentence: String,
    /// How often, as far as it is remembered.
    count: u64,
    /// The latest connection that it happened to.
    #[schema(required)]
    conn: Option<u64>,
    /// When it last began.
    #[schema(required, format = DateTime)]
    since: Option<String>,
}
