//! How the other view is doing: without it there are no verdicts.

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::limits::MIRROR_RATE_SECONDS;
use parallax_captures::{Journal, MirrorState, MirrorStatus, MirrorTrouble};

use super::format::{clock, count};
use crate::about::{About, Source};

pub(crate) fn mirror_panel(journal: &Journal, about: &About, now: Timestamp) -> Markup {
    let mirrors = journal.mirrors();
    html! {
        section.instrument id="mirror" aria-labelledby="h-mirror" {
            h2 id="h-mirror" {
                "Mirror "
                @if let [status] = mirrors.as_slice() { small { (state(&status.state, status.requests)) } }
            }
            @for status in &mirrors {
                @if let Some(route) = &status.route {
                    h3 { (route) " " small { (state(&status.state, status.requests)) } }
                }
                (figures(status, now))
            }
            @match &about.source {
                _ if !mirrors.is_empty() => (skipped(journal)),
                Source::Live(_) if about.source.is_unmirrored() => p.calm {
                    span.warn { "Off" } ": no poll is put to HTTP, so nothing is compared. To turn it on, start parallax \
                    without " code { "--no-mirror" } "; " code { "--http http://HOST:3000" }
                    " names the server's HTTP address."
                },
                Source::Live(_) => p.calm { "Nothing asked yet." },
                Source::File { .. } => p.calm {
                    "How a mirror did is not in a recording; the verdicts that it came to are."
                },
            }
        }
    }
}

fn state(state: &MirrorState, requests: u64) -> Markup {
    html! {
        @match state {
            MirrorState::Ok if requests == 0 => span.dim { "ready, nothing asked yet" },
            MirrorState::Ok => span.ok { "working" },
            MirrorState::BackingOff { .. } => span.warn { "waiting, HTTP does not answer" },
            MirrorState::Unauthenticated { .. } => span.warn { "not let in" },
            MirrorState::Unusable { .. } => span.warn { "given nothing that can be used" },
        }
    }
}

fn figures(status: &MirrorStatus, now: Timestamp) -> Markup {
    html! {
        @if let Some(MirrorTrouble { since, until, reason }) = status.state.trouble() {
            p.trouble {
                "Since " (clock(since)) ": " bdi { (reason) }
                @match until {
                    Some(until) if until > now => { ". Asks again at " (clock(until)) " at the earliest" }
                    Some(_) => ". Asks again with the next poll",
                    None => {}
                }
            }
        }
        dl.facts {
            dt { "asks" } dd { bdi { (status.server) } }
            dt { "as" }
            dd {
                @if status.is_whom_given { "the one given" } @else { "whoever polls" }
                @match &status.whom {
                    Some(whom) => { ", last with the " bdi { (whom) } },
                    None => span.dim { ", nobody yet" },
                }
            }
            dt { "rate" }
            dd {
                (format!("{:.1}", status.rate(now))) " requests/s over " (MIRROR_RATE_SECONDS) " s"
                @if let Some(limit) = status.limit_per_second { ", at most " (count(limit.into())) }
            }
            dt { "asked" }
            dd {
                (count(status.requests)) " requests"
                @if status.failures > 0 {
                    ", " span.warn { (count(status.failures)) " without a usable answer" }
                }
                @if status.tcp_requests > 0 {
                    ", and over TCP of its own " (count(status.tcp_requests)) " requests"
                }
            }
        }
    }
}

fn skipped(journal: &Journal) -> Markup {
    let skipped = journal.totals().polls_not_mirrored;
    html! {
        dl.facts {
            dt { "skipped" }
            dd {
                @if skipped > 0 {
                    span.warn { (count(skipped)) } " polls not mirrored, the mirror was busy"
                } @else {
                    "no poll"
                }
            }
        }
    }
}
