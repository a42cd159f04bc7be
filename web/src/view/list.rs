//! `/exchanges`: every exchange that is kept, in the order that is asked for.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::IntoResponse;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::annotation_form::comment_dialog;
use super::copy::Command;
use super::empty::no_client;
use super::expression_form::expression_form;
use super::filter_bar::filter_bar;
use super::format::count;
use super::gaps::Gaps;
use super::keys::{self, keys_dialog};
use super::layout::page;
use super::order_bar::{column_form, downloads, order_bar};
use super::rows::{heading, row};
use crate::about::Source;
use crate::app::App;
use crate::asked::{Asked, Page};
use crate::limits::{EXCHANGES_LISTED, PAGES_KNOWN, ROWS_SHOWN};
use crate::matching;
use crate::order::Order;
use crate::problem::Problem;

type Pairs = Query<Vec<(String, String)>>;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Query(query): Pairs,
) -> Result<(StatusCode, Markup), Problem> {
    let asked = Asked::parse(&query)?;
    let whole = move |app: &App, found: Page, newest: u64, asked: &Asked| {
        page(&app.about, "Exchanges", &list(app, asked, found, newest))
    };
    // Read before the rows: a row that comes in between is then sent twice, not
    // never.
    let newest = app.journal.totals().exchanges;
    if asked.filter.mistake().is_some() {
        let shown = whole(&app, Page::default(), newest, &asked);
        return Ok((StatusCode::BAD_REQUEST, shown));
    }
    let of = Arc::clone(&app);
    let make = move |found, asked: &_| whole(&of, found, newest, asked);
    let shown = asked.page_as(&app, EXCHANGES_LISTED, make).await?;
    Ok((StatusCode::OK, shown))
}

/// What asks for the rows behind those that are sent, in a header.
const NEXT: HeaderName = HeaderName::from_static("parallax-next");

/// The rows alone, for the script.
pub(crate) async fn show_rows(
    State(app): State<Arc<App>>,
    Query(query): Pairs,
) -> Result<impl IntoResponse, Problem> {
    let asked = Asked::parse(&query)?.understood()?;
    let of = Arc::clone(&app);
    let make = move |found: Page, asked: &Asked| {
        let gaps = Gaps::before(&found.exchanges, asked, &of.journal);
        let rows = html! { @for exchange in &found.exchanges { (row(exchange, asked, &gaps)) } };
        (rows, found.next)
    };
    let (rows, next) = asked.page_as(&app, EXCHANGES_LISTED, make).await?;
    let next = next.and_then(|next| HeaderValue::try_from(next.query()).ok());
    let next = next.map(|next| [(NEXT, next)]);
    Ok((next, rows))
}

/// How many there are after a number, at most as many as a page has.
pub(crate) async fn count_newer(
    State(app): State<Arc<App>>,
    Query(query): Pairs,
) -> Result<Json<Value>, Problem> {
    let mut asked = Asked::parse(&query)?.understood()?;
    asked.order = Order::Oldest;
    let Page { exchanges, next } = asked.page(&app, EXCHANGES_LISTED).await?;
    Ok(Json(
        json!({ "count": exchanges.len(), "more": next.is_some() }),
    ))
}

fn list(app: &App, asked: &Asked, found: Page, newest: u64) -> Markup {
    let (number, counted) = match matching::known(&app.journal, asked) {
        Some(figure) => (Some(figure), "figure"),
        None => match matching::whole(&app.journal, asked, &found) {
            Some(whole) => (Some(whole), "whole"),
            None => (None, "look"),
        },
    };
    let Page { exchanges, next } = found;
    let understood = asked.filter.mistake().is_none();
    let is_live = matches!(app.about.source, Source::Live(_));
    let is_live = is_live && understood && asked.order == Order::Newest;
    let all = asked.at_first();
    let gaps = Gaps::before(&exchanges, asked, &app.journal);
    let next = next.map(|next| next.query());
    html! {
        section id="exchanges" aria-labelledby="h-exchanges" {
            div.head {
                h1 id="h-exchanges" { "Exchanges "
                    small {
                        @if understood {
                            span id="matching" data-count=(counted) {
                                @if let Some(number) = &number { (number) ", " }
                            }
                        }
                        (asked.order.words())
                    }
                 }
                div.tools {
                    p.live id="live" role="status" hidden { }
                    button id="newer" type="button" hidden { }
                    button id="hold" type="button" hidden { "Hold" }
                    (column_form(asked))
                    (downloads(asked))
                    (keys_dialog("list", keys::LIST))
                }
            }
            (expression_form(asked))
            div.bar {
                (filter_bar(asked))
                (order_bar(asked))
            }
            @if let Some(covers) = covers(app, asked) { p.dim.covers { (covers) } }
            table.exchanges.stack role="table" aria-labelledby="h-exchanges" {
                (heading(asked))
                tbody id="rows" role="rowgroup" data-live=[is_live.then_some("1")]
                    data-newest=(newest) data-query=(all.query()) data-order=(asked.order.name())
                    data-further=[asked.is_further().then_some("1")] data-next=[next.as_deref()]
                    data-page=(EXCHANGES_LISTED) data-rows-shown=(ROWS_SHOWN)
                    data-pages-known=(PAGES_KNOWN) data-inspect=(Command::of(app).text) {
                    @for exchange in &exchanges { (row(exchange, asked, &gaps)) }
                }
            }
            p.calm id="empty" hidden[!exchanges.is_empty()] {
                @if !understood {
                    "Nothing is listed: the filter is not understood. " a href="/exchanges" { "Show all" } "."
                } @else if asked.is_restricted() || asked.is_further() {
                    "No exchange that is kept matches. " a href="/exchanges" { "Show all" } "."
                } @else {
                    (no_client(&app.about))
                }
            }
            nav.pages id="pages" aria-label="Pages of the list" {
                @if asked.is_further() {
                    a href={ "/exchanges" (all.query()) } { "\u{ab} " (asked.order.words()) }
                }
                @if let Some(next) = &next {
                    a rel="next" href={ "/exchanges" (next) } { "further \u{bb}" }
                }
                span id="end" role="status" {}
            }
            (comment_dialog(app))
        }
    }
}

/// What a list that is not in the order of time is made of.
fn covers(app: &App, asked: &Asked) -> Option<String> {
    let kept = count(app.journal.counts().exchanges);
    let of = if asked.is_restricted() {
        format!("those of the {kept} kept exchanges that match")
    } else {
        format!("all {kept} kept exchanges")
    };
    let live = match app.about.source {
        Source::Live(_) => " As they were when this page was made: reload for later ones.",
        Source::File { .. } => "",
    };
    match asked.order {
        Order::Newest => None,
        Order::Oldest => Some(format!("Of {of}.{live}")),
        Order::Latency => Some(format!("Of {of}; what got no reply is left out.{live}")),
        Order::Size => Some(format!("Of {of}, by the bytes of request and reply.{live}")),
    }
}
