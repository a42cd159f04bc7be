//! Two times compared.

use maud::{Markup, html};

use super::choices::{hidden, link};
use super::table::value;
use crate::latency::{Compared, Report, SHOWN, Times, decimal, in_words};
use crate::view::format::{count, micros};

/// What is in both times, and what changed.
pub(super) fn comparison(report: &Report, compared: &[Compared<'_>]) -> Markup {
    let second = report.second.as_ref();
    let overlap = second
        .is_some_and(|second| second.start < report.first.end && report.first.start < second.end);
    html! {
        @for one in compared { p.found { (one.sentence()) } }
        @if overlap {
            p.cut { "The two times overlap: what is in both is counted in both." }
        }
        @if !compared.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Two times compared" {
                table.percentiles.compared {
                    thead {
                        tr {
                            th scope="col" { "Series" }
                            th scope="col" { "Time" }
                            th.number scope="col" { "Count" }
                            @for one in &SHOWN { th.number scope="col" { (one.name) } }
                            th.number scope="col" { "Max" }
                        }
                    }
                    @for one in compared { (rows(one)) }
                }
            }
        }
    }
}

fn rows(compared: &Compared<'_>) -> Markup {
    let name = in_words(compared.series);
    html! {
        tbody {
            @for (histogram, which) in compared.times.iter().zip(["first", "second"]) {
                tr {
                    th scope="row" { bdi { (name) } }
                    td { (which) }
                    td.number { (count(histogram.len())) }
                    @for one in &SHOWN { td.number { (value(one, histogram)) } }
                    td.number { @if !histogram.is_empty() { (micros(histogram.max())) } }
                }
            }
            tr.ratio {
                th scope="row" { bdi { (name) } }
                td { "times as long" }
                td {}
                @for one in &SHOWN {
                    td.number {
                        @match compared.ratio(one) {
                            Some(ratio) => {
                                b { (decimal(ratio.hundredths)) }
                                @if ratio.is_shaky { " " span.dim { "few" } }
                            },
                            None => span.missing { "too few" },
                        }
                    }
                }
                td.number { @if let Some(ratio) = compared.longest() { (decimal(ratio)) } }
            }
        }
    }
}

/// To choose two times.
pub(super) fn form(report: &Report) -> Markup {
    let choice = &report.choice;
    let presets = report.presets();
    html! {
        section aria-labelledby="h-compare" {
            h2 id="h-compare" { "Compare two times" }
            @if presets.is_empty() {
                p.calm { "All latencies are of one moment, so far: there is nothing to compare it with." }
            } @else {
                nav.filters aria-label="Times to compare" {
                    @for (words, times) in presets {
                        (link(&choice.href(|c| c.times = times), words, choice.times == times))
                    }
                    @if choice.compares() {
                        (link(&choice.href(|c| c.times[1] = Times::default()), "the first time alone", false))
                    }
                }
                form.times action="/latency" {
                    (hidden(choice))
                    (time_fields("First time", ["from", "to"], choice.times[0]))
                    (time_fields("Second time", ["from2", "to2"], choice.times[1]))
                    button type="submit" { "Show" }
                }
                p.note {
                    "Times like 2026-11-30T07:05:05Z. An empty one is the first or the last moment; "
                    "without a second time the first alone is shown. Taken are whole slices of time, "
                    "to the nearest."
                }
            }
        }
    }
}

fn time_fields(words: &str, names: [&str; 2], times: Times) -> Markup {
    let values = [times.from, times.to];
    html! {
        fieldset {
            legend { (words) }
            @for (name, value) in names.into_iter().zip(values) {
                label {
                    span { @if name.starts_with("from") { "from" } @else { "until" } }
                    input type="text" name=(name) autocomplete="off" spellcheck="false" size="28"
                        value=(value.map(|time| time.to_string()).unwrap_or_default());
                }
            }
        }
    }
}
