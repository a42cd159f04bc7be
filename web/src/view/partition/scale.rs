//! From times and offsets to places in a drawing.

use jiff::Timestamp;
use maud::{Markup, html};

use crate::partition::Window;

/// The drawing's width, in its own units.
pub(super) const WIDTH: i64 = 1200;
/// Where the time begins and ends in it.
pub(super) const LEFT: i64 = 92;
pub(super) const RIGHT: i64 = WIDTH - 12;

/// The time axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times(pub(super) Window);

impl Times {
    pub(super) fn shows(self, time: Timestamp) -> bool {
        (self.0.from..=self.0.to).contains(&time)
    }

    /// Also of a time beyond: then at the edge.
    pub(super) fn x(self, time: Timestamp) -> i64 {
        let length = self.0.length().as_nanos().max(1);
        let passed = time.duration_since(self.0.from).as_nanos().clamp(0, length);
        let along = passed * i128::from(RIGHT - LEFT) / length;
        LEFT + i64::try_from(along).unwrap_or(0)
    }

    /// Times at which the axis is marked, and how they are written.
    pub(super) fn ticks(self) -> Vec<(i64, String)> {
        let length = self.0.length().as_micros().max(1);
        let step = STEPS
            .into_iter()
            .find(|step| length / step <= 10)
            .unwrap_or_else(|| (length / 10).max(1));
        let first = self.0.from.as_microsecond();
        let first = i128::from(first).div_euclid(step) * step + step;
        let format = match step {
            ..1_000 => "%H:%M:%S%.6f",
            1_000..1_000_000 => "%H:%M:%S%.3f",
            1_000_000..86_400_000_000 => "%H:%M:%S",
            _ => "%Y-%m-%d",
        };
        let mut ticks = Vec::new();
        let mut at = first;
        while at < i128::from(self.0.to.as_microsecond()) && ticks.len() < 20 {
            let time = i64::try_from(at).ok();
            if let Some(time) = time.and_then(|micros| Timestamp::from_microsecond(micros).ok()) {
                let x = self.x(time);
                // Nothing stands beyond the edges.
                if x < RIGHT - 40 {
                    ticks.push((x, time.strftime(format).to_string()));
                }
            }
            at += step;
        }
        ticks
    }
}

/// Microseconds between two marks.
const STEPS: [i128; 26] = [
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    300_000_000,
    600_000_000,
    1_800_000_000,
    3_600_000_000,
    3 * 3_600_000_000,
    12 * 3_600_000_000,
    24 * 3_600_000_000,
    168 * 3_600_000_000,
];

/// The offsets of one lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offsets {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) top: i64,
    pub(super) bottom: i64,
}

impl Offsets {
    /// Higher offsets stand higher; those beyond at the edge.
    pub(super) fn y(self, offset: u64) -> i64 {
        let range = u128::from(self.high - self.low).max(1);
        let above = u128::from(offset.clamp(self.low, self.high) - self.low);
        let height = u128::try_from(self.bottom - self.top).unwrap_or(0);
        self.bottom - i64::try_from(above * height / range).unwrap_or(0)
    }

    /// Offsets at which the axis is marked.
    pub(super) fn ticks(self) -> Vec<u64> {
        let range = (self.high - self.low).max(1);
        let mut step = 1_u64;
        // 1, 2, 5, 10 ...
        for factor in [2, 5, 10]
            .into_iter()
            .cycle()
            .scan(1_u64, |decade, factor| {
                let step = decade.saturating_mul(factor);
                if factor == 10 {
                    *decade = decade.saturating_mul(10);
                }
                Some(step)
            })
        {
            if range / step <= 4 || step >= u64::MAX / 20 {
                break;
            }
            step = factor;
        }
        let first = self.low.div_ceil(step).saturating_mul(step);
        let ticks = std::iter::successors(Some(first), |at| at.checked_add(step));
        ticks.take_while(|at| *at <= self.high).take(8).collect()
    }
}

/// Left, top, right, bottom.
type Place = (i64, i64, i64, i64);

/// Where words may stand: within these heights, not on each other, nor on marks.
#[derive(Debug)]
pub(super) struct Words {
    heights: (i64, i64),
    taken: Vec<Place>,
    lines: Vec<Place>,
}

/// Units of width of a letter, and of height of a line, about.
const LETTER: i64 = 7;
const LINE: i64 = 15;
/// How far up or down words may stand where there is no room beside a thing, in steps.
const STEP: i64 = 4;
const MOST_STEPS: i64 = 10;

impl Words {
    pub(super) const fn within(top: i64, bottom: i64) -> Self {
        Self {
            heights: (top, bottom),
            taken: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// No words here.
    pub(super) fn block(&mut self, from: (i64, i64), to: (i64, i64)) {
        self.taken.push(placed(from, to));
    }

    /// No words here where there is room elsewhere.
    pub(super) fn line(&mut self, from: (i64, i64), to: (i64, i64)) {
        let (left, top, right, bottom) = placed(from, to);
        self.lines.push((left - 1, top - 1, right + 1, bottom + 1));
    }

    /// `text` right of `right`, or else left of `left`, at the height `y` or near it;
    /// nothing where something stands already.
    pub(super) fn beside(
        &mut self,
        (left, right): (i64, i64),
        y: i64,
        class: &str,
        text: &str,
    ) -> Markup {
        let Some((x, y, ends)) = self.place((left, right), y, text) else {
            return html! {};
        };
        html! {
            text class={ (class) @if ends { " at-end" } } x=(x) y=(y) { (text) }
        }
    }

    /// `x`, `y` and whether it ends there.
    fn place(&mut self, (left, right): (i64, i64), y: i64, text: &str) -> Option<(i64, i64, bool)> {
        let width = i64::try_from(text.chars().count()).unwrap_or(0) * LETTER;
        let sides = [
            (right + 6, right + 6 + width, false),
            (left - 6 - width, left - 6, true),
        ];
        let (top, bottom) = self.heights;
        let places = (0..=MOST_STEPS).flat_map(|n| [-n, n]).flat_map(|n| {
            let y = y + n * STEP;
            sides.map(|(from, to, ends)| ((from, y - LINE, to, y + 3), y, ends))
        });
        let fits = places.filter(|((from, above, to, below), ..)| {
            *from >= LEFT && *to <= WIDTH && *above + 4 >= top && *below <= bottom
        });
        let free: Vec<_> = fits
            .filter(|(place, ..)| !self.taken.iter().any(|other| overlap(*other, *place)))
            .collect();
        let is_clear = |place: &Place| !self.lines.iter().any(|other| overlap(*other, *place));
        let best = free.iter().find(|(place, ..)| is_clear(place));
        let (place, y, ends) = *best.or(free.first())?;
        self.taken.push(place);
        Some((if ends { place.2 } else { place.0 }, y, ends))
    }
}

fn placed(one: (i64, i64), other: (i64, i64)) -> Place {
    (
        one.0.min(other.0),
        one.1.min(other.1),
        one.0.max(other.0),
        one.1.max(other.1),
    )
}

const fn overlap(one: (i64, i64, i64, i64), other: (i64, i64, i64, i64)) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_marked_at_round_numbers_within_the_lane() {
        for (low, high) in [
            (0, 1),
            (0, 91),
            (5_000_000, 50_000_000),
            (u64::MAX - 3, u64::MAX),
            (7, 7),
        ] {
            let offsets = Offsets {
                low,
                high,
                top: 0,
                bottom: 100,
            };
            let ticks = offsets.ticks();
            assert!((1..=8).contains(&ticks.len()), "{low} to {high}: {ticks:?}");
            assert!(ticks.iter().all(|tick| (low..=high).contains(tick)));
        }
        let offsets = Offsets {
            low: 0,
            high: 91,
            top: 0,
            bottom: 100,
        };
        assert_eq!(offsets.ticks(), [0, 20, 40, 60, 80]);
        assert_eq!((offsets.y(0), offsets.y(91), offsets.y(1_000)), (100, 0, 0));
    }

    #[test]
    fn words_do_not_stand_on_words_nor_on_marks() {
        let mut words = Words::within(40, 100);
        let mut place = |y| words.place((500, 510), y, "skipped");
        assert_eq!(place(60), Some((516, 60, false)));
        assert_eq!(place(62), Some((494, 62, true)));
        assert_eq!(place(62), Some((516, 78, false)), "the next free place");
        let mut words = Words::within(40, 100);
        words.block((520, 50), (530, 60));
        assert_eq!(
            words.place((500, 510), 60, "skipped"),
            Some((494, 60, true))
        );
    }

    #[test]
    fn words_stand_on_a_line_only_where_there_is_no_other_place() {
        let mut words = Words::within(40, 66);
        words.line((0, 55), (WIDTH, 55));
        assert_eq!(words.place((500, 510), 60, "9"), Some((516, 60, false)));
        let mut words = Words::within(0, 100);
        words.line((0, 55), (WIDTH, 55));
        assert_eq!(words.place((500, 510), 60, "9"), Some((516, 48, false)));
    }
}
