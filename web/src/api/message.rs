use std::fmt::Write as _;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use parallax_captures::json as noun;
use serde_json::{Value, json};

use super::asked::{Nothing, Pairs, of_exchange, query};
use super::schema;
use crate::app::{App, looked_up};
use crate::problem::ApiProblem;
use crate::view::exchange::find;
use crate::view::messages::carried;

/// One message of an exchange, with its payload
#[utoipa::path(
    get,
    path = "/exchanges/{n}/messages/{place}",
    params(
        ("n" = u64, Path, minimum = 1, maximum = 9_007_199_254_740_991_u64, description = "The exchange's number."),
        ("place" = u64, Path, minimum = 0, maximum = 9_007_199_254_740_991_u64, description = "The message's place among those of the exchange, from 0."),
    ),
    responses(
        (status = OK, description = "The message.", body = schema::WholeMessage),
        (status = NOT_FOUND, description = "There is no such exchange, or no such message in it.", body = schema::Problem),
    ),
)]
pub(super) async fn message(
    State(app): State<Arc<App>>,
    asked_for: Result<Path<(String, String)>, PathRejection>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let (n, place) = of_exchange(asked_for)?;
    let message = looked_up(app, move |app| carried(&*find(&app.journal, &n)?, &place)).await?;
    let payload = message.payload.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    Ok(Json(json!({
        "message": noun::message(&message),
        "payload_hex": payload,
        "payload_text": std::str::from_utf8(&message.payload).ok(),
    })))
}
