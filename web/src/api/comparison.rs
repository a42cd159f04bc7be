//! `/exchanges/{n}/comparison`: two answers side by side, and why the verdict on them
//! may be believed.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use parallax_captures::grounds::{grounds, next_step};
use parallax_captures::two_answers;
use serde_json::{Value, json};

use crate::app::{App, looked_up};
use crate::problem::{ApiProblem, Problem};
use crate::view::exchange::find;

/// `null` for `beside` where not two answers were compared, and for `verdict` where
/// nothing was.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
) -> Result<Json<Value>, ApiProblem> {
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
        "beside": verdict.map(|verdict| two_answers::json(&exchange, verdict)),
        "grounds": grounds.unwrap_or_default(),
        "next_step": verdict.and_then(|verdict| next_step(&exchange, verdict)),
    })))
}
