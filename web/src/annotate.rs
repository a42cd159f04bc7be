//! `POST /exchanges/{n}/annotation`: what somebody notes of an exchange.

use std::sync::Arc;

use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use parallax_captures::{Annotation, NotAnnotated};

use crate::app::{App, looked_up};
use crate::problem::Problem;
use crate::view::OpenedFrom;
use crate::view::exchange::find;

type Fields = Form<Vec<(String, String)>>;

/// Changes what is given of it: `mark` (1 or 0), `comment`; of one that is given twice the
/// last counts, as a form with a checkbox sends it.
pub(crate) async fn annotate(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
    Form(fields): Fields,
) -> Result<Redirect, Problem> {
    let (from, _) = OpenedFrom::taken(query);
    looked_up(app, move |app| {
        let exchange = find(&app.journal, &n)?;
        let Annotation {
            mut marked,
            mut comment,
        } = exchange.annotation.clone();
        for (name, value) in fields {
            match (name.as_str(), value.as_str()) {
                ("mark", "1") => marked = true,
                ("mark", "0") => marked = false,
                ("comment", _) => comment = value,
                _ => {
                    let what = "A note has a mark, 1 or 0, and a comment.";
                    return Err(Problem::bad_query(what));
                }
            }
        }
        let noted = Annotation::new(marked, &comment);
        app.journal
            .annotate(exchange.n, noted)
            .map_err(|error| match error {
                NotAnnotated::NotKept => Problem::not_found("The exchange is no longer kept."),
                NotAnnotated::NoRoom => Problem::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "Memory holds as many notes as it may, and nothing records them: record, or \
                 take some away.",
                ),
            })?;
        let address = format!("/exchanges/{}{}#note", exchange.n, from.suffix());
        Ok(Redirect::to(&address))
    })
    .await
}
