//! A partition's life over time, as plain SVG: a lane a reader.

use maud::{Markup, html};
use parallax_captures::partition::{Life, Moment, Reader};

use super::lane::{columns, cross, lane, mark};
use super::said::{block_breaks, said};
use super::scale::{LEFT, RIGHT, Times, WIDTH, Words};
use super::words;
use crate::limits::{READERS_DRAWN, TROUBLES_DRAWN};
use crate::partition::{Told, Window};
use crate::view::format::{count, plural};

/// A drawing, and how many marks it had no room for.
pub(super) struct Drawn {
    pub(super) svg: Markup,
    pub(super) marks_left_out: u64,
    pub(super) lanes_left_out: usize,
}

/// Room above the first lane, for what changed the log.
const HEAD: i64 = 24;
/// A lane's name.
const NAME: i64 = 22;
/// The room for it where words may stand beside it.
const NAME_WIDTH: i64 = 500;
/// A lane of marks without offsets.
const LOW: i64 = 26;

pub(super) fn drawing(told: &Told) -> Drawn {
    let times = Times(told.window);
    let life = &told.life;
    let (readers, lanes_left_out) = shown(life, told.window);
    let full = match readers.len() {
        0 | 1 => 280,
        2 => 190,
        _ => 140,
    };
    let mut y = HEAD;
    let mut marks_left_out = 0;
    let mut lanes = Vec::new();
    for reader in readers {
        y += NAME;
        let height = if reader.deliveries.is_empty() {
            70
        } else {
            full
        };
        let drawn = lane(life, reader, times, (y, y + height));
        marks_left_out += drawn.left_out;
        lanes.push(html! {
            g.lane {
                text.name x=(LEFT) y=(y - 7) { (words::name(reader)) (connections(reader)) }
                (drawn.drawn)
            }
        });
        y += height;
    }
    if !life.unknown.is_empty() {
        lanes.push(unknown(life, times, y + NAME));
        y += NAME + LOW;
    }
    if !life.sends.is_empty() {
        lanes.push(sent(life, times, y + NAME));
        y += NAME + LOW;
    }
    let Window { from, to } = told.window;
    let svg = html! {
        svg.life viewBox={ "0 0 " (WIDTH) " " (y + 28) } aria-hidden="true"
            data-from=(from.as_microsecond()) data-to=(to.as_microsecond())
            data-left=(LEFT) data-right=(RIGHT) data-width=(WIDTH) {
            defs {
                pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    line.hatch x1="0" x2="0" y1="0" y2="8" {}
                }
                pattern id="hatch-wanted" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    line.hatch-wanted x1="0" x2="0" y1="0" y2="8" {}
                }
            }
            @for (x, text) in times.ticks() {
                line.grid x1=(x) x2=(x) y1=(HEAD) y2=(y) {}
                text.tick x=(x) y=(y + 17) text-anchor="middle" { (text) }
            }
            // Below the lanes' words.
            (breaks(life, times, y))
            @for lane in &lanes { (lane) }
        }
    };
    Drawn {
        svg,
        marks_left_out,
        lanes_left_out,
    }
}

/// The readers of which there is something in the time, those with something wrong
/// first; and how many are not drawn.
fn shown(life: &Life, window: Window) -> (Vec<&Reader>, usize) {
    let times = Times(window);
    let is_seen = |reader: &&Reader| {
        let delivered = reader.deliveries.iter().map(|one| &one.moment);
        let failed = reader.failures.iter().map(|one| &one.moment);
        let stored = reader.stored.iter().map(|one| &one.moment);
        let all = delivered.chain(failed).chain(stored).chain(&reader.empties);
        all.into_iter().any(|moment| times.shows(moment.to))
    };
    let mut readers: Vec<_> = life.readers.iter().filter(is_seen).collect();
    readers.sort_by_key(|reader| !is_wrong(reader));
    let hidden = readers.len().saturating_sub(READERS_DRAWN);
    readers.truncate(READERS_DRAWN);
    (readers, hidden)
}

fn is_wrong(reader: &Reader) -> bool {
    let wrong_gap = reader.gaps.iter().any(|gap| !gap.cause.is_wanted());
    wrong_gap || !reader.stalls.is_empty() || !reader.failures.is_empty()
}

/// `, connections 1 and 3`.
fn connections(reader: &Reader) -> String {
    let mut all: Vec<_> = reader
        .deliveries
        .iter()
        .map(|one| one.moment.conn)
        .collect();
    all.sort();
    all.dedup();
    match all.as_slice() {
        [] => String::new(),
        [one] => format!(", connection {one}"),
        _ if all.len() > 6 => format!(", {} connections", all.len()),
        _ => {
            let all: Vec<_> = all.iter().map(ToString::to_string).collect();
            format!(", connections {}", all.join(", "))
        }
    }
}

/// What changed the log, through all lanes.
fn breaks(life: &Life, times: Times, bottom: i64) -> Markup {
    let mut taken = Words::within(0, HEAD);
    let shown = life.breaks.iter().filter(|one| times.shows(one.moment.to));
    let shown: Vec<_> = shown.rev().take(TROUBLES_DRAWN).collect();
    html! {
        @for one in shown {
            @let x = times.x(one.moment.to);
            @let word = words::break_word(one.kind);
            (mark(one.moment.n, "break", word, &html! {
                line x1=(x) x2=(x) y1=(HEAD - 16) y2=(bottom) {}
            }))
            (taken.beside((x, x), HEAD - 5, "break", word))
        }
    }
}

/// Failures that name no partition, in a lane of their own.
fn unknown(life: &Life, times: Times, top: i64) -> Markup {
    let name = "Partition not known: failed on this topic without naming one";
    let mut taken = Words::within(top - NAME, top + LOW);
    taken.block((LEFT, top - NAME), (LEFT + NAME_WIDTH, top - 4));
    let moments = life.unknown.iter().map(|one| &one.moment);
    let columns = columns(times, moments);
    for (x, _) in &columns {
        taken.block((x - 6, top + LOW / 2 - 5), (x + 6, top + LOW / 2 + 5));
    }
    block_breaks(life, times, top + LOW, &mut taken);
    let errors: Vec<_> = columns.iter().map(|(_, all)| error_of(life, all)).collect();
    let marks = errors.iter().zip(&columns);
    let said = said(marks.map(|(error, (_, all))| (error.clone(), all.len())));
    // Beside marks as many as these there would be no room for it.
    let mut written = said.iter().flatten();
    let all_alike = written.next().filter(|_| written.next().is_none()).cloned();
    html! {
        g.lane {
            text.name x=(LEFT) y=(top - 7) {
                (name) @if let Some(text) = &all_alike { ": " (text) }
            }
            rect.plot x=(LEFT) y=(top) width=(RIGHT - LEFT) height=(LOW) {}
            @for (((x, all), error), said) in columns.iter().zip(&errors).zip(said).rev() {
                @let first = life.unknown.iter().find(|one| one.moment.n == all[0].n);
                @let who = first.map(|one| one.consumer.id.to_string()).unwrap_or_default();
                @let title = format!("{} of {who} failed: {error}", plural(all.len(), "request"));
                (mark(all[0].n, "failed unknown", &title, &cross(*x, top + LOW / 2)))
                @if let Some(text) = said.filter(|_| all_alike.is_none()) {
                    (taken.beside((x - 6, x + 6), top + LOW / 2 + 5, "failed", &text))
                }
            }
        }
    }
}

/// The error of failures of one place, and whether HTTP says the same of the partition.
fn error_of(life: &Life, all: &[&Moment]) -> String {
    let first = life.unknown.iter().find(|one| one.moment.n == all[0].n);
    let error = words::error(first.and_then(|one| one.error));
    if all.iter().any(|moment| fails_here(life, moment.n)) {
        format!("{error}: HTTP says the same of this partition")
    } else {
        error
    }
}

/// Whether HTTP, asked for this partition, says the same as TCP.
fn fails_here(life: &Life, n: u64) -> bool {
    let mut unknown = life.unknown.iter();
    unknown.any(|one| one.moment.n == n && one.http_fails_too)
}

/// Messages sent to the partition, by their number.
fn sent(life: &Life, times: Times, top: i64) -> Markup {
    let mut columns = Vec::<(i64, u64, u64, u64)>::new();
    for one in life.sends.iter().filter(|one| times.shows(one.moment.to)) {
        let x = times.x(one.moment.to) / 6 * 6;
        match columns.last_mut() {
            Some((column, messages, sends, _)) if *column == x => {
                *messages += one.messages;
                *sends += 1;
            }
            _ => columns.push((x, one.messages, 1, one.moment.n)),
        }
    }
    let most = columns.iter().map(|(_, messages, ..)| *messages).max();
    let most = most.unwrap_or(1).max(1);
    html! {
        g.lane {
            text.name x=(LEFT) y=(top - 7) {
                "Messages sent to this partition by its number, at most " (count(most)) " together"
            }
            rect.plot x=(LEFT) y=(top) width=(RIGHT - LEFT) height=(LOW) {}
            @for (x, messages, sends, n) in columns {
                @let height = (u128::from(messages) * 22 / u128::from(most)).max(2);
                @let height = i64::try_from(height).unwrap_or(2);
                @let title = format!("{} messages sent in {}", count(messages), plural(usize::try_from(sends).unwrap_or(0), "request"));
                (mark(n, "sent", &title, &html! {
                    rect x=(x) y=(top + LOW - height) width="5" height=(height) {}
                }))
            }
        }
    }
}
