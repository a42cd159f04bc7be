use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::json as noun;
use parallax_captures::recording::RecordingState;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use super::schema::Number;
use crate::app::App;
use crate::problem::ApiProblem;

/// How the recording is doing
///
/// `null` where nobody records.
#[utoipa::path(
    get,
    path = "/recording",
    responses((status = OK, description = "Its state and figures.", body = Option<Recording>)),
)]
pub(super) async fn recording(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    Ok(Json(app.journal.recording().map_or(
        Value::Null,
        |status| {
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
        },
    )))
}

/// A recording's state and figures.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Recording {
    /// The directory.
    directory: String,
    /// `ok`; `failing`: the disk refuses, it is tried again; `ended`.
    #[schema(pattern = "^(ok|failing|ended)$")]
    state: String,
    /// Since when nothing was written, where it fails.
    #[schema(required, format = DateTime)]
    since: Option<String>,
    /// What happened at the latest attempt, where it fails.
    #[schema(required)]
    reason: Option<String>,
    /// Exchanges that are in it.
    exchanges: u64,
    /// Exchanges that were seen and could not be written: the disk was full or slow.
    not_kept: u64,
    /// Verdicts and findings that came late and could not be written.
    changes_not_kept: u64,
    /// Exchanges that were dropped with the oldest segments, for size or age.
    dropped: u64,
    /// Bytes of its segments.
    bytes: Number,
    /// Its segments.
    segments: u64,
}
