//! HTTP/1.1 exchanges on one stream.
//!
//! Stream events go in, whole exchanges come out; no file, no clock. Where the
//! capture lacks bytes inside a body, the body is short and says so; where it
//! lacks them elsewhere, the exchanges concerned come out incomplete and
//! reading goes on at the next message that begins with a packet.

mod chunks;
mod exchange;
mod head;
mod message;
mod secrets;
mod stream;

pub use self::exchange::{HttpBody, HttpExchange};
pub use self::stream::{HttpCounts, HttpStream};

/// Whether a direction's first bytes are those of an HTTP/1 message: a request
/// or a response. `None`: too few to tell.
///
/// ```
/// use parallax_captures::import::http::looks_like_http;
/// assert_eq!(looks_like_http(b"GET /stats HTTP/1.1\r\n"), Some(true));
/// assert_eq!(looks_like_http(&[8, 0, 0, 0, 1, 0, 0, 0]), Some(false));
/// assert_eq!(looks_like_http(b"HT"), None);
/// ```
pub fn looks_like_http(first: &[u8]) -> Option<bool> {
    if BEGINNINGS.iter().any(|begin| first.starts_with(begin)) {
        Some(true)
    } else if BEGINNINGS.iter().any(|begin| begin.starts_with(first)) {
        None
    } else {
        Some(false)
    }
}

const BEGINNINGS: [&[u8]; 10] = [
    b"CONNECT ",
    b"DELETE ",
    b"GET ",
    b"HEAD ",
    b"HTTP/1.",
    b"OPTIONS ",
    b"PATCH ",
    b"POST ",
    b"PUT ",
    b"TRACE ",
];
