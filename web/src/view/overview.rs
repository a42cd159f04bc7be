//! `/`: what is wrong, how much of it, and who is connected.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, html};
use parallax_captures::Counts;

use super::altered::was_injected;
use super::connections_panel::connections_panel;
use super::findings_panel::{Wrong, findings_panel};
use super::format::count;
use super::glance::glance;
use super::layout::page;
use super::mirror_panel::mirror_panel;
use super::recording_panel::recording_panel;
use super::totals::totals;
use crate::about::Source;
use crate::app::{App, looked_up};
use crate::snapshot::Snapshot;

pub(crate) async fn show(State(app): State<Arc<App>>) -> Markup {
    looked_up(app, whole).await
}

/// The panels alone, for the script.
pub(crate) async fn show_panels(State(app): State<Arc<App>>) -> Markup {
    looked_up(app, panels).await
}

fn whole(app: &App) -> Markup {
    let live = matches!(app.about.source, Source::Live(_));
    let newest = app.journal.totals().exchanges;
    let body = html! {
        h1.quiet { "Overview" }
        div id="panels" data-panels=[live.then_some("1")] data-newest=(newest) { (panels(app)) }
    };
    page(&app.about, "Overview", &body)
}

fn panels(app: &App) -> Markup {
    let (journal, about) = (&*app.journal, &app.about);
    let state = Snapshot::of(journal, &about.source);
    let wrong = Wrong::of(journal);
    // Once, so that all say the same of what goes on.
    let counts = journal.counts();
    html! {
        (was_injected(counts.injected))
        (glance(about, &state, &wrong))
        (findings_panel(journal, about, &wrong, state.now))
        (totals(journal, about, &counts, wrong.count() > 0))
        (connections_panel(&state))
        div.instruments {
            (mirror_panel(journal, about, state.now))
            (recording_panel(journal, about))
        }
        (all_exchanges(&counts))
    }
}

fn all_exchanges(counts: &Counts) -> Markup {
    html! {
        p { a href="/exchanges" { "All " (count(counts.exchanges)) " exchanges" } }
    }
}
