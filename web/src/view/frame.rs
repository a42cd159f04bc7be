//! A request's or reply's frame: its fields and its bytes, side by side.

use maud::{Markup, html};
use parallax_captures::redaction::masked;
use parallax_captures::{BinaryContent, Dialect};
use parallax_codec::{Command, ErrorCode, Field, Value, secret_ranges};

use super::fields::tree;
use super::format::length;
use super::hex::hex_dump;

pub(crate) fn frames(content: &BinaryContent, dialect: Dialect) -> Markup {
    let mut request = request_header(content, dialect);
    request.extend(content.request_fields());
    let mut reply = reply_header(content, dialect);
    reply.extend(content.reply_fields());
    html! {
        (frame("Request", &content.request_frame, &request))
        @if content.reply_frame.is_empty() {
            section { h2 { "Reply" } p.calm { "No reply was seen." } }
        } @else {
            (frame("Reply", &content.reply_frame, &reply))
        }
    }
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

fn request_header(content: &BinaryContent, dialect: Dialect) -> Vec<Field> {
    if dialect != Dialect::Classic || content.request_frame.len() < 8 {
        return Vec::new();
    }
    let meaning = Command::from_code(content.code).map_or("unknown", |command| command.name);
    vec![
        frame_length(&content.request_frame, 0),
        word("code", 4, content.code, meaning),
    ]
}

fn reply_header(content: &BinaryContent, dialect: Dialect) -> Vec<Field> {
    let (Some(status), Dialect::Classic, 8..) =
        (content.status, dialect, content.reply_frame.len())
    else {
        return Vec::new();
    };
    let meaning = match status {
        0 => "ok",
        code => ErrorCode(code).name().unwrap_or("unknown"),
    };
    vec![
        word("status", 0, status, meaning),
        frame_length(&content.reply_frame, 4),
    ]
}

fn word(name: &'static str, at: usize, number: u32, meaning: &'static str) -> Field {
    Field {
        name,
        range: at..at + 4,
        value: Value::Kind {
            number: number.into(),
            meaning,
        },
    }
}

/// The frame's own length field, at `at`.
fn frame_length(frame: &[u8], at: usize) -> Field {
    let bytes = frame[at..].first_chunk().copied().unwrap_or_default();
    Field {
        name: "length",
        range: at..at + 4,
        value: Value::Number(u32::from_le_bytes(bytes).into()),
    }
}
