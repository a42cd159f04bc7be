//! What the drawing shows, in words: for those who do not see it, and to be copied.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::partition::{GapCause, Life, Moment, Reader, ReplayCause};
use parallax_captures::{Finding, Journal, Severity};

use super::words;
use crate::limits::{BANDS_DRAWN, DRAWN_COLUMNS, FINDINGS_SHOWN, LIFE_ROWS};
use crate::partition::{Told, Window};
use crate::view::cause::headline;
use crate::view::format::{clock, count, length};
use crate::view::status::severity_class;

/// Something that happened, as a row.
struct Event {
    moment: Moment,
    who: String,
    what: String,
    why: String,
    is_wrong: bool,
}

/// What went wrong or was unusual, the newest first.
pub(super) fn troubles(told: &Told, path: &str) -> Markup {
    let mut events = events(&told.life);
    events.retain(|event| in_window(&event.moment, told.window));
    events.sort_by_key(|event| {
        (
            std::cmp::Reverse(event.is_wrong),
            std::cmp::Reverse(event.moment.n),
        )
    });
    let folded = folded(events);
    let hidden = folded.len().saturating_sub(LIFE_ROWS);
    html! {
        section aria-labelledby="h-troubles" {
            h2 id="h-troubles" {
                "What happened " small { "what is wrong first, of that the newest" }
            }
            @if folded.is_empty() {
                p.calm {
                    "Nothing that stands out in this time: no skip, no replay, no stall, no error."
                }
            } @else {
                table.troubles.stack role="table" {
                    thead role="rowgroup" {
                        tr role="row" {
                            @for name in ["When", "Who", "What", "Why", "Exchange", "Drawing"] {
                                th scope="col" role="columnheader" { (name) }
                            }
                        }
                    }
                    tbody role="rowgroup" {
                        @for events in folded.iter().take(LIFE_ROWS) { (row(events, path)) }
                    }
                }
            }
            @if hidden > 0 {
                p.cut { (length(hidden)) " more are not listed here; a shorter time shows them." }
            }
        }
    }
}

/// What was the same in all but its time together, in the order of the first of each.
fn folded(events: Vec<Event>) -> Vec<Vec<Event>> {
    let mut places = HashMap::new();
    let mut folded = Vec::<Vec<Event>>::new();
    for event in events {
        let same = (event.who.clone(), event.what.clone(), event.why.clone());
        let place = *places.entry(same).or_insert(folded.len());
        match folded.get_mut(place) {
            Some(known) => known.push(event),
            None => folded.push(vec![event]),
        }
    }
    folded
}

/// Of the newest of them, which is the first, and how often that was.
fn row(events: &[Event], path: &str) -> Markup {
    let event = &events[0];
    let moment = &event.moment;
    let oldest = events.last().unwrap_or(event);
    let mut codes: Vec<_> = events.iter().flat_map(|one| &one.moment.findings).collect();
    codes.sort();
    codes.dedup();
    html! {
        tr role="row" class=(if event.is_wrong { "wrong" } else { "mild" }) {
            td.c-time role="cell" {
                @if events.len() > 1 { (clock(oldest.moment.to)) " to " }
                (clock(moment.to))
            }
            td role="cell" { bdi { (event.who) } }
            td role="cell" {
                @if event.is_wrong { b { (event.what) } } @else { (event.what) }
                @if events.len() > 1 { " " (length(events.len())) "\u{d7}" }
                @for code in codes {
                    " " (crate::view::status::finding_link(*code))
                }
                @if events.len() > 1 { (each(events)) }
            }
            td role="cell" { bdi { (event.why) } }
            td role="cell" { (words::exchange(moment.n)) }
            td role="cell" {
                a href={ "/partitions/" (path) "?around=" (moment.n) } { "zoom in" }
            }
        }
    }
}

/// When each of them was, folded away.
fn each(events: &[Event]) -> Markup {
    let event = &events[0];
    let hidden = events.len().saturating_sub(LIFE_ROWS);
    html! {
        details.each data-fold={ "each " (event.who) " " (event.what) " " (event.why) } {
            summary { "each of them" }
            ol {
                @for one in events.iter().take(LIFE_ROWS) {
                    li { (clock(one.moment.to)) ", exchange " (words::exchange(one.moment.n)) }
                }
            }
            @if hidden > 0 {
                p.cut { (length(hidden)) " more are not listed here; a shorter time shows them." }
            }
        }
    }
}

fn events(life: &Life) -> Vec<Event> {
    let mut events = Vec::new();
    let mut add = |moment: &Moment, who: &str, what: String, why: &str, is_wrong| {
        events.push(Event {
            moment: moment.clone(),
            who: who.to_owned(),
            what,
            why: why.to_owned(),
            is_wrong,
        });
    };
    for reader in &life.readers {
        let who = words::name(reader);
        for gap in &reader.gaps {
            let wrong = gap.cause == GapCause::Served;
            add(
                &gap.moment,
                &who,
                words::gap(gap),
                words::gap_why(gap.cause),
                wrong,
            );
        }
        for one in &reader.replays {
            let wrong = one.cause == ReplayCause::Served;
            add(
                &one.moment,
                &who,
                words::replay(one),
                words::replay_why(one.cause),
                wrong,
            );
        }
        for one in &reader.stalls {
            add(
                &one.until,
                &who,
                words::stall(one),
                &words::stall_why(one),
                true,
            );
        }
        for one in &reader.failures {
            let at = one.at.map(|at| format!("At offset {}.", count(at)));
            add(
                &one.moment,
                &who,
                words::failure(one),
                &at.unwrap_or_default(),
                true,
            );
        }
    }
    for one in &life.breaks {
        let what = words::break_word(one.kind).to_owned();
        add(&one.moment, "", what, words::break_why(one), false);
    }
    for one in &life.unknown {
        let who = format!(
            "{} {}",
            parallax_captures::partition::reader_word(one.consumer.kind),
            one.consumer.id
        );
        let what = format!(
            "{} failed, partition not known: {}",
            one.command,
            words::error(one.error)
        );
        let why = match &one.http {
            Some(http) => format!("HTTP, asked for this partition: {http}"),
            None => {
                "Neither the request nor the reply names a partition: it may have been this one."
                    .to_owned()
            }
        };
        add(&one.moment, &who, what, &why, true);
    }
    for one in life.sends.iter().filter(|one| one.failed.is_some()) {
        let what = format!("send failed: {}", words::error(one.failed.flatten()));
        add(&one.moment, "", what, "", true);
    }
    events
}

/// What each reader was given and what was stored for it, folded away.
pub(super) fn readers(told: &Told) -> Markup {
    let window = told.window;
    html! {
        @for reader in &told.life.readers {
            @let (bands, hidden) = reader.bands((window.from, window.to), DRAWN_COLUMNS, BANDS_DRAWN);
            @if !bands.is_empty() {
                details data-fold={ "bands " (words::name(reader)) } {
                    summary {
                        "What " bdi { (words::name(reader)) } " was given: "
                        (count(given(reader, window))) " messages"
                    }
                    table.given {
                        thead {
                            tr {
                                @for name in ["From", "To", "Offsets", "Polls", "Connection", "First exchange"] {
                                    th scope="col" { (name) }
                                }
                            }
                        }
                        tbody {
                            @for band in bands.iter().rev().take(LIFE_ROWS) {
                                tr {
                                    td { (clock(band.from)) }
                                    td { (clock(band.to)) }
                                    td.number { (words::span(band.first, band.last)) }
                                    td.number { (count(band.deliveries)) }
                                    td.number { (band.conn) }
                                    td { (words::exchange(band.n)) }
                                }
                            }
                        }
                    }
                    @let unlisted = bands.len().saturating_sub(LIFE_ROWS);
                    @if unlisted > 0 || hidden > 0 {
                        p.cut { "Not all are listed: a shorter time shows the others." }
                    }
                    (stored(reader, window))
                }
            }
        }
    }
}

fn stored(reader: &Reader, window: Window) -> Markup {
    let shown = reader.stored.iter().rev();
    let shown: Vec<_> = shown
        .filter(|one| in_window(&one.moment, window))
        .take(LIFE_ROWS)
        .collect();
    html! {
        @if !shown.is_empty() {
            table.given {
                caption { "What was stored as consumed, the newest first" }
                thead { tr { th scope="col" { "When" } th scope="col" { "What" } th scope="col" { "Exchange" } } }
                tbody {
                    @for one in shown {
                        tr {
                            td { (clock(one.moment.to)) }
                            td { (words::stored(one)) }
                            td { (words::exchange(one.moment.n)) }
                        }
                    }
                }
            }
        }
    }
}

fn given(reader: &Reader, window: Window) -> u64 {
    let shown = reader
        .deliveries
        .iter()
        .filter(|one| in_window(&one.moment, window));
    shown.map(|one| one.last - one.first + 1).sum()
}

/// The findings that name an exchange of this life: those about offsets and groups, and
/// others where something is wrong.
pub(super) fn findings(journal: &Journal, life: &Life) -> Markup {
    let (mut exchanges, mut codes) = (HashSet::new(), HashSet::new());
    life.each_moment(&mut |moment| {
        if !moment.findings.is_empty() {
            exchanges.insert(moment.n);
            codes.extend(moment.findings.iter().copied());
        }
    });
    let names = |finding: &Finding| {
        let here = finding.exchanges.iter().any(|n| exchanges.contains(n));
        codes.contains(&finding.code) && here
    };
    let mut found = journal.findings();
    let about = |finding: &Finding| (200..400).contains(&finding.code.0);
    found.retain(|one| names(one) && (about(one) || one.description().severity != Severity::Info));
    html! {
        @if !found.is_empty() {
            section aria-labelledby="h-found" {
                h2 id="h-found" { "Findings" }
                ol.findings {
                    @for finding in found.iter().take(FINDINGS_SHOWN) {
                        @let description = finding.description();
                        li class=(severity_class(description.severity)) {
                            p.head { b { bdi { (headline(journal, finding)) } } }
                            p.where {
                                a.code href={ "/findings/" (finding.code) } { (finding.code) }
                                " " span.severity { (description.severity.name()) }
                                " " (description.title) ". " (count(finding.count)) "\u{d7}"
                                @if let Some(latest) = finding.exchanges.last() {
                                    ", latest: exchange " (words::exchange(*latest))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn in_window(moment: &Moment, window: Window) -> bool {
    (window.from..=window.to).contains(&moment.to)
}

/// When the newest thing that is wrong happened, to look at more closely.
pub(super) fn newest_wrong(life: &Life, window: Window) -> Option<Timestamp> {
    let events = events(life);
    let wrong = events
        .iter()
        .filter(|one| one.is_wrong && in_window(&one.moment, window));
    wrong.map(|one| one.moment.to).max()
}
