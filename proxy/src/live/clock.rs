//! PX903: this machine's clock, by which times are told, was set.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use parallax_captures::Finding;
use parallax_captures::catalog::CLOCK_SET;

use crate::limits::CLOCK_STEP;

/// What the clock said when, by the counter that nobody sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    clock: Timestamp,
    /// Before the clock was read, and after: this thread may have had to wait between.
    counter: (Instant, Instant),
}

impl Look {
    pub(super) fn now() -> Self {
        let before = Instant::now();
        let clock = Timestamp::now();
        Self {
            clock,
            counter: (before, Instant::now()),
        }
    }
}

/// The clock, looked at again and again.
#[derive(Debug, Default)]
pub(super) struct Clock {
    last: Option<Look>,
}

impl Clock {
    /// Takes another look; gives what is to be told if the clock was set since the last.
    pub(super) fn look(&mut self, look: &Look) -> Option<Finding> {
        let last = self.last.replace(*look)?;
        let passed = look.clock.duration_since(last.clock);
        let shortest = look.counter.0.saturating_duration_since(last.counter.1);
        let longest = look.counter.1.saturating_duration_since(last.counter.0);
        let step = SignedDuration::try_from(CLOCK_STEP).ok()?;
        let ahead = passed.checked_sub(longest.try_into().ok()?)?;
        let behind = SignedDuration::try_from(shortest)
            .ok()?
            .checked_sub(passed)?;
        let (by, way) = if ahead >= step {
            (ahead, "ahead")
        } else if behind >= step {
            (behind, "back")
        } else {
            return None;
        };
        Some(set(last.clock, look.clock, longest, by, way))
    }
}

fn set(
    from: Timestamp,
    to: Timestamp,
    passed: Duration,
    by: SignedDuration,
    way: &'static str,
) -> Finding {
    let evidence = vec![
        format!(
            "{:.1} s after {from:.3} the clock said {to:.3}: it was set {way} by {:.1} s",
            passed.as_secs_f64(),
            by.as_secs_f64()
        ),
        "an exchange that was under way then has a latency that is wrong by as much".to_owned(),
    ];
    Finding::of_parallax(CLOCK_SET, "this machine's clock", to, evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A look so many milliseconds after the beginning, for which the thread was away
    /// for a while, at a clock that was set by so many.
    fn look(begin: Instant, after: u64, away: u64, set_by: i64) -> Look {
        let noon: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        let counter = begin + Duration::from_millis(after);
        let passed = i64::try_from(after + away).unwrap();
        Look {
            clock: noon + SignedDuration::from_millis(passed + set_by),
            counter: (counter, counter + Duration::from_millis(away)),
        }
    }

    #[test]
    fn px903_a_clock_that_is_set_ahead_or_back_is_told_once_with_how_much() {
        let (mut clock, begin) = (Clock::default(), Instant::now());
        assert!(clock.look(&look(begin, 0, 0, 0)).is_none());
        assert!(clock.look(&look(begin, 1_000, 0, 0)).is_none());
        let told = clock.look(&look(begin, 2_000, 0, 3_600_000)).unwrap();
        assert_eq!(told.code, CLOCK_SET);
        assert_eq!(
            told.evidence[0],
            "1.0 s after 2026-11-30T12:00:01.000Z the clock said 2026-11-30T13:00:02.000Z: it \
             was set ahead by 3600.0 s"
        );
        assert!(clock.look(&look(begin, 3_000, 0, 3_600_000)).is_none());
        let told = clock.look(&look(begin, 4_000, 0, 3_599_500)).unwrap();
        assert!(told.evidence[0].ends_with("set back by 0.5 s"), "{told:?}");
    }

    #[test]
    fn px903_keeps_silent_of_a_thread_that_has_to_wait_and_of_a_clock_that_is_slewed() {
        let (mut clock, begin) = (Clock::default(), Instant::now());
        // Away between the two looks, and while one is taken.
        for (after, away) in [(0, 0), (9_000, 0), (10_000, 4_000), (15_000, 30)] {
            let look = look(begin, after, away, 0);
            assert!(clock.look(&look).is_none(), "{after}");
        }
        let mut clock = Clock::default();
        for seconds in 0..60 {
            // 500 parts in a million, what Linux slews at most by.
            let slewed = i64::try_from(seconds).unwrap() / 2;
            let look = look(begin, seconds * 1_000, 0, slewed);
            assert!(clock.look(&look).is_none(), "{seconds}");
        }
    }
}
