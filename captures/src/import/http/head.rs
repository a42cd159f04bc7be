//! First line and headers of a message.

use httparse::{EMPTY_HEADER, Header, Request, Response};
use parallax_codec::classic::Direction;

use crate::limits::MAX_HTTP_HEADERS;

/// What is kept of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Head {
    Request {
        method: String,
        target: String,
        authorized: bool,
    },
    Response {
        status: u16,
        content_type: Option<String>,
    },
}

/// How the length of a body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    Chunked,
    Length(u64),
    UntilClose,
    /// What follows is no longer HTTP (101 Switching Protocols).
    NotHttp,
}

/// Parses a whole head. `to_head`: the request that this response answers was
/// `HEAD`, so that no body follows. `None`: it is not HTTP.
pub(super) fn parse(direction: Direction, bytes: &[u8], to_head: bool) -> Option<(Head, Framing)> {
    let mut headers = [EMPTY_HEADER; MAX_HTTP_HEADERS];
    match direction {
        Direction::ToServer => {
            let mut request = Request::new(&mut headers);
            let complete = request.parse(bytes).ok()?.is_complete();
            let framing = framing(request.headers, Framing::Length(0))?;
            let head = Head::Request {
                method: request.method?.to_owned(),
                target: request.path?.to_owned(),
                authorized: value(request.headers, "authorization").is_some(),
            };
            complete.then_some((head, framing))
        }
        Direction::ToClient => {
            let mut response = Response::new(&mut headers);
            let complete = response.parse(bytes).ok()?.is_complete();
            let status = response.code?;
            let framing = match status {
                101 => Framing::NotHttp,
                100..200 | 204 | 304 => Framing::Length(0),
                _ if to_head => Framing::Length(0),
                _ => framing(response.headers, Framing::UntilClose)?,
            };
            let content_type = value(response.headers, "content-type")
                .map(|value| String::from_utf8_lossy(value).into_owned());
            let head = Head::Response {
                status,
                content_type,
            };
            complete.then_some((head, framing))
        }
    }
}

/// RFC 9112, section 6.3.
fn framing(headers: &[Header<'_>], without: Framing) -> Option<Framing> {
    if let Some(coding) = value(headers, "transfer-encoding") {
        let last = coding.rsplit(|byte| *byte == b',').next()?;
        return Some(if last.trim_ascii().eq_ignore_ascii_case(b"chunked") {
            Framing::Chunked
        } else {
            Framing::UntilClose
        });
    }
    match value(headers, "content-length") {
        None => Some(without),
        Some(length) => {
            let length = std::str::from_utf8(length.trim_ascii()).ok()?;
            length.parse().ok().map(Framing::Length)
        }
    }
}

fn value<'a>(headers: &[Header<'a>], name: &str) -> Option<&'a [u8]> {
    let header = headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))?;
    Some(header.value)
}
