//! What errors are about, and which of them mean the same.

use parallax_captures::known::{
    BARE_NOT_FOUND, KnownDifference, NUMBER_OR_NAME, TOPIC_TEXT_SWAPPED,
};
use parallax_captures::poll::Poll;
use parallax_captures::verdict::HttpRefusal;
use parallax_codec::ErrorCode;

/// What an error on TCP is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Something that HTTP does not have, or not in that request.
    NotOnHttp(&'static str),
    /// The stream or the topic as a whole.
    Topic,
    /// A partition, or it cannot be told.
    Partition,
}

const STREAM_NOT_FOUND: [ErrorCode; 2] = [ErrorCode(1009), ErrorCode(1010)];
const TOPIC_NOT_FOUND: [ErrorCode; 2] = [ErrorCode(2010), ErrorCode(2011)];
const RESOURCE_NOT_FOUND: ErrorCode = ErrorCode(20);

pub(super) fn scope(code: ErrorCode) -> Scope {
    match code.0 {
        3 | 4 | 6 => Scope::NotOnHttp(
            "it could not make sense of the request, and HTTP would be sent another one.",
        ),
        30 => Scope::NotOnHttp("it is about the client's session, and HTTP has none."),
        40 | 42..=47 | 53 | 54 | 76..=78 => Scope::NotOnHttp(
            "it is about this connection's login, and parallax asks HTTP with its own.",
        ),
        57 | 58 => Scope::NotOnHttp("it asks the client to repeat the request a moment later."),
        5000..=5009 => Scope::NotOnHttp("it is about a consumer group, and HTTP has none."),
        1009 | 1010 | 2010 | 2011 => Scope::Topic,
        _ => Scope::Partition,
    }
}

/// Whether an HTTP refusal is about the stream or topic as a whole.
pub(super) fn is_about_the_topic(refusal: &HttpRefusal) -> bool {
    match refusal.code {
        Some(code) => scope(code) == Scope::Topic,
        None => refusal.http_status == 404,
    }
}

/// Whether an HTTP refusal is that the stream, topic or partition is not there.
pub(super) fn is_about_the_place(refusal: &HttpRefusal) -> bool {
    is_about_the_topic(refusal) || refusal.code == Some(ErrorCode::PARTITION_NOT_FOUND)
}

/// Whether the server could not answer over HTTP, rather than would not.
pub(super) fn is_servers_trouble(refusal: &HttpRefusal) -> bool {
    refusal.http_status >= 500
}

/// How two errors that mean the same look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Same {
    /// The same.
    Alike,
    /// Different, in a way that is known and harmless.
    Known(&'static KnownDifference),
    /// Different, each under a code of its own.
    UnderAnotherCode,
}

/// Whether the two errors mean the same, and how they look if they do.
pub(super) fn same(poll: &Poll, tcp: ErrorCode, http: &HttpRefusal) -> Option<Same> {
    match http.code {
        Some(code) if code == tcp && swapped(poll, http) => Some(Same::Known(&TOPIC_TEXT_SWAPPED)),
        Some(code) if code == tcp => Some(Same::Alike),
        Some(code)
            if [STREAM_NOT_FOUND, TOPIC_NOT_FOUND]
                .iter()
                .any(|pair| pair.contains(&tcp) && pair.contains(&code)) =>
        {
            Some(Same::Known(&NUMBER_OR_NAME))
        }
        Some(_) if is_under_another_code(tcp, http) => Some(Same::UnderAnotherCode),
        None if http.http_status == 404 && is_not_found(tcp) => Some(Same::Known(&BARE_NOT_FOUND)),
        _ => None,
    }
}

/// Whether both say that what a poll names is not there, one of them at another
/// level or in other words (case E4). The two spellings of one code, by number and
/// by name, are not meant.
pub(crate) fn is_under_another_code(tcp: ErrorCode, http: &HttpRefusal) -> bool {
    let Some(http) = http.code else {
        return false;
    };
    let spelled = |pair: &[ErrorCode; 2]| pair.contains(&tcp) && pair.contains(&http);
    let is_spelling = [STREAM_NOT_FOUND, TOPIC_NOT_FOUND].iter().any(spelled);
    tcp != http && !is_spelling && is_not_found(tcp) && is_not_found(http)
}

fn is_not_found(code: ErrorCode) -> bool {
    STREAM_NOT_FOUND.contains(&code)
        || TOPIC_NOT_FOUND.contains(&code)
        || [RESOURCE_NOT_FOUND, ErrorCode::PARTITION_NOT_FOUND].contains(&code)
}

fn swapped(poll: &Poll, http: &HttpRefusal) -> bool {
    let (stream, topic) = (&poll.stream, &poll.topic);
    let text = format!("Topic with ID: {stream} for stream with ID: {topic} ");
    stream != topic && http.reason.starts_with(&text)
}
