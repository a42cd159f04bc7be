//! Where words are written in a drawing: each once, and on nothing else.

use jiff::Timestamp;
use parallax_captures::partition::Life;

use super::lane::{Drawing, end_steps};
use super::scale::{RIGHT, Times, Words};
use crate::limits::TROUBLES_DRAWN;
use crate::view::format::length;

impl Drawing<'_> {
    /// Words stand neither on marks nor, where there is room, on lines.
    pub(super) fn keep_free(&self, life: &Life, words: &mut Words) {
        for band in &self.bands {
            let (x1, x2) = (self.times.x(band.from), self.times.x(band.to));
            let (y1, y2) = (self.offsets.y(band.first), self.offsets.y(band.last));
            words.block((x1 - 3, y1 + 3), (x2 + 3, y2 - 3));
        }
        for gap in &self.gaps {
            let (x, y, width, height) = self.hole(gap);
            words.block((x, y), (x + width, y + height));
        }
        for one in &self.reader.stalls {
            let (x1, x2) = (self.times.x(one.moment.to), self.times.x(one.until.to));
            let y = self.offsets.y(one.at);
            words.block((x1, y - 7), (x2.max(x1 + 14), y + 7));
        }
        for (x, y, _) in self.failed() {
            words.block((x - 6, y - 6), (x + 6, y + 6));
        }
        for (x, _) in self.columns(&self.flagged()) {
            words.block((x, self.offsets.top), (x + 9, self.offsets.top + 13));
        }
        block_breaks(life, self.times, self.offsets.bottom, words);
        let stored = self.stored_steps();
        for steps in [stored, end_steps(life, self.times)] {
            self.keep_line_free(&steps, words);
        }
    }

    fn keep_line_free(&self, steps: &[(Timestamp, Option<u64>)], words: &mut Words) {
        let nexts = steps.iter().skip(1).map(Some).chain([None]);
        for ((time, offset), next) in steps.iter().zip(nexts) {
            let Some(y) = offset.map(|offset| self.offsets.y(offset)) else {
                continue;
            };
            let (x, end) = (
                self.times.x(*time),
                next.map_or(RIGHT, |(time, _)| self.times.x(*time)),
            );
            words.line((x, y), (end, y));
            if let Some(to) = next.and_then(|(_, offset)| *offset) {
                words.line((end, y), (end, self.offsets.y(to)));
            }
        }
    }
}

/// What is written at marks that follow each other: the same words at the first of them
/// alone, with how often that was.
pub(super) fn said(marks: impl Iterator<Item = (String, usize)>) -> Vec<Option<String>> {
    let mut said = Vec::new();
    let mut run: Option<(usize, String, usize)> = None;
    for (index, (text, number)) in marks.enumerate() {
        said.push(None);
        match &mut run {
            Some((_, known, all)) if *known == text => *all += number,
            _ => {
                if let Some((first, known, all)) = run.replace((index, text, number)) {
                    said[first] = Some(times(&known, all));
                }
            }
        }
    }
    if let Some((first, known, all)) = run {
        said[first] = Some(times(&known, all));
    }
    said
}

/// `poll failed, 12 times`.
pub(super) fn times(text: &str, number: usize) -> String {
    match number {
        0 | 1 => text.to_owned(),
        _ => format!("{text}, {} times", length(number)),
    }
}

/// No words on the lines of what changed the log.
pub(super) fn block_breaks(life: &Life, times: Times, bottom: i64, words: &mut Words) {
    let shown = life.breaks.iter().filter(|one| times.shows(one.moment.to));
    for x in shown
        .rev()
        .take(TROUBLES_DRAWN)
        .map(|one| times.x(one.moment.to))
    {
        words.block((x - 2, 0), (x + 2, bottom));
    }
}
