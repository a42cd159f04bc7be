//! A frame's fields, one a line, with their bytes.

use std::fmt::Write as _;

use parallax_captures::{Content, Exchange};
use parallax_codec::{Field, Value};

use crate::limits::VERBOSE_FRAME;

/// Bytes of a field that are shown beside it.
const BYTES_SHOWN: usize = 16;

/// The fields of an exchange's frames: byte range, name, value, bytes.
pub(crate) fn field_lines(exchange: &Exchange) -> String {
    let mut lines = String::new();
    match &exchange.content {
        Content::Binary(content) => {
            frame(&mut lines, "request", &content.request_frame, || {
                exchange.request_fields()
            });
            if !content.reply_frame.is_empty() {
                frame(&mut lines, "reply", &content.reply_frame, || {
                    exchange.reply_fields()
                });
            }
        }
        Content::Unsolicited(content) => {
            frame(&mut lines, "frame", &content.frame, || {
                exchange.reply_fields()
            });
        }
        Content::Http(_) => {}
    }
    lines
}

fn frame(lines: &mut String, what: &str, bytes: &[u8], fields: impl Fn() -> Vec<Field>) {
    let _ = writeln!(lines, "       {what}, {} bytes", bytes.len());
    if bytes.len() > VERBOSE_FRAME {
        let _ = writeln!(
            lines,
            "         its fields are not shown: it is longer than {VERBOSE_FRAME} bytes"
        );
        return;
    }
    for field in fields() {
        line(lines, &field, bytes, 0);
    }
}

fn line(lines: &mut String, field: &Field, frame: &[u8], depth: usize) {
    let range = format!("{}..{}", field.range.start, field.range.end);
    let name = format!("{:indent$}{}", "", field.name, indent = depth * 2);
    let start = field.range.start.min(frame.len());
    let own = &frame[start..field.range.end.clamp(start, frame.len())];
    if let Value::Group(inner) | Value::List(inner) = &field.value {
        let _ = writeln!(lines, "         {range:<12} {name}");
        for field in inner {
            line(lines, field, frame, depth + 1);
        }
        return;
    }
    let (value, bytes) = (text(&field.value), hex(own));
    let _ = writeln!(lines, "         {range:<12} {name:<28} {value:<32} {bytes}");
}

fn text(value: &Value) -> String {
    match value {
        Value::Group(_) | Value::List(_) => String::new(),
        Value::Number(number) => number.to_string(),
        Value::Wide(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Kind { number, meaning } => format!("{number} ({meaning})"),
        Value::Flag(flag) => flag.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Bytes(length) => format!("{length} bytes"),
        Value::Secret(_) => "***".to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    let shown = bytes.iter().take(BYTES_SHOWN);
    let shown: Vec<_> = shown.map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > BYTES_SHOWN { " .." } else { "" };
    shown.join(" ") + more
}
