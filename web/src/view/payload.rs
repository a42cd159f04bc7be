//! A payload as a person can read it: JSON, text, or bytes. Always as text.

use maud::{Markup, html};
use serde::de::IgnoredAny;

use super::format::length;
use super::hex::plain_hex;
use crate::limits::PAYLOAD_BYTES_SHOWN;

pub(crate) fn payload(payload: &[u8]) -> Markup {
    let shown = &payload[..payload.len().min(PAYLOAD_BYTES_SHOWN)];
    let (kind, text) = readable(payload, shown);
    html! {
        pre.payload data-kind=(kind) { (text) }
        @if shown.len() < payload.len() {
            p.cut {
                "Cut after " (length(shown.len())) " of " (length(payload.len())) " bytes."
            }
        }
    }
}

/// One line for a list.
pub(crate) fn preview(payload: &[u8]) -> String {
    const MOST: usize = 80;
    let shown = &payload[..payload.len().min(MOST)];
    let mut text = match text_of(shown) {
        Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        None => format!("{} bytes, no text", length(payload.len())),
    };
    if shown.len() < payload.len() {
        text.push('\u{2026}');
    }
    text
}

fn readable(whole: &[u8], shown: &[u8]) -> (&'static str, String) {
    if shown.is_empty() {
        return ("empty", "(empty)".to_owned());
    }
    let is_json = matches!(whole.first(), Some(b'{' | b'['))
        && whole.len() <= PAYLOAD_BYTES_SHOWN
        && serde_json::from_slice::<IgnoredAny>(whole).is_ok();
    match text_of(shown) {
        Some(text) if is_json => ("json", indented(text)),
        Some(text) => ("text", text.to_owned()),
        None => ("bytes", plain_hex(shown)),
    }
}

/// The longest valid beginning of a cut text, where it is text at all.
fn text_of(shown: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(shown) {
        Ok(text) => text,
        // A character that the cut went through.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&shown[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    (!text.contains(control)).then_some(text)
}

/// Valid JSON with line breaks. Its numbers, names and order stay exactly as
/// they were sent, which a round trip through a value would not promise.
fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        if in_string {
            out.push(letter);
            in_string = escaped || letter != '"';
            escaped = letter == '\\' && !escaped;
            continue;
        }
        match letter {
            '"' => {
                in_string = true;
                out.push(letter);
            }
            '{' | '[' => {
                out.push(letter);
                while letters.next_if(|next| next.is_whitespace()).is_some() {}
                if let Some(close) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            space if space.is_whitespace() => {}
            other => out.push(other),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(32)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_laid_out_and_not_altered() {
        let json = r#"{"b":1.10,"a":[1,{"x":"}\",{"}],"e":[ ],"n":123456789012345678901}"#;
        let (kind, text) = readable(json.as_bytes(), json.as_bytes());
        assert_eq!(kind, "json");
        assert_eq!(
            text,
            "{\n  \"b\": 1.10,\n  \"a\": [\n    1,\n    {\n      \"x\": \"}\\\",{\"\n    }\n  ],\n  \
             \"e\": [],\n  \"n\": 123456789012345678901\n}"
        );
    }

    #[test]
    fn what_is_no_text_is_shown_as_bytes() {
        assert_eq!(readable(&[0, 255], &[0, 255]).0, "bytes");
        assert_eq!(readable(b"\x1b[31m", b"\x1b[31m").0, "bytes");
        assert_eq!(
            readable(b"[not json", b"[not json"),
            ("text", "[not json".into())
        );
    }

    #[test]
    fn a_text_cut_within_a_letter_is_still_a_text() {
        assert_eq!(text_of(&"aä".as_bytes()[..2]), Some("a"));
    }
}
