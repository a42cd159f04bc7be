//! `/latency.hlog`: the chosen latencies as an interval log of `HdrHistogram`.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use parallax_captures::export::write_timeline;

use super::choice::Choice;
use super::report::Report;
use crate::app::{App, looked_up};
use crate::problem::Problem;

/// One interval for each slice of the first time.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let choice = Choice::parse(&query)?.in_order()?;
    let written = looked_up(app, move |app| {
        let report = Report::of(&app.journal, choice);
        let mut log = Vec::new();
        let series = report.logged();
        write_timeline(&mut log, &report.timeline, &series, &report.first).map(|()| log)
    });
    let log = written.await.map_err(|error| {
        let what = format!("The log could not be written: {error}.");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, what)
    })?;
    let head = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"parallax-latency.hlog\"",
        ),
    ];
    Ok((head, log).into_response())
}
