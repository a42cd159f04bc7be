//! A heat map's cells: how many latencies of which length there were when.

use std::collections::BTreeMap;
use std::ops::Range;

use hdrhistogram::Histogram;
use jiff::Timestamp;
use parallax_captures::{Dimension, Label, LatencySeries, Side};

use super::choice::label_text;
use super::report::{POLLS, Report};

/// The latencies of one side's series, over a range of time.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    report: &'a Report,
    series: Vec<&'a LatencySeries>,
    side: Side,
    range: Range<i64>,
    /// Slices in one column.
    width: i64,
    /// By column and row.
    pub(crate) counts: BTreeMap<(i64, u64), u64>,
}

/// In so many columns at most; `None` where that side has no latency then.
pub(crate) fn cells<'a>(
    report: &'a Report,
    series: &[&'a LatencySeries],
    side: Side,
    range: &Range<i64>,
    columns: i64,
) -> Option<Cells<'a>> {
    let of_side = series.iter().copied().filter(|one| one.side == side);
    let series: Vec<_> = of_side.collect();
    // A range that was asked for may be longer than there is anything.
    let all = report.timeline.slices();
    let range = range.start.max(all.start)..range.end.min(all.end);
    let slices = range.end - range.start;
    let width = slices.div_euclid(columns) + i64::from(slices.rem_euclid(columns) > 0);
    let width = width.max(1);
    let mut counts = BTreeMap::new();
    for (slice, buckets) in series.iter().flat_map(|one| one.slices(&range)) {
        for (micros, count) in buckets.recorded() {
            let cell = ((slice - range.start) / width, row_of(micros));
            *counts.entry(cell).or_default() += count;
        }
    }
    (!counts.is_empty()).then_some(Cells {
        report,
        series,
        side,
        range,
        width,
        counts,
    })
}

impl Cells<'_> {
    /// How many columns there are.
    pub(crate) fn columns(&self) -> i64 {
        let slices = self.range.end - self.range.start;
        (slices + self.width - 1) / self.width
    }

    /// The rows that have anything in them, from the shortest latency to the longest.
    pub(crate) fn rows(&self) -> Range<u64> {
        let rows = || self.counts.keys().map(|(_, row)| *row);
        rows().min().unwrap_or(0)..rows().max().map_or(0, |row| row + 1)
    }

    /// When a column begins and ends.
    pub(crate) fn times(&self, column: i64) -> (Timestamp, Timestamp) {
        let slices = self.slices(column);
        self.report.times(&slices)
    }

    fn slices(&self, column: i64) -> Range<i64> {
        let start = self.range.start + column * self.width;
        start..(start + self.width).min(self.range.end)
    }

    /// All latencies of a column.
    pub(crate) fn column(&self, column: i64) -> Option<Histogram<u64>> {
        let slices = self.slices(column);
        let mut all = self.series.iter().filter_map(|one| one.histogram(&slices));
        let first = all.next()?;
        Some(all.fold(first, |mut sum, one| {
            // They have the same bounds.
            let _ = sum.add(one);
            sum
        }))
    }

    /// The filter expression that lists the exchanges of a column, and of one of its rows
    /// or of all.
    pub(crate) fn expression(&self, column: i64, row: Option<u64>) -> String {
        let (begin, end) = self.times(column);
        let mut all = vec![format!("time >= {begin} and time < {end}")];
        let latency = match self.side {
            Side::Tcp => "latency_us",
            Side::Http => "comparison.answers.latency_us",
        };
        match row {
            // What took no microsecond counts as one.
            Some(row) if row == row_of(1) => all.push(format!("{latency} < {}", start_of(row + 1))),
            Some(row) => all.push(format!(
                "{latency} >= {} and {latency} < {}",
                start_of(row),
                start_of(row + 1)
            )),
            None => all.push(format!("{latency} >= 0")),
        }
        all.extend(self.belongs());
        all.join(" and ")
    }

    /// What the exchanges of the series have in common.
    fn belongs(&self) -> Option<String> {
        let one = |series: &&LatencySeries| {
            let mut both = Vec::new();
            if self.side == Side::Tcp {
                both.push(format!("command == {}", series.command));
                // A packet capture may have somebody's HTTP, which is not counted.
                if series.command == POLLS {
                    both.push("dialect != http".to_owned());
                }
            }
            let field = match series.label.dimension() {
                Dimension::Command => None,
                Dimension::Connection => Some("conn"),
                other => Some(other.name()),
            };
            if let Some(field) = field.filter(|_| series.label != Label::All) {
                both.push(format!("{field} == {}", label_text(&series.label)));
            }
            both.join(" and ")
        };
        let all: Vec<_> = self.series.iter().map(one).collect();
        match all.as_slice() {
            [] => None,
            _ if all.iter().any(String::is_empty) => None,
            [only] => Some(only.clone()),
            several => Some(format!("({})", several.join(" or "))),
        }
    }
}

/// Two rows for each doubling of the latency. Their ends are ends of an `HdrHistogram`'s
/// buckets: each bucket is in one row.
fn row_of(micros: u64) -> u64 {
    let micros = micros.max(1);
    let octave = micros.ilog2();
    let half = u64::from(micros >= start_of(u64::from(octave) * 2 + 1));
    u64::from(octave) * 2 + half
}

/// The least latency of a row, in microseconds.
pub(crate) fn start_of(row: u64) -> u64 {
    let (octave, half) = (row / 2, row % 2);
    ((2 + half) << octave).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_begins_where_the_one_before_it_ends() {
        for micros in (1..5_000).chain([1 << 20, 3 << 20, 3_600_000_000]) {
            let row = row_of(micros);
            assert!(
                start_of(row) <= micros && micros < start_of(row + 1),
                "{micros}"
            );
        }
    }
}
