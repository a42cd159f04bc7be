//! What is wrong, first.

use maud::{Markup, html};
use parallax_captures::{
    Counts, Finding, FindingCode, Journal, Severity, Trouble, TroubleKind, VerdictKind, troubles,
};

use super::cause::{Cause, by_cause, headline};
use super::counted::rows_behind;
use super::format::{clock, count, span};
use super::status::severity_class;
use crate::filter::Filter;
use crate::limits::{FINDINGS_SHOWN, TROUBLES_SHOWN};

pub(crate) fn findings_panel(journal: &Journal) -> Markup {
    let counts = journal.counts();
    let causes = by_cause(journal.findings());
    let troubles = troubles(journal);
    let hidden = causes.len().saturating_sub(FINDINGS_SHOWN);
    let hidden_troubles = troubles.len().saturating_sub(TROUBLES_SHOWN);
    html! {
        section.wrong aria-labelledby="h-findings" {
            h2 id="h-findings" { "What is wrong" }
            @if causes.is_empty() && troubles.is_empty() {
                p.calm { (nothing_wrong(journal)) }
            }
            @if !troubles.is_empty() {
                ul.findings.troubles {
                    @for one in troubles.iter().take(TROUBLES_SHOWN) { (trouble(&counts, one)) }
                }
            }
            @if hidden_troubles > 0 {
                p.cut {
                    (hidden_troubles) " more are not shown here; "
                    a href="/api/v1/connections" { "the connections' JSON" } " has all."
                }
            }
            @if !causes.is_empty() {
                ol.findings {
                    @for one in causes.iter().take(FINDINGS_SHOWN) { (cause(journal, &counts, one)) }
                }
            }
            @if counts.muted > 0 {
                @let muted = Filter { muted: true, ..Filter::default() };
                p.cut {
                    "muted: " (count(counts.muted)) " ("
                    (rows_behind(&muted, counts.muted, "show")) ")"
                }
            }
            @if hidden > 0 {
                p.cut {
                    "Places not shown here: " (hidden) "; all are in "
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

fn trouble(counts: &Counts, trouble: &Trouble) -> Markup {
    let (class, noun) = match trouble.kind {
        TroubleKind::Unserved => ("s-error", "clients not served"),
        TroubleKind::Undecoded => ("s-warning", "connections not decoded"),
        TroubleKind::Unexplained => ("s-error", "polls that diverge"),
        TroubleKind::Mirror => ("s-warning", "mirror"),
        TroubleKind::Dropped => ("s-warning", "not looked at"),
    };
    html! {
        li class=(class) {
            p.head {
                span.severity {
                    (noun)
                    @if trouble.kind != TroubleKind::Mirror { ": " (count(trouble.count)) }
                }
                " " b { bdi { (trouble.sentence) } }
            }
            p.where {
                @if let Some(since) = trouble.since { "since " (clock(since)) }
                @match (trouble.kind, trouble.connection) {
                    (TroubleKind::Unexplained, _) => {
                        @let diverge = Filter {
                            verdict: Some(VerdictKind::Diverge), ..Filter::default()
                        };
                        @let all = counts.with_verdict(VerdictKind::Diverge);
                        ", " (rows_behind(&diverge, all, &format!("all {} that diverge", count(all))))
                    }
                    (TroubleKind::Undecoded, Some(id)) => {
                        ", " a href={ "/exchanges?conn=" (id) } { "latest: connection " (id) }
                    }
                    (TroubleKind::Unserved, Some(id)) => { ", latest: connection " (id) }
                    _ => {}
                }
            }
        }
    }
}

/// What one cause raised: the first finding in full, those that only explain it
/// folded away.
fn cause(journal: &Journal, counts: &Counts, cause: &Cause) -> Markup {
    let Some((lead, others)) = cause.findings.split_first() else {
        return html! {};
    };
    let folds = |finding: &&Finding| finding.description().severity == Severity::Info;
    let (folded, shown): (Vec<_>, Vec<_>) = others.iter().partition(folds);
    html! {
        li class=(severity_class(lead.description().severity)) {
            p.place { bdi { (cause.place) } }
            (leading(journal, counts, lead))
            @for finding in shown { (following(journal, counts, finding)) }
            @for finding in folded {
                details data-fold={ (finding.code) " " (cause.place) } {
                    summary { (names(finding)) }
                    (sentences(finding))
                }
            }
        }
    }
}

fn leading(journal: &Journal, counts: &Counts, finding: &Finding) -> Markup {
    html! {
        p.head.lead { b { bdi { (headline(journal, finding)) } } }
        p.where { (names(finding)) }
        p.where { (seen(counts, finding)) }
        (sentences(finding))
        p.todo { b { "What to do: " } (finding.description().what_to_do) }
    }
}

fn following(journal: &Journal, counts: &Counts, finding: &Finding) -> Markup {
    html! {
        div.also {
            p.head { b { bdi { (headline(journal, finding)) } } }
            p.where { (names(finding)) ". " (seen(counts, finding)) }
        }
    }
}

fn names(finding: &Finding) -> Markup {
    let description = finding.description();
    html! {
        a.code href={ "/findings/" (finding.code) } { (finding.code) }
        " " span.severity { (description.severity.name()) }
        " " (description.title)
    }
}

fn seen(counts: &Counts, finding: &Finding) -> Markup {
    html! {
        b { (count(finding.count)) "\u{d7}" }
        ", since " (clock(finding.first))
        @if finding.count > 1 {
            " (" (span(finding.first, finding.last)) "), last " (clock(finding.last))
        }
        @if let Some(latest) = finding.exchanges.last() {
            ", " a href={ "/exchanges/" (latest) } { "latest: exchange " (latest) }
        }
        ", " (all_that_show(counts, finding.code))
    }
}

/// The exchanges that are kept and show a finding.
pub(super) fn all_that_show(counts: &Counts, code: FindingCode) -> Markup {
    let all = counts.showing(code);
    let filter = Filter {
        finding: Some(code),
        ..Filter::default()
    };
    rows_behind(
        &filter,
        all,
        &format!("all {} that show {code}", count(all)),
    )
}

fn sentences(finding: &Finding) -> Markup {
    html! {
        @if !finding.evidence.is_empty() {
            ul.evidence {
                @for sentence in &finding.evidence { li { bdi { (sentence) } } }
            }
        }
    }
}
