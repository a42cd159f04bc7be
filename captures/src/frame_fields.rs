//! A frame's fields with their byte ranges, header and body: what marks the
//! bytes of a field and names the field of a byte.

use parallax_codec::classic::FRAME_HEADER_SIZE;
use parallax_codec::vsr::{self, EvictionHeader, HEADER_SIZE, Prelude, ReplyHeader, RequestHeader};
use parallax_codec::{Command, ErrorCode, Field, Value, fields_of};

use crate::connection::Dialect;
use crate::exchange::{BinaryContent, UnsolicitedContent};

/// The fields of a request's frame.
pub(crate) fn request_fields(content: &BinaryContent, dialect: Dialect) -> Vec<Field> {
    let frame = &content.request_frame;
    let mut fields = match dialect {
        Dialect::Classic if frame.len() >= FRAME_HEADER_SIZE => {
            let name = Command::from_code(content.code).map_or("unknown", |known| known.name);
            vec![length(frame, 0), word("code", 4, content.code, name)]
        }
        Dialect::Vsr => match frame.first_chunk::<HEADER_SIZE>() {
            Some(header) => fields_of(&RequestHeader::of(header), 0),
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    if let Some(request) = &content.request {
        fields.extend(request.fields(header_size(dialect)));
    }
    fields
}

/// The fields of a reply's frame.
pub(crate) fn reply_fields(content: &BinaryContent, dialect: Dialect) -> Vec<Field> {
    let frame = &content.reply_frame;
    let mut fields = match (dialect, content.status) {
        (Dialect::Classic, Some(status)) if frame.len() >= FRAME_HEADER_SIZE => {
            let name = match status {
                0 => "ok",
                code => ErrorCode(code).name().unwrap_or("unknown"),
            };
            vec![word("status", 0, status, name), length(frame, 4)]
        }
        (Dialect::Vsr, _) => vsr_header_fields(frame),
        _ => Vec::new(),
    };
    let mut start = header_size(dialect);
    if let Some(result) = &content.result {
        fields.extend(fields_of(result, start));
        start += result.encoded_length();
    }
    if let Some(reply) = &content.reply {
        fields.extend(reply.fields(start));
    }
    fields
}

/// The fields of a frame that nobody asked for.
pub(crate) fn unsolicited_fields(content: &UnsolicitedContent) -> Vec<Field> {
    vsr_header_fields(&content.frame)
}

/// Replies and evictions; of other frames the header's layout is not known here.
fn vsr_header_fields(frame: &[u8]) -> Vec<Field> {
    let Some(header) = frame.first_chunk::<HEADER_SIZE>() else {
        return Vec::new();
    };
    match Prelude::of(header).command {
        vsr::Command::REPLY => fields_of(&ReplyHeader::of(header), 0),
        vsr::Command::EVICTION => fields_of(&EvictionHeader::of(header), 0),
        _ => Vec::new(),
    }
}

/// Bytes before the body of a frame.
pub(crate) const fn header_size(dialect: Dialect) -> usize {
    match dialect {
        Dialect::Vsr => HEADER_SIZE,
        Dialect::Classic | Dialect::Http => FRAME_HEADER_SIZE,
    }
}

fn word(name: &'static str, at: usize, number: u32, meaning: &'static str) -> Field {
    let number = number.into();
    Field {
        name,
        range: at..at + 4,
        value: Value::Kind { number, meaning },
    }
}

/// A classic frame's own length field, at `at`.
fn length(frame: &[u8], at: usize) -> Field {
    let bytes = frame[at..].first_chunk().copied().unwrap_or_default();
    Field {
        name: "length",
        range: at..at + 4,
        value: Value::Number(u32::from_le_bytes(bytes).into()),
    }
}
