//! One request and its response.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use jiff::Timestamp;

use crate::limits::MAX_HTTP_BODY;

/// One HTTP request and its response, or the absence of one.
///
/// Of the headers only what is named here is kept; the value of `Authorization`
/// never is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpExchange {
    /// When the request's first byte was captured.
    pub time: Timestamp,
    /// When its last byte was; none when the capture lacks it.
    pub request_ended: Option<Timestamp>,
    /// When the first byte of the response was captured; none without a response.
    pub response_began: Option<Timestamp>,
    /// When its last byte was captured; none when the capture lacks it.
    pub response_ended: Option<Timestamp>,
    /// `GET`, `PUT`, ...
    pub method: String,
    /// Path and query, as sent; the value of a query parameter that is named as
    /// a token or password is replaced by `***`.
    pub target: String,
    /// Whether the request had an `Authorization` header.
    pub authorized: bool,
    /// The request's body.
    pub request_body: HttpBody,
    /// The response's status; none when the capture holds no response.
    pub status: Option<u16>,
    /// The response's `Content-Type`.
    pub content_type: Option<String>,
    /// The response's body, chunks put together.
    pub response_body: HttpBody,
    /// Whether request and response were seen from their first byte to their
    /// last.
    pub complete: bool,
}

impl HttpExchange {
    /// From the request's first byte to the response's last: what the client
    /// waited. None without a whole response.
    pub fn latency(&self) -> Option<Duration> {
        let elapsed = self.response_ended?.duration_since(self.time);
        Some(elapsed.try_into().unwrap_or(Duration::ZERO))
    }
}

/// The body of a message.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HttpBody {
    /// What was kept of it: all, but for what is missing in the capture, beyond
    /// [`MAX_HTTP_BODY`], or withheld.
    pub bytes: Bytes,
    /// Its length, kept or not.
    pub length: u64,
    /// Not kept, because bodies of this address hold passwords and tokens.
    pub withheld: bool,
}

impl std::fmt::Debug for HttpBody {
    /// Without the bytes: even those that are kept are users' data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpBody")
            .field("kept", &self.bytes.len())
            .field("length", &self.length)
            .field("withheld", &self.withheld)
            .finish()
    }
}

/// A body while it comes in.
#[derive(Default)]
pub(super) struct BodyBuilder {
    withheld: bool,
    kept: BytesMut,
    length: u64,
    /// Bytes are missing in its middle.
    pub(super) gaps: bool,
}

impl BodyBuilder {
    pub(super) fn new(keeps: bool) -> Self {
        Self {
            withheld: !keeps,
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if !self.withheld {
            let room = MAX_HTTP_BODY.saturating_sub(self.kept.len());
            self.kept
                .extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        }
    }

    pub(super) fn missing(&mut self, length: u64) {
        self.length += length;
        self.gaps = true;
    }

    pub(super) fn build(self) -> HttpBody {
        HttpBody {
            bytes: self.kept.freeze(),
            length: self.length,
            withheld: self.withheld,
        }
    }
}
