use std::cmp::Reverse;

use maud::{Markup, html};
use parallax_captures::{
    Connection, Counts, Dialect, Hindrance, PeerCertificate, Progress, Severity, Standing, catalog,
};

use super::counted::rows_behind;
use super::format::{clock, count, length, plural, span};
use super::layouts::layouts;
use super::status::finding_link;
use crate::filter::Filter;
use crate::limits::CONNECTIONS_SHOWN;
use crate::snapshot::Snapshot;

pub(crate) fn connections_panel(state: &Snapshot<'_>) -> Markup {
    let mut connections: Vec<_> = state
        .connections
        .iter()
        .map(|one| (one, state.standing(one.id)))
        .collect();
    connections.sort_by_key(|(one, standing)| {
        let is_stuck = matches!(standing.progress, Progress::Stuck(_));
        let is_quiet = one.closed.is_some() && standing.worst.is_none();
        (!is_stuck, one.closed.is_some(), is_quiet, Reverse(one.id))
    });
    let open = connections.iter().filter(|(one, _)| one.closed.is_none());
    let open = open.count();
    let hidden = connections.len().saturating_sub(CONNECTIONS_SHOWN);
    connections.truncate(CONNECTIONS_SHOWN);
    let (over, shown): (Vec<_>, Vec<_>) = connections.into_iter().partition(is_over);
    html! {
        section aria-labelledby="h-connections" {
            h2 id="h-connections" {
                "Connections "
                @if !state.connections.is_empty() {
                    small {
                        (length(open)) " open of " (length(state.connections.len()))
                        @if state.has_ended { " when the recording ended" }
                    }
                }
            }
            @if state.connections.is_empty() {
                p.calm {
                    @if state.journal.totals().exchanges == 0 { "None yet." }
                    @else { "None is recorded." }
                }
            }
            @if !shown.is_empty() { (table(state, &shown)) }
            @if !over.is_empty() {
                // Alone they are what there is to see.
                details data-fold="closed" open[shown.is_empty()] {
                    summary { (plural(over.len(), "connection")) " closed, nothing wrong found" }
                    (table(state, &over))
                }
            }
            @if hidden > 0 {
                p.cut {
                    (length(hidden)) " more are not shown here; all are in "
                    a href="/api/v1/connections" { "the JSON" } "."
                }
            }
        }
    }
}

/// Whether it is closed, and there is nothing to say of it.
fn is_over((connection, standing): &(&Connection, Standing)) -> bool {
    let is_well = standing
        .worst
        .is_none_or(|code| catalog::describe(code).severity == Severity::Info);
    connection.closed.is_some()
        && is_well
        && standing.progress == Progress::NothingFound
        && !connection.unserved
        && connection.undecoded.is_none()
        && connection.bytes_unobserved == 0
}

fn table(state: &Snapshot<'_>, connections: &[(&Connection, Standing)]) -> Markup {
    let counts = state.journal.counts();
    html! {
        table.stack.connections role="table" aria-labelledby="h-connections" {
            thead role="rowgroup" {
                tr role="row" {
                    @for name in [
                        "Conn.", "Client", "User", "Stuck", "Since", "SDK says", "Server says",
                        "Dialect", "Exchanges", "Worst",
                    ] {
                        th role="columnheader" scope="col" { (name) }
                    }
                }
            }
            tbody role="rowgroup" {
                @for (one, standing) in connections { (row(state, &counts, one, standing)) }
            }
        }
    }
}

fn row(
    state: &Snapshot<'_>,
    counts: &Counts,
    connection: &Connection,
    standing: &Standing,
) -> Markup {
    let id = connection.id;
    let contradicts = connection.layouts.contradiction().is_some();
    let class = match &standing.progress {
        Progress::Stuck(_) => "r-error",
        _ if connection.undecoded.is_some() || contradicts => "r-warning",
        _ => "",
    };
    html! {
        tr role="row" class=(class) {
            td role="cell" { a href={ "/exchanges?conn=" (id) } { "#" (id) } }
            td role="cell" { (connection.client) (tls(connection)) }
            td role="cell" {
                @match &connection.user {
                    Some(user) => bdi { (user) },
                    None => span.dim { "not logged in" },
                }
            }
            td.state role="cell" { (progress(state, connection, &standing.progress)) (troubles(connection, standing)) }
            td.state role="cell" { (lasts(state, connection)) }
            td role="cell" { (said("SDK", connection.client_version.as_deref())) }
            td role="cell" { (server(connection, standing)) }
            td role="cell" {
                (connection.dialect.map_or("not known yet", Dialect::name))
                " " span.dim { (layouts(connection)) }
            }
            td.number role="cell" { span.label { "exchanges " } (exchanges(counts, connection)) }
            td role="cell" {
                @if let Some(code) = standing.worst { span.label { "worst " } (finding_link(code)) }
            }
        }
    }
}

/// How many are kept, and how many there were where that is not the same.
fn exchanges(counts: &Counts, connection: &Connection) -> Markup {
    let kept = counts.on_connection(connection.id);
    let filter = Filter {
        conn: Some(connection.id.0),
        ..Filter::default()
    };
    html! {
        (rows_behind(&filter, kept, &count(kept)))
        @if connection.exchanges != kept {
            span.dim { " of " (count(connection.exchanges)) }
        }
    }
}

/// What an end says of itself.
fn said(whose: &str, version: Option<&str>) -> Markup {
    html! {
        span.label { (whose) " " }
        @match version {
            Some(version) => bdi { (version) },
            None => span.dim { "not known" },
        }
    }
}

fn server(connection: &Connection, standing: &Standing) -> Markup {
    match (&connection.server_version, &standing.server_elsewhere) {
        (None, Some((version, elsewhere))) => html! {
            span.label { "server " }
            bdi { (version) } span.dim { " (on " a.plain href={ "/exchanges?conn=" (elsewhere) } { "#" (elsewhere) } ")" }
        },
        (version, _) => said("server", version.as_deref()),
    }
}

/// Whether the client gets on, and what it does not get past.
fn progress(state: &Snapshot<'_>, connection: &Connection, progress: &Progress) -> Markup {
    html! {
        @match progress {
            Progress::Stuck(what) => {
                b.bad { "stuck" @if connection.closed.is_some() { " until it closed" } } ": "
                (unanswered(state, connection, what).unwrap_or_else(|| hindrance(what)))
            }
            Progress::WasStuck(what) => {
                span.warn { "was stuck" } " until " (clock(what.last)) ": " (hindrance(what))
            }
            Progress::NotKnown(requests, since) => {
                span.label { "stuck: " } span.warn { "not known" } ": " (count(*requests))
                @if *requests == 1 { " request waits" } @else { " requests wait" }
                " for a reply since " (clock(*since)) ", by intent or not"
            }
            Progress::NothingFound => { span.label { "stuck: " } span.dim { "no sign of it" } }
        }
    }
}

/// Of a client that is not understood the request for whose reply it waits.
fn unanswered(state: &Snapshot<'_>, connection: &Connection, what: &Hindrance) -> Option<Markup> {
    if what.code != catalog::FRAMING_MISMATCH {
        return None;
    }
    let exchange = state.journal.exchange(what.exchange)?;
    exchange.times.reply.is_none().then(|| {
        html! {
            @if connection.closed.is_some() { "waited" } @else { "waits" } " for a reply to " a href={ "/exchanges/" (exchange.n) } { (exchange.command()) }
            " since " (clock(exchange.times.request_first)) " " (code(what))
        }
    })
}

fn hindrance(what: &Hindrance) -> Markup {
    html! {
        (what.what) ", " (count(what.count)) "\u{d7} in " (span(what.first, what.last)) ", "
        a href={ "/exchanges/" (what.exchange) } { "latest" } " "
        (code(what))
    }
}

fn code(what: &Hindrance) -> Markup {
    html! {
        a href={ "/findings/" (what.code) } title=(catalog::describe(what.code).title) { (what.code) }
    }
}

/// Since when it is open, or how it ended.
fn lasts(state: &Snapshot<'_>, connection: &Connection) -> Markup {
    html! {
        @match &connection.closed {
            Some((time, why)) => { "closed " (clock(*time)) ": " (why) }
            None if state.has_ended => {
                "open when the recording ended, since " (clock(connection.opened))
            }
            None => { span.ok { "open" } " since " (clock(connection.opened)) }
        }
    }
}

/// Which side is not plain, and how.
fn tls(connection: &Connection) -> Markup {
    let sides = connection.tls.as_deref();
    let client = sides.and_then(|sides| sides.client.as_ref());
    let server = sides.and_then(|sides| sides.server.as_ref());
    let named = [("client", client), ("server", server)];
    html! {
        @for (whose, session) in named.into_iter().filter_map(|(whose, one)| Some((whose, one?))) {
            @let name = session.server_name.as_deref().unwrap_or("no name asked for");
            " " span.dim title={ (session.cipher_suite) ", " (name) } {
                (session.version) " with the " (whose)
            }
            @if session.peer_certificate == PeerCertificate::Unchecked {
                " " span.warn { "certificate not checked" }
            }
        }
    }
}

/// What is not seen of it.
fn troubles(connection: &Connection, standing: &Standing) -> Markup {
    html! {
        @if connection.bytes_unobserved > 0 {
            "; " span.warn { (count(connection.bytes_unobserved)) " bytes not looked at" }
            @if let Some(gap) = connection.gaps.iter().next_back() {
                " (latest: " (clock(gap.since)) ", after exchange " (gap.after) ")"
            }
        }
        @if let Some(contradiction) = connection.layouts.contradiction() {
            "; " span.warn { (contradiction) }
        }
        @if standing.worst == Some(catalog::FRAMING_MISMATCH) {
            "; " span.warn { "undecoded" }
        } @else if let Some(undecoded) = &connection.undecoded {
            "; " span.warn { "undecoded: " (undecoded) }
        }
    }
}
