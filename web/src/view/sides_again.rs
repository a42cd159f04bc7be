//! Both sides asked once more, in the order in which they were asked.

use maud::{Markup, html};
use parallax_captures::verdict::{AskedAgain, TcpAnswer, TcpOutcome};

use super::format::duration;
use super::sides::{differences, holds, http_line, table};
use super::status::verdict_words;

pub(crate) fn asked_again(again: &AskedAgain) -> Markup {
    let status = again.tcp_before.first().map(status_of);
    html! {
        section aria-labelledby="h-again" {
            h2 id="h-again" { "Asked again: " (verdict_words(again.kind)) }
            p { bdi { (again.reason) } }
            p.dim {
                "parallax asked TCP, HTTP and TCP again, as a consumer of its own and without a \
                 commit: where the two TCP answers differ the log moved meanwhile."
            }
            (table("h-again", &html! {
                @for answer in &again.tcp_before { (tcp_line(answer, "before")) }
                @for answer in &again.answers { (http_line(status, again.kind, answer)) }
                @for answer in &again.tcp_after { (tcp_line(answer, "after")) }
            }))
            @if !again.differences.is_empty() { (differences(&again.differences)) }
        }
    }
}

fn tcp_line(answer: &TcpAnswer, when: &str) -> Markup {
    html! {
        tr.own role="row" {
            th role="rowheader" scope="row" { "TCP" span.dim { " (parallax, " (when) ")" } }
            td role="cell" { span.label { "partition " } (answer.partition_id) }
            @match &answer.outcome {
                TcpOutcome::Answered(found) => {
                    td role="cell" { span.ok { "0 ok" } }
                    td role="cell" {}
                    td role="cell" { (holds(found)) }
                }
                TcpOutcome::Refused(code) => {
                    td role="cell" { span.bad { (code) } }
                    td role="cell" { span.missing { "no text, no number on the wire" } }
                    td role="cell" {}
                }
            }
            td role="cell" { (duration(answer.latency)) }
        }
    }
}

fn status_of(answer: &TcpAnswer) -> u32 {
    match &answer.outcome {
        TcpOutcome::Answered(_) => 0,
        TcpOutcome::Refused(code) => code.0,
    }
}
