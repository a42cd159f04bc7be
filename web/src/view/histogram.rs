//! A histogram over a logarithmic axis, as plain SVG.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use maud::{Markup, html};
use parallax_captures::Side;

use super::format::{count, micros};

/// One histogram to draw, in microseconds.
pub(crate) struct Series<'a> {
    pub(crate) side: Side,
    pub(crate) histogram: &'a Histogram<u64>,
}

const WIDTH: u64 = 720;
const HEIGHT: u64 = 120;
const AXIS: u64 = 20;
const ROOM_FOR_TEXT: u64 = 50;
/// Buckets in each doubling of the latency.
const PER_OCTAVE: u64 = 4;

/// Both sides over one axis. The height of a bar is the share of its own side,
/// so that a side which asks less often is not drawn smaller.
pub(crate) fn histogram(series: &[Series], what: &str) -> Markup {
    let drawn: Vec<(Side, BTreeMap<u64, u64>)> = series
        .iter()
        .map(|one| (one.side, buckets(one.histogram)))
        .collect();
    let all = || {
        drawn
            .iter()
            .flat_map(|(_, buckets)| buckets.keys().copied())
    };
    let (Some(least), Some(most)) = (all().min(), all().max()) else {
        return html! {};
    };
    // At least eight octaves, with room on both sides.
    let missing = (8 * PER_OCTAVE).saturating_sub(most - least);
    let first = least.saturating_sub(2 + missing / 2);
    let slots = most + 3 + missing / 2 - first;
    let x_of = |bucket: u64| (bucket - first) * WIDTH / slots;
    let highest = drawn
        .iter()
        .flat_map(|(_, buckets)| shares(buckets))
        .map(|(.., share)| share);
    let highest = highest.max().unwrap_or_default().max(1);
    let label = format!("Histogram of the latency of {what}, logarithmic in time");
    html! {
        svg.histogram viewBox={ "0 0 " (WIDTH) " " (HEIGHT + AXIS) } role="img" aria-label=(label) {
            @for tick in ticks().filter(|tick| (first..first + slots).contains(&bucket_of(*tick))) {
                @let (bucket, next) = (bucket_of(tick), bucket_of(tick) + 1);
                @let within = (tick - start_of(bucket)) * (x_of(next) - x_of(bucket));
                @let x = x_of(bucket) + within / (start_of(next) - start_of(bucket)).max(1);
                line class="tick" x1=(x) x2=(x) y1="0" y2=(HEIGHT + 4) {}
                @if x + ROOM_FOR_TEXT < WIDTH {
                    text class="tick" x=(x + 3) y=(HEIGHT + AXIS - 6) { (micros(tick)) }
                }
            }
            @for (side, buckets) in &drawn {
                g class={ "b-" (side.name()) } {
                    @for (bucket, number, share) in shares(buckets) {
                        @let height = (share * (HEIGHT - 8) / highest).max(1);
                        @let x = x_of(bucket);
                        rect x=(x) y=(HEIGHT - height) height=(height)
                            width=((x_of(bucket + 1) - x).saturating_sub(1).max(1)) {
                            title {
                                (micros(start_of(bucket))) " to " (micros(start_of(bucket + 1)))
                                ": " (count(number)) " on " (side.name().to_uppercase())
                            }
                        }
                    }
                }
            }
            line class="axis" x1="0" x2=(WIDTH) y1=(HEIGHT) y2=(HEIGHT) {}
        }
    }
}

fn buckets(histogram: &Histogram<u64>) -> BTreeMap<u64, u64> {
    let mut buckets = BTreeMap::new();
    for value in histogram.iter_recorded() {
        let bucket = bucket_of(value.value_iterated_to());
        *buckets.entry(bucket).or_default() += value.count_at_value();
    }
    buckets
}

/// Each bucket, its count, and its share in hundred-thousandths.
fn shares(buckets: &BTreeMap<u64, u64>) -> impl Iterator<Item = (u64, u64, u64)> {
    let total = buckets.values().sum::<u64>().max(1);
    buckets.iter().map(move |(bucket, number)| {
        let share = u128::from(*number) * 100_000 / u128::from(total);
        (*bucket, *number, u64::try_from(share).unwrap_or(u64::MAX))
    })
}

/// Quarters of a doubling, linear within it, in whole numbers throughout.
fn bucket_of(micros: u64) -> u64 {
    let micros = micros.max(1);
    let octave = u64::from(micros.ilog2());
    let quarter = ((u128::from(micros) * u128::from(PER_OCTAVE)) >> octave) & 3;
    octave * PER_OCTAVE + u64::try_from(quarter).unwrap_or_default()
}

/// The least latency in a bucket, rounded down.
fn start_of(bucket: u64) -> u64 {
    let (octave, quarter) = (bucket / PER_OCTAVE, bucket % PER_OCTAVE);
    let start = (u128::from(PER_OCTAVE + quarter) << octave) / u128::from(PER_OCTAVE);
    u64::try_from(start).unwrap_or(u64::MAX)
}

/// 1, 2 and 5 in each power of ten, up to hours.
fn ticks() -> impl Iterator<Item = u64> {
    (0..10).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_begins_where_the_one_before_it_ends() {
        for micros in [1, 2, 3, 7, 8, 9, 10, 1_000, 1_023, 1_024, 3_600_000_000] {
            let bucket = bucket_of(micros);
            assert!(start_of(bucket) <= micros, "{micros}");
            assert!(micros < 8 || start_of(bucket + 1) > micros, "{micros}");
        }
    }

    #[test]
    fn both_sides_are_drawn_over_one_axis() {
        let mut fast = Histogram::new(2).unwrap();
        let mut slow = Histogram::new(2).unwrap();
        fast.record_n(120, 1_000).unwrap();
        slow.record_n(9_000, 10).unwrap();
        let both = [(Side::Tcp, &fast), (Side::Http, &slow)];
        let both = both.map(|(side, histogram)| Series { side, histogram });
        let svg = histogram(&both, "poll_messages").into_string();
        assert!(svg.contains(r#"<g class="b-tcp">"#) && svg.contains(r#"<g class="b-http">"#));
        assert!(
            svg.contains("1,000 on TCP") && svg.contains("10 on HTTP"),
            "{svg}"
        );
        assert!(svg.contains(">1.00 ms<"), "a tick between them: {svg}");
    }

    #[test]
    fn one_value_and_none_can_be_drawn() {
        let mut one = Histogram::new(2).unwrap();
        let none = Histogram::new(2).unwrap();
        let draw = |histogram: &Histogram<u64>| {
            let series = [Series {
                side: Side::Tcp,
                histogram,
            }];
            super::histogram(&series, "ping").into_string()
        };
        assert_eq!(draw(&none), "");
        one.record(1).unwrap();
        assert!(draw(&one).contains("<rect"));
    }
}
