//! A poll and its answer, as both transports can express them: what the
//! comparison compares.

use std::collections::BTreeMap;

use bytes::Bytes;
use parallax_codec::commands::{PollMessages, PolledMessages};
use parallax_codec::messages::{HeaderField, Message, UserHeader, parse_user_headers};
use parallax_codec::primitives::{ConsumerKind, Identifier, PollingKind};

/// A question put to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poll {
    /// Alone or as a group. Over HTTP always alone.
    pub consumer_kind: ConsumerKind,
    /// The consumer or group.
    pub consumer: Identifier,
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition, where one was named.
    pub partition_id: Option<u32>,
    /// From where.
    pub strategy: PollingKind,
    /// An offset, or microseconds since 1970.
    pub value: u64,
    /// The most messages wanted.
    pub count: u32,
    /// Whether the server was to store what it served as consumed.
    pub auto_commit: bool,
}

impl From<&PollMessages> for Poll {
    fn from(request: &PollMessages) -> Self {
        Self {
            consumer_kind: request.consumer.kind,
            consumer: request.consumer.id.clone(),
            stream: request.stream.clone(),
            topic: request.topic.clone(),
            partition_id: request.partition_id,
            strategy: request.strategy.kind,
            value: request.strategy.value,
            count: request.count,
            auto_commit: request.auto_commit,
        }
    }
}

/// What a server answered to a poll that it did not refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollAnswer {
    /// The partition that was read.
    pub partition_id: u32,
    /// The partition's last offset.
    pub current_offset: u64,
    /// Messages, as the server counts them.
    pub count: u32,
    /// The messages.
    pub messages: Vec<PolledMessage>,
}

impl From<&PolledMessages> for PollAnswer {
    fn from(reply: &PolledMessages) -> Self {
        Self {
            partition_id: reply.partition_id,
            current_offset: reply.current_offset,
            count: reply.count,
            messages: reply.messages.iter().map(PolledMessage::from).collect(),
        }
    }
}

/// A message, with everything that both transports tell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolledMessage {
    /// Its place in the partition.
    pub offset: u64,
    /// Its id: 128 bits, exact.
    pub id: u128,
    /// When it was appended, in microseconds since 1970.
    pub timestamp: u64,
    /// When the producer made it, in microseconds since 1970.
    pub origin_timestamp: u64,
    /// As the server computed it.
    pub checksum: u64,
    /// The payload, or its beginning.
    pub payload: Bytes,
    /// Bytes at the payload's end that were not kept.
    pub payload_left_out: usize,
    /// The user headers.
    pub user_headers: UserHeaders,
}

impl PolledMessage {
    /// The whole payload's length, in bytes, kept or not.
    pub fn payload_length(&self) -> usize {
        self.payload.len() + self.payload_left_out
    }
}

impl From<&Message> for PolledMessage {
    fn from(message: &Message) -> Self {
        Self {
            offset: message.header.offset,
            id: message.header.id,
            timestamp: message.header.timestamp,
            origin_timestamp: message.header.origin_timestamp,
            checksum: message.header.checksum,
            payload: message.payload.clone(),
            payload_left_out: 0,
            user_headers: UserHeaders::from_wire(&message.user_headers),
        }
    }
}

/// A message's user headers, in the two forms that exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserHeaders {
    /// Keys and values; none is the same as an empty list (case C8).
    Decoded(Vec<UserHeader>),
    /// Bytes that are no headers: a client may encrypt them.
    Opaque(Bytes),
}

impl UserHeaders {
    /// Reads headers as they stand in a message.
    pub fn from_wire(raw: &Bytes) -> Self {
        parse_user_headers(raw).map_or_else(|_| Self::Opaque(raw.clone()), Self::Decoded)
    }

    /// Whether both say the same: header by header, in any order, and of two with the
    /// same key the last, as HTTP gives them ([`ONE_HEADER_PER_KEY`]).
    ///
    /// [`ONE_HEADER_PER_KEY`]: crate::known::ONE_HEADER_PER_KEY
    pub fn says_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Opaque(one), Self::Opaque(other)) => one == other,
            (Self::Decoded(one), Self::Decoded(other)) => by_key(one) == by_key(other),
            _ => false,
        }
    }
}

fn by_key(headers: &[UserHeader]) -> BTreeMap<(u8, &[u8]), &HeaderField> {
    let keyed = headers.iter().map(|header| {
        let key = (header.key.kind.0, header.key.bytes.as_slice());
        (key, &header.value)
    });
    keyed.collect()
}
