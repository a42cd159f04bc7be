//! `/`: what is wrong, how much of it, and who is connected.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, html};
use parallax_captures::Journal;

use super::connections_panel::connections_panel;
use super::findings_panel::findings_panel;
use super::format::count;
use super::layout::page;
use super::totals::totals;
use crate::about::Source;
use crate::app::{App, looked_up};

pub(crate) async fn show(State(app): State<Arc<App>>) -> Markup {
    looked_up(app, whole).await
}

/// The panels alone, for the script.
pub(crate) async fn show_panels(State(app): State<Arc<App>>) -> Markup {
    looked_up(app, panels).await
}

fn whole(app: &App) -> Markup {
    let live = matches!(app.about.source, Source::Live { .. });
    let newest = app.journal.totals().exchanges;
    let body = html! {
        h1.quiet { "Overview" }
        div id="panels" data-panels=[live.then_some("1")] data-newest=(newest) { (panels(app)) }
        (all_exchanges(&app.journal))
    };
    page(&app.about, "Overview", &body)
}

fn panels(app: &App) -> Markup {
    html! {
        (findings_panel(&app.journal))
        (totals(&app.journal))
        (connections_panel(&app.journal, &app.about))
    }
}

fn all_exchanges(journal: &Journal) -> Markup {
    html! {
        p { a href="/exchanges" { "All " (count(journal.counts().exchanges)) " exchanges" } }
    }
}
