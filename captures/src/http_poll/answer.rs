//! The answer to a poll.

use bytes::Bytes;
use parallax_codec::ErrorCode;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::exact::Exact;
use super::headers;
use crate::limits::HTTP_REASON_BYTES;
use crate::poll::{PollAnswer, PolledMessage};
use crate::text::cut;
use crate::verdict::HttpRefusal;

/// Most characters of a foreign body that a message quotes.
const QUOTED: usize = 120;

/// Reads what a poll was answered over HTTP: the messages, or the refusal.
///
/// # Errors
/// A sentence about why the answer is neither: not JSON, of another shape, or an
/// error that did not come from Iggy's poll handler.
pub fn parse_answer(
    http_status: u16,
    body: &[u8],
) -> Result<Result<PollAnswer, HttpRefusal>, String> {
    if http_status != 200 {
        return parse_refusal(http_status, body).map(Err);
    }
    let parsed = serde_json::from_slice::<Answer>(body)
        .map_err(|error| error.to_string())
        .and_then(Answer::read);
    parsed.map(Ok).map_err(|error| {
        let quoted = quote(body);
        // What was found may be quoted in there.
        let error = cut(error, HTTP_REASON_BYTES);
        format!("HTTP 200 with a body that is no answer to a poll: {error}. It begins {quoted}")
    })
}

/// Reads an error that HTTP reported to any request: `{id, code, reason, field}`.
/// An id that repeats the HTTP status (`not_found` 404, `partition_read_timeout`
/// 504) is HTTP's own, and no code of Iggy's.
///
/// # Errors
/// A sentence about why the body is no such error.
pub fn parse_refusal(http_status: u16, body: &[u8]) -> Result<HttpRefusal, String> {
    let refusal = serde_json::from_slice::<Refusal>(body).map_err(|_| {
        if body.is_empty() {
            format!("HTTP {http_status} without a body")
        } else {
            format!(
                "HTTP {http_status} with a body that is no error of Iggy's: {}",
                quote(body)
            )
        }
    })?;
    let is_iggys = refusal.id != u32::from(http_status) && refusal.code != "not_found";
    let code = is_iggys.then_some(ErrorCode(refusal.id));
    Ok(HttpRefusal {
        http_status,
        code,
        reason: cut(refusal.reason, HTTP_REASON_BYTES),
    })
}

#[derive(Deserialize)]
struct Refusal {
    id: u32,
    code: String,
    reason: String,
}

#[derive(Deserialize)]
struct Answer {
    partition_id: Exact<u32>,
    current_offset: Exact<u64>,
    count: Exact<u32>,
    messages: Vec<HttpMessage>,
}

#[derive(Deserialize)]
struct HttpMessage {
    header: Header,
    payload: String,
    #[serde(default)]
    user_headers: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Header {
    checksum: Exact<u64>,
    id: Exact<u128>,
    offset: Exact<u64>,
    timestamp: Exact<u64>,
    origin_timestamp: Exact<u64>,
}

impl Answer {
    fn read(self) -> Result<PollAnswer, String> {
        let messages = self.messages.into_iter().map(HttpMessage::read);
        Ok(PollAnswer {
            partition_id: self.partition_id.0,
            current_offset: self.current_offset.0,
            count: self.count.0,
            messages: messages.collect::<Result<_, _>>()?,
        })
    }
}

impl HttpMessage {
    fn read(self) -> Result<PolledMessage, String> {
        let offset = self.header.offset.0;
        let at = |error| format!("message at offset {offset}: {error}");
        let payload = headers::base64(&self.payload).map_err(at)?;
        Ok(PolledMessage {
            offset,
            id: self.header.id.0,
            timestamp: self.header.timestamp.0,
            origin_timestamp: self.header.origin_timestamp.0,
            checksum: self.header.checksum.0,
            payload: Bytes::from(payload),
            payload_left_out: 0,
            user_headers: headers::parse(self.user_headers.as_deref()).map_err(at)?,
        })
    }
}

/// The beginning of a body that is not what was expected.
fn quote(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(QUOTED * 4)]);
    let beginning: String = text.chars().take(QUOTED).collect();
    format!("{beginning:?}")
}
