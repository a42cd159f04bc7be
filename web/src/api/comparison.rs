//! `/exchanges/{n}/comparison`: two answers side by side, and why the verdict on them
//! may be believed.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use parallax_captures::grounds::{grounds, next_step};
use parallax_captures::two_answers;
use serde_json::{Value, json};

use super::asked::{Nothing, Pairs, of_exchange, query};
use super::schema;
use crate::app::{App, looked_up};
use crate::problem::{ApiProblem, Problem};
use crate::view::exchange::find;

/// Two answers side by side
///
/// `null` for `beside` where not two answers were compared, and for `verdict` where
/// nothing was.
#[utoipa::path(
    get,
    path = "/exchanges/{n}/comparison",
    params(("n" = u64, Path, minimum = 1, maximum = 9_007_199_254_740_991_u64, description = "The exchange's number.")),
    responses(
        (status = OK, description = "Both answers, and why the verdict may be believed.", body = schema::TwoAnswers),
        (status = NOT_FOUND, description = "There is none with this number, or it is no longer kept.", body = schema::Problem),
    ),
)]
pub(super) async fn comparison(
    State(app): State<Arc<App>>,
    n: Result<Path<String>, PathRejection>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let n = of_exchange(n)?;
    let found = looked_up(app, move |app| {
        let exchange = find(&app.journal, &n)?;
        let connection = app.journal.connection(exchange.conn);
        Ok::<_, Problem>((exchange, connection.and_then(|connection| connection.user)))
    });
    let (exchange, user) = found.await?;
    let verdict = exchange.verdict.as_ref();
    let grounds = verdict.map(|verdict| {
        let grounds = grounds(&exchange, verdict, user.as_deref());
        let ground = |one: &parallax_captures::grounds::Ground| {
            json!({ "question": one.question, "answer": one.answer })
        };
        grounds.iter().map(ground).collect::<Vec<_>>()
    });
    Ok(Json(json!({
        "n": exchange.n,
        "verdict": verdict.map(|verdict| verdict.kind.name()),
        "conclusion": verdict.and_then(|verdict| two_answers::conclusion(&exchange, verdict)),
        "beside": verdict.map(|verdict| two_answers::json(&exchange, verdict)),
        "grounds": grounds.unwrap_or_default(),
        "next_step": verdict.and_then(|verdict| next_step(&exchange, verdict)),
    })))
}
