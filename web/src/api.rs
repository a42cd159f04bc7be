//! The same things as JSON, for programs. Fields are those of
//! [`parallax_captures::json`].

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::get;
use axum::{Json, Router};
use parallax_captures::{Latencies, json as noun};
use serde_json::{Value, json};

use crate::app::App;
use crate::filter::Filter;
use crate::limits::{EXCHANGES_LISTED, MESSAGES_LISTED};
use crate::problem::{ApiProblem, Problem};
use crate::view::exchange::find;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/exchanges", get(exchanges))
        .route("/exchanges/{n}", get(exchange))
        .route("/findings", get(findings))
        .route("/connections", get(connections))
        .route("/latency", get(latency))
        .fallback(|| async { ApiProblem::from(Problem::not_found("There is no such thing.")) })
}

/// Newest first, with few of their messages; `next` is the `before` of the following page, `null` on the
/// last one.
async fn exchanges(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Json<Value>, ApiProblem> {
    let filter = Filter::parse(&query)?;
    let accepts = |exchange: &_| filter.accepts(exchange);
    let listed = app.journal.latest(filter.before, EXCHANGES_LISTED, accepts);
    let full = listed.len() == EXCHANGES_LISTED;
    let next = listed.last().filter(|_| full).map(|last| last.n);
    let exchanges: Vec<_> = listed
        .iter()
        .map(|one| with_few_messages(noun::exchange(one)))
        .collect();
    Ok(Json(json!({ "exchanges": exchanges, "next": next })))
}

/// The same with at most [`MESSAGES_LISTED`] in every list of messages, and
/// beside it how many were left out.
fn with_few_messages(mut value: Value) -> Value {
    cut_messages(&mut value);
    value
}

fn cut_messages(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let mut left_out = 0;
            if let Some(Value::Array(messages)) = fields.get_mut("messages") {
                left_out = messages.len().saturating_sub(MESSAGES_LISTED);
                messages.truncate(MESSAGES_LISTED);
            }
            if left_out > 0 {
                fields.insert("messages_left_out".to_owned(), left_out.into());
            }
            fields.values_mut().for_each(cut_messages);
        }
        Value::Array(values) => values.iter_mut().for_each(cut_messages),
        _ => {}
    }
}

async fn exchange(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
) -> Result<Json<Value>, ApiProblem> {
    Ok(Json(noun::exchange(&*find(&app.journal, &n)?)))
}

async fn findings(State(app): State<Arc<App>>) -> Json<Value> {
    let findings = app.journal.findings();
    let findings: Vec<_> = findings.iter().map(noun::finding).collect();
    Json(json!({ "findings": findings }))
}

async fn connections(State(app): State<Arc<App>>) -> Json<Value> {
    let connections = app.journal.connections();
    let connections: Vec<_> = connections.iter().map(noun::connection).collect();
    Json(json!({ "connections": connections }))
}

async fn latency(State(app): State<Arc<App>>) -> Json<Value> {
    Json(latencies(&app.journal.latencies()))
}

/// Service times in microseconds, within 1 %.
fn latencies(latencies: &Latencies) -> Value {
    let series = latencies.series().map(|(command, side, histogram)| {
        json!({
            "command": command,
            "side": side.name(),
            "count": histogram.len(),
            "p50_us": histogram.value_at_quantile(0.5),
            "p90_us": histogram.value_at_quantile(0.9),
            "p99_us": histogram.value_at_quantile(0.99),
            "p99_9_us": histogram.value_at_quantile(0.999),
            "max_us": histogram.max(),
        })
    });
    json!({ "series": series.collect::<Vec<_>>(), "unrecorded": latencies.unrecorded() })
}
