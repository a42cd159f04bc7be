//! Answers as frames.

use bytes::{BufMut as _, Bytes, BytesMut};
use parallax_codec::vsr::{
    EvictionHeader, EvictionReason, Operation, ReplyHeader, RequestHeader, ResultEntry,
    ResultSection,
};
use parallax_codec::{Encode as _, Reply};

use super::{CLUSTER, PROTOCOL};
use crate::standin::model::Refusal;

/// What is answered, and to what.
pub(super) struct Answer<'a> {
    /// The request's header.
    pub(super) request: &'a RequestHeader,
    /// The answer.
    pub(super) result: Result<Reply, Refusal>,
}

impl Answer<'_> {
    /// To a question: nothing was put into a log. `session` is 0 without one.
    pub(super) fn read(&self, client: u128, session: u64, commit: u64) -> Bytes {
        let (status, body) = match &self.result {
            Ok(reply) => (0, reply.encode()),
            Err(refusal) => (refusal.code.0, Bytes::new()),
        };
        ReplyHeader {
            client,
            op: session,
            commit,
            ..ReplyHeader::to(self.request, status, body.len())
        }
        .frame(&body)
    }

    /// To a command on streams, topics, groups or users. A refusal takes a place in
    /// the log like anything else, and stands in the body.
    pub(super) fn metadata(&self, place: u64, now: u64) -> Bytes {
        let body = result_framed(&self.result);
        let mut header = ReplyHeader::to(self.request, 0, body.len());
        header.prelude.cluster = CLUSTER;
        ReplyHeader {
            op: place,
            commit: place,
            timestamp: now,
            operation: carried_out_as(self.request.operation),
            ..header
        }
        .frame(&body)
    }

    /// To what goes to a partition, which knows the client by the number of its
    /// connection. A refusal stands in the status.
    pub(super) fn partition(
        &self,
        connection: u32,
        place: impl FnOnce() -> u64,
        commit: u64,
        now: u64,
    ) -> Bytes {
        let client = u128::from(connection);
        let Err(refusal) = &self.result else {
            let is_framed = self.request.operation.is_result_framed();
            let body = match &self.result {
                Ok(reply) if !is_framed => reply.encode(),
                result => result_framed(result),
            };
            let place = place();
            let mut header = ReplyHeader::to(self.request, 0, body.len());
            header.prelude.cluster = CLUSTER;
            let header = ReplyHeader {
                client,
                op: place,
                commit: place,
                timestamp: now,
                ..header
            };
            return header.frame(&body);
        };
        let mut header = ReplyHeader {
            client,
            ..ReplyHeader::to(self.request, refusal.code.0, 0)
        };
        // What no partition was found for is refused before one is asked.
        if refusal.code.0 == 20 {
            header.commit = commit;
        } else {
            header.prelude.cluster = CLUSTER;
        }
        header.frame(&[])
    }
}

/// The end of a session.
pub(in crate::standin) fn eviction(client: u128, reason: EvictionReason) -> Bytes {
    let mut header = EvictionHeader::new(client, reason);
    header.prelude.cluster = CLUSTER;
    if reason == EvictionReason::INCOMPATIBLE_PROTOCOL {
        header.server_protocol_version = PROTOCOL;
        header.server_protocol_version_min = PROTOCOL;
    }
    header.encode()
}

/// The result section, and what follows it.
pub(super) fn result_framed(result: &Result<Reply, Refusal>) -> Bytes {
    let mut body = BytesMut::new();
    match result {
        Ok(reply) => {
            ResultSection::default().encode_to(&mut body);
            body.put_slice(&reply.encode());
        }
        Err(refusal) => {
            let result = refusal.code.0;
            let entries = vec![ResultEntry { index: 0, result }];
            ResultSection { entries }.encode_to(&mut body);
        }
    }
    body.freeze()
}

/// As what a server carries an operation out: three of them as others
/// (recordings `setup`, `admin`, `segments`).
fn carried_out_as(operation: Operation) -> Operation {
    match operation.name() {
        "create_topic" => Operation(64),
        "create_partitions" => Operation(65),
        "delete_segments" => Operation(68),
        _ => operation,
    }
}
