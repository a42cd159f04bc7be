//! `/exchanges`: every exchange that is kept, newest first.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use maud::{Markup, html};
use parallax_captures::Listing;

use super::empty::no_client;
use super::expression_form::expression_form;
use super::filter_bar::filter_bar;
use super::layout::page;
use super::rows::{heading, row};
use crate::about::Source;
use crate::app::App;
use crate::filter::Filter;
use crate::limits::EXCHANGES_LISTED;
use crate::problem::Problem;

type Pairs = Query<Vec<(String, String)>>;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Query(query): Pairs,
) -> Result<(StatusCode, Markup), Problem> {
    let filter = Filter::parse(&query)?;
    let status = if filter.mistake().is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let list = list(&app, &filter).await?;
    Ok((status, page(&app.about, "Exchanges", &list)))
}

/// The rows alone, for the script.
pub(crate) async fn show_rows(
    State(app): State<Arc<App>>,
    Query(query): Pairs,
) -> Result<Markup, Problem> {
    let filter = Filter::parse(&query)?.understood()?;
    Ok(listed(&app, &filter).await?.rows)
}

async fn list(app: &App, filter: &Filter) -> Result<Markup, Problem> {
    // Read before the rows: a row that comes in between is then sent twice, not
    // never.
    let newest = app.journal.totals().exchanges;
    let Listed {
        rows,
        oldest,
        older,
    } = listed(app, filter).await?;
    let understood = filter.mistake().is_none();
    let live = filter.before.is_none() && matches!(app.about.source, Source::Live { .. });
    let live = live && understood;
    Ok(html! {
        section id="exchanges" aria-labelledby="h-exchanges" {
            h1 id="h-exchanges" { "Exchanges " small { "newest first" } }
            (expression_form(filter))
            div.bar {
                (filter_bar(filter))
                p.live id="live" role="status" hidden { }
                button id="hold" type="button" aria-pressed="false" hidden { "Hold" }
            }
            table.exchanges.stack role="table" aria-labelledby="h-exchanges" {
                (heading())
                tbody id="rows" role="rowgroup" data-live=[live.then_some("1")] data-newest=(newest)
                    data-query=(filter.query()) data-most=(EXCHANGES_LISTED) { (rows) }
            }
            p.calm id="empty" hidden[oldest.is_some()] {
                @if !understood {
                    "Nothing is listed: the filter is not understood. " a href="/exchanges" { "Show all" } "."
                } @else if filter.is_restricted() || filter.before.is_some() {
                    "No exchange that is kept matches. " a href="/exchanges" { "Show all" } "."
                } @else {
                    (no_client(&app.about))
                }
            }
            nav.pages aria-label="Older and newer" {
                @if filter.before.is_some() {
                    a href=(filter.href(|_| {})) { "\u{ab} newest" }
                }
                @if let Some(oldest) = older {
                    a href=(filter.href(|f| f.before = Some(oldest))) { "older than " (oldest) " \u{bb}" }
                }
            }
        }
    })
}

struct Listed {
    rows: Markup,
    /// The number of the last row.
    oldest: Option<u64>,
    /// The same, where there may be older ones.
    older: Option<u64>,
}

async fn listed(app: &App, filter: &Filter) -> Result<Listed, Problem> {
    let Listing { exchanges, more } = if filter.mistake().is_some() {
        Listing::default()
    } else {
        app.list(filter.clone(), EXCHANGES_LISTED).await?
    };
    let oldest = exchanges.last().map(|exchange| exchange.n);
    Ok(Listed {
        rows: html! {
            @for exchange in &exchanges { (row(exchange, filter)) }
        },
        oldest,
        older: more,
    })
}
