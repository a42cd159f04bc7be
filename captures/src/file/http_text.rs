//! HTTP as it may have stood on the wire. Of HTTP exchanges parallax keeps what they
//! said, not their headers, so these are written anew, and say so.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parallax_codec::messages::HeaderField;
use serde_json::{Value, json};

use crate::exchange::HttpContent;
use crate::poll::{PollAnswer, PolledMessage, UserHeaders};
use crate::verdict::{MirrorAnswer, MirrorOutcome};

/// Marks what is written anew.
const ANEW: &str = "X-Parallax: headers and layout are written anew";

/// A captured request with its body.
pub(super) fn request(content: &HttpContent) -> Vec<u8> {
    let (method, target) = (&content.method, one_line(&content.target));
    message(
        &format!("{} {target} HTTP/1.1", one_line(method)),
        &content.request_body,
    )
}

/// The response to it.
pub(super) fn response(content: &HttpContent) -> Vec<u8> {
    let status = content.http_status.unwrap_or_default();
    message(&format!("HTTP/1.1 {status} "), &content.response_body)
}

/// What the mirror asked.
pub(super) fn mirror_request(answer: &MirrorAnswer) -> Vec<u8> {
    message(&format!("GET {} HTTP/1.1", one_line(&answer.target)), b"")
}

/// What it was answered; `None` where nothing usable came back.
pub(super) fn mirror_response(answer: &MirrorAnswer) -> Option<Vec<u8>> {
    let (status, body) = match &answer.outcome {
        MirrorOutcome::Answered(answer) => (200, poll_answer(answer)),
        MirrorOutcome::Stored(Some(stored)) => (
            200,
            json!({
                "partition_id": stored.partition_id,
                "current_offset": stored.current_offset,
                "stored_offset": stored.stored_offset,
            }),
        ),
        MirrorOutcome::Stored(None) => (404, json!({})),
        MirrorOutcome::Refused(refusal) => (
            refusal.http_status,
            json!({
                "id": refusal.code.map(|code| code.0),
                "reason": refusal.reason,
            }),
        ),
        MirrorOutcome::Failed(_) => return None,
    };
    Some(message(
        &format!("HTTP/1.1 {status} "),
        body.to_string().as_bytes(),
    ))
}

fn message(first_line: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("{first_line}\r\n{ANEW}\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// A line of a head stays one line, whatever a target holds.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], "?")
}

fn poll_answer(answer: &PollAnswer) -> Value {
    json!({
        "partition_id": answer.partition_id,
        "current_offset": answer.current_offset,
        "count": answer.count,
        "messages": answer.messages.iter().map(message_json).collect::<Vec<_>>(),
    })
}

fn message_json(message: &PolledMessage) -> Value {
    let field = |field: &HeaderField| json!({ "kind": field.kind.name(), "value": STANDARD.encode(&field.bytes) });
    let headers = match &message.user_headers {
        UserHeaders::Decoded(headers) => headers
            .iter()
            .map(|header| json!({ "key": field(&header.key), "value": field(&header.value) }))
            .collect(),
        UserHeaders::Opaque(bytes) => Value::from(STANDARD.encode(bytes)),
    };
    json!({
        "header": {
            "checksum": message.checksum,
            "id": message.id.to_string(),
            "offset": message.offset,
            "timestamp": message.timestamp,
            "origin_timestamp": message.origin_timestamp,
            "user_headers_length": 0,
            "payload_length": message.payload_length(),
        },
        "payload": STANDARD.encode(&message.payload),
        "user_headers": headers,
    })
}
