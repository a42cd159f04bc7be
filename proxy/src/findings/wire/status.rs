//! PX405: the status of a VSR reply stood at two places over the versions.

use parallax_captures::catalog::STATUS_AMBIGUOUS;
use parallax_captures::{Dialect, Exchange, Finding};
use parallax_codec::ErrorCode;
use parallax_codec::vsr::{HEADER_SIZE, Status};

/// Where a denial cannot be told from a success. The session reads the status by
/// the layout that the connection has shown, and leaves it out where none was.
pub(super) fn ambiguous(exchange: &Exchange) -> Option<Finding> {
    let content = exchange.binary()?;
    if let Some(evidence) = contradicted(exchange) {
        return Some(super::finding(exchange, STATUS_AMBIGUOUS, evidence));
    }
    let unread = exchange.dialect == Dialect::Vsr && content.status.is_none();
    if !unread || content.eviction.is_some() {
        return None;
    }
    let header = content.reply_frame.first_chunk::<HEADER_SIZE>()?;
    // Only a reply without a body is ambiguous.
    let Status::Ambiguous { at_216, at_224 } = Status::of(header, 0, None) else {
        return None;
    };
    let evidence = vec![
        format!(
            "read by versions from 0.9.0-edge.2 on (byte 216) it is the error {}; read by those \
             before (byte 224) it is {at_224}, success",
            ErrorCode(at_216)
        ),
        "the reply has no body, as every denial; neither the connection's login nor a reply with \
         a body has shown the server's layout"
            .to_owned(),
    ];
    Some(super::finding(exchange, STATUS_AMBIGUOUS, evidence))
}

/// A reply without a body whose status is 0 where the connection's layout has it, and
/// another number stands where other versions have it.
fn contradicted(exchange: &Exchange) -> Option<Vec<String>> {
    let content = exchange.binary()?;
    let is_done = exchange.dialect == Dialect::Vsr && content.status == Some(0);
    if !is_done || content.reply_frame.len() != HEADER_SIZE {
        return None;
    }
    let header = content.reply_frame.first_chunk::<HEADER_SIZE>()?;
    let Status::Ambiguous { at_216, at_224 } = Status::of(header, 0, None) else {
        return None;
    };
    let (code, read, other) = match (at_216, at_224) {
        (0, code) => (code, 216, 224),
        (code, _) => (code, 224, 216),
    };
    Some(vec![
        format!(
            "read where this connection's replies have their status (byte {read}) it is 0, success; \
             at byte {other}, where other versions have it, stands the error {}",
            ErrorCode(code)
        ),
        "the reply has no body, as every denial: a client that reads it as success takes a refusal \
         for done"
            .to_owned(),
    ])
}
