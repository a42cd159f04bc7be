//! Messages field by field.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bytes::Bytes;
use parallax_captures::known::{HEADERS_AS_BASE64, KnownDifference, ONE_HEADER_PER_KEY};
use parallax_captures::poll::{PolledMessage, UserHeaders};
use parallax_captures::verdict::Difference;
use parallax_codec::messages::HeaderField;

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
        let at = first_difference(&tcp.payload, &http.payload);
        note("payload", quote(&tcp.payload, at), quote(&http.payload, at));
    }
    if !same_headers(&tcp.user_headers, &http.user_headers) {
        note(
            "user_headers",
            headers(&tcp.user_headers),
            headers(&http.user_headers),
        );
    }
}

/// Header by header, in any order, and of two with the same key the last: see
/// [`ONE_HEADER_PER_KEY`].
fn same_headers(tcp: &UserHeaders, http: &UserHeaders) -> bool {
    match (tcp, http) {
        (UserHeaders::Opaque(tcp), UserHeaders::Opaque(http)) => tcp == http,
        (UserHeaders::Decoded(_), UserHeaders::Decoded(_)) => sorted(tcp) == sorted(http),
        _ => false,
    }
}

/// What is known of headers that are the same and do not look so.
pub(super) fn known(tcp: &UserHeaders, http: &UserHeaders) -> Option<&'static KnownDifference> {
    if !same_headers(tcp, http) {
        return None;
    }
    match (tcp, http) {
        (UserHeaders::Decoded(tcp), UserHeaders::Decoded(http)) => {
            (tcp.len() > http.len()).then_some(&ONE_HEADER_PER_KEY)
        }
        _ => Some(&HEADERS_AS_BASE64),
    }
}

fn sorted(headers: &UserHeaders) -> BTreeMap<(u8, &[u8]), &HeaderField> {
    let headers = match headers {
        UserHeaders::Decoded(headers) => headers.as_slice(),
        UserHeaders::Opaque(_) => &[],
    };
    headers
        .iter()
        .map(|header| {
            (
                (header.key.kind.0, header.key.bytes.as_slice()),
                &header.value,
            )
        })
        .collect()
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

fn first_difference(tcp: &Bytes, http: &Bytes) -> usize {
    let differs = |(tcp, http): (&u8, &u8)| tcp != http;
    let common = tcp.len().min(http.len());
    tcp.iter().zip(http).position(differs).unwrap_or(common)
}

fn quote(payload: &Bytes, at: usize) -> String {
    let mut text = format!("{} bytes, from byte {at}: ", payload.len());
    for byte in payload.iter().skip(at).take(QUOTED_BYTES) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
