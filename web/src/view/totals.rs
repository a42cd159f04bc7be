//! The figures of what is kept, over time, and what is not kept.

use maud::{Markup, html};
use parallax_captures::{Counts, Journal, VerdictKind};

use super::counted::rows_behind;
use super::empty;
use super::format::{count, duration};
use super::over_time::over_time;
use super::status::verdict_words;
use crate::about::About;
use crate::figures::{Figure, What, figures};

/// `is_wrong`: whether anything was found; else errors are no fault.
pub(crate) fn totals(journal: &Journal, about: &About, counts: &Counts, is_wrong: bool) -> Markup {
    let totals = journal.totals();
    let slowed = format!(
        "times a client was slowed down, {} in all, so that nothing was dropped",
        duration(totals.clients_slowed_for)
    );
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
        (&*slowed, totals.clients_slowed),
    ];
    html! {
        section aria-labelledby="h-totals" {
            h2 id="h-totals" { "Figures" }
            dl.figures {
                @for one in figures(counts) {
                    @if one.count > 0 || is_always_shown(one.what) { (figure(&one, is_wrong)) }
                }
            }
            (empty::nothing_compared(journal, about))
            (over_time(&journal.activity()))
            @if lost.iter().any(|(_, number)| *number > 0) {
                ul.lost {
                    @for (what, number) in lost.iter().filter(|(_, number)| *number > 0) {
                        li { b { (count(*number)) } " " (what) }
                    }
                }
            }
        }
    }
}

/// Those whose being 0 says something.
fn is_always_shown(what: What) -> bool {
    let verdicts = [VerdictKind::Agree, VerdictKind::Diverge].map(What::Verdict);
    matches!(what, What::Exchanges | What::Errors) || verdicts.contains(&what)
}

fn figure(figure: &Figure, is_wrong: bool) -> Markup {
    let (name, class, key) = match figure.what {
        What::Exchanges => ("exchanges", "", "a-exchanges"),
        What::Errors if is_wrong => ("errors", "bad", "a-failed"),
        What::Errors => ("errors", "", "a-failed"),
        What::Verdict(kind) => (verdict_words(kind), class_of(kind), key_of(kind)),
        What::NothingToCompare => (WITH_NOTHING_TO_COMPARE, "quiet", ""),
        What::Muted => ("muted", "quiet", ""),
    };
    let class = if figure.count > 0 { class } else { "" };
    html! {
        div {
            dt { @if !key.is_empty() { span class={ "a-key " (key) } {} } (name) }
            dd class=(class) { (rows_behind(&figure.filter, figure.count, &count(figure.count))) }
        }
    }
}

const fn class_of(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Diverge => "diverge",
        VerdictKind::MirrorFailed => "warn",
        _ => "",
    }
}

/// As it is drawn over time.
const fn key_of(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Agree => "a-agree",
        VerdictKind::Diverge => "a-diverge",
        VerdictKind::NotComparable => "a-not_comparable",
        VerdictKind::Transient | VerdictKind::Stale => "a-transient",
        VerdictKind::MirrorFailed => "a-mirror_failed",
    }
}

/// They are among those that are not comparable.
const WITH_NOTHING_TO_COMPARE: &str = "of those, nothing to compare";
