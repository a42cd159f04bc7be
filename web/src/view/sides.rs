//! Two answers to one question, side by side.

use maud::{Markup, html};
use parallax_captures::verdict::{AskedBy, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome};
use parallax_captures::{Exchange, PollAnswer, Verdict, VerdictKind};
use parallax_codec::ErrorCode;

use super::format::{duration, plural};
use super::place::offsets;
use super::sides_again::asked_again;
use super::sides_messages::side_by_side;
use crate::limits::ANSWERS_SHOWN;

pub(crate) fn sides(exchange: &Exchange, verdict: &Verdict) -> Markup {
    let tcp = exchange.poll_answer();
    let http = match verdict.answers.as_slice() {
        [
            MirrorAnswer {
                outcome: MirrorOutcome::Answered(answer),
                ..
            },
        ] => Some(answer),
        _ => None,
    };
    html! {
        section aria-labelledby="h-sides" {
            h2 id="h-sides" { "Two answers" }
            (answers(exchange, tcp.as_ref(), verdict))
            @if !verdict.differences.is_empty() { (differences(&verdict.differences)) }
            @if let (Some(tcp), Some(http)) = (&tcp, http) { (side_by_side(tcp, http)) }
        }
        @if let Some(again) = &verdict.asked_again { (asked_again(again)) }
    }
}

/// TCP's answer, then each of HTTP's, one a line.
fn answers(exchange: &Exchange, tcp: Option<&PollAnswer>, verdict: &Verdict) -> Markup {
    let hidden = verdict.answers.len().saturating_sub(ANSWERS_SHOWN);
    html! {
        (table("h-sides", &html! {
            (tcp_line(exchange, tcp))
            @for answer in verdict.answers.iter().take(ANSWERS_SHOWN) {
                (http_line(exchange.status(), verdict.kind, answer))
            }
        }))
        @if hidden > 0 { p.cut { "Cut after " (ANSWERS_SHOWN) " answers; " (hidden) " more are in the JSON." } }
    }
}

/// A table of answers, named by the heading with this id.
pub(super) fn table(heading: &str, rows: &Markup) -> Markup {
    html! {
        table.answers.stack role="table" aria-labelledby=(heading) {
            thead role="rowgroup" {
                tr role="row" {
                    @for name in ["Asked over", "Partition", "Status", "Text and number", "Messages", "Took"] {
                        th role="columnheader" scope="col" { (name) }
                    }
                }
            }
            tbody role="rowgroup" { (rows) }
        }
    }
}

fn tcp_line(exchange: &Exchange, answer: Option<&PollAnswer>) -> Markup {
    let asked = exchange.poll().and_then(|poll| poll.partition_id);
    html! {
        tr.own role="row" {
            th role="rowheader" scope="row" { "TCP" span.dim { " (the client)" } }
            td role="cell" {
                @match (asked, answer) {
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
            }
            td role="cell" { @if let Some(answer) = answer { (holds(answer)) } }
            td role="cell" { @if let Some(latency) = exchange.latency() { (duration(latency)) } }
        }
    }
}

/// One of HTTP's answers, beside the `status` that TCP gave.
pub(super) fn http_line(
    status: Option<u32>,
    verdict: VerdictKind,
    answer: &MirrorAnswer,
) -> Markup {
    let (differs, words) = match &answer.outcome {
        MirrorOutcome::Answered(_) | MirrorOutcome::Stored(_) => (status != Some(0), "answers"),
        MirrorOutcome::Refused(refusal) => {
            let same = refusal.code.map(|code| code.0) == status;
            (!same, if same { "same error" } else { "other error" })
        }
        MirrorOutcome::Failed(_) => (false, "not asked in the end"),
    };
    let refused = matches!(answer.outcome, MirrorOutcome::Refused(_));
    let diverges = differs && verdict == VerdictKind::Diverge;
    html! {
        tr role="row" class={ @if refused { "refused" } @else if diverges { "differs" } } {
            th role="rowheader" scope="row" {
                "HTTP "
                @match answer.asked_by {
                    AskedBy::Mirror => span.dim { "(parallax)" },
                    AskedBy::Capture(n) => a href={ "/exchanges/" (n) } { "exchange " (n) },
                }
            }
            td role="cell" title=(answer.target) {
                @match answer.partition_id {
                    Some(id) => { span.label { "partition " } (id) }
                    None => span.dim { span.label { "partition " } "none named" },
                }
            }
            @match &answer.outcome {
                MirrorOutcome::Answered(found) => {
                    td role="cell" { span.ok { "HTTP 200" } @if differs { " " span.mark { (words) } } }
                    td role="cell" {}
                    td role="cell" { (holds(found)) }
                }
                MirrorOutcome::Stored(stored) => {
                    td role="cell" { span.ok { "HTTP " @if stored.is_some() { "200" } @else { "404" } } }
                    td role="cell" {}
                    td role="cell" {
                        @match stored {
                            Some(stored) => { "offset " (stored.stored_offset) " is stored" }
                            None => "no offset is stored",
                        }
                    }
                }
                MirrorOutcome::Refused(refusal) => {
                    td role="cell" { span.bad { (http_status(refusal)) } " " span.mark { (words) } }
                    td role="cell" { b { bdi { (refusal.reason) } } }
                    td role="cell" {}
                }
                MirrorOutcome::Failed(why) => {
                    td role="cell" { span.warn { "no answer" } }
                    td role="cell" colspan="2" { bdi { (why) } }
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

pub(super) fn holds(answer: &PollAnswer) -> String {
    let number = plural(answer.messages.len(), "message");
    let ends = answer.messages.first().zip(answer.messages.last());
    let which = ends.map(|(first, last)| format!(", {}", offsets(first.offset, last.offset)));
    let which = which.unwrap_or_default();
    // Of a partition without a message the server says 0 as well.
    if answer.messages.is_empty() && answer.current_offset == 0 {
        return number;
    }
    format!(
        "{number}{which}; last of the partition {}",
        answer.current_offset
    )
}

pub(super) fn differences(differences: &[Difference]) -> Markup {
    html! {
        table.compare {
            caption { "What differs" }
            thead { tr { th scope="col" { "Field" } th scope="col" { "TCP" } th scope="col" { "HTTP" } } }
            tbody {
                @for one in differences {
                    tr.differs {
                        th scope="row" { bdi { (one.field) } }
                        td { mark { bdi { (one.tcp) } } }
                        td { mark { bdi { (one.http) } } }
                    }
                }
            }
        }
    }
}
