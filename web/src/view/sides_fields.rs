//! The fields of two answers in two columns.

use maud::{Markup, html};
use parallax_captures::Exchange;
use parallax_captures::two_answers::{BytesDiffer, ComparedField, TwoAnswers};
use parallax_captures::verdict::{AskedBy, MirrorAnswer};

use super::format::{duration, length, plural};
use super::hex::{hex_of, text_of};

pub(crate) fn fields_beside(exchange: &Exchange, two: &TwoAnswers, http: &MirrorAnswer) -> Markup {
    html! {
        table.beside {
            caption.quiet { "The two answers, field by field" }
            (columns())
            (head(exchange, http))
            tbody {
                @let (equal, other): (Vec<_>, Vec<_>) = two.fields.iter().partition(|one| one.equal);
                @for field in other { (answer_field(field, http)) }
                (equal_fields(&equal))
                (took(exchange, http))
            }
        }
    }
}

/// How wide the columns are, the same in every table of two answers.
pub(crate) fn columns() -> Markup {
    html! { colgroup { col.of-field; col; col; } }
}

/// The columns: who was asked.
fn head(exchange: &Exchange, http: &MirrorAnswer) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { "Field" }
                th.of-tcp scope="col" { "TCP " small { "the client's poll, No. " (exchange.n) } }
                th.of-http scope="col" { "HTTP " small { (asked_by(http)) } }
            }
        }
    }
}

/// Whose question it was.
pub(crate) fn asked_by(http: &MirrorAnswer) -> Markup {
    html! {
        @match http.asked_by {
            AskedBy::Mirror => "asked by parallax",
            AskedBy::Capture(n) => a href={ "/exchanges/" (n) } { "exchange " (n) },
        }
    }
}

/// Folded away: a person looks for what differs.
fn equal_fields(equal: &[&ComparedField]) -> Markup {
    let names: Vec<_> = equal.iter().map(|field| field.name).collect();
    html! {
        @if !equal.is_empty() {
            tr {
                td.folded colspan="3" {
                    details {
                        summary {
                            span.equality aria-hidden="true" { "=" } " "
                            (plural(equal.len(), "field")) " equal: " (names.join(", "))
                        }
                        dl.equal {
                            @for field in equal {
                                @let said = |side: &Option<String>| side.clone().unwrap_or_default();
                                dt { (field.name) }
                                dd { bdi { (said(&field.tcp)) } }
                                dd { bdi { (said(&field.http)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A field of the answers themselves; the partition that was asked for, where an answer
/// names none.
fn answer_field(field: &ComparedField, http: &MirrorAnswer) -> Markup {
    let is_told = field.tcp.is_some() && field.http.is_some();
    html! {
        @if field.name == "partition" && field.http.is_none() {
            (line_of(field, &said(field, field.tcp.as_deref(), "not told"), &not_told(http.partition_id)))
        } @else { (line(field)) }
        @if is_told && !field.equal && !field.comparable {
            tr.note-row {
                td {}
                td colspan="2" { span.dim { (harmless(field.name)) } }
            }
        }
    }
}

/// That an answer names no partition, and which was asked for.
pub(crate) fn not_told(asked: Option<u32>) -> Markup {
    html! {
        span.missing { "not told" @if let Some(id) = asked { " (" (id) " was asked for)" } }
    }
}

/// Why a field that is not the same is no divergence.
fn harmless(name: &str) -> &'static str {
    match name {
        "current offset" => "No divergence: the log may have grown between the two answers.",
        "partition" => "No divergence: with no message some servers name none over HTTP.",
        "status" => "No divergence: two codes for the same failure.",
        _ => "Not compared: what differs is told elsewhere, or the two were not asked for as many.",
    }
}

/// One field of both sides. What differs has a sign and a word, not colour alone.
pub(crate) fn line(field: &ComparedField) -> Markup {
    html! {
        @if let Some(bytes) = &field.bytes {
            (line_of(field, &quoted(bytes, field, &bytes.tcp, field.tcp.as_deref()),
                &quoted(bytes, field, &bytes.http, field.http.as_deref())))
        } @else {
            @let absent = if field.name == "error text" { "not on the wire" } else { "not told" };
            (line_of(field, &said(field, field.tcp.as_deref(), absent),
                &said(field, field.http.as_deref(), "not told")))
        }
    }
}

fn line_of(field: &ComparedField, tcp: &Markup, http: &Markup) -> Markup {
    let differs = !field.equal && field.comparable;
    html! {
        tr class=[differs.then_some("differs")] {
            th scope="row" {
                span.equality aria-hidden="true" {
                    @if differs { "\u{2260}" } @else if field.equal { "=" } @else { "\u{b7}" }
                }
                " " (field.name)
                @if differs { span.badge { " differs" } }
            }
            td.of-tcp { (tcp) }
            td.of-http { (http) }
        }
    }
}

fn said(field: &ComparedField, value: Option<&str>, absent: &str) -> Markup {
    let differs = !field.equal && field.comparable;
    html! {
        @match value {
            None => span.missing { (absent) },
            Some(value) if differs => mark { bdi { (shown(field.name, value)) } },
            Some(value) => bdi { (shown(field.name, value)) },
        }
    }
}

/// Times of messages as times; everything else as it is.
fn shown(name: &str, value: &str) -> String {
    match value.parse() {
        Ok(micros) if name.ends_with("timestamp") => super::format::message_time(micros),
        _ => value.to_owned(),
    }
}

/// Where a run of bytes begins to differ, both in hex and as text.
fn quoted(bytes: &BytesDiffer, field: &ComparedField, side: &[u8], said: Option<&str>) -> Markup {
    let before = (bytes.at - bytes.from).min(side.len());
    let (same, other) = side.split_at(before);
    let (first, rest) = other.split_at(other.len().min(1));
    html! {
        span { (said.unwrap_or_default()) ", first different byte of the " (field.name) ": " b { (length(bytes.at)) } }
        div.quoted {
            code {
                @if bytes.from > 0 { "\u{2026} " }
                (hex_of(same)) mark { @if first.is_empty() { "ends" } @else { (hex_of(first).trim_end()) } } " " (hex_of(rest))
            }
            code {
                bdi {
                    @if bytes.from > 0 { "\u{2026}" }
                    (text_of(same)) mark { @if first.is_empty() { "ends" } @else { (text_of(first)) } } (text_of(rest))
                }
            }
        }
    }
}

fn took(exchange: &Exchange, http: &MirrorAnswer) -> Markup {
    html! {
        tr {
            th scope="row" { span.equality aria-hidden="true" { "\u{b7}" } " took" }
            td.of-tcp {
                @match exchange.latency() {
                    Some(latency) => (duration(latency)),
                    None => span.missing { "no reply" },
                }
            }
            td.of-http {
                @match (http.latency, http.times) {
                    (Some(latency), _) => (duration(latency)),
                    (None, Some(times)) => (duration(times.answered.duration_since(times.asked).unsigned_abs())),
                    (None, None) => span.missing { "not known" },
                }
            }
        }
    }
}
