//! A consumer's stored offset over HTTP.

use parallax_captures::http_poll::topic_target;
use parallax_captures::limits::HTTP_REASON_BYTES;
use parallax_captures::text::{cut, percent_encoded};
use parallax_captures::verdict::{MirrorOutcome, StoredOffset};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::Identifier;
use serde::Deserialize;

use super::client::Reply;
use crate::comparison::outcome;

/// Path and query that ask for it, as servers 0.8.0 and 0.9 read them
/// (`http/consumer_offsets.rs`, `http/handlers.rs`).
pub(super) fn offset_target(
    (stream, topic): (&Identifier, &Identifier),
    consumer: &Identifier,
    partition_id: u32,
) -> String {
    let topic = topic_target(stream, topic);
    let consumer = percent_encoded(&consumer.to_string());
    format!("{topic}/consumer-offsets?consumer_id={consumer}&partition_id={partition_id}")
}

/// Whether a query is one that [`offset_target`] writes.
pub(super) fn is_offset_query(query: &str) -> bool {
    let Some((consumer, partition_id)) = query
        .strip_prefix("consumer_id=")
        .and_then(|rest| rest.split_once("&partition_id="))
    else {
        return false;
    };
    let is_encoded = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte);
    !consumer.is_empty()
        && consumer.bytes().all(is_encoded)
        && partition_id
            .parse::<u32>()
            .is_ok_and(|id| id.to_string() == partition_id)
}

/// What HTTP says of a stored offset. Where none is stored both servers say 404,
/// and say the same where the topic is not there.
pub(super) fn offset_outcome(reply: &Reply) -> MirrorOutcome {
    #[derive(Deserialize)]
    struct Answer {
        partition_id: u32,
        current_offset: u64,
        stored_offset: u64,
    }
    if reply.status == 200 {
        return match serde_json::from_slice::<Answer>(&reply.body) {
            Ok(stored) => MirrorOutcome::Stored(Some(StoredOffset {
                partition_id: stored.partition_id,
                current_offset: stored.current_offset,
                stored_offset: stored.stored_offset,
            })),
            Err(error) => {
                let error = cut(error.to_string(), HTTP_REASON_BYTES);
                MirrorOutcome::Failed(format!("HTTP's answer tells no stored offset: {error}"))
            }
        };
    }
    match outcome(reply.status, &reply.body) {
        MirrorOutcome::Refused(refusal)
            if refusal.http_status == 404
                && refusal.code.is_none_or(|code| code == RESOURCE_NOT_FOUND) =>
        {
            MirrorOutcome::Stored(None)
        }
        other => other,
    }
}

/// The stored offset, if one is.
///
/// # Errors
/// Why it is not known: a sentence without its full stop.
pub(super) fn stored_offset(reply: &Reply) -> Result<Option<u64>, String> {
    match offset_outcome(reply) {
        MirrorOutcome::Stored(stored) => Ok(stored.map(|stored| stored.stored_offset)),
        MirrorOutcome::Refused(refusal) => Err(format!("HTTP tells no stored offset: {refusal}")),
        MirrorOutcome::Failed(why) => Err(why.trim_end_matches('.').to_owned()),
        MirrorOutcome::Answered(_) => Err("HTTP answers with messages".to_owned()),
    }
}

const RESOURCE_NOT_FOUND: ErrorCode = ErrorCode(20);
