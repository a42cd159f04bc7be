//! `/exchanges/{n}`: one exchange, what happened first, its bytes last.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use maud::{Markup, html};
use parallax_captures::partition::partition_meant;
use parallax_captures::{Content, Exchange, Finding, HttpContent, Journal};

use super::altered::told;
use super::annotation_form::noted;
use super::cause::headline as headline_of;
use super::format::length;
use super::frame::{frames, unsolicited_frame};
use super::layout::page;
use super::messages::messages;
use super::missing::missing;
use super::neighbours::neighbours;
use super::opened_from::OpenedFrom;
use super::payload::{Shown, payload};
use super::sides::{sides, why_believed};
use super::status::{row_class, severity_class};
use super::summary::{headlines, not_on_the_wire, story};
use super::timing::timing;
use super::wanted_parts::Parts;
use crate::app::{App, looked_up};
use crate::problem::Problem;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Markup, Problem> {
    let (from, query) = OpenedFrom::taken(query);
    let parts = Parts::parse(&query)?;
    looked_up(app, move |app| whole(app, &n, &parts, &from)).await
}

fn whole(app: &App, n: &str, parts: &Parts, from: &OpenedFrom) -> Result<Markup, Problem> {
    let exchange = find(&app.journal, n)?;
    let connection = app.journal.connection(exchange.conn);
    let user = connection.and_then(|connection| connection.user);
    let body = html! {
        (neighbours(&app.journal, &exchange, from))
        (summary(&exchange))
        @match &exchange.verdict {
            Some(verdict) => (sides(&exchange, verdict)),
            None => (missing(&app.journal, &app.about, &exchange)),
        }
        (findings(&app.journal, &exchange))
        @if let Some(verdict) = &exchange.verdict {
            (why_believed(&exchange, verdict, user.as_deref()))
        }
        (noted(app, &exchange, from))
        (timing(&exchange))
        (messages(&exchange, parts.messages_from))
        @match &exchange.content {
            Content::Binary(content) => (frames(&exchange, content, parts)),
            Content::Http(content) => (http(exchange.n, content)),
            Content::Unsolicited(content) => (unsolicited_frame(&exchange, content, parts)),
        }
        (facts(&app.journal, &exchange))
    };
    Ok(page(&app.about, &format!("Exchange {}", exchange.n), &body))
}

/// What stands where an exchange's number belongs is none.
pub(crate) fn no_number() -> Problem {
    Problem::bad_query("An exchange has a number, from 1.")
}

/// The exchange with the number `n`, as it stands in an address.
///
/// # Errors
/// That there is none, and whether there was.
pub(crate) fn find(journal: &Journal, n: &str) -> Result<Arc<Exchange>, Problem> {
    let number = n.parse::<u64>();
    let number = number.map_err(|_| no_number())?;
    journal.exchange(number).ok_or_else(|| {
        let seen = journal.totals().exchanges;
        Problem::not_found(if (1..=seen).contains(&number) {
            format!("Exchange {number} is no longer kept: the latest are.")
        } else {
            format!("There is no exchange {number}: {seen} have been seen so far.")
        })
    })
}

fn summary(exchange: &Exchange) -> Markup {
    let (first, second) = headlines(exchange);
    html! {
        section class={ "summary " (row_class(exchange)) } {
            h1 { bdi { (first) } }
            p {
                @if let Some(second) = second { (second) ". " }
                bdi { (story(exchange)) }
            }
            @if let Some(missing) = not_on_the_wire(exchange) { p { (missing) } }
            @if let Some(undecoded) = &exchange.undecoded {
                p.warn { "Not wholly decoded: " (undecoded) }
            }
            (told(exchange))
            (see_also(exchange))
        }
    }
}

/// Where what this exchange is a part of can be seen whole.
fn see_also(exchange: &Exchange) -> Markup {
    html! {
        p.see-also {
            @if let Some(partition) = partition_meant(exchange) {
                a.life-of href={ "/partitions/" (partition.path()) "?around=" (exchange.n) } {
                    "The life of " bdi { (partition) }
                }
                " "
            }
            a href={ "/latency?command=" (exchange.command()) } { "Latency of " (exchange.command()) }
        }
    }
}

fn findings(journal: &Journal, exchange: &Exchange) -> Markup {
    let shows = |finding: &&Finding| {
        let muted = finding.muted.is_some();
        exchange.named_by(muted).contains(&finding.code)
    };
    let all = [journal.findings(), journal.muted_findings()].concat();
    // Of one code there may be several places: those that name this exchange, or
    // else all of them.
    let named = |finding: &Finding| finding.exchanges.contains(&exchange.n);
    let relevant = |finding: &&Finding| {
        let elsewhere = |f: &Finding| {
            f.code == finding.code && f.muted.is_some() == finding.muted.is_some() && named(f)
        };
        named(finding) || !all.iter().any(elsewhere)
    };
    let found: Vec<_> = all.iter().filter(shows).filter(relevant).collect();
    html! {
        @if !found.is_empty() {
            section aria-labelledby="h-found" {
                h2 id="h-found" { "Findings" }
                ol.findings {
                    @for finding in found {
                        @let description = finding.description();
                        li class=(severity_class(description.severity)) {
                            p.head { b { bdi { (headline_of(journal, finding)) } } }
                            p.where {
                                a.code href={ "/findings/" (finding.code) } { (finding.code) }
                                " " span.severity { (description.severity.name()) }
                                " " (description.title) ". At " bdi { (finding.place) }
                            }
                            @if let Some(by) = &finding.muted {
                                p.dim { "Muted by " bdi { (by) } }
                            }
                            ul.evidence {
                                @for sentence in &finding.evidence { li { bdi { (sentence) } } }
                            }
                            p.dim { (description.what_to_do) }
                        }
                    }
                }
            }
        }
    }
}

fn http(n: u64, content: &HttpContent) -> Markup {
    html! {
        section aria-label="Request" {
            h2 { "Request " small { (length(content.request_body.len())) " bytes of body" } }
            p { code { (content.method) " " bdi { (content.target) } } }
            @if !content.request_body.is_empty() { (http_body(n, "request", &content.request_body)) }
        }
        section aria-label="Response" {
            h2 {
                "Response "
                small {
                    @if let Some(status) = content.http_status { "HTTP " (status) ", " }
                    (length(content.response_body.len())) " bytes of body"
                }
            }
            @if content.http_status.is_none() { p.calm { "No response was seen." } }
            @if !content.response_body.is_empty() { (http_body(n, "response", &content.response_body)) }
        }
    }
}

fn http_body(n: u64, which: &str, body: &[u8]) -> Markup {
    payload(Shown {
        payload: body,
        address: &format!("/exchanges/{n}/bodies/{which}"),
        id: &format!("body-{which}"),
        form: None,
        from: 0,
        all: false,
    })
}

/// Whose connection it was.
fn facts(journal: &Journal, exchange: &Exchange) -> Markup {
    let connection = journal.connection(exchange.conn);
    html! {
        section {
            h2 { "Connection" }
            dl.facts {
                dt { "dialect" } dd { (exchange.dialect.name()) }
                @if let Some(connection) = connection {
                    @for (what, layout) in connection.layouts.told(exchange.dialect) {
                        dt { "layout of " (what) }
                        dd { (layout.as_deref().unwrap_or("not known")) }
                    }
                    dt { "client" } dd { (connection.client) }
                    dt { "server" } dd { (connection.server) }
                    @if let Some(user) = &connection.user { dt { "user" } dd { bdi { (user) } } }
                    @if let Some(version) = &connection.client_version {
                        dt { "client says" } dd { bdi { (version) } }
                    }
                }
            }
        }
    }
}
