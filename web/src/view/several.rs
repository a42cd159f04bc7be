//! What is said where partitions of several servers may be shown as one.

use std::collections::BTreeSet;

use maud::{Markup, html};
use parallax_captures::Journal;

/// Nothing where connections came by one route.
pub(crate) fn several_servers(journal: &Journal) -> Markup {
    let connections = journal.connections();
    let routes = connections.iter().filter_map(|one| one.route.as_ref());
    let routes: BTreeSet<_> = routes.collect();
    html! {
        @if routes.len() > 1 {
            p.note {
                "Connections came by several routes ("
                @for (at, route) in routes.iter().enumerate() {
                    @if at > 0 { ", " }
                    (route)
                }
                "). Where those lead to several servers, partitions of the same name are shown as one here; "
                code { "route == \"" @if let Some(route) = routes.first() { (route) } "\"" }
                " in the filter of exchanges tells them apart."
            }
        }
    }
}
