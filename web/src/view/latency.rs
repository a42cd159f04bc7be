//! `/latency`: how long answers took, per command and side.

use std::sync::Arc;

use axum::extract::State;
use hdrhistogram::Histogram;
use maud::{Markup, html};
use parallax_captures::{Latencies, Side};

use super::connections_panel::no_client;
use super::format::{count, micros};
use super::histogram::{Series, histogram};
use super::layout::page;
use crate::app::App;

pub(crate) async fn show(State(app): State<Arc<App>>) -> Markup {
    let latencies = app.journal.latencies();
    let mut commands: Vec<_> = latencies.series().map(|(command, ..)| command).collect();
    commands.dedup();
    let body = html! {
        h1 { "Latency" }
        p.note {
            "From a request's first byte to its reply's last, as they passed here. A client that "
            "waits for each answer before it asks again asks less while the server is slow, so the "
            "slow times are under-represented (" b { "coordinated omission" } "): what a user of that "
            "client waited for may be worse than these figures. HTTP is parallax's own asking, never "
            "counted with the client's."
        }
        @if commands.is_empty() { p.calm { (no_client(&app.about)) } } @else { (table(&latencies)) }
        @if latencies.unrecorded() > 0 {
            p.cut { (count(latencies.unrecorded())) " latencies were not recorded: too many commands." }
        }
        // The question of the house first: polls.
        @for polls in [true, false] {
            @for command in commands.iter().filter(|name| (**name == "poll_messages") == polls) {
                (drawing(&latencies, command))
            }
        }
    };
    page(&app.about, "Latency", &body)
}

fn table(latencies: &Latencies) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Percentiles" {
            table.percentiles {
                thead {
                    tr {
                        @for name in ["Command", "Side", "Count", "p50", "p90", "p99", "p99.9", "Max"] {
                            th scope="col" { (name) }
                        }
                    }
                }
                tbody {
                    @for (command, side, histogram) in latencies.series() {
                        tr {
                            th scope="row" { a.plain href={ "#" (command) } { (command) } }
                            td { (side_words(side)) }
                            td.number { (count(histogram.len())) }
                            @for quantile in [0.5, 0.9, 0.99, 0.999] {
                                td.number { (micros(histogram.value_at_quantile(quantile))) }
                            }
                            td.number { (micros(histogram.max())) }
                        }
                    }
                }
            }
        }
    }
}

fn drawing(latencies: &Latencies, command: &str) -> Markup {
    let of = |wanted: Side| -> Option<Histogram<u64>> {
        let mut all = latencies.series();
        let found = all.find(|(name, side, _)| *name == command && *side == wanted);
        found.map(|(_, _, histogram)| histogram)
    };
    let found: Vec<_> = [Side::Tcp, Side::Http]
        .into_iter()
        .filter_map(|side| Some((side, of(side)?)))
        .collect();
    let series = found.iter();
    let series: Vec<_> = series
        .map(|(side, histogram)| Series {
            side: *side,
            histogram,
        })
        .collect();
    html! {
        section id=(command) {
            h2 { (command) }
            p.legend {
                @for one in &series {
                    span class={ "key k-" (one.side.name()) } {
                        (side_words(one.side)) ", " (count(one.histogram.len()))
                        ", half within " (micros(one.histogram.value_at_quantile(0.5)))
                    }
                }
            }
            (histogram(&series, command))
        }
    }
}

const fn side_words(side: Side) -> &'static str {
    match side {
        Side::Tcp => "TCP (client)",
        Side::Http => "HTTP (parallax)",
    }
}
