//! `/findings/{code}`: what a finding means, and where it was seen.

use std::sync::Arc;

use axum::extract::{Path, State};
use maud::{Markup, html};
use parallax_captures::{Finding, FindingCode, Journal, catalog};

use super::cause::headline;
use super::counted::rows_behind;
use super::findings_panel::all_that_show;
use super::format::{clock, count};
use super::layout::page;
use super::partition::life_of_finding;
use super::status::severity_class;
use crate::app::{App, looked_up};
use crate::filter::{self, Filter};
use crate::limits::FINDINGS_SHOWN;
use crate::problem::Problem;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(code): Path<String>,
) -> Result<Markup, Problem> {
    let code = filter::finding(&code)?;
    Ok(looked_up(app, move |app| whole(app, code)).await)
}

fn whole(app: &App, code: FindingCode) -> Markup {
    let description = catalog::describe(code);
    let mut seen = app.journal.findings();
    seen.retain(|finding| finding.code == code);
    let mut muted = app.journal.muted_findings();
    muted.retain(|finding| finding.code == code);
    let counts = app.journal.counts();
    let hidden = (seen.len() + muted.len()).saturating_sub(FINDINGS_SHOWN);
    let explained = [
        ("What it means", description.meaning),
        ("How it is recognised", description.recognised_by),
        ("What to do", description.what_to_do),
        (
            "Not to be confused with",
            description.not_to_be_confused_with,
        ),
    ];
    let body = html! {
        section class={ "summary " (severity_class(description.severity)) } {
            p.head { span.code { (code) } " " span.severity { (description.severity.name()) } }
            h1 { (description.title) }
        }
        section {
            dl.explained {
                @for (what, text) in explained { dt { (what) } dd { (text) } }
            }
        }
        section aria-labelledby="h-seen" {
            h2 id="h-seen" { "Where it was seen" }
            @if seen.is_empty() && muted.is_empty() { p.calm { "Nowhere, so far." } }
            @for finding in seen.iter().chain(&muted).take(FINDINGS_SHOWN) {
                (place(&app.journal, finding))
            }
            @if hidden > 0 { p.cut { (hidden) " more places are not shown." } }
            p {
                "Exchanges: " (all_that_show(&counts, code))
                @let quiet = counts.showing_muted(code);
                @if quiet > 0 {
                    @let filter = Filter { finding: Some(code), muted: true, ..Filter::default() };
                    ", " (rows_behind(&filter, quiet, &format!("{} muted", count(quiet))))
                }
            }
        }
    };
    page(&app.about, &code.to_string(), &body)
}

fn place(journal: &Journal, finding: &Finding) -> Markup {
    html! {
        article.seen {
            h3 { bdi { (finding.place) } " " small { (count(finding.count)) "\u{d7}" } }
            @if let Some(by) = &finding.muted { p.dim { "Muted by " bdi { (by) } } }
            p { b { bdi { (headline(journal, finding)) } } }
            p.dim { "first " (clock(finding.first)) ", last " (clock(finding.last)) }
            ul.evidence { @for sentence in &finding.evidence { li { bdi { (sentence) } } } }
            p {
                "Exchanges: "
                @for n in &finding.exchanges { a href={ "/exchanges/" (n) } { (n) } " " }
                @let named = u64::try_from(finding.exchanges.len()).unwrap_or(u64::MAX);
                @if finding.count > named { span.dim { "(its first and its latest)" } }
                @if let Some(life) = life_of_finding(journal, finding) { " Its partition, " (life) }
            }
        }
    }
}
