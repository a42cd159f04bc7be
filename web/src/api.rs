//! The same things as JSON, for programs. Fields are those of
//! [`parallax_captures::json`].

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::get;
use axum::{Json, Router};
use parallax_captures::filter::{FIELDS, FieldEntry};
use parallax_captures::recording::RecordingState;
use parallax_captures::{Connection, Finding, json as noun};
use serde_json::{Value, json};

use crate::app::{App, looked_up};
use crate::figures::figures;
use crate::filter::Filter;
use crate::latency::{Choice, Report, json as latencies};
use crate::limits::MESSAGES_LISTED;
use crate::problem::{ApiProblem, Problem};
use crate::view::exchange::find;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/exchanges", get(exchanges))
        .route("/exchanges/{n}", get(exchange))
        .route("/filter/fields", get(filter_fields))
        .route("/figures", get(all_figures))
        .route("/findings", get(findings))
        .route("/connections", get(connections))
        .route("/latency", get(latency))
        .route("/recording", get(recording))
        .fallback(|| async { ApiProblem::from(Problem::not_found("There is no such thing.")) })
}

/// Newest first, with few of their messages; `next` is the `before` of the following page, `null` on the
/// last one.
async fn exchanges(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Json<Value>, ApiProblem> {
    let filter = Filter::parse(&query)?.understood()?;
    let listed = app.list(filter).await?;
    let exchanges: Vec<_> = listed
        .exchanges
        .iter()
        .map(|one| with_few_messages(noun::exchange(one)))
        .collect();
    Ok(Json(json!({ "exchanges": exchanges, "next": listed.more })))
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

/// What `where` can name.
async fn filter_fields() -> Json<Value> {
    let fields: Vec<_> = FIELDS.iter().map(FieldEntry::json).collect();
    Json(json!({ "fields": fields }))
}

async fn exchange(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
) -> Result<Json<Value>, ApiProblem> {
    let found = looked_up(app, move |app| find(&app.journal, &n)).await?;
    Ok(Json(noun::exchange(&found)))
}

/// How many exchanges that are kept there are of each kind, each with where they
/// are listed.
async fn all_figures(State(app): State<Arc<App>>) -> Json<Value> {
    let figures = figures(&app.journal.counts());
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
    Json(json!({ "figures": figures }))
}

/// Those that are not muted; with `muted=1` those that are.
async fn findings(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Json<Value>, ApiProblem> {
    let muted = match query.as_slice() {
        [] => false,
        [(name, value)] if name == "muted" && value == "1" => true,
        _ => return Err(Problem::bad_query("Findings can be restricted by muted=1.").into()),
    };
    let counts = app.journal.counts();
    let findings = if muted {
        app.journal.muted_findings()
    } else {
        app.journal.findings()
    };
    let with_rows = |finding: &Finding| {
        let mut value = noun::finding(finding);
        let filter = Filter {
            finding: Some(finding.code),
            muted,
            ..Filter::default()
        };
        let showing = if muted {
            counts.showing_muted(finding.code)
        } else {
            counts.showing(finding.code)
        };
        value["kept"] = rows(&filter, showing);
        value
    };
    let findings: Vec<_> = findings.iter().map(with_rows).collect();
    Ok(Json(json!({ "findings": findings })))
}

async fn connections(State(app): State<Arc<App>>) -> Json<Value> {
    let counts = app.journal.counts();
    let connections = app.journal.connections();
    let with_rows = |connection: &Connection| {
        let mut value = noun::connection(connection);
        let filter = Filter {
            conn: Some(connection.id.0),
            ..Filter::default()
        };
        value["kept"] = rows(&filter, counts.on_connection(connection.id));
        value
    };
    let connections: Vec<_> = connections.iter().map(with_rows).collect();
    Json(json!({ "connections": connections }))
}

/// How many exchanges are kept, and where they are listed.
fn rows(filter: &Filter, count: u64) -> Value {
    json!({ "count": count, "rows": rows_of(filter) })
}

fn rows_of(filter: &Filter) -> String {
    format!("/api/v1/exchanges{}", filter.query())
}

/// How the recording is doing; `null` where nobody records.
async fn recording(State(app): State<Arc<App>>) -> Json<Value> {
    Json(app.journal.recording().map_or(Value::Null, |status| {
        let failing = match &status.state {
            RecordingState::Failing { since, reason } => Some((noun::time(*since), reason)),
            RecordingState::Ok | RecordingState::Ended => None,
        };
        json!({
            "directory": status.directory.display().to_string(),
            "state": status.state.name(),
            "since": failing.as_ref().map(|(since, _)| since),
            "reason": failing.as_ref().map(|(_, reason)| reason),
            "exchanges": status.exchanges,
            "not_kept": status.not_kept,
            "changes_not_kept": status.changes_not_kept,
            "dropped": status.dropped,
            "bytes": noun::number(status.bytes),
            "segments": status.segments,
        })
    }))
}

/// The chosen latencies, as the page's address chooses them; with `slices=1` over time.
async fn latency(
    State(app): State<Arc<App>>,
    Query(mut query): Query<Vec<(String, String)>>,
) -> Result<Json<Value>, ApiProblem> {
    let with_slices = ("slices".to_owned(), "1".to_owned());
    let all = query.len();
    query.retain(|pair| *pair != with_slices);
    let with_slices = query.len() < all;
    let choice = Choice::parse(&query)?;
    let look = move |app: &App| latencies::report(&Report::of(&app.journal, choice), with_slices);
    Ok(Json(looked_up(app, look).await))
}
