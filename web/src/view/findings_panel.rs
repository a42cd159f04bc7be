//! What is wrong, first.

use std::collections::BTreeSet;

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::{Counts, Finding, FindingCode, Journal, Severity, Trouble};

use super::cause::{
    Cause, WAIT_FOR_A_MESSAGE, by_cause, capitalised, felt, held_nothing, seen_of, times,
};
use super::counted::rows_behind;
use super::empty;
use super::format::{clock, count, length};
use super::partition::life_of_finding;
use super::spark::spark;
use super::status::severity_class;
use super::trouble_card::{severity as severity_of, trouble_card};
use crate::about::About;
use crate::filter::Filter;
use crate::limits::{FINDINGS_SHOWN, TROUBLES_SHOWN};

/// What everything that is shown of findings is looked up in.
struct Seen<'a> {
    journal: &'a Journal,
    counts: Counts,
    /// From when to when anything passed.
    passed: Option<(Timestamp, Timestamp)>,
    now: Timestamp,
}

/// What is wrong, by what is shown first.
pub(crate) struct Wrong {
    troubles: Vec<Trouble>,
    causes: Vec<Cause>,
}

impl Wrong {
    pub(crate) fn of(journal: &Journal) -> Self {
        Self {
            troubles: parallax_captures::troubles(journal),
            causes: by_cause(journal.findings()),
        }
    }

    /// How many things are wrong, or may be.
    pub(crate) fn count(&self) -> usize {
        let wrong = self
            .causes
            .iter()
            .filter(|one| one.severity() != Severity::Info);
        self.troubles.len() + wrong.count()
    }

    /// How grave the gravest is.
    pub(crate) fn gravest(&self) -> Option<Severity> {
        let troubles = self.troubles.iter().map(|one| severity_of(one.kind));
        troubles
            .chain(self.causes.iter().map(Cause::severity))
            .min()
    }
}

pub(crate) fn findings_panel(
    journal: &Journal,
    about: &About,
    wrong: &Wrong,
    now: Timestamp,
) -> Markup {
    let seen = Seen {
        journal,
        counts: journal.counts(),
        passed: journal.activity().range(),
        now,
    };
    let hidden = wrong.causes.len().saturating_sub(FINDINGS_SHOWN);
    let hidden_troubles = wrong.troubles.len().saturating_sub(TROUBLES_SHOWN);
    let shown = wrong.causes.iter().take(FINDINGS_SHOWN);
    let (known, cards): (Vec<_>, Vec<_>) = shown.partition(|one| one.severity() == Severity::Info);
    let troubles = || wrong.troubles.iter().take(TROUBLES_SHOWN);
    html! {
        section.wrong aria-labelledby="h-findings" {
            h2 id="h-findings" { "What is wrong" }
            @if cards.is_empty() && wrong.troubles.is_empty() { (empty::nothing_wrong(journal, about)) }
            @if !cards.is_empty() || !wrong.troubles.is_empty() {
                // Never a lesser one above a graver one.
                ol.findings {
                    @for severity in [Severity::Error, Severity::Warning] {
                        @for one in troubles().filter(|one| severity_of(one.kind) == severity) {
                            (trouble_card(&seen.counts, one))
                        }
                        @for one in cards.iter().filter(|one| one.severity() == severity) {
                            (card(&seen, one))
                        }
                    }
                }
            }
            @if hidden_troubles > 0 {
                p.cut {
                    (length(hidden_troubles)) " more are not shown here; "
                    a href="/api/v1/connections" { "the connections' JSON" } " has all."
                }
            }
            @if !known.is_empty() { (good_to_know(&seen, &known)) }
            @if seen.counts.muted > 0 {
                @let muted = Filter { muted: true, ..Filter::default() };
                p.cut {
                    "muted: " (count(seen.counts.muted)) " ("
                    (rows_behind(&muted, seen.counts.muted, "show")) ")"
                }
            }
            @if hidden > 0 {
                p.cut {
                    "Places not shown here: " (length(hidden)) "; all are in "
                    a href="/api/v1/findings" { "the JSON" } "."
                }
            }
        }
    }
}

/// What one cause raised: what a user feels, why, and what to do; the rest folded.
fn card(seen: &Seen<'_>, cause: &Cause) -> Markup {
    let Some((lead, others)) = cause.findings.split_first() else {
        return html! {};
    };
    let is_known = |finding: &&Finding| finding.description().severity == Severity::Info;
    let (known, why): (Vec<_>, Vec<_>) = others.iter().partition(is_known);
    let empty = held_nothing(seen.journal, lead);
    let cure = if empty.is_some() {
        WAIT_FOR_A_MESSAGE
    } else {
        cause.cure().unwrap_or(lead).description().what_to_do
    };
    html! {
        li class=(severity_class(cause.severity())) {
            p.place {
                bdi { (cause.place) }
                @if let Some(life) = life_of_finding(seen.journal, lead) { ", " (life) }
            }
            p.head.lead { b { bdi { (felt(seen.journal, lead, seen.now)) } } (times(lead)) }
            @if let Some(n) = empty {
                p.fact {
                    "The partition has held no message so far, so no offset can be stored ("
                    a href={ "/exchanges/" (n) } { "exchange " (n) } " read it from its begin)."
                }
            }
            @if let Some(fact) = seen_of(seen.journal, lead).filter(|_| !why.is_empty()) {
                p.fact { bdi { (capitalised(fact.to_owned())) } "." }
            }
            div.seen-when {
                (spark(&lead.occurrences, seen.passed))
                p.meta { (numbers(seen, lead)) }
            }
            @if why.is_empty() {
                (sentences(lead))
            } @else {
                ul.why {
                    @for finding in &why {
                        li class=(severity_class(finding.description().severity)) {
                            bdi { (felt(seen.journal, finding, seen.now)) } ". "
                            span.meta { (numbers(seen, finding)) " " (spark(&finding.occurrences, seen.passed)) }
                        }
                    }
                }
            }
            p.todo { b { "What to do: " } (cure) }
            @if !why.is_empty() {
                details data-fold={ "evidence " (cause.place) } {
                    summary { "Evidence" }
                    @for finding in std::iter::once(lead).chain(why.iter().copied()) {
                        p.meta { (names(finding)) }
                        (sentences(finding))
                    }
                }
            }
            @if !known.is_empty() {
                details data-fold={ "known " (cause.place) } {
                    summary { "Good to know of " bdi { (cause.place) } ": " (codes(&known)) }
                    ul.known { @for finding in &known { (line(seen, finding)) } }
                }
            }
        }
    }
}

/// What is no trouble takes a line each, behind a fold.
fn good_to_know(seen: &Seen<'_>, causes: &[&Cause]) -> Markup {
    let all: Vec<_> = causes.iter().flat_map(|cause| &cause.findings).collect();
    let number = all.len();
    html! {
        details.good-to-know data-fold="good to know" {
            summary {
                @if number == 1 { "1 finding that is " } @else { (length(number)) " findings that are " }
                "good to know, "
                @match causes {
                    [one] => { "of " bdi { (one.place) } }
                    _ => { "of " (length(causes.len())) " places" }
                }
                ": " (codes(&all))
            }
            ul.known {
                @for finding in all { (line(seen, finding)) }
            }
        }
    }
}

/// A finding in one line.
fn line(seen: &Seen<'_>, finding: &Finding) -> Markup {
    html! {
        li {
            a.code href={ "/findings/" (finding.code) } { (finding.code) }
            " " (finding.description().title) " "
            span.dim { bdi { (finding.place) } ", " (count(finding.count)) "\u{d7}, last " (clock(finding.last)) " " }
            (latest(finding))
            details data-fold={ (finding.code) " " (finding.place) } {
                summary { "Evidence" }
                (sentences(finding))
                p.meta { (all_that_show(&seen.counts, finding.code)) }
            }
        }
    }
}

/// Which finding, how often, when first and last, and where its exchanges are.
fn numbers(seen: &Seen<'_>, finding: &Finding) -> Markup {
    html! {
        a.code href={ "/findings/" (finding.code) } { (finding.code) }
        " " span.severity { (finding.description().severity.name()) } " "
        b { (count(finding.count)) "\u{d7}" }
        @if finding.count > 1 {
            " first " (clock(finding.first)) ", last " (clock(finding.last))
        } @else {
            " at " (clock(finding.last))
        }
        " \u{b7} " (latest(finding)) " \u{b7} " (all_that_show(&seen.counts, finding.code))
    }
}

/// Each code once, in their order.
fn codes(findings: &[&Finding]) -> String {
    let codes: BTreeSet<_> = findings.iter().map(|finding| finding.code).collect();
    let codes: Vec<_> = codes.iter().map(FindingCode::to_string).collect();
    codes.join(", ")
}

fn latest(finding: &Finding) -> Markup {
    html! {
        @if let Some(latest) = finding.exchanges.last() {
            a href={ "/exchanges/" (latest) } { "exchange " (latest) }
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
