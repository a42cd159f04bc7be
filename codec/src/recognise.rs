//! What a client speaks, told by its first bytes.

use crate::classic::looks_like_request;
use crate::limits::RECOGNISE_WITHIN;

/// A protocol that a client may begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Iggy with 8-byte headers, servers up to 0.8.
    Classic,
    /// HTTP, any version, in the clear.
    Http,
    /// A PROXY protocol header, version 1; what the client speaks follows it.
    ProxyV1,
    /// A PROXY protocol header, version 2; what the client speaks follows it.
    ProxyV2,
    /// TLS: a `ClientHello`. What is inside cannot be read.
    Tls,
    /// Iggy with 256-byte headers, servers from 0.9.
    Vsr,
    /// None of these.
    Unknown,
}

/// What a client that began with `first` speaks; `None` where more bytes are
/// needed to tell. More bytes never change an answer, and [`RECOGNISE_WITHIN`]
/// bytes always give one.
///
/// ```
/// use parallax_codec::recognise::{Protocol, recognise};
/// assert_eq!(recognise(b"GE"), None);
/// assert_eq!(recognise(b"GET / HTTP/1.1\r\n"), Some(Protocol::Http));
/// assert_eq!(recognise(&[4, 0, 0, 0, 1, 0, 0, 0]), Some(Protocol::Classic), "a ping");
/// ```
pub fn recognise(first: &[u8]) -> Option<Protocol> {
    let found = [
        (Protocol::Tls, is_client_hello(first)),
        (
            Protocol::Http,
            any(METHODS.iter().map(|m| begins(first, m))),
        ),
        (Protocol::ProxyV1, begins(first, b"PROXY ")),
        (Protocol::ProxyV2, begins(first, PROXY_V2)),
        (Protocol::Classic, is_classic(first)),
        (Protocol::Vsr, is_vsr(first)),
    ];
    for (protocol, answer) in found {
        match answer {
            Some(true) => return Some(protocol),
            Some(false) => {}
            // It comes before the protocols below, so it has to be ruled out first.
            None => return None,
        }
    }
    Some(Protocol::Unknown)
}

/// Methods of RFC 9110, and the first word of HTTP/2.
const METHODS: [&[u8]; 10] = [
    b"GET ",
    b"HEAD ",
    b"POST ",
    b"PUT ",
    b"DELETE ",
    b"CONNECT ",
    b"OPTIONS ",
    b"TRACE ",
    b"PATCH ",
    b"PRI ",
];

/// The signature of PROXY protocol version 2.
const PROXY_V2: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

/// True, false, or `None`: more bytes needed.
type Answer = Option<bool>;

fn begins(first: &[u8], prefix: &[u8]) -> Answer {
    if first.len() >= prefix.len() {
        Some(first.starts_with(prefix))
    } else if prefix.starts_with(first) {
        None
    } else {
        Some(false)
    }
}

fn any(answers: impl Iterator<Item = Answer>) -> Answer {
    let mut result = Some(false);
    for answer in answers {
        match answer {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

/// ```text
/// [0x16][0x03][minor u8][record length u16 BE][0x01][handshake length u24 BE]
/// ```
/// The first two bytes alone also begin a classic request of 790 bytes; that the
/// handshake fills its record tells them apart.
fn is_client_hello(first: &[u8]) -> Answer {
    match begins(first, &[0x16, 0x03]) {
        Some(true) => {}
        other => return other,
    }
    let &[_, _, minor, record_high, record_low, kind, a, b, c] = first.first_chunk::<9>()?;
    let record = u32::from_be_bytes([0, 0, record_high, record_low]);
    let handshake = u32::from_be_bytes([0, a, b, c]);
    Some(minor <= 4 && kind == 1 && handshake + 4 >= record)
}

fn is_classic(first: &[u8]) -> Answer {
    (first.len() >= 8).then(|| looks_like_request(first))
}

/// The size, at byte 48, is at least the header's own 256 bytes; the command, at
/// byte 60, is one that clients send: 3 (ping) or 5 (request). From
/// `iggy_binary_protocol` 0.11.0, `consensus/header.rs`.
fn is_vsr(first: &[u8]) -> Answer {
    let header = first.first_chunk::<RECOGNISE_WITHIN>()?;
    let size = u32::from_le_bytes([header[48], header[49], header[50], header[51]]);
    Some(size >= 256 && matches!(header[60], 3 | 5))
}
