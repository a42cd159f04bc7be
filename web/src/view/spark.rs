//! How often something was seen over time, as a small drawing beside a line of text.

use std::fmt::Write as _;

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::Occurrences;

use super::format::{clock_text, count, width};

const WIDTH: i128 = 240;
const HEIGHT: u64 = 24;
/// The least that can be seen.
const LEAST: i128 = 2;
/// From so many occurrences on, in so many bars, a drawing says more than the numbers.
const OCCURRENCES: u64 = 3;
const BARS: usize = 2;

/// Bars from the first thing that passed to the last: where there is none, nothing was
/// seen then. Nothing where it is not known when, or all was seen at about one time.
pub(crate) fn spark(occurrences: &Occurrences, passed: Option<(Timestamp, Timestamp)>) -> Markup {
    let Some((own_begin, own_end)) = occurrences.range() else {
        return html! {};
    };
    let drawn = occurrences.iter().filter(|(_, seen)| *seen > 0).count();
    if occurrences.total() < OCCURRENCES || drawn < BARS {
        return html! {};
    }
    let (begin, end) = passed.unwrap_or((own_begin, own_end));
    let (begin, end) = (begin.min(own_begin), end.max(own_end));
    let all = (end.as_nanosecond() - begin.as_nanosecond()).max(1);
    let length = i128::try_from(occurrences.width().as_nanos()).unwrap_or(all);
    let most = occurrences.iter().map(|(_, seen)| seen).max();
    let most = most.unwrap_or_default().max(1);
    let bar = (length * WIDTH / all).max(LEAST);
    let mut bars = String::new();
    for (time, seen) in occurrences.iter().filter(|(_, seen)| *seen > 0) {
        let x = (time.as_nanosecond() - begin.as_nanosecond()) * WIDTH / all;
        let x = x.min(WIDTH - bar);
        let height = (seen * HEIGHT).div_ceil(most).max(3);
        // Writing to a string does not fail.
        let _ = write!(bars, "M{x} {HEIGHT}v-{height}h{bar}v{height}z");
    }
    let words = format!(
        "Seen {} times between {} and {}, of all that passed from {} to {}; at most {} in {}",
        count(occurrences.total()),
        clock_text(own_begin),
        clock_text(own_end),
        clock_text(begin),
        clock_text(end),
        count(most),
        width(occurrences.width()),
    );
    html! {
        svg.spark viewBox={ "0 0 " (WIDTH) " " (HEIGHT + 1) } preserveAspectRatio="none" role="img"
            aria-label=(words) {
            title { (words) }
            path.base d={ "M0 " (HEIGHT) "h" (WIDTH) "v1h-" (WIDTH) "z" } {}
            path.bars d=(bars) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn bars_stand_where_it_was_seen_of_all_that_passed() {
        let mut seen = Occurrences::default();
        seen.add(at(50), 4);
        seen.add(at(51), 2);
        let drawn = spark(&seen, Some((at(0), at(100)))).into_string();
        assert!(drawn.contains("M120 24v-24h2v24z"), "{drawn}");
        assert!(drawn.contains("M122 24v-12h2v12z"), "{drawn}");
        assert!(drawn.contains("Seen 6 times") && drawn.contains("at most 4 in 125 ms"));
    }

    #[test]
    fn what_lasts_to_the_end_stays_within_the_drawing_and_what_is_not_known_is_not_drawn() {
        let mut seen = Occurrences::default();
        seen.add(at(999_000), 1);
        seen.add(at(1_000_000), 2);
        let drawn = spark(&seen, Some((at(0), at(1_000_000)))).into_string();
        assert!(drawn.contains("M238 24v-24h2v24z"), "{drawn}");
        assert_eq!(spark(&Occurrences::default(), None).into_string(), "");
    }

    #[test]
    fn what_was_seen_twice_or_at_one_time_alone_is_not_drawn() {
        let mut twice = Occurrences::default();
        twice.add(at(0), 1);
        twice.add(at(50), 1);
        let mut at_once = Occurrences::default();
        at_once.add(at(0), 30);
        for seen in [&twice, &at_once] {
            assert_eq!(spark(seen, Some((at(0), at(100)))).into_string(), "");
        }
        twice.add(at(51), 1);
        assert!(spark(&twice, None).into_string().contains("<svg"));
    }
}
