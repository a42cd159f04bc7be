//! A payload as a person can read it: JSON, text, or bytes. Always as text.

use std::ops::Range;

use maud::{Markup, html};
use serde::de::IgnoredAny;

use super::format::length;
use super::hex::plain_hex;
use super::json_text::indented;
use crate::limits::{JSON_LAID_OUT, PAYLOAD_BYTES_AT_ONCE, PAYLOAD_BYTES_SHOWN};
use crate::problem::Problem;

/// How a payload is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Text,
    Hex,
}

impl Form {
    const ALL: [Self; 3] = [Self::Json, Self::Text, Self::Hex];

    /// In an address.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Hex => "hex",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Text => "Text",
            Self::Hex => "Hex",
        }
    }

    /// The form of this name.
    ///
    /// # Errors
    /// There is none; which there are.
    pub(crate) fn named(name: &str) -> Result<Self, Problem> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|form| form.name() == name);
        found.ok_or_else(|| Problem::bad_query("as must be json, text or hex."))
    }

    /// The form in which a payload says most.
    pub(crate) fn of(payload: &[u8]) -> Self {
        if is_json(payload) {
            Self::Json
        } else if text_of(&payload[..payload.len().min(PAYLOAD_BYTES_SHOWN)]).is_some() {
            Self::Text
        } else {
            Self::Hex
        }
    }
}

/// A payload, where it can be seen alone, and how it is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) payload: &'a [u8],
    /// The address of its own page.
    pub(crate) address: &'a str,
    /// The element's id.
    pub(crate) id: &'a str,
    /// `None`: that in which it says most.
    pub(crate) form: Option<Form>,
    /// The first byte shown; of JSON that is laid out the first character.
    pub(crate) from: usize,
    /// As much as one page may hold.
    pub(crate) all: bool,
}

/// The payload with its forms to choose from.
pub(crate) fn payload(shown: Shown<'_>) -> Markup {
    let form = shown.form.unwrap_or_else(|| Form::of(shown.payload));
    let most = if shown.all {
        PAYLOAD_BYTES_AT_ONCE
    } else {
        PAYLOAD_BYTES_SHOWN
    };
    let piece = piece(shown.payload, form, shown.from, most);
    let (id, address) = (shown.id, shown.address);
    html! {
        div.payload-view id=(id) {
            @if shown.payload.is_empty() {
                p.calm { "It is empty." }
            } @else {
                nav.tabs aria-label="Forms of the payload" {
                    @for one in Form::ALL {
                        @let current = (one == form).then_some("true");
                        a data-part=(id) href={ (address) "?as=" (one.name()) } aria-current=[current] { (one.words()) }
                    }
                    a href={ (address) "/payload" } download { "Download" }
                }
                @if let Some(note) = piece.note { p.note { (note) } }
                pre.payload tabindex="0" data-kind=(piece.kind) { (piece.text) }
                (pages(&piece, form, &shown))
            }
        }
    }
}

fn pages(piece: &Piece, form: Form, shown: &Shown<'_>) -> Markup {
    let Range { start, end } = piece.window;
    let (id, address) = (shown.id, shown.address);
    let href = |from: usize| format!("{address}?as={}&from={from}", form.name());
    html! {
        @if start > 0 || end < piece.all {
            p.window {
                span.cut {
                    @if start == 0 { "Cut after " (length(end)) } @else { (length(start)) " to " (length(end)) }
                    " of " (length(piece.all)) " " (piece.unit) "."
                }
                @if start > 0 {
                    " " a data-part=(id) href=(href(start.saturating_sub(PAYLOAD_BYTES_AT_ONCE))) { "\u{2039} before" }
                }
                @if end < piece.all {
                    @if shown.all {
                        " " a data-part=(id) href=(href(end)) { "next \u{203a}" }
                    } @else {
                        " " a data-part=(id) href=(href(0)) {
                            @if piece.all <= PAYLOAD_BYTES_AT_ONCE { "load all" }
                            @else { "load " (length(PAYLOAD_BYTES_AT_ONCE)) " at once" }
                        }
                    }
                }
            }
        }
    }
}

/// What is shown of a payload.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    kind: &'static str,
    text: String,
    window: Range<usize>,
    all: usize,
    unit: &'static str,
    note: Option<&'static str>,
}

fn piece(payload: &[u8], form: Form, from: usize, most: usize) -> Piece {
    let from = boundary(payload, from);
    let bytes = from..boundary(payload, from.saturating_add(most)).max(from);
    let of_bytes = |kind, text, note| Piece {
        kind,
        text,
        window: bytes.clone(),
        all: payload.len(),
        unit: "bytes",
        note,
    };
    match form {
        Form::Hex => {
            let start = bytes.start - bytes.start % 16;
            of_bytes("bytes", plain_hex(&payload[start..bytes.end], start), None)
        }
        Form::Text => of_bytes("text", readable(&payload[bytes.clone()]), None),
        Form::Json if !is_json(payload) => {
            let note = if payload.len() > JSON_LAID_OUT {
                "It is too long to be laid out as JSON; this is its text."
            } else {
                "It is no JSON; this is its text."
            };
            of_bytes("text", readable(&payload[bytes.clone()]), Some(note))
        }
        Form::Json => {
            let whole = indented(&String::from_utf8_lossy(payload));
            let start = whole.floor_char_boundary(from.min(whole.len()));
            let end = whole.floor_char_boundary(whole.len().min(start.saturating_add(most)));
            Piece {
                kind: "json",
                text: whole[start..end].to_owned(),
                window: start..end,
                all: whole.len(),
                unit: "bytes of laid out JSON",
                note: None,
            }
        }
    }
}

/// `at`, or the beginning of the letter that it is within.
fn boundary(payload: &[u8], at: usize) -> usize {
    let at = at.min(payload.len());
    let is_within = |at: &usize| payload.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let before = (at.saturating_sub(3)..=at).rev().find(|at| !is_within(at));
    before.unwrap_or(at)
}

/// Whether it is valid JSON, and no longer than what is laid out.
fn is_json(payload: &[u8]) -> bool {
    matches!(payload.trim_ascii_start().first(), Some(b'{' | b'['))
        && payload.len() <= JSON_LAID_OUT
        && serde_json::from_slice::<IgnoredAny>(payload).is_ok()
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

/// Bytes as text whatever they are; control characters as their pictures.
fn readable(bytes: &[u8]) -> String {
    let picture = |letter: char| match letter {
        '\n' | '\r' | '\t' => letter,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or(letter),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' => char::REPLACEMENT_CHARACTER,
        _ => letter,
    };
    String::from_utf8_lossy(bytes)
        .chars()
        .map(picture)
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(payload: &[u8], form: Form) -> Piece {
        piece(payload, form, 0, PAYLOAD_BYTES_SHOWN)
    }

    #[test]
    fn a_payload_is_shown_as_what_it_is() {
        for (payload, form) in [
            (&b"{\"a\": 1}"[..], Form::Json),
            (b" [1]", Form::Json),
            (b"[not json", Form::Text),
            (b"12", Form::Text),
            (&[0, 255], Form::Hex),
            (b"\x1b[31m", Form::Hex),
        ] {
            assert_eq!(Form::of(payload), form, "{payload:?}");
        }
    }

    #[test]
    fn every_form_can_be_asked_for() {
        assert_eq!(
            whole(b"{\"a\":1.10}", Form::Json).text,
            "{\n  \"a\": 1.10\n}"
        );
        assert_eq!(whole(b"{\"a\":1.10}", Form::Text).text, "{\"a\":1.10}");
        assert!(
            whole(b"{\"a\"", Form::Hex)
                .text
                .starts_with("0000  7b 22 61 22 ")
        );
        let no_json = whole(b"abc", Form::Json);
        assert_eq!((no_json.kind, no_json.note.is_some()), ("text", true));
        assert_eq!(
            whole(b"\x00\x1b[\x7f\xff", Form::Text).text,
            "\u{2400}\u{241b}[\u{2421}\u{fffd}"
        );
        assert!(Form::named("xml").is_err());
    }

    #[test]
    fn a_long_one_is_shown_in_pieces_that_leave_nothing_out() {
        let payload: Vec<u8> = (0..5_000_u32)
            .map(|n| b'a' + u8::try_from(n % 26).unwrap())
            .collect();
        let mut text = String::new();
        let mut from = 0;
        while from < payload.len() {
            let piece = piece(&payload, Form::Text, from, 1_999);
            text.push_str(&piece.text);
            from = piece.window.end;
        }
        assert_eq!(text.as_bytes(), payload);
        let letters = "\u{1f980}".repeat(10);
        assert_eq!(
            piece(letters.as_bytes(), Form::Text, 0, 7).text,
            "\u{1f980}"
        );
        let json = format!("[{}1]", "1,".repeat(3_000));
        let whole = indented(&json);
        let first = piece(json.as_bytes(), Form::Json, 0, 1_000);
        let second = piece(json.as_bytes(), Form::Json, first.window.end, 1_000_000);
        assert_eq!(first.text + &second.text, whole);
        let hex = piece(&payload, Form::Hex, 32, 16).text;
        assert!(hex.starts_with("0020  "), "{hex}");
    }

    #[test]
    fn a_text_cut_within_a_letter_is_still_a_text() {
        assert_eq!(text_of(&"aä".as_bytes()[..2]), Some("a"));
    }

    #[test]
    fn what_is_too_long_to_be_laid_out_is_text_and_that_is_said() {
        let long = format!("[\"{}\"]", "x".repeat(JSON_LAID_OUT));
        assert_eq!(Form::of(long.as_bytes()), Form::Text);
        let piece = whole(long.as_bytes(), Form::Json);
        assert!(piece.note.unwrap().contains("too long"));
        assert_eq!(piece.text.len(), PAYLOAD_BYTES_SHOWN);
    }
}
