//! The messages of two answers beside each other, by offset.

use std::ops::Range;

use maud::{Markup, html};
use parallax_captures::poll::PolledMessage;
use parallax_captures::two_answers::{Aligned, TwoAnswers, expected_start};
use parallax_captures::verdict::{MirrorAnswer, MirrorOutcome, TcpOutcome};
use parallax_captures::{Side, Verdict};

use super::format::{length, message_time, plural};
use super::payload::preview;
use super::place::offsets;
use super::sides_fields::{columns, line};
use crate::limits::MESSAGES_SHOWN;

pub(crate) fn messages_beside(
    tcp: Option<&TcpOutcome>,
    http: &MirrorAnswer,
    two: &TwoAnswers,
    verdict: &Verdict,
) -> Markup {
    let tcp = match tcp {
        Some(TcpOutcome::Answered(answer)) => answer.messages.as_slice(),
        _ => &[],
    };
    let http = match &http.outcome {
        MirrorOutcome::Answered(answer) => answer.messages.as_slice(),
        _ => &[],
    };
    let mut start = expected_start(verdict);
    let mut end: Option<u64> = None;
    let hidden = two.messages.len().saturating_sub(MESSAGES_SHOWN);
    html! {
        @if !two.messages.is_empty() {
            table.beside.by-offset {
                caption { "Messages, by offset" }
                (columns())
                thead.quiet {
                    tr { th scope="col" { "Offset" } th scope="col" { "TCP" } th scope="col" { "HTTP" } }
                }
                @for aligned in two.messages.iter().take(MESSAGES_SHOWN) {
                    @let (first, last) = ends(aligned, tcp, http);
                    @let owed = start.filter(|owed| *owed <= last);
                    @if let Some(owed) = owed { (begin_line(owed)) }
                    (hole(end, first))
                    (rows(aligned, tcp, http))
                    @let () = if owed.is_some() { start = None };
                    @let () = end = Some(last);
                }
                @if let (0, Some(owed)) = (hidden, start) { (begin_line(owed)) }
            }
            @if hidden > 0 {
                p.cut { "Cut after " (MESSAGES_SHOWN) " places; " (length(hidden)) " more are in the JSON." }
            }
        }
    }
}

/// The first and the last offset.
fn ends(aligned: &Aligned, tcp: &[PolledMessage], http: &[PolledMessage]) -> (u64, u64) {
    let (side, range) = match aligned {
        Aligned::Differs { offset, .. } => return (*offset, *offset),
        Aligned::Equal(range) | Aligned::OnlyTcp(range) | Aligned::NotAsked(Side::Tcp, range) => {
            (tcp, range)
        }
        Aligned::OnlyHttp(range) | Aligned::NotAsked(Side::Http, range) => (http, range),
    };
    let offset = |place: usize| side.get(place).map_or(0, |message| message.offset);
    (offset(range.start), offset(range.end.saturating_sub(1)))
}

/// Offsets between two rows, which nobody gave.
fn hole(end: Option<u64>, first: u64) -> Markup {
    let after = end.and_then(|end| end.checked_add(1));
    html! {
        @if let Some(after) = after.filter(|after| *after < first) {
            tbody {
                tr.hole {
                    th scope="row" {
                        span.equality aria-hidden="true" { "\u{b7}" } " " (offsets(after, first - 1))
                    }
                    td.gap colspan="2" { span.gap-words { "in neither answer" } }
                }
            }
        }
    }
}

/// Where a Next was to begin.
fn begin_line(owed: u64) -> Markup {
    html! {
        tbody { tr.owed { td colspan="3" { "\u{25b8} where Next was to begin: offset " (owed) } } }
    }
}

fn rows(aligned: &Aligned, tcp: &[PolledMessage], http: &[PolledMessage]) -> Markup {
    match aligned {
        Aligned::Equal(range) => equal(&tcp[range.clone()]),
        Aligned::OnlyTcp(range) => one_sided(Side::Tcp, tcp, range, "missing over HTTP"),
        Aligned::OnlyHttp(range) => one_sided(Side::Http, http, range, "missing on TCP"),
        Aligned::NotAsked(Side::Tcp, range) => {
            one_sided(Side::Tcp, tcp, range, "HTTP was not asked for it")
        }
        Aligned::NotAsked(Side::Http, range) => {
            one_sided(Side::Http, http, range, "TCP was not asked for it")
        }
        Aligned::Differs { offset, fields, .. } => {
            let (equal, differ): (Vec<_>, Vec<_>) = fields.iter().partition(|field| field.equal);
            html! {
                tbody.differs {
                    tr {
                        th.group scope="rowgroup" colspan="3" {
                            span.equality aria-hidden="true" { "\u{2260}" } " offset " (offset)
                            span.badge {
                                " " (differ.len()) " of " (fields.len()) " fields differ"
                            }
                        }
                    }
                    @for field in &differ { (line(field)) }
                    @if !equal.is_empty() {
                        tr {
                            td {}
                            td colspan="2" {
                                span.dim {
                                    "equal: "
                                    (equal.iter().map(|field| field.name).collect::<Vec<_>>().join(", "))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Folded away: a person looks for what differs.
fn equal(messages: &[PolledMessage]) -> Markup {
    let shown = messages.iter().take(MESSAGES_SHOWN);
    html! {
        tbody {
            tr {
                td.folded colspan="3" {
                    details {
                        summary {
                            span.equality aria-hidden="true" { "=" } " "
                            (plural(messages.len(), "equal message")) ", " (range_of(messages))
                        }
                        ul.plain {
                            @for message in shown {
                                li {
                                    "offset " (message.offset) ", " (message_time(message.timestamp)) ", "
                                    (length(message.payload_length())) " bytes "
                                    code { bdi { (preview(&message.payload)) } }
                                }
                            }
                            @if messages.len() > MESSAGES_SHOWN {
                                li.cut { (length(messages.len() - MESSAGES_SHOWN)) " more, equal as well" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn one_sided(side: Side, messages: &[PolledMessage], range: &Range<usize>, gap: &str) -> Markup {
    let messages = &messages[range.clone()];
    let is_fault = gap.starts_with("missing");
    let here = html! {
        ul.plain {
            @for message in messages.iter().take(MESSAGES_SHOWN) {
                li {
                    (length(message.payload_length())) " bytes "
                    code { bdi { (preview(&message.payload)) } }
                }
            }
            @if messages.len() > MESSAGES_SHOWN {
                li.cut { (length(messages.len() - MESSAGES_SHOWN)) " more" }
            }
        }
    };
    let gap = html! { span.gap-words { (gap) } };
    html! {
        tbody class=[is_fault.then_some("differs")] {
            tr {
                th scope="row" {
                    span.equality aria-hidden="true" { @if is_fault { "\u{2260}" } @else { "\u{b7}" } }
                    " " (range_of(messages))
                }
                @match side {
                    Side::Tcp => { td.of-tcp { (here) } td.gap { (gap) } }
                    Side::Http => { td.gap { (gap) } td.of-http { (here) } }
                }
            }
        }
    }
}

fn range_of(messages: &[PolledMessage]) -> String {
    match (messages.first(), messages.last()) {
        (Some(first), Some(last)) => offsets(first.offset, last.offset),
        _ => String::new(),
    }
}
