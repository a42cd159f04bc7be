//! Messages field by field.

use std::fmt::Write as _;

use bytes::Bytes;
use parallax_captures::known::{HEADERS_AS_BASE64, KnownDifference, ONE_HEADER_PER_KEY};
use parallax_captures::poll::{PolledMessage, UserHeaders};
use parallax_captures::two_answers::first_difference;
use parallax_captures::verdict::Difference;

/// Bytes of a payload that a difference quotes.
const QUOTED_BYTES: usize = 16;

/// What differs in one message, the `index`th that TCP gave.
pub(super) fn message(
    index: usize,
    tcp: &PolledMessage,
    http: &PolledMessage,
    differences: &mut Vec<Difference>,
) {
    let mut note = |field: &str, tcp: String, http: String| {
        differences.push(Difference {
            field: format!("messages[{index}].{field}"),
            tcp,
            http,
        });
    };
    let mut number = |field: &str, tcp: u128, http: u128| {
        if tcp != http {
            note(field, tcp.to_string(), http.to_string());
        }
    };
    number("offset", tcp.offset.into(), http.offset.into());
    number("id", tcp.id, http.id);
    number("timestamp", tcp.timestamp.into(), http.timestamp.into());
    number(
        "origin_timestamp",
        tcp.origin_timestamp.into(),
        http.origin_timestamp.into(),
    );
    number("checksum", tcp.checksum.into(), http.checksum.into());
    if tcp.payload != http.payload {
        let differs = first_difference(&tcp.payload, &http.payload);
        let at = differs.map_or(0, |differs| differs.at);
        note("payload", quote(&tcp.payload, at), quote(&http.payload, at));
    }
    if !tcp.user_headers.says_the_same(&http.user_headers) {
        note(
            "user_headers",
            headers(&tcp.user_headers),
            headers(&http.user_headers),
        );
    }
}

/// What is known of headers that are the same and do not look so.
pub(super) fn known(tcp: &UserHeaders, http: &UserHeaders) -> Option<&'static KnownDifference> {
    if !tcp.says_the_same(http) {
        return None;
    }
    match (tcp, http) {
        (UserHeaders::Decoded(tcp), UserHeaders::Decoded(http)) => {
            (tcp.len() > http.len()).then_some(&ONE_HEADER_PER_KEY)
        }
        _ => Some(&HEADERS_AS_BASE64),
    }
}

fn headers(headers: &UserHeaders) -> String {
    match headers {
        UserHeaders::Opaque(bytes) => format!("{} bytes that are no headers", bytes.len()),
        UserHeaders::Decoded(headers) if headers.is_empty() => "none".to_owned(),
        UserHeaders::Decoded(headers) => {
            let shown = headers
                .iter()
                .map(|header| format!("{}={}", header.key, header.value));
            shown.collect::<Vec<_>>().join(", ")
        }
    }
}

fn quote(payload: &Bytes, at: usize) -> String {
    let mut text = format!("{} bytes, from byte {at}: ", payload.len());
    for byte in payload.iter().skip(at).take(QUOTED_BYTES) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
