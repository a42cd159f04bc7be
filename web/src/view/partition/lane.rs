//! One reader's lane: what it was given, what was stored, what it missed.

use std::fmt::Write as _;

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::catalog::describe;
use parallax_captures::partition::{
    Band, Break, BreakKind, End, Failure, Gap, Life, Moment, Reader, Replay, ReplayCause, Stored,
    StoredBy,
};

use super::said::{said, times};
use super::scale::{LEFT, Offsets, RIGHT, Times, Words};
use super::words;
use crate::limits::{BANDS_DRAWN, DRAWN_COLUMNS, TROUBLES_DRAWN};
use crate::view::format::{count, plural};

/// A lane, and how many deliveries and troubles it had no room for.
pub(super) struct Lane {
    pub(super) drawn: Markup,
    pub(super) left_out: u64,
}

/// A mark that leads to its exchange. The tables lead there too, for those who do not
/// point.
pub(super) fn mark(n: u64, class: &str, title: &str, drawn: &Markup) -> Markup {
    html! {
        a class=(class) href={ "/exchanges/" (n) } tabindex="-1" {
            title { (title) ": exchange " (n) }
            (drawn)
        }
    }
}

/// What is to be drawn of one reader.
pub(super) struct Drawing<'a> {
    pub(super) reader: &'a Reader,
    pub(super) bands: Vec<Band>,
    pub(super) gaps: Vec<&'a Gap>,
    pub(super) times: Times,
    pub(super) offsets: Offsets,
}

pub(super) fn lane(life: &Life, reader: &Reader, times: Times, (top, bottom): (i64, i64)) -> Lane {
    let window = (times.0.from, times.0.to);
    let (bands, hidden) = reader.bands(window, DRAWN_COLUMNS, BANDS_DRAWN);
    let in_time = |gap: &&Gap| times.shows(gap.moment.to);
    let (gaps, gaps_hidden) = latest(reader.gaps.iter().filter(in_time));
    let (low, high) = range(reader, &bands, &gaps, times);
    let drawing = Drawing {
        offsets: scaled((low, high), life, times, (top, bottom)),
        reader,
        bands,
        gaps,
        times,
    };
    let mut words = Words::within(top, bottom);
    drawing.keep_free(life, &mut words);
    let drawn = html! {
        (drawing.axis())
        (drawing.ends(life, &mut words))
        (drawing.progress())
        (drawing.stored())
        (drawing.stalls(&mut words))
        (drawing.holes(&mut words))
        (drawing.replays(&mut words))
        (drawing.deliveries(&mut words))
        (drawing.empties())
        (drawing.failures(&mut words))
        (drawing.flags(&mut words))
    };
    Lane {
        drawn,
        left_out: hidden + gaps_hidden,
    }
}

/// The latest of what there may be too many of, and how many are not among them.
fn latest<'a, T>(all: impl Iterator<Item = &'a T>) -> (Vec<&'a T>, u64) {
    let mut all: Vec<_> = all.collect();
    let hidden = all.len().saturating_sub(TROUBLES_DRAWN);
    all.drain(..hidden);
    (all, u64::try_from(hidden).unwrap_or(u64::MAX))
}

/// The lowest and the highest offset that this reader had to do with in the time.
fn range(reader: &Reader, bands: &[Band], gaps: &[&Gap], times: Times) -> (u64, u64) {
    let of_bands = bands.iter().flat_map(|band| [band.first, band.last]);
    let of_gaps = gaps.iter().flat_map(|gap| [gap.from, gap.to]);
    let stored = reader
        .stored
        .iter()
        .filter(|one| times.shows(one.moment.to));
    let failed = reader
        .failures
        .iter()
        .filter(|one| times.shows(one.moment.to));
    let stalled = reader.stalls.iter().filter(|one| times.shows(one.until.to));
    let all = of_bands
        .chain(of_gaps)
        .chain(stored.filter_map(|one| one.offset))
        .chain(failed.filter_map(|one| one.at))
        .chain(stalled.map(|one| one.at));
    let (low, high) = all.fold((u64::MAX, 0), |(low, high), at| (low.min(at), high.max(at)));
    if low > high { (0, 0) } else { (low, high) }
}

/// So many offsets leave room enough to tell things apart.
const FEW: u64 = 30;

/// With the end of the log, unless it lies so far above that nothing else could be told
/// apart.
fn scaled((low, high): (u64, u64), life: &Life, times: Times, lane: (i64, i64)) -> Offsets {
    let room = (high - low).max(4);
    let ends = ends_in(life, times).map(|end| end.offset).max();
    let high = match ends {
        Some(end) if end <= high.saturating_add(room.saturating_mul(2).max(FEW)) => end.max(high),
        _ => high,
    };
    let room = ((high - low) / 12).max(1);
    Offsets {
        low: low.saturating_sub(room),
        high: high.saturating_add(room),
        top: lane.0,
        bottom: lane.1,
    }
}

/// The ends of the log in the time, and the last one before it, which still held.
fn ends_in(life: &Life, times: Times) -> impl DoubleEndedIterator<Item = &End> {
    let begin = life
        .ends
        .partition_point(|end| end.moment.to < times.0.from);
    let ends = life.ends[begin.saturating_sub(1)..].iter();
    ends.filter(move |end| end.moment.to <= times.0.to)
}

/// Where the log ended; after it began anew that is not known until it is told.
pub(super) fn end_steps(life: &Life, times: Times) -> Vec<(Timestamp, Option<u64>)> {
    let anew = |one: &&Break| matches!(one.kind, BreakKind::Purged | BreakKind::Deleted);
    let anew = life.breaks.iter().filter(anew).map(|one| one.moment.to);
    let anew = anew.filter(|at| *at <= times.0.to).map(|at| (at, None));
    let ends = ends_in(life, times).map(|end| (end.moment.to, Some(end.offset)));
    let mut steps: Vec<_> = ends.chain(anew).collect();
    steps.sort_by_key(|(at, _)| *at);
    steps
}

impl Drawing<'_> {
    fn axis(&self) -> Markup {
        let Offsets { top, bottom, .. } = self.offsets;
        html! {
            rect.plot x=(LEFT) y=(top) width=(RIGHT - LEFT) height=(bottom - top) {}
            @for tick in self.offsets.ticks() {
                @let y = self.offsets.y(tick);
                line.grid x1=(LEFT) x2=(RIGHT) y1=(y) y2=(y) {}
                text.tick.at-end x=(LEFT - 6) y=(y + 4) { (count(tick)) }
            }
        }
    }

    /// The log's end as an upper line; where it lies far above, at the edge.
    fn ends(&self, life: &Life, words: &mut Words) -> Markup {
        let steps = end_steps(life, self.times);
        let path = self.steps(&steps);
        let Some(last) = steps.last().and_then(|(_, end)| *end) else {
            return html! { @if !path.is_empty() { path.end d=(path) {} } };
        };
        let above = last > self.offsets.high;
        let text = if above {
            format!("the log ends far above, at {}", count(last))
        } else {
            format!("end of the log: {}", count(last))
        };
        let y = self.offsets.y(last);
        let y = y + if y > self.offsets.top + 16 { -4 } else { 14 };
        html! {
            path.end.above[above] d=(path) {}
            (words.beside((RIGHT, RIGHT), y, "end", &text))
        }
    }

    /// A line in steps through these, each holding until the next, at most one a column.
    /// Where there is none the line ends.
    fn steps(&self, steps: &[(Timestamp, Option<u64>)]) -> String {
        let mut path = String::new();
        let (mut is_drawn, mut ends) = (false, false);
        for (index, (time, offset)) in steps.iter().enumerate() {
            let x = self.times.x(*time);
            ends |= offset.is_none();
            let next = steps.get(index + 1).map(|(time, _)| self.times.x(*time));
            if next == Some(x) {
                continue;
            }
            // Writing to a string cannot fail.
            let _ = match offset.map(|offset| self.offsets.y(offset)) {
                Some(y) if is_drawn && ends => write!(path, "H{x}M{x} {y}"),
                Some(y) if is_drawn => write!(path, "H{x}V{y}"),
                Some(y) => write!(path, "M{x} {y}"),
                None if is_drawn => write!(path, "H{x}"),
                None => Ok(()),
            };
            (is_drawn, ends) = (offset.is_some(), false);
        }
        if is_drawn {
            let _ = write!(path, "H{RIGHT}");
        }
        path
    }

    /// A thin line through deliveries that follow each other.
    fn progress(&self) -> Markup {
        let mut path = String::new();
        for pair in self.bands.windows(2) {
            let [one, next] = pair else { continue };
            if one.last.checked_add(1) == Some(next.first) {
                let _ = write!(
                    path,
                    "M{} {}L{} {}",
                    self.times.x(one.to),
                    self.offsets.y(one.last),
                    self.times.x(next.from),
                    self.offsets.y(next.first)
                );
            }
        }
        html! { @if !path.is_empty() { path.progress d=(path) {} } }
    }

    fn deliveries(&self, words: &mut Words) -> Markup {
        let many = self
            .bands
            .iter()
            .any(|band| band.conn != self.bands[0].conn);
        let mut conn = None;
        html! {
            @for band in &self.bands {
                @let (x1, x2) = (self.times.x(band.from), self.times.x(band.to));
                @let (y1, y2) = (self.offsets.y(band.first), self.offsets.y(band.last));
                @let title = delivered(band);
                (mark(band.n, "delivered", &title, &html! {
                    line x1=(x1) x2=(x2) y1=(y1) y2=(y2) data-first=(band.first) data-last=(band.last) {}
                }))
                @if many && conn.replace(band.conn) != Some(band.conn) {
                    @let member = format!("#{}", band.conn);
                    (words.beside((x1, x2), y2 - 2, "member", &member))
                }
            }
        }
    }

    /// What is stored, as far as it is known. Where it was deleted the line ends with a
    /// bar; where the log began anew, at the line of that.
    fn stored(&self) -> Markup {
        let shown: Vec<_> = self.stored_shown().collect();
        let path = self.steps(&self.stored_steps());
        // What polls commit by themselves follows the bars.
        let by_hand = shown
            .iter()
            .enumerate()
            .filter(|(_, one)| !matches!(one.how, StoredBy::AutoCommit | StoredBy::LogBeganAnew));
        let by_hand: Vec<_> = by_hand.rev().take(BANDS_DRAWN).collect();
        html! {
            @if !path.is_empty() { path.stored d=(path) {} }
            @for (index, one) in by_hand {
                @let x = self.times.x(one.moment.to);
                @let before = shown[..index].iter().rev().find_map(|one| one.offset);
                @let offset = one.offset.or(before).unwrap_or(self.offsets.low);
                @let y = self.offsets.y(offset);
                (mark(one.moment.n, "stored", &words::stored(one), &html! {
                    @if one.offset.is_some() {
                        path d={ "M" (x) " " (y - 6) "l6 6l-6 6l-6 -6z" } {}
                    } @else {
                        path d={ "M" (x) " " (y - 8) "v16" } {}
                    }
                }))
            }
        }
    }

    fn stored_shown(&self) -> impl Iterator<Item = &Stored> {
        let shown = self.reader.stored.iter();
        shown.filter(|one| self.times.shows(one.moment.to))
    }

    pub(super) fn stored_steps(&self) -> Vec<(Timestamp, Option<u64>)> {
        let steps = self.stored_shown();
        steps.map(|one| (one.moment.to, one.offset)).collect()
    }

    /// What was not given, as a hole between the times and the offsets around it.
    fn holes(&self, words: &mut Words) -> Markup {
        html! {
            @for gap in self.gaps.iter().rev() {
                @let (x, y, width, height) = self.hole(gap);
                @let text = words::gap(gap);
                @let class = words::gap_class(gap.cause);
                (mark(gap.moment.n, class, &text, &html! {
                    rect x=(x) y=(y) width=(width) height=(height)
                        data-missing-from=(gap.from) data-missing-to=(gap.to) {}
                }))
                (words.beside((x, x + width), y + height / 2 + 5, class, &text))
            }
        }
    }

    /// Never so small that it could be missed.
    pub(super) fn hole(&self, gap: &Gap) -> (i64, i64, i64, i64) {
        const LEAST: i64 = 14;
        let right = self.times.x(gap.moment.to);
        let left = gap
            .since
            .as_ref()
            .map_or(right, |since| self.times.x(since.to));
        let (top, bottom) = (self.offsets.y(gap.to), self.offsets.y(gap.from));
        let width = (right - left).max(LEAST);
        let height = (bottom - top).max(LEAST);
        let left = (i64::midpoint(left, right) - width / 2).clamp(LEFT, RIGHT - width);
        (left, i64::midpoint(top, bottom) - height / 2, width, height)
    }

    fn replays(&self, words: &mut Words) -> Markup {
        let shown = self.reader.replays.iter();
        let (shown, _) = latest(shown.filter(|one| self.times.shows(one.moment.to)));
        html! {
            @for one in shown.into_iter().rev() {
                @let x = self.times.x(one.moment.to);
                @let (y1, y2) = (self.offsets.y(one.last), self.offsets.y(one.first));
                @let class = if one.cause == ReplayCause::Served { "back wrong" } else { "back" };
                @let text = replayed(one);
                (mark(one.moment.n, class, &text, &html! {
                    path d={ "M" (x - 9) " " (y1) "V" (y2.max(y1 + 12)) "m-5 -7l5 7l5 -7" } {}
                }))
                @if one.cause != ReplayCause::NotStored {
                    (words.beside((x - 14, x), y2 - 4, class, &text))
                }
            }
        }
    }

    fn stalls(&self, words: &mut Words) -> Markup {
        let shown = self.reader.stalls.iter();
        let (shown, _) =
            latest(shown.filter(|one| {
                one.until.to >= self.times.0.from && one.moment.to <= self.times.0.to
            }));
        html! {
            @for one in shown.into_iter().rev() {
                @let (x1, x2) = (self.times.x(one.moment.to), self.times.x(one.until.to));
                @let y = self.offsets.y(one.at);
                @let text = words::stall(one);
                (mark(one.moment.n, "stall", &text, &html! {
                    rect x=(x1) y=(y - 7) width=((x2 - x1).max(14)) height="14" {}
                }))
                (words.beside((x1, x1), y - 10, "stall", &text))
            }
        }
    }

    /// Polls that were answered with no message, at the lane's foot.
    fn empties(&self) -> Markup {
        let y = self.offsets.bottom;
        html! {
            @for (x, moments) in self.columns(&self.reader.empties) {
                @let title = format!("{} answered with no message", plural(moments.len(), "poll"));
                (mark(moments[0].n, "empty", &title, &html! {
                    line x1=(x) x2=(x) y1=(y - 7) y2=(y - 1) {}
                }))
            }
        }
    }

    /// Failures in the time, those of one place together.
    pub(super) fn failed(&self) -> Vec<(i64, i64, Vec<&Failure>)> {
        let mut columns = Vec::<(i64, i64, Vec<&_>)>::new();
        for one in &self.reader.failures {
            if !self.times.shows(one.moment.to) {
                continue;
            }
            let x = self.times.x(one.moment.to) / 6 * 6;
            let y = one
                .at
                .map_or(self.offsets.bottom - 12, |at| self.offsets.y(at));
            match columns.last_mut() {
                Some((column, height, all)) if (*column, *height) == (x, y) => all.push(one),
                _ => columns.push((x, y, vec![one])),
            }
        }
        columns
    }

    fn failures(&self, words: &mut Words) -> Markup {
        let columns = self.failed();
        let said = said(
            columns
                .iter()
                .map(|(.., all)| (words::failure(all[0]), all.len())),
        );
        html! {
            @for ((x, y, all), said) in columns.iter().zip(said).rev().take(BANDS_DRAWN) {
                @let title = times(&words::failure(all[0]), all.len());
                (mark(all[0].moment.n, "failed", &title, &cross(*x, *y)))
                @if let Some(text) = said {
                    (words.beside((x - 6, x + 6), y + 5, "failed", &text))
                }
            }
        }
    }

    /// Findings about offsets and groups, and divergences, above the plot.
    fn flags(&self, words: &mut Words) -> Markup {
        let y = self.offsets.top;
        let flagged = self.flagged();
        let columns = self.columns(&flagged);
        let said = said(columns.iter().map(|(_, moments)| (labels(moments), 1)));
        html! {
            @for ((x, moments), said) in columns.iter().zip(said).rev() {
                (mark(moments[0].n, "flag", &labels(moments), &html! {
                    path d={ "M" (x) " " (y) "v10h9l-3 -5l3 -5z" } {}
                }))
                @if let Some(text) = said {
                    (words.beside((*x, x + 8), y + 11, "flag", &text))
                }
            }
        }
    }

    pub(super) fn flagged(&self) -> Vec<Moment> {
        let of_deliveries = self.reader.deliveries.iter().map(|one| &one.moment);
        let of_failures = self.reader.failures.iter().map(|one| &one.moment);
        let all = of_deliveries.chain(of_failures).chain(&self.reader.empties);
        let flagged = all.filter(|one| !flags_of(one).is_empty());
        let mut flagged: Vec<_> = flagged.cloned().collect();
        flagged.sort_by_key(|one| one.n);
        flagged.dedup_by_key(|one| one.n);
        flagged
    }

    /// Moments in the time, those of one place together.
    pub(super) fn columns<'a>(&self, moments: &'a [Moment]) -> Vec<(i64, Vec<&'a Moment>)> {
        columns(self.times, moments.iter())
    }
}

/// Moments in a time, those of one place together, at most as many as a lane is wide.
pub(super) fn columns<'a>(
    times: Times,
    moments: impl Iterator<Item = &'a Moment>,
) -> Vec<(i64, Vec<&'a Moment>)> {
    let mut columns = Vec::<(i64, Vec<&Moment>)>::new();
    for moment in moments.filter(|one| times.shows(one.to)) {
        let x = times.x(moment.to) / 6 * 6;
        match columns.last_mut() {
            Some((column, all)) if *column == x => all.push(moment),
            _ => columns.push((x, vec![moment])),
        }
    }
    columns
}

/// What is flagged of these, each once.
fn labels(moments: &[&Moment]) -> String {
    let mut labels: Vec<_> = moments.iter().flat_map(|one| flags_of(one)).collect();
    labels.sort();
    labels.dedup();
    labels.join(" ")
}

/// The findings about offsets and groups that name it, and that it diverges.
fn flags_of(moment: &Moment) -> Vec<String> {
    let told = moment
        .findings
        .iter()
        .filter(|code| is_of_partitions(**code));
    let told = told.map(ToString::to_string);
    let diverges = moment.diverges.then(|| "\u{2260} diverges".to_owned());
    told.chain(diverges).collect()
}

/// `PX2xx` and `PX3xx`: about offsets, and about groups and commits; that something is
/// wrong.
pub(super) fn is_of_partitions(code: parallax_captures::FindingCode) -> bool {
    let wrong = describe(code).severity != parallax_captures::Severity::Info;
    (200..400).contains(&code.0) && wrong
}

pub(super) fn cross(x: i64, y: i64) -> Markup {
    html! { path d={ "M" (x - 5) " " (y - 5) "l10 10m0 -10l-10 10" } {} }
}

fn delivered(band: &Band) -> String {
    let offsets = words::span(band.first, band.last);
    let polls = if band.deliveries > 1 {
        format!(" in {} polls", count(band.deliveries))
    } else {
        String::new()
    };
    format!("{offsets} delivered{polls} to connection {}", band.conn)
}

fn replayed(replay: &Replay) -> String {
    match replay.cause {
        ReplayCause::Served => format!("went back: {}", words::replay(replay)),
        _ => words::replay(replay),
    }
}
