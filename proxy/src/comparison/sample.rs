//! Values that the tests of this module are written in.

use bytes::Bytes;
use parallax_captures::poll::{Poll, PollAnswer, PolledMessage, UserHeaders};
use parallax_captures::verdict::{AskedBy, HttpRefusal, MirrorAnswer, MirrorOutcome};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::{ConsumerKind, Identifier, PollingKind};

pub(crate) fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

/// A poll of ten messages of `otel/metrics`.
pub(crate) fn poll(kind: ConsumerKind, partition_id: Option<u32>, strategy: PollingKind) -> Poll {
    Poll {
        consumer_kind: kind,
        consumer: named("qw_sink_metrics"),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id,
        strategy,
        value: 0,
        count: 10,
        auto_commit: true,
    }
}

pub(crate) fn message(offset: u64) -> PolledMessage {
    PolledMessage {
        offset,
        id: u128::from(offset) + 1_000,
        timestamp: 1_796_022_896_443_107,
        origin_timestamp: 1_796_022_896_442_898,
        checksum: offset.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        payload: Bytes::from(format!("message {offset}")),
        payload_left_out: 0,
        user_headers: UserHeaders::Decoded(Vec::new()),
    }
}

/// Messages at these offsets of a partition that ends at `current_offset`.
pub(crate) fn answer(
    partition_id: u32,
    current_offset: u64,
    offsets: std::ops::Range<u64>,
) -> PollAnswer {
    let messages: Vec<PolledMessage> = offsets.map(message).collect();
    PollAnswer {
        partition_id,
        current_offset,
        count: u32::try_from(messages.len()).unwrap_or(u32::MAX),
        messages,
    }
}

pub(crate) fn mirrored(partition_id: u32, outcome: MirrorOutcome) -> MirrorAnswer {
    MirrorAnswer {
        asked_by: AskedBy::Mirror,
        partition_id: Some(partition_id),
        target: String::new(),
        latency: None,
        times: None,
        outcome,
    }
}

pub(crate) fn refusal(http_status: u16, code: Option<u32>, reason: &str) -> MirrorOutcome {
    MirrorOutcome::Refused(HttpRefusal {
        http_status,
        code: code.map(ErrorCode),
        reason: reason.to_owned(),
    })
}
