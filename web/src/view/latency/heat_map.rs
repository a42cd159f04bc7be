//! Latency over time: each cell so many answers, and the list of them.

use std::ops::Range;

use maud::{Markup, html};
use parallax_captures::{LatencySeries, Side};

use super::choices::side_words;
use super::table::value;
use crate::expression::encoded;
use crate::latency::{Cells, Report, SHOWN, cells, start_of};
use crate::limits::{HEAT_MAP_CELLS, HEAT_MAP_COLUMNS};
use crate::view::format::{clock, count, length, micros};

const WIDTH: i64 = 560;
const LEFT: i64 = 70;
const ROW: u64 = 16;
/// Room above and below.
const ABOVE: u64 = 14;
const BELOW: u64 = 26;
/// Rows that are drawn at least.
const ROWS: u64 = 6;
/// Shades, from few to many.
const SHADES: u64 = 5;

/// A map for each side of what is drawn, at each time.
pub(super) fn heat_maps(report: &Report, drawn: &[&LatencySeries]) -> Markup {
    let (maps, is_coarse) = maps(report, drawn);
    if maps.is_empty() {
        return html! {};
    }
    let several = drawn.len() > 1;
    // All have the same axis, so that they can be compared.
    let rows = maps.iter().map(|(.., map)| map.rows());
    let rows = rows.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
    let rows = rows.unwrap_or_default();
    html! {
        section aria-labelledby="h-over-time" {
            h2 id="h-over-time" {
                "Over time "
                small {
                    "each cell is a link to its exchanges"
                    @if several { "; what is drawn above, together" }
                }
            }
            div.side-by-side {
                @for (side, name, map) in &maps {
                    (heat_map(*side, name, map, &rows))
                }
            }
            @if is_coarse {
                p.cut {
                    "The maps have at most " (length(HEAT_MAP_CELLS)) " cells together: "
                    "several slices of time are one column. A shorter time, or fewer series, shows more."
                }
            }
        }
    }
}

type Map<'a> = (Side, String, Cells<'a>);

/// The maps, and whether they have fewer columns than others because they would have too
/// many cells.
fn maps<'a>(report: &'a Report, drawn: &[&'a LatencySeries]) -> (Vec<Map<'a>>, bool) {
    let mut columns = HEAT_MAP_COLUMNS;
    loop {
        let maps = maps_of(report, drawn, columns);
        let cells: usize = maps.iter().map(|(.., map)| map.counts.len()).sum();
        if cells <= HEAT_MAP_CELLS || columns == 1 {
            return (maps, columns < HEAT_MAP_COLUMNS);
        }
        columns /= 2;
    }
}

fn maps_of<'a>(report: &'a Report, drawn: &[&'a LatencySeries], columns: i64) -> Vec<Map<'a>> {
    let ranges = [Some(&report.first), report.second.as_ref()];
    let names = match report.second {
        None => [""; 2],
        Some(_) => [", first time", ", second time"],
    };
    let maps = Side::ALL.into_iter().flat_map(|side| {
        let ranges = ranges.into_iter().zip(names);
        ranges.filter_map(move |(range, name)| {
            let name = format!("{}{name}", side_words(side));
            Some((side, name, cells(report, drawn, side, range?, columns)?))
        })
    });
    maps.collect()
}

/// Over these rows, which all maps share.
fn heat_map(side: Side, name: &str, map: &Cells<'_>, rows: &Range<u64>) -> Markup {
    let missing = ROWS.saturating_sub(rows.end - rows.start);
    let first = rows.start.saturating_sub(missing / 2);
    let last = (rows.end + missing - missing / 2).max(first + ROWS);
    let height = (last - first) * ROW;
    let columns = map.columns();
    let x_of = |column: i64| LEFT + column * (WIDTH - LEFT) / columns;
    let y_of = |row: u64| (last - row) * ROW;
    let most = map.counts.values().copied().max().unwrap_or(1);
    let (begin, end) = (map.times(0).0, map.times(columns - 1).1);
    html! {
        figure.heat-map {
            figcaption {
                b { (name) }
                @if side == Side::Http { span.dim { " at the time of the poll that it belongs to" } }
                (shades(most, side))
            }
            div.scroll tabindex="0" role="region" aria-label={ "Latency over time, " (name) } {
                svg class={ "chart heat h-" (side.name()) }
                    viewBox={ "0 -" (ABOVE) " " (WIDTH) " " (ABOVE + height + BELOW) } role="group"
                    aria-label="Counts by time and latency; the table below has them by time" {
                    @for row in (first..=last).filter(|row| row.is_multiple_of(4) || last - first < 12) {
                        @let y = y_of(row);
                        line.grid x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
                        @if row % 2 == 0 {
                            text x=(LEFT - 6) y=(y) dy="0.35em" text-anchor="end" { (micros(start_of(row))) }
                        }
                    }
                    @for ((column, row), number) in &map.counts {
                        @let x = x_of(*column);
                        a href=(list(map, *column, Some(*row))) tabindex="-1" {
                            title { (cell(map, *column, *row, *number)) }
                            rect class={ "shade" (shade(*number, most)) } x=(x) y=(y_of(row + 1))
                                width=((x_of(column + 1) - x).max(1)) height=(ROW) {}
                        }
                    }
                    line.axis x1=(LEFT) x2=(WIDTH) y1=(height) y2=(height) {}
                    text x=(LEFT) y=(height + 18) { (begin.strftime("%H:%M:%S%.3f")) }
                    text x=(WIDTH) y=(height + 18) text-anchor="end" { (end.strftime("%H:%M:%S%.3f")) }
                }
            }
            (as_table(name, map))
        }
    }
}

/// `12 answers, 1.02 ms to 1.53 ms, 07:05:05.000 to 07:05:06.000`.
fn cell(map: &Cells<'_>, column: i64, row: u64, number: u64) -> String {
    let (begin, end) = map.times(column);
    format!(
        "{} {}, {} to {}, {} to {}",
        count(number),
        if number == 1 { "answer" } else { "answers" },
        micros(start_of(row)),
        micros(start_of(row + 1)),
        begin.strftime("%H:%M:%S%.3f"),
        end.strftime("%H:%M:%S%.3f")
    )
}

fn list(map: &Cells<'_>, column: i64, row: Option<u64>) -> String {
    let expression = map.expression(column, row);
    format!("/exchanges?where={}", encoded(&expression))
}

/// From 1 to [`SHADES`], logarithmic in the count.
fn shade(number: u64, most: u64) -> u64 {
    let steps = u64::from(most.max(1).ilog2()) + 1;
    let step = u64::from(number.max(1).ilog2());
    1 + step * SHADES / steps.max(SHADES)
}

/// What each shade means.
fn shades(most: u64, side: Side) -> Markup {
    let steps = u64::from(most.max(1).ilog2()) + 1;
    let mut ranges: Vec<(u64, u64, u64)> = Vec::new();
    for step in 0..steps {
        let (least, greatest) = (1 << step, ((2_u64 << step) - 1).min(most));
        match ranges.last_mut() {
            Some((known, _, end)) if *known == shade(least, most) => *end = greatest,
            _ => ranges.push((shade(least, most), least, greatest)),
        }
    }
    html! {
        span class={ "shades h-" (side.name()) } {
            @for (shade, least, greatest) in ranges {
                span {
                    svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" {
                        rect class={ "shade" (shade) } x="0.5" y="0.5" width="11" height="11" {}
                    }
                    " " (count(least))
                    @if greatest > least { "\u{2013}" (count(greatest)) }
                }
            }
        }
    }
}

fn as_table(name: &str, map: &Cells<'_>) -> Markup {
    html! {
        details {
            summary { "The same as a table" }
            div.scroll tabindex="0" role="region" aria-label={ "Latency by time, " (name) } {
                table.percentiles {
                    thead {
                        tr {
                            th scope="col" { "From" }
                            th.number scope="col" { "Count" }
                            @for one in &SHOWN { th.number scope="col" { (one.name) } }
                            th.number scope="col" { "Max" }
                        }
                    }
                    tbody {
                        @for column in 0..map.columns() {
                            @if let Some(histogram) = map.column(column).filter(|one| !one.is_empty()) {
                                tr {
                                    th scope="row" { (clock(map.times(column).0)) }
                                    td.number { a href=(list(map, column, None)) { (count(histogram.len())) } }
                                    @for one in &SHOWN { td.number { (value(one, &histogram)) } }
                                    td.number { (micros(histogram.max())) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_light_and_many_are_dark() {
        for most in [1, 2, 3, 9, 100, 5_000, 1_000_000] {
            let shades: Vec<_> = (1..=most.min(3_000)).map(|n| shade(n, most)).collect();
            assert!(shades.is_sorted() && shades[0] == 1);
            assert!(shade(most, most) <= SHADES);
        }
        assert_eq!(shade(1_000_000, 1_000_000), SHADES);
    }
}
