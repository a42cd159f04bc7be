//! A request's or reply's frame: its fields and its bytes, side by side, a window of
//! it at a time.

use std::ops::Range;

use maud::{Markup, html};
use parallax_captures::redaction::masked;
use parallax_captures::{BinaryContent, Exchange, UnsolicitedContent};
use parallax_codec::{Field, secret_ranges};

use super::fields::tree;
use super::format::length;
use super::hex::hex_dump;
use super::wanted_parts::{FramePart, Parts};
use crate::limits::{FIELDS_AT_ONCE, FIELDS_SHOWN, FRAME_BYTES_AT_ONCE, FRAME_BYTES_SHOWN};

pub(crate) fn frames(exchange: &Exchange, content: &BinaryContent, parts: &Parts) -> Markup {
    let request = exchange.request_fields();
    html! {
        (frame("request", "Request", &content.request_frame, &request, &parts.request))
        @if content.reply_frame.is_empty() {
            section { h2 { "Reply" } p.calm { "No reply was seen." } }
        } @else {
            (frame("reply", "Reply", &content.reply_frame, &exchange.reply_fields(), &parts.reply))
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
        &exchange.reply_fields(),
        &parts.reply,
    )
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
