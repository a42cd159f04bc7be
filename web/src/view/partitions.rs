//! `/partitions`: every partition of which something is kept, what is wrong first.

use std::sync::Arc;

use axum::extract::{Query, State};
use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::partition::Partition;
use parallax_codec::primitives::Identifier;

use super::empty::no_client;
use super::format::{count, day_and_clock, length};
use super::layout::page;
use super::several::several_servers;
use crate::app::{App, looked_up};
use crate::expression::encoded;
use crate::limits::PARTITIONS_SHOWN;
use crate::partition::{Row, Sort, listed, of_unknown};
use crate::problem::Problem;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Markup, Problem> {
    let sort = Sort::parse(&query)?;
    Ok(looked_up(app, move |app| whole(app, sort)).await)
}

fn whole(app: &App, sort: Sort) -> Markup {
    let (rows, not_counted) = listed(&app.journal, sort);
    let hidden = rows.len().saturating_sub(PARTITIONS_SHOWN);
    let body = html! {
        section aria-labelledby="h-partitions" {
            h1 id="h-partitions" { "Partitions " small.dim { "of the exchanges that are kept" } }
            (several_servers(&app.journal))
            @if rows.is_empty() {
                p.calm { (nothing(app)) }
            } @else {
                (order(sort))
                table.partitions.stack role="table" aria-labelledby="h-partitions" {
                    (heading(sort))
                    tbody role="rowgroup" {
                        @for one in rows.iter().take(PARTITIONS_SHOWN) { (row(app, one, &rows)) }
                    }
                }
            }
            @if hidden > 0 { p.cut { (length(hidden)) " more are not shown; another order may show them." } }
            @if not_counted > 0 {
                p.cut {
                    (count(not_counted)) " exchanges are about further partitions, of which there are too many to count each."
                }
            }
        }
    };
    page(&app.about, "Partitions", &body)
}

fn nothing(app: &App) -> Markup {
    if app.journal.counts().exchanges == 0 {
        return html! { (no_client(&app.about)) };
    }
    html! {
        "No exchange that is kept is about a partition. Polls are, and stored offsets, and "
        "messages that are sent to a partition by its number."
    }
}

const COLUMNS: [(&str, Sort); 7] = [
    ("Stream / topic / partition", Sort::Name),
    ("Polls", Sort::Polls),
    ("Messages", Sort::Messages),
    ("Errors", Sort::Errors),
    ("Diverging", Sort::Diverging),
    ("With findings", Sort::Findings),
    ("Last seen", Sort::Last),
];

/// The orders once more, for windows in which the heading is not shown.
fn order(sort: Sort) -> Markup {
    html! {
        nav.filters.order aria-label="Order" {
            @for (name, one) in [("What is wrong first", Sort::Gravity)].iter().chain(&COLUMNS) {
                a.choice aria-current=[(*one == sort).then_some("true")] href=(href(*one)) { (name) }
            }
        }
    }
}

fn href(sort: Sort) -> String {
    match sort {
        Sort::Gravity => "/partitions".to_owned(),
        _ => format!("/partitions?sort={}", sort.word()),
    }
}

fn heading(sort: Sort) -> Markup {
    html! {
        thead role="rowgroup" {
            tr role="row" {
                @for (name, one) in COLUMNS {
                    @let sorted = (one == sort).then_some(if one == Sort::Name { "ascending" } else { "descending" });
                    th scope="col" role="columnheader" aria-sort=[sorted] { (name) }
                }
            }
        }
    }
}

fn row(app: &App, row: &Row, all: &[Row]) -> Markup {
    let figures = &row.figures;
    let (stream, topic, id) = &row.place;
    let wrong = figures.with_findings + figures.diverging + figures.named_by_http > 0;
    let class = match (wrong, figures.errors > 0) {
        (true, _) => "r-error",
        (false, true) => "r-warning",
        (false, false) => "r-well",
    };
    html! {
        tr role="row" class=(class) {
            th scope="row" role="rowheader" {
                @match id {
                    Some(id) => {
                        @let partition = Partition { stream: stream.clone(), topic: topic.clone(), id: *id };
                        a href={ "/partitions/" (partition.path()) } {
                            bdi { (stream) } "/" bdi { (topic) } "/" (id)
                        }
                        @if figures.named_by_http > 0 {
                            p.named-by-http {
                                b { (polls_failed(figures.named_by_http)) } ", named by HTTP"
                            }
                        }
                    }
                    None => {
                        bdi { (stream) } "/" bdi { (topic) }
                        ": " a href={ "/exchanges?where=" (encoded(&of_unknown(stream, topic))) } { "partition not known" }
                        @let named: Vec<_> = named_by_http(all, stream, topic).collect();
                        @if !named.is_empty() {
                            p.named-by-http { "HTTP names " (named.join(", ")) }
                        }
                    }
                }
            }
            (number("polls", figures.polls, false))
            (number("messages", figures.messages, false))
            (number("errors", figures.errors, true))
            (number("diverging", figures.diverging, true))
            (number("with findings", figures.with_findings, true))
            td role="cell" {
                @if let Some(time) = last_seen(app, figures.last) {
                    (day_and_clock(time)) ", " a href={ "/exchanges/" (figures.last) } { (figures.last) }
                }
            }
        }
    }
}

/// The numbers of the topic's partitions that HTTP names.
fn named_by_http<'a>(
    all: &'a [Row],
    stream: &'a Identifier,
    topic: &'a Identifier,
) -> impl Iterator<Item = String> + 'a {
    let named = all.iter().filter(|one| one.figures.named_by_http > 0);
    let of_it = named.filter(move |one| (&one.place.0, &one.place.1) == (stream, topic));
    of_it.filter_map(|one| Some(one.place.2?.to_string()))
}

/// They name no partition.
fn polls_failed(number: u64) -> String {
    match number {
        1 => "1 failed poll".to_owned(),
        _ => format!("{} failed polls", count(number)),
    }
}

fn number(what: &str, number: u64, is_bad: bool) -> Markup {
    html! {
        td.number.bad[is_bad && number > 0].zero[number == 0] role="cell" {
            (count(number)) span.label { " " (what) }
        }
    }
}

fn last_seen(app: &App, n: u64) -> Option<Timestamp> {
    Some(app.journal.exchange(n)?.times.request_first)
}
