//! What holds for any file: the body of the fuzz target, which the ordinary tests
//! run over changed recordings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Cursor;

use parallax_captures::limits::JOURNAL_FINDINGS;
use parallax_captures::{Content, Exchange, json};
use parallax_proxy::offline::read_packets;

/// The shortest frame: a classic header.
const SHORTEST_FRAME: usize = 8;

/// Bytes of JSON for what every exchange has: times, names, verdict.
const JSON_OF_EXCHANGE: usize = 8 * 1024;

/// Bytes of JSON for a byte of a frame: each is shown as it is and as the field
/// that it is.
const JSON_OF_BYTE: usize = 64;

/// A file is read to its end or refused, and what comes of it is bounded by it:
/// no byte of it is given out twice.
pub(crate) fn inspect(input: &[u8]) {
    let Ok(reading) = read_packets(Cursor::new(input.to_vec())) else {
        return;
    };
    let exchanges = reading.exchanges.len();
    assert!(exchanges <= input.len() / SHORTEST_FRAME);
    assert!(reading.findings.len() <= JOURNAL_FINDINGS);
    assert!(reading.notes.len() <= input.len() / SHORTEST_FRAME);
    let mut given = 0;
    for exchange in &reading.exchanges {
        let bytes = bytes_of(exchange);
        let shown = json::exchange(exchange).to_string().len();
        assert!(
            shown <= JSON_OF_EXCHANGE + JSON_OF_BYTE * bytes,
            "{shown} bytes for {bytes}"
        );
        let _ = (exchange.request_fields(), exchange.reply_fields());
        given += bytes;
    }
    assert!(given <= input.len(), "{given} of {}", input.len());
    for finding in &reading.findings {
        let _ = json::finding(finding).to_string();
    }
}

fn bytes_of(exchange: &Exchange) -> usize {
    match &exchange.content {
        Content::Binary(content) => content.request_frame.len() + content.reply_frame.len(),
        Content::Http(content) => {
            content.target.len() + content.request_body.len() + content.response_body.len()
        }
        Content::Unsolicited(content) => content.frame.len(),
    }
}
