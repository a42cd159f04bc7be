//! One series at two times.

use std::ops::Range;

use hdrhistogram::Histogram;
use parallax_captures::LatencySeries;

use super::percentiles::{Percentile, SHOWN, in_words};
use crate::view::micros;

/// What is within so much of the other is called about the same, in percent.
const SAME: u64 = 10;

/// A series at two times.
#[derive(Debug)]
pub(crate) struct Compared<'a> {
    pub(crate) series: &'a LatencySeries,
    pub(crate) times: [Histogram<u64>; 2],
}

/// How a percentile of the second time stands to that of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    /// In hundredths.
    pub(crate) hundredths: u64,
    /// It rests on fewer than ten longer samples on one of the sides.
    pub(crate) is_shaky: bool,
}

impl<'a> Compared<'a> {
    pub(crate) fn of(series: &'a LatencySeries, times: [&Range<i64>; 2]) -> Option<Self> {
        let [first, second] = times.map(|range| series.histogram(range));
        Some(Self {
            series,
            times: [first?, second?],
        })
    }

    /// `None` where either time has too few samples.
    pub(crate) fn ratio(&self, percentile: &Percentile) -> Option<Ratio> {
        let [first, second] = &self.times;
        let (before, after) = (percentile.of(first)?, percentile.of(second)?);
        let fewest = first.len().min(second.len());
        Some(Ratio {
            hundredths: hundredths(before, after),
            is_shaky: percentile.is_shaky(fewest),
        })
    }

    /// How the longest of the second time stands to the first's.
    pub(crate) fn longest(&self) -> Option<u64> {
        let [first, second] = &self.times;
        let both = !first.is_empty() && !second.is_empty();
        both.then(|| hundredths(first.max(), second.max()))
    }

    /// What changed, for a person.
    pub(crate) fn sentence(&self) -> String {
        let name = in_words(self.series);
        let [first, second] = &self.times;
        if first.is_empty() || second.is_empty() {
            let which = match (first.is_empty(), second.is_empty()) {
                (true, true) => "either time",
                (true, false) => "the first time",
                _ => "the second time",
            };
            return format!("{name}: no sample in {which}, nothing to compare.");
        }
        let told: Vec<_> = SHOWN.iter().filter_map(|one| self.told(one)).collect();
        if told.is_empty() {
            return format!("{name}: too few samples to compare anything.");
        }
        let missing = SHOWN.iter().find(|one| self.ratio(one).is_none());
        let missing = missing.map_or_else(String::new, |missing| {
            format!(
                " Not enough samples for {}: {} and {} of {}.",
                missing.name,
                first.len(),
                second.len(),
                missing.needs
            )
        });
        format!("{name}: {}.{missing}", told.join("; "))
    }

    fn told(&self, percentile: &Percentile) -> Option<String> {
        let ratio = self.ratio(percentile)?;
        let [before, after] = &self.times;
        let (before, after) = (percentile.of(before)?, percentile.of(after)?);
        let words = match ratio.hundredths {
            all if all.abs_diff(100) <= SAME => "about the same".to_owned(),
            all if all < 100 => format!("\u{2212}{} %", 100 - all),
            all if all < 200 => format!("+{} %", all - 100),
            all => format!("{} times as long", decimal(all)),
        };
        let doubt = if ratio.is_shaky {
            ", from few samples"
        } else {
            ""
        };
        let name = percentile.name;
        Some(format!(
            "{name} {} \u{2192} {} ({words}{doubt})",
            micros(before),
            micros(after)
        ))
    }
}

/// `2.1`, `0.45`.
pub(crate) fn decimal(hundredths: u64) -> String {
    match hundredths {
        0..100 => format!("0.{hundredths:02}"),
        100..1_000 => format!("{}.{}", hundredths / 100, hundredths % 100 / 10),
        _ => (hundredths / 100).to_string(),
    }
}

fn hundredths(before: u64, after: u64) -> u64 {
    (after.saturating_mul(100) + before / 2) / before.max(1)
}

#[cfg(test)]
mod tests {
    use parallax_captures::{Dimension, Latencies, Sample, Side};

    use super::*;

    /// The sentence over so many samples of so many microseconds, and as many later.
    fn sentence(before: (u64, u64), after: (u64, u64)) -> String {
        let mut latencies = Latencies::default();
        for (second, (count, micros)) in [(0, before), (60, after)] {
            let at = jiff::Timestamp::from_second(second).unwrap();
            let sample = Sample::at(at, "ping");
            for _ in 0..count {
                latencies.record(Side::Tcp, &sample, std::time::Duration::from_micros(micros));
            }
        }
        // So that there is a series in any case.
        let at = jiff::Timestamp::from_second(120).unwrap();
        latencies.record(
            Side::Tcp,
            &Sample::at(at, "ping"),
            std::time::Duration::ZERO,
        );
        let timeline = latencies.by(Dimension::Command);
        let slice = |second| timeline.slice_of(jiff::Timestamp::from_second(second).unwrap());
        let [first, second, end] = [0, 60, 120].map(slice);
        let times = [&(first..second), &(second..end)];
        Compared::of(&timeline.series[0], times).unwrap().sentence()
    }

    #[test]
    fn a_sentence_says_how_many_times_as_long() {
        let slower = sentence((2_000, 100), (2_000, 210));
        assert!(
            slower
                .starts_with("ping TCP: p50 100 \u{b5}s \u{2192} 210 \u{b5}s (2.1 times as long);"),
            "{slower}"
        );
        assert!(!slower.contains("Not enough"));
        let faster = sentence((20, 200), (20, 90));
        assert!(faster.contains("(\u{2212}55 %"), "{faster}");
        let slower = sentence((20, 200), (20, 300));
        assert!(slower.contains("(+5"), "{slower}");
        let same = sentence((20, 200), (20, 210));
        assert!(same.contains("about the same"), "{same}");
    }

    #[test]
    fn a_sentence_says_where_samples_are_few() {
        let few = sentence((30, 80), (90, 240));
        assert!(
            few.contains(
                "p90 80 \u{b5}s \u{2192} 240 \u{b5}s (3.0 times as long, from few samples)"
            ),
            "{few}"
        );
        assert!(
            few.contains("Not enough samples for p99: 30 and 90 of 100."),
            "{few}"
        );
        assert!(sentence((1, 100), (1, 300)).contains("too few samples"));
        assert!(sentence((0, 1), (5, 3)).contains("no sample in the first time"));
    }
}
