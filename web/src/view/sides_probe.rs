//! TCP's answer and those of each partition that HTTP was asked about, one a line.

use maud::{Markup, html};
use parallax_captures::two_answers::refuses_alike;
use parallax_captures::verdict::{HttpRefusal, MirrorAnswer, MirrorOutcome};
use parallax_captures::{Exchange, Verdict};
use parallax_codec::ErrorCode;

use super::format::duration;
use super::sides_again::holds;
use super::sides_fields::asked_by;
use crate::limits::ANSWERS_SHOWN;

pub(crate) fn probe(exchange: &Exchange, verdict: &Verdict) -> Markup {
    let hidden = verdict.answers.len().saturating_sub(ANSWERS_SHOWN);
    // The likely culprit first: it explains the line above it.
    let (refused, others): (Vec<_>, Vec<_>) = verdict
        .answers
        .iter()
        .partition(|one| refuses_alike(exchange, one));
    html! {
        table.answers.stack role="table" aria-labelledby="h-sides" {
            thead role="rowgroup" {
                tr role="row" {
                    @for name in ["Asked over", "Partition", "Status", "Error text, or what it holds", "Took"] {
                        th role="columnheader" scope="col" { (name) }
                    }
                }
            }
            tbody role="rowgroup" {
                (tcp_line(exchange))
                @for answer in refused.iter().chain(&others).take(ANSWERS_SHOWN) {
                    (http_line(exchange, answer, refused.len(), &verdict.reason))
                }
            }
        }
        @if hidden > 0 { p.cut { "Cut after " (ANSWERS_SHOWN) " answers; " (hidden) " more are in the JSON." } }
    }
}

fn tcp_line(exchange: &Exchange) -> Markup {
    let asked = exchange.poll().and_then(|poll| poll.partition_id);
    let answer = exchange.poll_answer();
    html! {
        tr.own role="row" {
            th role="rowheader" scope="row" { "TCP" span.dim { " (the client)" } }
            td role="cell" {
                @match (asked, &answer) {
                    (Some(id), _) => { span.label { "partition " } (id) }
                    (None, Some(answer)) => { span.label { "partition " } (answer.partition_id) span.dim { " (server's choice)" } }
                    (None, None) => span.dim { span.label { "partition " } "not said" },
                }
            }
            td role="cell" {
                @match exchange.status() {
                    Some(0) => span.ok { "0 ok" },
                    Some(code) => span.bad { (ErrorCode(code)) },
                    None => span.bad { "no reply" },
                }
            }
            td role="cell" {
                @if exchange.error().is_some() {
                    span.missing { "no text, no number on the wire" }
                }
                @if let Some(answer) = &answer { (holds(answer)) }
            }
            td role="cell" { @if let Some(latency) = exchange.latency() { (duration(latency)) } }
        }
    }
}

fn http_line(exchange: &Exchange, answer: &MirrorAnswer, alike: usize, reason: &str) -> Markup {
    let culprit = refuses_alike(exchange, answer);
    html! {
        tr role="row" class=[culprit.then_some("refused")] {
            th role="rowheader" scope="row" { "HTTP " span.dim { (asked_by(answer)) } }
            td role="cell" title=(answer.target) {
                span.label { "partition " }
                @match answer.partition_id {
                    Some(id) => b { (id) },
                    None => span.dim { "none named" },
                }
            }
            @match &answer.outcome {
                MirrorOutcome::Answered(found) => {
                    td role="cell" { span.ok { "HTTP 200" } }
                    td role="cell" { (holds(found)) }
                }
                MirrorOutcome::Stored(stored) => {
                    td role="cell" { span.ok { "HTTP " @if stored.is_some() { "200" } @else { "404" } } }
                    td role="cell" {
                        @match stored {
                            Some(stored) => { "offset " (stored.stored_offset) " is stored" }
                            None => "no offset is stored",
                        }
                    }
                }
                MirrorOutcome::Refused(refusal) => {
                    td role="cell" { span.bad { (http_status(refusal)) } }
                    td role="cell" {
                        b { bdi { (refusal.reason) } } " "
                        @if culprit {
                            span.culprit {
                                "\u{25c0} the same error as TCP: "
                                @if alike == 1 { "the likely culprit" } @else { "one of " (alike) " likely culprits" }
                            }
                        } @else { span.mark { "another error" } }
                    }
                }
                MirrorOutcome::Failed(why) => {
                    td role="cell" { span.warn { "no answer" } }
                    td role="cell" {
                        @if reason.contains(why.as_str()) { span.dim { "as said above" } } @else { bdi { (why) } }
                    }
                }
            }
            td role="cell" { @if let Some(latency) = answer.latency { (duration(latency)) } }
        }
    }
}

fn http_status(refusal: &HttpRefusal) -> String {
    match refusal.code {
        Some(code) => format!("HTTP {}: {code}", refusal.http_status),
        None => format!("HTTP {}", refusal.http_status),
    }
}
