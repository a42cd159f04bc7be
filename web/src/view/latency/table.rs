//! Percentiles and counts of every series.

use hdrhistogram::Histogram;
use maud::{Markup, html};
use parallax_captures::{Dimension, Label, LatencySeries};

use super::choices::toggle;
use super::curve::{look, sample};
use crate::latency::{Percentile, Report, SHOWN, label_text};
use crate::limits::LATENCY_ROWS;
use crate::view::format::{count, length, micros};

pub(super) fn percentiles(report: &Report, drawn: &[&LatencySeries]) -> Markup {
    let mut rows: Vec<_> = report
        .rows()
        .into_iter()
        .filter_map(|one| Some((one, one.histogram(&report.first)?)))
        .filter(|(_, histogram)| !histogram.is_empty())
        .collect();
    let all = rows.len();
    if all > LATENCY_ROWS {
        rows.sort_by_key(|(_, histogram)| std::cmp::Reverse(histogram.len()));
        rows.truncate(LATENCY_ROWS);
    }
    let too_few = |(_, histogram): &(&LatencySeries, Histogram<u64>)| {
        SHOWN.iter().any(|one| one.of(histogram).is_none())
    };
    let by = report.choice.by;
    let single = report.second.is_none();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Percentiles" {
            table.percentiles {
                @if !single { caption { "All series, the first time" } }
                thead {
                    tr {
                        @if by != Dimension::Command { th scope="col" { (heading(by)) } }
                        th scope="col" { "Command" }
                        th scope="col" { "Side" }
                        th.number scope="col" { "Count" }
                        @for one in &SHOWN { th.number scope="col" { (one.name) } }
                        th.number scope="col" { "Max" }
                    }
                }
                tbody {
                    @for (series, histogram) in &rows {
                        @let place = drawn.iter().position(|one| std::ptr::eq(*one, *series));
                        tr {
                            @if by != Dimension::Command {
                                th scope="row" { (name(report, series)) }
                                td { (series.command) }
                            } @else {
                                th scope="row" { (name(report, series)) }
                            }
                            td.side {
                                (series.side.name().to_uppercase())
                                @if let Some(place) = place.filter(|_| single) { " " (sample(&look(drawn, place))) }
                            }
                            td.number { (count(histogram.len())) }
                            @for one in &SHOWN { td.number { (value(one, histogram)) } }
                            td.number { (micros(histogram.max())) }
                        }
                    }
                }
            }
        }
        @if rows.iter().any(too_few) {
            p.cut {
                "Not enough samples for p99.9 where there are fewer than 1,000, for p99 fewer than 100, "
                "for p90 fewer than 10: it would only repeat the longest."
            }
        }
        @if all > rows.len() {
            p.cut { "The " (length(rows.len())) " with the most samples of " (length(all)) "." }
        }
    }
}

/// A percentile, or that there are not enough samples for it.
pub(super) fn value(percentile: &Percentile, histogram: &Histogram<u64>) -> Markup {
    html! {
        @match percentile.of(histogram) {
            Some(value) => (micros(value)),
            None => span.missing title={
                (percentile.name) " needs " (count(percentile.needs)) " samples; there are "
                (count(histogram.len()))
            } { "too few" },
        }
    }
}

/// The series' name; chooses it to be drawn, or not any longer.
fn name(report: &Report, series: &LatencySeries) -> Markup {
    let by_command = report.choice.by == Dimension::Command;
    let on = report.is_chosen(series);
    let href = report.choice.href(|choice| {
        if by_command {
            toggle(&mut choice.commands, series.command.clone());
        } else {
            toggle(&mut choice.labels, series.label.clone());
        }
    });
    let title = if on { "Draw no longer" } else { "Draw" };
    html! {
        a.plain.draw href=(href) title=(title) aria-current=[on.then_some("true")] {
            @match &series.label {
                Label::All => (series.command),
                Label::Connection(conn) => { "#" (conn.0) },
                label => bdi { (label_text(label)) },
            }
        }
    }
}

const fn heading(by: Dimension) -> &'static str {
    match by {
        Dimension::Command => "Command",
        Dimension::Strategy => "Strategy",
        Dimension::Stream => "Stream",
        Dimension::Connection => "Connection",
    }
}
