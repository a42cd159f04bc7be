use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{Connection, Progress, Standing, json as noun};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use super::rows::rows;
use super::schema;
use crate::app::{App, looked_up};
use crate::filter::Filter;
use crate::problem::ApiProblem;
use crate::snapshot::Snapshot;

/// Clients' connections
///
/// Every one that is remembered, open or closed; and whether its client gets on, as far as
/// the gravest findings tell.
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
    Ok(Json(looked_up(app, all).await))
}

fn all(app: &App) -> Value {
    let counts = app.journal.counts();
    let state = Snapshot::of(&app.journal, &app.about.source);
    let with_rows = |connection: &Connection| {
        let mut value = noun::connection(connection);
        let filter = Filter {
            conn: Some(connection.id.0),
            ..Filter::default()
        };
        value["kept"] = rows(&filter, counts.on_connection(connection.id));
        value["waiting"] = connection.waiting.map_or(
            Value::Null,
            |(requests, since)| json!({ "requests": requests, "since": noun::time(since) }),
        );
        tell(&mut value, &state.standing(connection.id));
        value
    };
    let connections: Vec<_> = state.connections.iter().map(with_rows).collect();
    json!({ "connections": connections })
}

fn tell(value: &mut Value, standing: &Standing) {
    let elsewhere = standing.server_elsewhere.as_ref();
    value["server_elsewhere"] = elsewhere.map_or(
        Value::Null,
        |(version, id)| json!({ "conn": id.0, "server_version": version }),
    );
    value["worst"] = standing.worst.map(|code| code.to_string()).into();
    value["progress"] = standing.progress.name().into();
    value["hindrance"] = match &standing.progress {
        Progress::Stuck(what) | Progress::WasStuck(what) => json!({
            "code": what.code.to_string(),
            "place": what.place,
            "what": what.what,
            "count": what.count,
            "first": noun::time(what.first),
            "last": noun::time(what.last),
            "exchange": what.exchange,
        }),
        Progress::NothingFound | Progress::NotKnown(..) => Value::Null,
    };
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Connections {
    /// Each connection once.
    connections: Vec<schema::Connection>,
}
