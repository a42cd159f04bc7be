//! Two answers to one question: what they come to, side by side, and why that may be
//! believed.

use maud::{Markup, html};
use parallax_captures::grounds::{grounds, next_step};
use parallax_captures::two_answers::{TwoAnswers, conclusion};
use parallax_captures::verdict::TcpOutcome;
use parallax_captures::{Exchange, Verdict, VerdictKind};

use super::cause::capitalised;
use super::format::plural;
use super::sides_again::asked_again;
use super::sides_fields::fields_beside;
use super::sides_messages::messages_beside;
use super::sides_probe::probe;
use super::status::{verdict as verdict_said, verdict_class};

/// The verdict on an exchange and both answers.
pub(crate) fn sides(exchange: &Exchange, verdict: &Verdict) -> Markup {
    let two = TwoAnswers::in_exchange(exchange, verdict);
    let conclusion = conclusion(exchange, verdict);
    let explains = verdict.kind == VerdictKind::NotComparable && conclusion.is_some();
    let class = if explains && verdict.muted.is_none() {
        "v-explained"
    } else {
        verdict_class(verdict.kind)
    };
    html! {
        section id="two-answers" class={ "two-answers " (class) } aria-labelledby="h-sides" {
            h2 id="h-sides" {
                "Two answers: "
                @if explains && verdict.muted.is_none() {
                    span.verdict.v-explained title=(verdict.reason) { "not the same question" }
                } @else { (verdict_said(exchange, verdict)) }
                @if let Some(conclusion) = conclusion {
                    ": " bdi { (conclusion) }
                }
            }
            @if let Some(two) = &two { p.counted { (two.counted().words()) } }
            p.reason { bdi { (without_known(verdict)) } }
            @if let Some(by) = &verdict.muted {
                p.next-step {
                    "Muted by " bdi { (by) } ": it is known, and counted apart. Take the rule away \
                     and it counts again."
                }
            }
            @if let Some(step) = next_step(exchange, verdict) { p.next-step { (step) } }
            @match (&two, verdict.answers.as_slice()) {
                (Some(two), [http]) => {
                    (fields_beside(exchange, two, http))
                    (messages_beside(TcpOutcome::of(exchange).ok().as_ref(), http, two, verdict))
                }
                (_, []) => {}
                _ => (probe(exchange, verdict)),
            }
            @if let Some(again) = &verdict.asked_again { (asked_again(exchange, verdict, again)) }
            (known(verdict))
        }
    }
}

/// The reason without the known differences, which are told apart, below it.
fn without_known(verdict: &Verdict) -> String {
    let mut reason = verdict.reason.clone();
    for known in &verdict.known {
        reason = reason.replace(&format!(" {known}"), "");
    }
    reason
}

/// Known differences that were met: folded away, for they harm nothing.
fn known(verdict: &Verdict) -> Markup {
    html! {
        @if !verdict.known.is_empty() {
            details.known-differences {
                summary { (plural(verdict.known.len(), "known, harmless difference")) " met" }
                dl.grounds {
                    @for known in &verdict.known {
                        dt { code { (known.id) } }
                        dd { (capitalised(known.what.to_owned())) ". Servers " (known.versions) "." }
                    }
                }
            }
        }
    }
}

/// What the verdict stands on. `user` is whom the client was logged in as.
pub(crate) fn why_believed(exchange: &Exchange, verdict: &Verdict, user: Option<&str>) -> Markup {
    let grounds = grounds(exchange, verdict, user);
    // That all is well is believed more readily.
    let is_open = verdict.kind != VerdictKind::Agree;
    html! {
        @if !grounds.is_empty() {
            section.believed {
                details open[is_open] {
                    summary { h2 { "Why this may be believed" } }
                    dl.grounds {
                        @for ground in &grounds {
                            dt { (ground.question) }
                            dd { bdi { (ground.answer) } }
                        }
                    }
                }
            }
        }
    }
}
