//! A request's or reply's frame: its fields and its bytes, side by side.

use maud::{Markup, html};
use parallax_captures::redaction::masked;
use parallax_captures::{BinaryContent, Exchange, UnsolicitedContent};
use parallax_codec::{Field, secret_ranges};

use super::fields::tree;
use super::format::length;
use super::hex::hex_dump;

pub(crate) fn frames(exchange: &Exchange, content: &BinaryContent) -> Markup {
    html! {
        (frame("Request", &content.request_frame, &exchange.request_fields()))
        @if content.reply_frame.is_empty() {
            section { h2 { "Reply" } p.calm { "No reply was seen." } }
        } @else {
            (frame("Reply", &content.reply_frame, &exchange.reply_fields()))
        }
    }
}

pub(crate) fn unsolicited_frame(exchange: &Exchange, content: &UnsolicitedContent) -> Markup {
    frame("Frame", &content.frame, &exchange.reply_fields())
}

fn frame(title: &str, bytes: &[u8], fields: &[Field]) -> Markup {
    // They are masked where they are kept; a page does not rely on it.
    let bytes = masked(bytes, &secret_ranges(fields));
    let tree = tree(fields, &bytes);
    html! {
        section.frame aria-label=(title) {
            h2 { (title) " " small { (length(bytes.len())) " bytes" } }
            div.pair {
                div.tree { (tree.markup) }
                (hex_dump(&bytes, &tree.leaves))
            }
        }
    }
}
