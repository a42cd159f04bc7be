//! The percentile curve, as of `HdrHistogram`: percentiles in nines against latency.

use std::fmt::Write as _;

use hdrhistogram::Histogram;
use maud::{Markup, html};
use parallax_captures::{LatencySeries, Side};

use super::axis::{Scale, float, short};
use crate::latency::{CURVE, Compared, Report, in_words};
use crate::limits::LATENCY_DRAWN;
use crate::view::format::{count, micros};

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
/// Room for what is written on the left and below.
const LEFT: f64 = 70.0;
const BELOW: f64 = 28.0;
/// Nines that are drawn at least and at most: 99 % and 99.9999 %.
const NINES: (f64, f64) = (2.0, 6.0);
/// What is written on the axis of the percentiles, by nines.
const MARKS: [(f64, &str); 7] = [
    (std::f64::consts::LOG10_2, "p50"),
    (1.0, "p90"),
    (2.0, "p99"),
    (3.0, "p99.9"),
    (4.0, "p99.99"),
    (5.0, "p99.999"),
    (6.0, "p99.9999"),
];

/// A line of the drawing.
struct Line {
    name: String,
    /// How it looks.
    class: String,
    histogram: Histogram<u64>,
}

/// The series over each other.
pub(super) fn of_one_time(report: &Report, drawn: &[&LatencySeries]) -> Markup {
    let lines = drawn.iter().enumerate().filter_map(|(index, one)| {
        Some(Line {
            name: in_words(one),
            class: look(drawn, index),
            histogram: one.histogram(&report.first)?,
        })
    });
    curve(report, &lines.collect::<Vec<_>>())
}

/// How a series is drawn: always blue is TCP's, and orange HTTP's, alone or the first of
/// several.
pub(super) fn look(drawn: &[&LatencySeries], index: usize) -> String {
    const TCP: [usize; LATENCY_DRAWN] = [0, 2, 3, 4, 5, 6];
    const HTTP: [usize; LATENCY_DRAWN] = [1, 6, 5, 4, 3, 2];
    let side = drawn[index].side;
    let before = drawn[..index].iter().filter(|one| one.side == side).count();
    let looks = match side {
        Side::Tcp => TCP,
        Side::Http => HTTP,
    };
    format!("s{}", looks[before % LATENCY_DRAWN])
}

/// Each series at both times, the second dashed in the same colour.
pub(super) fn of_two_times(report: &Report, compared: &[Compared<'_>]) -> Markup {
    let series: Vec<_> = compared.iter().map(|one| one.series).collect();
    let looks = (0..series.len()).map(|index| look(&series, index));
    let lines = compared.iter().zip(looks).flat_map(|(one, look)| {
        let times = one.times.iter().zip(["first", "second"]);
        times.map(move |(histogram, which)| Line {
            name: format!("{}, {which} time", in_words(one.series)),
            class: format!("{look} {which}"),
            histogram: histogram.clone(),
        })
    });
    curve(report, &lines.collect::<Vec<_>>())
}

fn curve(report: &Report, lines: &[Line]) -> Markup {
    let with_samples = lines.iter().filter(|line| !line.histogram.is_empty());
    let most = with_samples.clone().map(|line| line.histogram.max()).max();
    let least = with_samples.clone().map(|line| line.histogram.min()).min();
    let longest = with_samples.map(|line| line.histogram.len()).max();
    let (Some(most), Some(least), Some(longest)) = (most, least, longest) else {
        return html! {};
    };
    let scale = Scale::over(least, most, report.choice.linear);
    let nines = float(longest).log10().ceil().clamp(NINES.0, NINES.1);
    let x_of = |nine: f64| LEFT + nine.clamp(0.0, nines) / nines * (WIDTH - LEFT - 8.0);
    let y_of = |micros: u64| HEIGHT - scale.place(micros) * (HEIGHT - 6.0);
    html! {
        p.legend {
            @for line in lines {
                span.key {
                    (sample(&line.class)) " " bdi { (line.name) } ", " (count(line.histogram.len()))
                    @if line.histogram.len() > 1 {
                        ", half within " (micros(line.histogram.value_at_quantile(0.5)))
                    }
                }
            }
        }
        svg.chart viewBox=(format!("0 0 {WIDTH} {}", HEIGHT + BELOW)) role="img"
            aria-label="Latency by percentile; the table below has the same figures" {
            @for (tick, minor) in scale.ticks() {
                @let y = at(y_of(tick));
                g class=[minor.then_some("minor")] {
                    line.grid x1=(at(LEFT)) x2=(at(WIDTH)) y1=(y) y2=(y) {}
                    text x=(at(LEFT - 6.0)) y=(y) dy="0.35em" text-anchor="end" { (short(tick)) }
                }
            }
            @for (nine, name) in MARKS.into_iter().filter(|(nine, _)| *nine <= nines) {
                @let x = at(x_of(nine));
                @let anchor = if nine < nines { "middle" } else { "end" };
                line.grid x1=(x) x2=(x) y1="0" y2=(at(HEIGHT + 4.0)) {}
                text x=(x) y=(at(HEIGHT + 20.0)) text-anchor=(anchor) { (name) }
            }
            line.axis x1=(at(LEFT)) x2=(at(WIDTH)) y1=(at(HEIGHT)) y2=(at(HEIGHT)) {}
            @for line in lines { (drawn_line(line, &x_of, &y_of)) }
        }
        (as_table(lines))
    }
}

fn drawn_line(line: &Line, x_of: &impl Fn(f64) -> f64, y_of: &impl Fn(u64) -> f64) -> Markup {
    let all = line.histogram.len();
    if all == 0 {
        return html! {};
    }
    let mut path = String::new();
    let mut before = 0_u64;
    for step in line.histogram.iter_recorded() {
        let y = y_of(step.value_iterated_to());
        let command = if path.is_empty() { 'M' } else { 'L' };
        // A step: so long took all samples from here to there.
        let _ = write!(path, "{command}{} {y:.1}", at(x_of(nines_of(before, all))));
        before += step.count_at_value();
        let _ = write!(path, "H{}", at(x_of(nines_of(before, all))));
    }
    let (end, longest) = (x_of(nines_of(all, all)), y_of(line.histogram.max()));
    html! {
        g class={ "series " (line.class) } {
            path d=(path) {}
            circle cx=(at(end)) cy=(at(longest)) r="3" {
                title { (line.name) ": longest " (micros(line.histogram.max())) }
            }
        }
    }
}

/// Where the share `before` of `all` stands, in nines. What is beyond the last sample is
/// not known: the line ends there.
fn nines_of(before: u64, all: u64) -> f64 {
    let longer = (all - before).max(1);
    float(all).log10() - float(longer).log10()
}

/// How the line of a series looks.
pub(super) fn sample(class: &str) -> Markup {
    html! {
        svg.sample viewBox="0 0 30 10" width="30" height="10" aria-hidden="true" {
            g class={ "series " (class) } { path d="M0 5H30" {} }
        }
    }
}

fn as_table(lines: &[Line]) -> Markup {
    html! {
        details {
            summary { "The curve as a table" }
            div.scroll tabindex="0" role="region" aria-label="The curve as a table" {
                table.percentiles {
                    thead {
                        tr {
                            th scope="col" { "Percentile" }
                            @for line in lines { th scope="col" { bdi { (line.name) } } }
                        }
                    }
                    tbody {
                        @for percentile in CURVE.iter()
                            .filter(|one| lines.iter().any(|line| one.of(&line.histogram).is_some())) {
                            tr {
                                th scope="row" { (percentile.name) }
                                @for line in lines {
                                    td.number { (percentile.of(&line.histogram).map_or_else(String::new, micros)) }
                                }
                            }
                        }
                        tr {
                            th scope="row" { "Max" }
                            @for line in lines {
                                td.number { @if !line.histogram.is_empty() { (micros(line.histogram.max())) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn at(place: f64) -> String {
    format!("{place:.1}")
}
