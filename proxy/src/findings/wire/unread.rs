//! PX408: bytes that the Rust SDK leaves on the connection.

use parallax_captures::catalog::REPLY_LEFT_UNREAD;
use parallax_captures::{Dialect, Exchange, Finding};

/// From `iggy` 0.10.0, `tcp/tcp_client.rs`: of an error nothing more is read than
/// the 8 bytes of the header, and of a success neither, where the length is 1.
pub(super) fn left_unread(exchange: &Exchange) -> Option<Finding> {
    let content = exchange.binary()?;
    if exchange.dialect != Dialect::Classic {
        return None;
    }
    let length = u32::from_le_bytes(*content.reply_frame.get(4..)?.first_chunk()?);
    let why = match (content.status?, length) {
        (_, 0) | (0, 2..) => return None,
        (0, 1) => "of a length of 1 the Rust SDK (0.8 to 0.10) reads no body",
        (_, 1..) => "behind an error the Rust SDK (0.8 to 0.10) reads no body",
    };
    let noun = if length == 1 { "byte" } else { "bytes" };
    let evidence = vec![format!(
        "the reply has {length} {noun} of body: {why}, so it takes them for the beginning of the \
         next reply"
    )];
    Some(super::finding(exchange, REPLY_LEFT_UNREAD, evidence))
}
