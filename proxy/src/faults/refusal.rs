//! A refusal as a server writes it.

use bytes::Bytes;
use parallax_codec::vsr::{
    EvictionHeader, EvictionReason, Operation, ReplyHeader, RequestHeader, ResultEntry,
    ResultSection,
};
use parallax_codec::{Encode as _, ErrorCode, classic};

use crate::relay::in_path::RequestFrame;

/// The frame with which a server refuses `request`: in the classic dialect the number
/// alone; in the VSR dialect as servers from 0.9.0-edge.2 on do it.
pub(super) fn refusal(request: &RequestFrame, error: ErrorCode) -> Bytes {
    match request.vsr_header() {
        None => classic::encode_reply(error.0, &[]),
        Some(header) => vsr_refusal(&header, error),
    }
}

/// A login is refused by an eviction where there is one for the error. What takes a place
/// in the servers' log says in its body that it was refused there; what is refused before
/// that, or takes none, says so in the header (`iggy` 0.11.0, `vsr.rs`).
fn vsr_refusal(header: &RequestHeader, error: ErrorCode) -> Bytes {
    let operation = header.operation;
    if operation == Operation::REGISTER
        && let Some(reason) = eviction_reason(error)
    {
        return EvictionHeader::new(header.client, reason).encode();
    }
    let is_in_log = operation.0 < FIRST_OF_PARTITIONS && operation.is_result_framed();
    if is_in_log && operation != Operation::REGISTER && !REFUSED_BEFORE.contains(&error) {
        let entry = ResultEntry {
            index: 0,
            result: error.0,
        };
        let entries = vec![entry];
        let body = ResultSection { entries }.encode();
        return ReplyHeader::to(header, 0, body.len()).frame(&body);
    }
    ReplyHeader::to(header, error.0, 0).frame(&[])
}

/// Errors that are told before anything takes a place in the log.
const REFUSED_BEFORE: [ErrorCode; 4] = [
    ErrorCode::INVALID_COMMAND,
    ErrorCode::STALE_CLIENT,
    ErrorCode::UNAUTHENTICATED,
    ErrorCode::TRANSIENT_NOT_ACCEPTED,
];

fn eviction_reason(error: ErrorCode) -> Option<EvictionReason> {
    Some(match error {
        ErrorCode::INVALID_CREDENTIALS => EvictionReason::INVALID_CREDENTIALS,
        ErrorCode::STALE_CLIENT => EvictionReason::STALE_CLIENT,
        // An access token that is wrong, or expired.
        ErrorCode(53 | 54) => EvictionReason::INVALID_TOKEN,
        _ => return None,
    })
}

/// Operations from here on go to a partition (`iggy_binary_protocol` 0.11.0,
/// `consensus/operation.rs`).
const FIRST_OF_PARTITIONS: u8 = 160;
