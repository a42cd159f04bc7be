use std::cmp::Reverse;

use maud::{Markup, html};
use parallax_captures::{Connection, Counts, Dialect, Journal};

use super::counted::rows_behind;
use super::format::{clock, count};
use crate::about::{About, Source};
use crate::filter::Filter;
use crate::limits::CONNECTIONS_SHOWN;

pub(crate) fn connections_panel(journal: &Journal, about: &About) -> Markup {
    let counts = journal.counts();
    let mut connections = journal.connections();
    connections.sort_by_key(|connection| (connection.closed.is_some(), Reverse(connection.id)));
    let open = connections
        .iter()
        .filter(|one| one.closed.is_none())
        .count();
    let hidden = connections.len().saturating_sub(CONNECTIONS_SHOWN);
    html! {
        section aria-labelledby="h-connections" {
            h2 id="h-connections" {
                "Connections "
                @if !connections.is_empty() { small { (open) " open of " (connections.len()) } }
            }
            @if connections.is_empty() {
                p.calm {
                    @if journal.totals().exchanges == 0 { (no_client(about)) }
                    @else { "None is recorded." }
                }
            } @else {
                table.stack role="table" aria-labelledby="h-connections" {
                    thead role="rowgroup" {
                        tr role="row" {
                            @for name in [
                                "Conn.", "Client", "User", "Version sent", "Dialect", "Exchanges",
                                "State",
                            ] {
                                th role="columnheader" scope="col" { (name) }
                            }
                        }
                    }
                    tbody role="rowgroup" {
                        @for one in connections.iter().take(CONNECTIONS_SHOWN) { (row(&counts, one)) }
                    }
                }
            }
            @if hidden > 0 {
                p.cut {
                    (hidden) " more are not shown here; all are in "
                    a href="/api/v1/connections" { "the JSON" } "."
                }
            }
        }
    }
}

/// What to do next, where there is nothing yet.
pub(crate) fn no_client(about: &About) -> Markup {
    html! {
        @match &about.source {
            Source::Live { listen, .. } => {
                "No client yet: point one at " b { (listen) }
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

fn row(counts: &Counts, connection: &Connection) -> Markup {
    let id = connection.id;
    let contradicts = connection.layouts.contradiction().is_some();
    let class = if connection.undecoded.is_some() || contradicts {
        "r-warning"
    } else {
        ""
    };
    html! {
        tr role="row" class=(class) {
            td role="cell" { a href={ "/exchanges?conn=" (id) } { "#" (id) } }
            td role="cell" { (connection.client) }
            td role="cell" {
                @match &connection.user {
                    Some(user) => bdi { (user) },
                    None => span.dim { "not logged in" },
                }
            }
            td role="cell" { bdi { (connection.client_version.as_deref().unwrap_or_default()) } }
            td role="cell" {
                (connection.dialect.map_or("not known yet", Dialect::name))
                " " span.dim { (layouts(connection)) }
            }
            td.number role="cell" { (exchanges(counts, connection)) }
            td.state role="cell" { (state(connection)) }
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

/// The body layouts of which something is known.
fn layouts(connection: &Connection) -> String {
    let told = connection.dialect.map(|one| connection.layouts.told(one));
    let known = told.into_iter().flatten().filter_map(|(what, layout)| {
        let layout = layout?;
        Some(format!("{what}: {layout}"))
    });
    known.collect::<Vec<_>>().join(", ")
}

fn state(connection: &Connection) -> Markup {
    html! {
        @match &connection.closed {
            Some((time, why)) => { "closed " (clock(*time)) ": " (why) }
            None => { span.ok { "open" } " since " (clock(connection.opened)) }
        }
        @if let Some((requests, since)) = connection.waiting {
            ", " span.warn { (requests) " waiting for a reply" } " since " (clock(since))
        }
        @if connection.bytes_unobserved > 0 {
            ", " span.warn { (count(connection.bytes_unobserved)) " bytes not looked at" }
        }
        @if let Some(contradiction) = connection.layouts.contradiction() {
            ", " span.warn { (contradiction) }
        }
        @if let Some(undecoded) = &connection.undecoded {
            ", " span.warn { "undecoded: " (undecoded) }
        }
    }
}
