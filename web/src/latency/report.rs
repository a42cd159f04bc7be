//! The latencies that were chosen.

use std::ops::Range;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::{Dimension, Journal, LatencySeries, LatencyTimeline};

use super::choice::{Choice, Times};
use crate::limits::{LATENCY_COMPARED, LATENCY_DRAWN};

/// The command that is shown first, and alone where nothing else was asked for.
pub(super) const POLLS: &str = "poll_messages";

/// A choice, and the latencies that it is of.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) choice: Choice,
    pub(crate) timeline: LatencyTimeline,
    /// The slices of the first time.
    pub(crate) first: Range<i64>,
    /// Those of the second, where two are compared.
    pub(crate) second: Option<Range<i64>>,
}

impl Report {
    pub(crate) fn of(journal: &Journal, choice: Choice) -> Self {
        let timeline = journal.latencies_by(choice.by);
        let [first, second] = choice.times.map(|times| slices(&timeline, times));
        Self {
            second: choice.compares().then_some(second),
            choice,
            timeline,
            first,
        }
    }

    /// The series of the chosen side and, by another dimension, of the chosen commands.
    /// Those of polls come first.
    pub(crate) fn rows(&self) -> Vec<&LatencySeries> {
        let choice = &self.choice;
        let by_command = choice.by == Dimension::Command;
        let is_row = |one: &&LatencySeries| {
            choice.side.is_none_or(|side| one.side == side)
                && (by_command
                    || choice.commands.is_empty()
                    || choice.commands.contains(&one.command))
        };
        let mut rows: Vec<_> = self.timeline.series.iter().filter(is_row).collect();
        if by_command {
            rows.sort_by_key(|one| one.command != POLLS);
        }
        rows
    }

    /// Those that were chosen one by one; `None` where none was.
    fn chosen(&self) -> Option<Vec<&LatencySeries>> {
        let choice = &self.choice;
        let nothing = match choice.by {
            Dimension::Command => choice.commands.is_empty(),
            _ => choice.labels.is_empty(),
        };
        let rows = self.rows().into_iter();
        (!nothing).then(|| rows.filter(|one| self.is_chosen(one)).collect())
    }

    /// Whether a series was chosen, of those that were chosen one by one.
    pub(crate) fn is_chosen(&self, series: &LatencySeries) -> bool {
        match self.choice.by {
            Dimension::Command => self.choice.commands.contains(&series.command),
            _ => self.choice.labels.contains(&series.label),
        }
    }

    /// Those that are drawn: the chosen ones, else the polls, else those with the most
    /// samples. And whether there are more than can be told apart.
    pub(crate) fn drawn(&self) -> (Vec<&LatencySeries>, bool) {
        let mut drawn = self.chosen().unwrap_or_else(|| {
            let mut rows = self.rows();
            let polls = |one: &&LatencySeries| one.command == POLLS;
            if rows.iter().any(polls) {
                rows.retain(polls);
            }
            rows
        });
        drawn.retain(|one| self.count(one) > 0);
        drawn.sort_by_key(|one| std::cmp::Reverse(self.count(one)));
        let most = if self.second.is_some() {
            LATENCY_COMPARED
        } else {
            LATENCY_DRAWN
        };
        let more = drawn.len() > most;
        drawn.truncate(most);
        // A series is drawn the same way wherever it is, however its count grows.
        let rows = self.rows();
        drawn.sort_by_key(|one| {
            let is_it = |other: &&LatencySeries| std::ptr::eq(*other, *one);
            (one.side, rows.iter().position(is_it))
        });
        (drawn, more)
    }

    /// Those that a log has: the chosen ones, else all.
    pub(crate) fn logged(&self) -> Vec<&LatencySeries> {
        self.chosen().unwrap_or_else(|| self.rows())
    }

    /// How many samples a series has in both times together.
    fn count(&self, series: &LatencySeries) -> u64 {
        let second = self.second.as_ref().map_or(0, |range| series.count(range));
        series.count(&self.first) + second
    }

    /// When a range of slices begins and ends.
    pub(crate) fn times(&self, range: &Range<i64>) -> (Timestamp, Timestamp) {
        let begin = |slice| self.timeline.begin_of(slice);
        (begin(range.start), begin(range.end))
    }

    /// Whether all time is shown.
    pub(crate) fn is_whole(&self) -> bool {
        self.first == self.timeline.slices()
    }

    /// Two times that are worth to be compared, and what they are.
    pub(crate) fn presets(&self) -> Vec<(&'static str, [Times; 2])> {
        let all = self.timeline.slices();
        let slices = all.end - all.start;
        let split = |at: i64| {
            let at = Some(self.timeline.begin_of(at));
            let until = Times { from: None, to: at };
            let since = Times { from: at, to: None };
            [until, since]
        };
        let mut presets = Vec::new();
        if slices >= 2 {
            let half = split(all.start + slices / 2);
            presets.push(("first half against second half", half));
        }
        let width = self.timeline.slice_width().as_micros().max(1);
        let minute = i64::try_from(60_000_000_u128.div_ceil(width)).unwrap_or(i64::MAX);
        if slices > minute {
            let minute = split(all.end - minute);
            presets.push(("before against the last minute", minute));
        }
        presets
    }
}

/// Whole slices from the boundary nearest to a time to the one nearest to another: at
/// least one, where there is any. So times that meet do not share one.
fn slices(timeline: &LatencyTimeline, times: Times) -> Range<i64> {
    let half = SignedDuration::try_from(timeline.slice_width() / 2).unwrap_or_default();
    let all = timeline.slices();
    let boundary = |at: Timestamp| {
        let nearest = timeline.slice_of(at.saturating_add(half).unwrap_or(at));
        let (begin, end) = (timeline.begin_of(all.start), timeline.begin_of(all.end));
        // A moment in between leaves a slice on both its sides.
        if begin < at && at < end && all.end - all.start > 1 {
            nearest.clamp(all.start + 1, all.end - 1)
        } else {
            nearest
        }
    };
    let start = times.from.map_or(all.start, boundary);
    let end = times.to.map_or(all.end, boundary);
    let is_none = matches!((times.from, times.to), (Some(from), Some(to)) if from >= to);
    let least = i64::from(!is_none && !all.is_empty());
    start..end.max(start.saturating_add(least))
}
