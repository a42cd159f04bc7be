//! What is said where there is nothing, and what to do next.

use maud::{Markup, html};
use parallax_captures::{Journal, VerdictKind};

use super::format::{count, length, plural};
use crate::about::{About, Source};

/// Where nothing has passed yet.
pub(crate) fn no_client(about: &About) -> Markup {
    html! {
        @match &about.source {
            Source::Live(routes) => {
                "No client yet: point one at "
                @for (at, route) in routes.iter().enumerate() {
                    @if at > 0 { " or " }
                    b { (route.listen) }
                }
                " instead of the server. To see one at work, end this parallax and run "
                code { "cargo run --release -- demo" } " (or " code { "target/release/parallax demo" } ")."
            }
            Source::File { name, .. } => {
                "No exchange of the Iggy protocol was found in " bdi { (name) }
                ". Was the right port captured, from before the clients connected?"
            }
        }
    }
}

/// Where nothing is wrong: in how much.
pub(crate) fn nothing_wrong(journal: &Journal, about: &About) -> Markup {
    let (counts, connections) = (journal.counts(), journal.connections().len());
    let agree = counts.with_verdict(VerdictKind::Agree);
    let seen = journal.totals().exchanges;
    html! {
        @if seen == 0 && connections == 0 {
            p.calm { "Nothing has passed yet. " (no_client(about)) }
        } @else if seen == 0 {
            p.calm {
                (plural(connections, "client")) " connected, and nothing whole was said yet: an exchange is \
                shown when its reply has passed."
            }
        } @else {
            p.calm {
                b.ok { "Nothing found" } " in " (count(seen)) " exchanges"
                @if connections > 0 { " of " (plural(connections, "connection")) }
                @if agree > 0 { "; " (count(agree)) " polls agree with HTTP" }
                "."
            }
        }
    }
}

/// Where no poll was compared: why, and what to do.
pub(crate) fn nothing_compared(journal: &Journal, about: &About) -> Markup {
    let totals = journal.totals();
    if !totals.verdicts.is_empty() || totals.exchanges == 0 {
        return html! {};
    }
    let connections = journal.connections();
    let open = connections
        .iter()
        .filter(|one| one.closed.is_none())
        .count();
    html! {
        p.calm {
            @match &about.source {
                Source::Live(_) if about.source.is_unmirrored() => "No poll is compared with HTTP: the mirror is off.",
                Source::Live(_) => {
                    "No poll has been compared with HTTP yet: parallax does that with polls of First and \
                    Next. " (length(open)) @if open == 1 { " client is" } @else { " clients are" }
                    " connected; let one poll, or ask for other polls to be compared with "
                    code { "--mirror-also" } "."
                }
                Source::File { .. } => {
                    "No poll in it was compared with HTTP: capture HTTP polls of the same topic with it, or \
                    let clients poll through " code { "parallax run" } "."
                }
            }
        }
    }
}
