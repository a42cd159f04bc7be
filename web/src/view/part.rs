//! One payload alone: `/exchanges/{n}/messages/{place}` and, of HTTP,
//! `/exchanges/{n}/bodies/{request|response}`; below each of them `/payload` is its
//! bytes and nothing else.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use bytes::Bytes;
use maud::{Markup, html};
use parallax_captures::{Content, Exchange};

use super::exchange::find;
use super::format::length;
use super::layout::page;
use super::messages::{Carried, address, carried, facts};
use super::payload::{Form, Shown, payload};
use super::wanted_parts::number;
use crate::app::{App, looked_up};
use crate::problem::Problem;

type Parameters = Query<Vec<(String, String)>>;

/// A payload, and what is known of it.
struct Part {
    n: u64,
    title: String,
    address: String,
    id: String,
    /// A file's name, without what a header could take for more.
    file: String,
    bytes: Bytes,
    facts: Markup,
}

/// The page of a message.
pub(crate) async fn message(
    State(app): State<Arc<App>>,
    Path((n, place)): Path<(String, String)>,
    Query(query): Parameters,
) -> Result<Markup, Problem> {
    looked_up(app, move |app| {
        shown(app, &message_of(&*find(&app.journal, &n)?, &place)?, &query)
    })
    .await
}

/// A message's payload.
pub(crate) async fn message_bytes(
    State(app): State<Arc<App>>,
    Path((n, place)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let found = looked_up(app, move |app| {
        message_of(&*find(&app.journal, &n)?, &place)
    });
    Ok(download(found.await?))
}

/// The page of an HTTP body.
pub(crate) async fn body(
    State(app): State<Arc<App>>,
    Path((n, which)): Path<(String, String)>,
    Query(query): Parameters,
) -> Result<Markup, Problem> {
    looked_up(app, move |app| {
        shown(app, &body_of(&*find(&app.journal, &n)?, &which)?, &query)
    })
    .await
}

/// An HTTP body.
pub(crate) async fn body_bytes(
    State(app): State<Arc<App>>,
    Path((n, which)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let found = looked_up(app, move |app| body_of(&*find(&app.journal, &n)?, &which));
    Ok(download(found.await?))
}

fn message_of(exchange: &Exchange, place: &str) -> Result<Part, Problem> {
    let message = carried(exchange, place)?;
    let (n, place) = (exchange.n, number("a message's place", place)?);
    let verb = Carried::of(exchange).verb();
    Ok(Part {
        n,
        title: format!("Message {verb} at offset {}", message.offset),
        address: address(n, place),
        id: format!("payload-{place}"),
        file: format!("exchange-{n}-message-{place}-offset-{}.bin", message.offset),
        facts: facts(&message),
        bytes: message.payload,
    })
}

fn body_of(exchange: &Exchange, which: &str) -> Result<Part, Problem> {
    let n = exchange.n;
    let none = || Problem::not_found("An HTTP exchange has two bodies, request and response.");
    let Content::Http(content) = &exchange.content else {
        return Err(none());
    };
    let (title, bytes) = match which {
        "request" => ("Request body", &content.request_body),
        "response" => ("Response body", &content.response_body),
        _ => return Err(none()),
    };
    Ok(Part {
        n,
        title: title.to_owned(),
        address: format!("/exchanges/{n}/bodies/{which}"),
        id: format!("body-{which}"),
        file: format!("exchange-{n}-{which}-body.bin"),
        facts: html! { p { code { (content.method) " " bdi { (content.target) } } } },
        bytes: bytes.clone(),
    })
}

fn shown(app: &App, part: &Part, query: &[(String, String)]) -> Result<Markup, Problem> {
    let (mut form, mut from) = (None, 0);
    for (name, value) in query {
        match name.as_str() {
            "as" => form = Some(Form::named(value)?),
            "from" => from = number(name, value)?,
            _ => return Err(Problem::bad_query("A payload's page takes as and from.")),
        }
    }
    let view = Shown {
        payload: &part.bytes,
        address: &part.address,
        id: &part.id,
        form,
        from,
        all: true,
    };
    let body = html! {
        nav.neighbours aria-label="Back" {
            a href={ "/exchanges/" (part.n) } { "\u{2039} exchange " (part.n) }
        }
        section {
            h1 { (part.title) " " small { (length(part.bytes.len())) " bytes" } }
            (part.facts)
            (payload(view))
        }
    };
    Ok(page(
        &app.about,
        &format!("{}, exchange {}", part.title, part.n),
        &body,
    ))
}

/// As bytes that no browser shows: whatever they are, they run nothing here.
fn download(part: Part) -> impl IntoResponse {
    let disposition = format!("attachment; filename=\"{}\"", part.file);
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, part.bytes)
}
