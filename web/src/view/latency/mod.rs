//! `/latency`: how long answers took.

mod axis;
mod choices;
mod compare;
mod curve;
mod heat_map;
mod table;

use std::sync::Arc;

use axum::extract::{Query, State};
use maud::{Markup, html};

use super::empty::no_client;
use super::format::{count, day_and_clock};
use super::layout::page;
use crate::app::{App, looked_up};
use crate::latency::{Choice, Compared, Report};
use crate::problem::Problem;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Markup, Problem> {
    let choice = Choice::parse(&query)?.in_order()?;
    let body = looked_up(Arc::clone(&app), move |app| body(app, choice)).await;
    Ok(page(&app.about, "Latency", &body))
}

fn body(app: &App, choice: Choice) -> Markup {
    let report = Report::of(&app.journal, choice);
    let is_empty = report.timeline.slices().is_empty();
    html! {
        h1 { "Latency" }
        p.note {
            "From a request's first byte to its reply's last, as they passed here. A client that "
            "waits for each answer before it asks again asks less while the server is slow, so the "
            "slow times are under-represented (" b { "coordinated omission" } "): what a user of that "
            "client waited for may be worse than these figures. HTTP is parallax's own asking, never "
            "counted with the client's."
        }
        @if is_empty && report.choice.by == Choice::default().by {
            p.calm { (no_client(&app.about)) }
        } @else {
            (choices::choices(&report))
            (shown(app, &report))
        }
    }
}

fn shown(app: &App, report: &Report) -> Markup {
    let (drawn, more) = report.drawn();
    let compared: Vec<_> = match &report.second {
        None => Vec::new(),
        Some(second) => drawn
            .iter()
            .filter_map(|one| Compared::of(one, [&report.first, second]))
            .collect(),
    };
    html! {
        section aria-labelledby="h-percentiles" {
            h2 id="h-percentiles" {
                "Percentiles "
                small { (time(report)) }
            }
            @if drawn.is_empty() {
                p.calm { "No latency of what is chosen in this time. " a href="/latency" { "Show all" } "." }
            }
            div.side-by-side {
                div {
                    @if report.second.is_some() {
                        (curve::of_two_times(report, &compared))
                    } @else {
                        (curve::of_one_time(report, &drawn))
                    }
                    @if more {
                        p.cut { "Drawn are those with the most samples. Choose others in the table." }
                    }
                }
                div {
                    @if report.second.is_some() {
                        (compare::comparison(report, &compared))
                    } @else {
                        (table::percentiles(report, &drawn))
                    }
                }
            }
            @if report.second.is_some() { (table::percentiles(report, &drawn)) }
            (notes(app, report))
        }
        (heat_map::heat_maps(report, &drawn))
        (compare::form(report))
    }
}

/// Which time is shown.
fn time(report: &Report) -> Markup {
    let span = |range| {
        let (from, to) = report.times(range);
        html! { (day_and_clock(from)) " to " (day_and_clock(to)) }
    };
    html! {
        (span(&report.first))
        @if let Some(second) = &report.second { " and " (span(second)) }
        @if !report.is_whole() {
            ", in whole slices of " (axis::short(slice_us(report)))
            " " a href=(report.choice.href(|c| c.times = Choice::default().times)) { "all time" }
        }
    }
}

fn slice_us(report: &Report) -> u64 {
    u64::try_from(report.timeline.slice_width().as_micros()).unwrap_or(u64::MAX)
}

/// What has to be known of the figures to take them for what they are.
fn notes(app: &App, report: &Report) -> Markup {
    let timeline = &report.timeline;
    let dropped = app.journal.totals().exchanges_dropped;
    html! {
        @if timeline.unrecorded > 0 {
            p.cut {
                (count(timeline.unrecorded)) " latencies are in no series by "
                (timeline.dimension.name()) ": there are too many of them."
            }
        }
        @if timeline.retried > 0 {
            p.cut {
                (count(timeline.retried)) " operations were told \u{201c}not now\u{201d} and asked again. "
                "Each counts once, from its first attempt on; a list of exchanges has every attempt."
            }
        }
        @if dropped > 0 {
            p.cut {
                (count(dropped)) " of the exchanges that these latencies are of are kept no longer: "
                "lists have fewer than are counted here."
            }
        }
        p { a href={ "/latency.hlog" (report.choice.query()) } download="parallax-latency.hlog" {
            "Download as HdrHistogram log"
        } }
    }
}
