//! An exchange as a tree of fields to compare.

use parallax_codec::primitives::Ack;
use parallax_codec::vsr::HEADER_SIZE;
use parallax_codec::{Encode as _, Field, Reply, Request};
use serde_json::Value;

use crate::exchange::{BinaryContent, Content, Exchange, HttpContent};
use crate::frame_fields::header_size;
use crate::json;
use crate::poll::PolledMessage;

/// What was asked.
pub(super) fn request(exchange: &Exchange) -> Value {
    match &exchange.content {
        Content::Binary(content) => match &content.request {
            Some(
                Request::PollMessages(_)
                | Request::PollMessagesOnPrimary(_)
                | Request::GetConsumerOffset(_),
            ) => json::request(exchange),
            Some(Request::StoreConsumerOffset(store)) => with_ack(exchange, store.ack),
            Some(Request::DeleteConsumerOffset(delete)) => with_ack(exchange, delete.ack),
            Some(Request::SendMessages(sent)) => {
                let mut value = json::request(exchange);
                let messages = sent.messages.iter().map(PolledMessage::from);
                add_payloads(&mut value, messages);
                value
            }
            Some(request) => {
                let start = header_size(exchange.dialect);
                body(&request.fields(start), &content.request_frame)
            }
            None => Value::Null,
        },
        Content::Http(content) => {
            let mut value = json::request(exchange);
            add_body(&mut value, &content.request_body);
            value
        }
        Content::Unsolicited(_) => Value::Null,
    }
}

/// A stored offset's request; in the VSR dialect it says whose word is waited for.
fn with_ack(exchange: &Exchange, ack: Option<Ack>) -> Value {
    let mut value = json::request(exchange);
    if let Some(ack) = ack {
        value["ack"] = ack.name().into();
    }
    value
}

/// What was answered.
pub(super) fn response(exchange: &Exchange) -> Value {
    match &exchange.content {
        Content::Binary(content) => reply(exchange, content),
        Content::Http(content) => http_response(exchange, content),
        Content::Unsolicited(_) => json::response(exchange),
    }
}

/// The 256 bytes before a request's body.
pub(super) fn request_header(exchange: &Exchange) -> Value {
    let frame = exchange.binary().map(|content| &content.request_frame[..]);
    header(&exchange.request_fields(), frame.unwrap_or_default())
}

/// The 256 bytes before a reply's body, but for the status, which is told beside them.
pub(super) fn response_header(exchange: &Exchange) -> Value {
    let frame = exchange.binary().map(|content| &content.reply_frame[..]);
    let mut fields = exchange.reply_fields();
    fields.retain(|field| !["status", "status_or_namespace", "namespace"].contains(&field.name));
    header(&fields, frame.unwrap_or_default())
}

fn reply(exchange: &Exchange, content: &BinaryContent) -> Value {
    match &content.reply {
        Some(Reply::PolledMessages(_)) => {
            let mut value = json::response(exchange);
            let answer = exchange.poll_answer();
            add_payloads(&mut value, answer.into_iter().flat_map(|a| a.messages));
            value
        }
        Some(Reply::Empty) | None => json::response(exchange),
        Some(reply) => {
            // What precedes the body in the VSR dialect is told by the status.
            let start = content.reply_frame.len().checked_sub(reply.encode().len());
            body(
                &reply.fields(start.unwrap_or_default()),
                &content.reply_frame,
            )
        }
    }
}

fn http_response(exchange: &Exchange, content: &HttpContent) -> Value {
    let mut value = json::response(exchange);
    match &content.answer {
        Some(Ok(answer)) => add_payloads(&mut value, answer.messages.iter().cloned()),
        Some(Err(_)) => {}
        None => add_body(&mut value, &content.response_body),
    }
    value
}

fn body(fields: &[Field], frame: &[u8]) -> Value {
    json::fields_with(fields, &|field| shown(frame, field))
}

fn shown(frame: &[u8], field: &Field) -> Value {
    frame.get(field.range.clone()).map_or(Value::Null, bytes)
}

fn header(fields: &[Field], frame: &[u8]) -> Value {
    let in_header = |field: &&Field| field.range.start < HEADER_SIZE;
    let header: Vec<Field> = fields.iter().filter(in_header).cloned().collect();
    body(&header, frame)
}

/// JSON as its fields, anything else as text or bytes.
fn add_body(value: &mut Value, raw: &[u8]) {
    if !raw.is_empty() {
        value["body"] = serde_json::from_slice(raw).unwrap_or_else(|_| bytes(raw));
    }
}

fn add_payloads(value: &mut Value, messages: impl Iterator<Item = PolledMessage>) {
    for (index, message) in messages.enumerate() {
        if let Some(shown) = value["messages"].get_mut(index) {
            shown["payload"] = bytes(&message.payload);
            if is_drawn(message.id) {
                shown["id"] = DRAWN.into();
            }
        }
    }
}

/// What stands for an id that was drawn at random: two of them are never equal, and
/// that says nothing.
const DRAWN: &str = "drawn at random";

/// Servers and producers that give a message an id of its own take a UUID; those
/// that count stay below 2^64 (recordings `setup` and `polls`).
const fn is_drawn(id: u128) -> bool {
    id >> 64 != 0
}

/// Text as it is, other bytes in hexadecimal: the two cannot be taken for each other.
fn bytes(raw: &[u8]) -> Value {
    use std::fmt::Write as _;
    match std::str::from_utf8(raw) {
        Ok(text) if !text.starts_with("0x") => text.into(),
        _ => {
            let mut hex = "0x".to_owned();
            for byte in raw {
                let _ = write!(hex, "{byte:02x}");
            }
            hex.into()
        }
    }
}
