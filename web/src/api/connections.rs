use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{Connection, json as noun};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use super::rows::rows;
use super::schema;
use crate::app::App;
use crate::filter::Filter;
use crate::problem::ApiProblem;

/// Clients' connections
///
/// Every one that is remembered, open or closed.
#[utoipa::path(
    get,
    path = "/connections",
    responses((status = OK, description = "All of them.", body = Connections)),
)]
pub(super) async fn connections(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
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
    Ok(Json(json!({ "connections": connections })))
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Connections {
    /// Each connection once.
    connections: Vec<schema::Connection>,
}
