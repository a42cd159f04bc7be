//! `/partitions/{stream}/{topic}/{partition}`: a partition's life.

mod drawing;
mod lane;
mod link;
mod said;
mod scale;
mod tables;
mod words;

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use maud::{Markup, html};
use parallax_captures::limits::PARTITION_EXCHANGES;
use parallax_captures::partition::Partition;

use self::drawing::{Drawn, drawing};
pub(crate) use self::link::life_of_finding;
use super::format::{count, day_and_clock, length, micros};
use super::layout::page;
use super::several::several_servers;
use crate::about::Source;
use crate::app::{App, looked_up};
use crate::expression::encoded;
use crate::partition::{Range, Told, Window, of_partition, told};
use crate::problem::Problem;

type Segments = Path<(String, String, String)>;
type Pairs = Query<Vec<(String, String)>>;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(segments): Segments,
    Query(query): Pairs,
) -> Result<Markup, Problem> {
    let Asked { told, range } = asked(&app, segments, &query).await?;
    let shown = looked_up(Arc::clone(&app), move |app| whole(app, &told, range));
    let (title, body) = shown.await;
    Ok(page(&app.about, &title, &body))
}

/// The part that changes with the time that is looked at, for the script.
pub(crate) async fn show_life(
    State(app): State<Arc<App>>,
    Path(segments): Segments,
    Query(query): Pairs,
) -> Result<Markup, Problem> {
    let Asked { told, range } = asked(&app, segments, &query).await?;
    Ok(looked_up(app, move |app| life(app, &told, range)).await)
}

struct Asked {
    told: Told,
    range: Range,
}

async fn asked(
    app: &Arc<App>,
    (stream, topic, id): (String, String, String),
    query: &[(String, String)],
) -> Result<Asked, Problem> {
    let partition = Partition::of_segments(&stream, &topic, &id).map_err(Problem::bad_query)?;
    let range = Range::parse(query)?;
    let told = told(app, partition, range).await?;
    Ok(Asked { told, range })
}

fn whole(app: &App, told: &Told, range: Range) -> (String, Markup) {
    let partition = &told.partition;
    let live = range.is_whole() && matches!(app.about.source, Source::Live(_));
    let path = partition.path();
    let body = html! {
        div.bar {
            h1 {
                bdi { (partition.stream) } "/" bdi { (partition.topic) }
                ", partition " (partition.id)
            }
            p.live id="life-state" role="status" hidden {}
            button id="life-hold" type="button" aria-pressed="false" hidden { "Hold" }
        }
        (called(told))
        (several_servers(&app.journal))
        div id="life" data-life=(path) data-follows=[live.then_some("1")] data-newest=(told.newest) {
            (life(app, told, range))
        }
    };
    (partition.to_string(), body)
}

/// How else it is called, and where its exchanges are.
fn called(told: &Told) -> Markup {
    let partition = &told.partition;
    let short = |one: &Partition| format!("{}/{}", one.stream, one.topic);
    html! {
        p.note {
            @if let Some(other) = &told.also {
                "The server's replies also call it stream " bdi { (other.stream) }
                ", topic " bdi { (other.topic) } ". "
            }
            @for other in &told.perhaps {
                "Also seen as "
                a href={ "/partitions/" (other.path()) } { bdi { (short(other)) } }
                ": not known to be the same. "
            }
            a href={ "/exchanges?where=" (encoded(&of_partition(partition))) } { "Its exchanges" }
            ", " a href={ "/api/v1/partitions/" (partition.path()) } { "as JSON" }
            ", " a href="/partitions" { "all partitions" } "."
        }
    }
}

fn life(app: &App, told: &Told, range: Range) -> Markup {
    let Drawn {
        svg,
        marks_left_out,
        lanes_left_out,
    } = drawing(told);
    let path = told.partition.path();
    html! {
        section.timeline aria-label="Offsets over time" {
            (zoom(told, range, &path))
            (legend(&svg))
            div.drawing.scroll id="drawing" tabindex="0" role="group"
                aria-label="Drawing of offsets over time. The tables below it say the same." {
                (svg)
            }
            p.note.hint {
                "Each mark leads to its exchange. "
                // Only what the script does, and it shows it.
                span id="life-keys" hidden {
                    "Keys while the drawing has the focus: "
                    kbd { "+" } " and " kbd { "-" } ", arrows, " kbd { "0" } " for all. "
                    "Drag over a time to look at it; the wheel does once you have clicked into the drawing."
                }
            }
            (left_out(told, range, marks_left_out, lanes_left_out))
        }
        (tables::findings(&app.journal, &told.life))
        (tables::troubles(told, &path))
        (tables::readers(told))
    }
}

/// Plain links; the script takes the same ones.
fn zoom(told: &Told, range: Range, path: &str) -> Markup {
    let window = told.window;
    let wrong = tables::newest_wrong(&told.life, window);
    let href = |window: Window| format!("/partitions/{path}{}", window.query());
    let links = [
        ("earlier", "\u{2190} earlier", window.beside(false)),
        ("closer", "+ closer", window.closer(wrong)),
        ("farther", "\u{2212} farther", window.farther()),
        ("later", "later \u{2192}", window.beside(true)),
    ];
    html! {
        nav.zoom aria-label="Time that is shown" {
            @for (name, words, window) in links {
                a.choice data-zoom=(name) href=(href(window)) { (words) }
            }
            @if range.is_whole() {
                span.choice aria-current="true" { "all" }
            } @else {
                a.choice data-zoom="all" href={ "/partitions/" (path) } { "all" }
            }
            span.shown {
                (micros(u64::try_from(window.length().as_micros()).unwrap_or(0)))
                " from " (day_and_clock(window.from)) " on"
            }
        }
    }
}

/// Kinds of marks: the tag and the classes that each is drawn with, and what it means.
const KINDS: [(&str, &str, &str); 16] = [
    ("a", "delivered", "delivered"),
    ("path", "progress", "delivered without a gap"),
    ("a", "hole", "skipped"),
    ("a", "hole gone", "no longer kept"),
    ("a", "hole wanted", "passed over by the client"),
    ("a", "back wrong", "the server went back"),
    ("a", "back", "delivered again"),
    ("a", "stall", "stalled"),
    ("a", "stored", "stored offset told, stored or deleted"),
    ("path", "stored", "stored offset, as known"),
    ("path", "end", "end of the log"),
    ("path", "end above", "end of the log, above this scale"),
    ("a", "failed", "failed"),
    ("a", "empty", "empty poll"),
    ("a", "break", "purge, deletion"),
    ("a", "flag", "finding"),
];

/// Of the kinds that are drawn.
fn legend(svg: &Markup) -> Markup {
    let is_drawn = |tag: &str, class: &str| svg.0.contains(&format!("<{tag} class=\"{class}\""));
    let keys = KINDS.into_iter().filter(|(tag, class, _)| {
        is_drawn(tag, class) || *class == "failed" && is_drawn(tag, "failed unknown")
    });
    html! {
        ul.legend aria-label="What the marks mean" {
            @for (tag, class, words) in keys {
                li {
                    svg.key.life viewBox="0 0 22 14" aria-hidden="true" { (sample(tag, class)) }
                    (words)
                }
            }
        }
    }
}

fn sample(tag: &str, class: &str) -> Markup {
    html! {
        @match class {
            "stored" if tag == "path" => path.stored d="M1 7H21" {},
            "progress" => path.progress d="M1 12L21 2" {},
            "back" | "back wrong" => g class=(class) { path d="M11 1V12m-5 -6l5 6l5 -6" {} },
            "end above" => path.end.above d="M1 7H21" {},
            "delivered" => g.delivered { line x1="11" x2="11" y1="11" y2="3" {} },
            "hole" => g.hole { rect x="2" y="2" width="18" height="10" {} },
            "hole gone" => g.hole.gone { rect x="2" y="2" width="18" height="10" {} },
            "hole wanted" => g.hole.wanted { rect x="2" y="2" width="18" height="10" {} },
            "stall" => g.stall { rect x="1" y="3" width="20" height="8" {} },
            "stored" => g.stored { path d="M11 1l6 6l-6 6l-6 -6z" {} },
            "end" => path.end d="M1 10H11V4H21" {},
            "failed" => g.failed { path d="M6 2l10 10m0 -10l-10 10" {} },
            "empty" => g.empty { line x1="11" x2="11" y1="3" y2="11" {} },
            "break" => g.break { line x1="11" x2="11" y1="0" y2="14" {} },
            _ => g.flag { path d="M6 2v10h9l-3 -5l3 -5z" {} },
        }
    }
}

/// What is not drawn, and why.
fn left_out(told: &Told, range: Range, marks: u64, lanes: usize) -> Markup {
    let life = &told.life;
    html! {
        p.cut {
            @if let (Some(older), true) = (told.older, range.from.is_none()) {
                "Drawn from the latest " (length(PARTITION_EXCHANGES)) " exchanges of this partition; "
                a href={ "/partitions/" (told.partition.path()) "?around=" (older) } { "there are older ones" }
                ". "
            } @else if let Some((first, _)) = told.older.and_then(|_| life.span()).filter(|(first, _)| *first > told.window.from) {
                "Of this time only what came after " (day_and_clock(first)) " was read: "
                (length(PARTITION_EXCHANGES)) " exchanges at a time. "
            }
            @if life.exchanges == 0 { "Nothing about this partition passed in this time. " }
            @if marks > 0 { "The " (count(marks)) " oldest marks are not drawn: a shorter time shows them. " }
            @if lanes > 0 { (length(lanes)) " more readers are not drawn. " }
            @if life.left_out > 0 { "Of further readers " (count(life.left_out)) " exchanges are left out. " }
            "It tells what passed here. Messages that are sent without naming a partition are not among those sent."
        }
    }
}
