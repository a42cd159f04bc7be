//! A request's or reply's frame: its fields and its bytes, side by side, a window of
//! it at a time.

use std::ops::Range;

use maud::{Markup, html};
use parallax_captures::redaction::masked;
use parallax_captures::{BinaryContent, Dialect, Exchange, UnsolicitedContent};
use parallax_codec::vsr::HEADER_SIZE;
use parallax_codec::{Field, Value, secret_ranges};

use super::fields::{FOLDED, tree};
use super::format::length;
use super::hex::hex_dump;
use super::wanted_parts::{FramePart, Parts};
use crate::limits::{FIELDS_AT_ONCE, FIELDS_SHOWN, FRAME_BYTES_AT_ONCE, FRAME_BYTES_SHOWN};

pub(crate) fn frames(exchange: &Exchange, content: &BinaryContent, parts: &Parts) -> Markup {
    let request = folded(exchange, exchange.request_fields());
    html! {
        (frame("request", "Request", &content.request_frame, &request, &parts.request))
        @if content.reply_frame.is_empty() {
            section { h2 { "Reply" } p.calm { "No reply was seen." } }
        } @else {
            @let reply = folded(exchange, exchange.reply_fields());
            (frame("reply", "Reply", &content.reply_frame, &reply, &parts.reply))
        }
    }
}

pub(crate) fn unsolicited_frame(
    exchange: &Exchange,
    content: &UnsolicitedContent,
    parts: &Parts,
) -> Markup {
    frame(
        "reply",
        "Frame",
        &content.frame,
        &folded(exchange, exchange.reply_fields()),
        &parts.reply,
    )
}

/// In the VSR dialect the fields of the header as one, which is closed at first: there are
/// many, and a person looks for the body's.
fn folded(exchange: &Exchange, fields: Vec<Field>) -> Vec<Field> {
    if exchange.dialect != Dialect::Vsr {
        return fields;
    }
    let in_header = |field: &Field| field.range.start < HEADER_SIZE;
    let (header, mut body): (Vec<_>, Vec<_>) = fields.into_iter().partition(in_header);
    if !header.is_empty() {
        let header = Field {
            name: FOLDED,
            range: 0..HEADER_SIZE,
            value: Value::Group(header),
        };
        body.insert(0, header);
    }
    body
}

fn frame(id: &str, title: &str, bytes: &[u8], fields: &[Field], part: &FramePart) -> Markup {
    // They are masked where they are kept; a page does not rely on it.
    let bytes = masked(bytes, &secret_ranges(fields));
    let (most_bytes, most_fields) = if part.all {
        (FRAME_BYTES_AT_ONCE, FIELDS_AT_ONCE)
    } else {
        (FRAME_BYTES_SHOWN, FIELDS_SHOWN)
    };
    let from = part.from.min(bytes.len().saturating_sub(1));
    let mut window = from..bytes.len().min(from + most_bytes);
    let tree = tree(fields, &bytes, &window, most_fields);
    if let Some(cut_at) = tree.cut_at {
        window.end = cut_at.max(from + 1);
    }
    html! {
        section.frame id=(id) aria-label=(title) {
            h2 { (title) " " small { (length(bytes.len())) " bytes" } }
            (pages(id, &window, bytes.len(), part))
            div.pair {
                div.tree { (tree.markup) }
                (hex_dump(&bytes, &window, &tree.leaves))
            }
        }
    }
}

/// What of the frame is shown, and how to see the rest.
fn pages(id: &str, window: &Range<usize>, all: usize, part: &FramePart) -> Markup {
    let step = if part.all {
        FRAME_BYTES_AT_ONCE
    } else {
        FRAME_BYTES_SHOWN
    };
    let size = if part.all {
        format!("&all={id}")
    } else {
        String::new()
    };
    let href = |from: usize| format!("?{id}_from={from}{size}#{id}");
    html! {
        @if window.len() < all {
            p.window {
                span.cut {
                    "Bytes " (length(window.start)) " to " (length(window.end - 1)) " of "
                    (length(all)) ", and their fields."
                }
                @if window.start > 0 {
                    " " a data-part=(id) href=(href(window.start.saturating_sub(step))) { "\u{2039} before" }
                }
                @if window.end < all {
                    " " a data-part=(id) href=(href(window.end)) { "next \u{203a}" }
                }
                @if !part.all {
                    " " a data-part=(id) href={ "?all=" (id) "#" (id) } {
                        @if all <= FRAME_BYTES_AT_ONCE { "load all" }
                        @else { "load " (length(FRAME_BYTES_AT_ONCE)) " at once" }
                    }
                }
            }
        }
    }
}
