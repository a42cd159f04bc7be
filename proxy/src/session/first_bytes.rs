//! A client's first bytes, and what they say where they begin no request.

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic;
use parallax_codec::recognise::Protocol;

/// What a client speaks instead of a dialect that is decoded, and what to do.
pub(super) fn explain(protocol: Protocol, first: &[u8]) -> String {
    match protocol {
        Protocol::Tls => {
            "the client speaks TLS, and parallax was not told to: what is inside cannot \
                          be read. Start parallax with --tls-ca or --tls-certificate, or turn TLS \
                          off in the client for the way to parallax"
                .to_owned()
        }
        Protocol::Http => "the client speaks HTTP on the port of the binary protocol: point it at \
                           the server's HTTP port"
            .to_owned(),
        Protocol::ProxyV1 | Protocol::ProxyV2 => "the client begins with a PROXY protocol header, \
                                                  which no Iggy server takes: turn it off in the \
                                                  load balancer before parallax"
            .to_owned(),
        Protocol::Classic | Protocol::Vsr | Protocol::Unknown => format!(
            "the client's first bytes ({}) begin no request of any known protocol",
            shown(first)
        ),
    }
}

/// What a server says whose first bytes are TLS's: an alert (record type 21, two bytes), which
/// is how one that speaks TLS answers a plain request. No status of a reply, nor VSR header
/// with its checksum in front, begins so.
pub(super) fn is_tls_alert(first: &[u8]) -> bool {
    matches!(first, [21, 3, 0..=4, 0, 2, ..])
}

/// What it means, and what to do.
pub(super) const SERVER_SPEAKS_TLS: &str = "the server speaks TLS, and parallax was not told to: it answers plain requests with an alert. \
     Start parallax with --upstream-tls";

/// As many of the first bytes as are looked at, in one piece.
pub(super) fn joined(chunks: &[(Timestamp, Bytes)], most: usize) -> Vec<u8> {
    let mut joined = Vec::new();
    for (_, bytes) in chunks {
        let room = most.saturating_sub(joined.len());
        joined.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
    joined
}

/// The first bytes, too few for a password, and what a server would read in
/// them.
pub(super) fn shown(first: &[u8]) -> String {
    let header: Vec<_> = first.iter().take(classic::FRAME_HEADER_SIZE).collect();
    let hex: Vec<_> = header.iter().map(|byte| format!("{byte:02x}")).collect();
    let word = |at: usize| -> Option<u32> {
        let bytes = first.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    match (word(0), word(4)) {
        (Some(length), Some(code)) => {
            format!(
                "{}: as a request length {length}, code {code}",
                hex.join(" ")
            )
        }
        _ => hex.join(" "),
    }
}
