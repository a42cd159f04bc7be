//! What is wrong, first.

use maud::{Markup, html};
use parallax_captures::{Finding, Journal};

use super::format::{clock, count, span};
use super::status::severity_class;
use crate::limits::FINDINGS_SHOWN;

pub(crate) fn findings_panel(journal: &Journal) -> Markup {
    let findings = journal.findings();
    let hidden = findings.len().saturating_sub(FINDINGS_SHOWN);
    html! {
        section.wrong aria-labelledby="h-findings" {
            h2 id="h-findings" { "What is wrong" }
            @if findings.is_empty() {
                p.calm { (nothing_wrong(journal)) }
            } @else {
                ol.findings {
                    @for finding in findings.iter().take(FINDINGS_SHOWN) {
                        li class=(severity_class(finding.description().severity)) {
                            (item(finding))
                        }
                    }
                }
            }
            @if hidden > 0 {
                p.cut {
                    (hidden) " more are not shown here; all are in "
                    a href="/api/v1/findings" { "the JSON" } "."
                }
            }
        }
    }
}

fn nothing_wrong(journal: &Journal) -> &'static str {
    if journal.totals().exchanges == 0 {
        "Nothing seen yet."
    } else {
        "Nothing, so far."
    }
}

fn item(finding: &Finding) -> Markup {
    let description = finding.description();
    html! {
        p.head {
            a.code href={ "/findings/" (finding.code) } { (finding.code) }
            " " span.severity { (description.severity.name()) }
            " " b { (description.title) }
        }
        p.where {
            bdi { (finding.place) }
            ": " b { (count(finding.count)) "\u{d7}" }
            ", since " (clock(finding.first))
            @if finding.count > 1 {
                " (" (span(finding.first, finding.last)) "), last " (clock(finding.last))
            }
            @if let Some(latest) = finding.exchanges.last() {
                ", " a href={ "/exchanges/" (latest) } { "latest: exchange " (latest) }
            }
            ", " a href={ "/?finding=" (finding.code) "#exchanges" } { "all that show " (finding.code) }
        }
        @if !finding.evidence.is_empty() {
            ul.evidence {
                @for sentence in &finding.evidence { li { (sentence) } }
            }
        }
    }
}
