//! The whole state in one line.

use maud::{Markup, html};
use parallax_captures::recording::RecordingState;
use parallax_captures::{Counts, Journal, MirrorState, Progress, Severity, VerdictKind};

use super::counted::rows_behind;
use super::findings_panel::Wrong;
use super::format::{count, length, plural};
use crate::about::{About, Source};
use crate::filter::Filter;
use crate::snapshot::Snapshot;

pub(crate) fn glance(about: &About, state: &Snapshot<'_>, wrong: &Wrong) -> Markup {
    let class = match wrong.gravest() {
        Some(Severity::Error) => "g-error",
        Some(Severity::Warning) => "g-warning",
        Some(Severity::Info) | None if state.journal.totals().exchanges == 0 => "g-none",
        Some(Severity::Info) | None => "g-well",
    };
    let counts = state.journal.counts();
    let things = match wrong.count() {
        0 if state.journal.totals().exchanges == 0 => "Nothing seen yet".to_owned(),
        0 => "Nothing wrong found".to_owned(),
        1 => "1 thing is wrong".to_owned(),
        more => format!("{} things are wrong", length(more)),
    };
    html! {
        p class={ "glance " (class) } {
            a.g-wrong href="#h-findings" { b { (things) } }
            @if wrong.count() == 0 && counts.failed > 0 { (refused(counts.failed)) }
            a href="#h-connections" { (connections(about, state)) }
            @if counts.exchanges > 0 { a href="#h-totals" { (verdicts(&counts)) } }
            @if let Some(mirror) = mirror(state.journal, about) { a href="#mirror" { (mirror) } }
            @if let Some(recording) = recording(state.journal, about) { a href="#recording" { (recording) } }
        }
    }
}

/// Errors are no fault by themselves, and are named beside what says that nothing is wrong.
fn refused(failed: u64) -> Markup {
    let words = match failed {
        1 => "1 request refused or unanswered".to_owned(),
        _ => format!("{} requests refused or unanswered", count(failed)),
    };
    let errors = Filter {
        errors: true,
        ..Filter::default()
    };
    rows_behind(&errors, failed, &words)
}

fn connections(about: &About, state: &Snapshot<'_>) -> Markup {
    let all = state.connections.len();
    let open = state
        .connections
        .iter()
        .filter(|one| one.closed.is_none())
        .count();
    let of = |is: fn(&Progress) -> bool| {
        state
            .standings
            .values()
            .filter(|one| is(&one.progress))
            .count()
    };
    let stuck = of(|progress| matches!(progress, Progress::Stuck(_)));
    let waiting = of(|progress| matches!(progress, Progress::NotKnown(..)));
    html! {
        @match about.source {
            Source::Live(_) if all == 0 => "no client yet",
            Source::Live(_) if open == 0 => { "no client connected, " (length(all)) " before" },
            Source::Live(_) => { (plural(open, "connection")) " open" },
            Source::File { .. } => (plural(all, "connection")),
        }
        @if stuck > 0 { ", " b.bad { (length(stuck)) " stuck" } }
        @if waiting > 0 { ", " (length(waiting)) " waiting long" }
    }
}

fn verdicts(counts: &Counts) -> Markup {
    let of = |kind| counts.with_verdict(kind);
    let diverge = of(VerdictKind::Diverge);
    let failed = of(VerdictKind::MirrorFailed);
    let passing = of(VerdictKind::Transient) + of(VerdictKind::Stale);
    html! {
        @if VerdictKind::ALL.into_iter().all(|kind| of(kind) == 0) {
            "no poll compared"
        } @else {
            (count(of(VerdictKind::Agree))) " agree, "
            @if diverge > 0 { b.diverge { (count(diverge)) " diverge" } } @else { "0 diverge" }
            ", " (count(of(VerdictKind::NotComparable))) " not comparable"
            @if passing > 0 { ", " (count(passing)) " transient or stale" }
            @if failed > 0 { ", " b.warn { (count(failed)) " failed" } }
        }
    }
}

fn mirror(journal: &Journal, about: &About) -> Option<Markup> {
    let mirrors = journal.mirrors();
    let has_asked = mirrors.iter().any(|status| status.requests > 0);
    let states = mirrors.into_iter().map(|status| status.state);
    // Of several the one that cannot ask.
    let state = states.max_by_key(|state| *state != MirrorState::Ok);
    Some(match (state, &about.source) {
        (Some(MirrorState::Ok), _) if !has_asked => html! { "mirror ready, nothing asked yet" },
        (Some(MirrorState::Ok), _) => html! { "mirror working" },
        (Some(MirrorState::BackingOff { .. }), _) => {
            html! { b.warn { "mirror: HTTP does not answer" } }
        }
        (Some(MirrorState::Unauthenticated { .. }), _) => html! { b.warn { "mirror: not let in" } },
        (Some(MirrorState::Unusable { .. }), _) => {
            html! { b.warn { "mirror: given nothing that can be used" } }
        }
        (None, Source::Live(_)) if about.source.is_unmirrored() => html! { "mirror off" },
        (None, Source::Live(_)) => html! { "mirror: nothing asked" },
        (None, Source::File { .. }) => return None,
    })
}

fn recording(journal: &Journal, about: &About) -> Option<Markup> {
    let state = journal.recording().map(|status| status.state);
    Some(match (state, &about.source) {
        (Some(RecordingState::Ok), _) => html! { "recording" },
        (Some(RecordingState::Failing { .. }), _) => html! { b.warn { "recording fails" } },
        (Some(RecordingState::Ended), Source::Live(_)) => html! { "recording ended" },
        (None, Source::Live(_)) => html! { "not recording" },
        (_, Source::File { .. }) => return None,
    })
}
