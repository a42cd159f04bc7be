//! The figures of what is kept, and what is not.

use maud::{Markup, html};
use parallax_captures::recording::{RecordingState, RecordingStatus};
use parallax_captures::{Journal, MirrorState, MirrorStatus, VerdictKind};

use super::counted::rows_behind;
use super::format::{byte_size, clock, count};
use super::status::verdict_words;
use crate::figures::{Figure, What, figures};

pub(crate) fn totals(journal: &Journal) -> Markup {
    let totals = journal.totals();
    let lost = [
        ("older exchanges no longer kept", totals.exchanges_dropped),
        (
            "observations dropped, so that no client had to wait",
            totals.observations_dropped,
        ),
        (
            "polls not mirrored, the mirror was busy",
            totals.polls_not_mirrored,
        ),
        ("findings beyond the limit", totals.findings_dropped),
    ];
    html! {
        section aria-labelledby="h-totals" {
            h2 id="h-totals" { "Figures" }
            dl.figures {
                @for one in figures(&journal.counts()) {
                    @if one.count > 0 || is_always_shown(one.what) { (figure(&one)) }
                }
            }
            @if lost.iter().any(|(_, number)| *number > 0) {
                ul.lost {
                    @for (what, number) in lost.iter().filter(|(_, number)| *number > 0) {
                        li { b { (count(*number)) } " " (what) }
                    }
                }
            }
            @if let Some(status) = journal.mirror() { (mirror(&status)) }
            @if let Some(status) = journal.recording() { (recording(&status)) }
        }
    }
}

/// What of it is on disk, and what is not.
fn recording(status: &RecordingStatus) -> Markup {
    html! {
        p.mirror id="recording" {
            "Recording "
            @match &status.state {
                RecordingState::Ok => span.ok { "working" },
                RecordingState::Failing { since, reason } => {
                    span.warn { "the disk refuses" } " since " (clock(*since)) ": " bdi { (reason) }
                }
                RecordingState::Ended => span.dim { "ended" },
            }
            ". In " b { bdi { (status.directory.display()) } } ": "
            (count(status.exchanges)) " exchanges, " (byte_size(status.bytes)) " in "
            (count(status.segments)) " files"
            @if status.dropped > 0 { ", " (count(status.dropped)) " older ones dropped" }
            @if status.not_kept > 0 {
                ", " span.warn { (count(status.not_kept)) " not kept: the disk was full or slow" }
            }
            @if status.changes_not_kept > 0 {
                ", " span.warn { (count(status.changes_not_kept)) " late verdicts or findings not kept" }
            }
            "."
        }
    }
}

/// How the other view is doing: without it there are no verdicts.
fn mirror(status: &MirrorStatus) -> Markup {
    html! {
        p.mirror {
            "Mirror "
            @match &status.state {
                MirrorState::Ok if status.requests == 0 => span.dim { "ready, nothing asked yet" },
                MirrorState::Ok => span.ok { "working" },
                MirrorState::BackingOff { since, reason } => {
                    span.warn { "waiting, HTTP does not answer" } " since " (clock(*since)) ": "
                    bdi { (reason) }
                }
                MirrorState::Unauthenticated { since, reason } => {
                    span.warn { "not let in" } " since " (clock(*since)) ": " bdi { (reason) }
                }
            }
            ". Asks " b { (status.server) }
            @if status.requests > 0 { ", " (count(status.requests)) " requests" }
            @if status.failures > 0 {
                ", " span.warn { (count(status.failures)) " without a usable answer" }
            }
            @if status.tcp_requests > 0 {
                ", and over TCP of its own " (count(status.tcp_requests)) " requests"
            }
            "."
        }
    }
}

/// Those whose being 0 says something.
fn is_always_shown(what: What) -> bool {
    let verdicts = [VerdictKind::Agree, VerdictKind::Diverge].map(What::Verdict);
    matches!(what, What::Exchanges | What::Errors) || verdicts.contains(&what)
}

fn figure(figure: &Figure) -> Markup {
    let (name, class) = match figure.what {
        What::Exchanges => ("exchanges", ""),
        What::Errors => ("errors", "bad"),
        What::Verdict(kind @ VerdictKind::Diverge) => (verdict_words(kind), "diverge"),
        What::Verdict(kind) => (verdict_words(kind), ""),
        What::NothingToCompare => (WITH_NOTHING_TO_COMPARE, "quiet"),
        What::Muted => ("muted", "quiet"),
    };
    let class = if figure.count > 0 { class } else { "" };
    html! {
        div {
            dt { (name) }
            dd class=(class) { (rows_behind(&figure.filter, figure.count, &count(figure.count))) }
        }
    }
}

/// They are among those that are not comparable.
const WITH_NOTHING_TO_COMPARE: &str = "of those, nothing to compare";
