//! The figures of all that was seen, and what was not.

use maud::{Markup, html};
use parallax_captures::{Journal, MirrorState, MirrorStatus, VerdictKind};

use super::format::{clock, count};
use super::status::{NOTHING_TO_COMPARE, verdict_words};

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
                (figure("exchanges", totals.exchanges, "/", ""))
                (figure("errors", totals.errors, "/?errors=1#exchanges", "bad"))
                @for kind in VerdictKind::ALL {
                    @let nothing = if kind == VerdictKind::NotComparable { totals.nothing_to_compare } else { 0 };
                    @let seen = totals.verdicts_of(kind).saturating_sub(nothing);
                    @if seen > 0 || matches!(kind, VerdictKind::Agree | VerdictKind::Diverge) {
                        @let class = if kind == VerdictKind::Diverge { "diverge" } else { "" };
                        @let href = format!("/?verdict={}#exchanges", kind.name());
                        (figure(verdict_words(kind), seen, &href, class))
                    }
                    @if nothing > 0 {
                        @let href = format!("/?verdict={}#exchanges", kind.name());
                        (figure(NOTHING_TO_COMPARE, nothing, &href, "quiet"))
                    }
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

fn figure(name: &str, number: u64, href: &str, class: &str) -> Markup {
    let class = if number > 0 { class } else { "" };
    html! {
        div {
            dt { (name) }
            dd class=(class) { a href=(href) { (count(number)) } }
        }
    }
}
