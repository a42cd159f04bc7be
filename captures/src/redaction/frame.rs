//! Frames, by the byte ranges of their fields.

use parallax_codec::{Field, Value};

use super::Redaction;
use super::names::Names;

/// A frame with what its fields hold replaced. What follows the last field is nothing
/// that could be read: it is replaced whole.
pub(super) fn frame(
    names: &mut Names,
    redaction: Redaction,
    frame: &[u8],
    header_size: usize,
    fields: &[Field],
) -> Vec<u8> {
    let mut editor = Editor {
        names,
        redaction,
        frame: frame.to_vec(),
    };
    editor.fields(fields);
    let read = fields.last().map_or(0, |field| field.range.end);
    editor.content(read.max(header_size)..frame.len());
    editor.frame
}

struct Editor<'a> {
    names: &'a mut Names,
    redaction: Redaction,
    frame: Vec<u8>,
}

impl Editor<'_> {
    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            match (&field.value, field.name) {
                (Value::List(headers), "user_headers") => {
                    for header in headers {
                        self.user_header(header);
                    }
                }
                (Value::Group(inner) | Value::List(inner), _) => self.fields(inner),
                (Value::Number(number), "checksum" | "batch_checksum") => {
                    let number = self.names.key().number(*number);
                    self.put(field, &number.to_le_bytes());
                }
                (
                    Value::Bytes(_),
                    "payload" | "user_headers" | "messages_key" | "left_over" | "body",
                ) => self.content(field.range.clone()),
                (Value::Text(text), _) if self.redaction == Redaction::Names => {
                    let alias = alias(self.names, field.name, text);
                    self.put(field, alias.as_bytes());
                }
                _ => {}
            }
        }
    }

    /// Of a header the value, and the key where names are replaced.
    fn user_header(&mut self, header: &Field) {
        let Value::Group(sides) = &header.value else {
            return;
        };
        for side in sides {
            let Value::Group(parts) = &side.value else {
                continue;
            };
            if side.name == "value" || self.redaction == Redaction::Names {
                let parts = parts.iter().filter(|part| part.name == "value");
                for part in parts {
                    self.content(part.range.clone());
                }
            }
        }
    }

    fn content(&mut self, range: std::ops::Range<usize>) {
        if let Some(bytes) = self.frame.get_mut(range) {
            let other = self.names.key().content(bytes);
            bytes.copy_from_slice(&other);
        }
    }

    /// Puts bytes in a field's place; they are as many.
    fn put(&mut self, field: &Field, bytes: &[u8]) {
        if let Some(place) = self.frame.get_mut(field.range.clone())
            && place.len() == bytes.len()
        {
            place.copy_from_slice(bytes);
        }
    }
}

/// What stands for a text in a frame.
fn alias(names: &mut Names, field: &str, text: &str) -> String {
    match field {
        // An option and what a server says of it.
        "key" | "description" => text.to_owned(),
        "address" | "ip" => names.host(text),
        "context"
        | "iggy_server_version"
        | "kernel_version"
        | "os_name"
        | "os_version"
        | "sdk_name"
        | "sdk_version"
        | "server_version"
        | "version" => names.words(text),
        _ => names.name(text),
    }
}
