use bytes::BytesMut;

use super::view::at;
use super::{Message, MessageHeader};
use crate::checksum::{Checksum, xxh3};
use crate::writer::{Encode, Writer, narrow};

/// Length of a batch record's header.
pub const BATCH_HEADER_SIZE: usize = 256;

/// Length of a message's header within a record.
pub const FRAME_HEADER_SIZE: usize = 48;

/// The header of a batch record.
///
/// ```text
///  0 partition_id      u64   0 in a request
///  8 base_offset       u64   0 in a request
/// 16 base_timestamp    u64   of the append, microseconds since 1970; 0 in a request
/// 24 origin_timestamp  u64   of the producer's first message
/// 32 batch_length      u64   of header and frames, in bytes
/// 40 batch_checksum    u64   XXH3-64 of bytes 0..40 and 48..52, then of every
///                            frame's checksum
/// 48 message_count     u32   frames that follow
/// 52 reserved          204   0
///
/// and of each frame:
///  0 checksum             u64   XXH3-64 of everything after it
///  8 id                   u128
/// 24 offset_delta         u32   from base_offset
/// 28 timestamp_delta      u32   from origin_timestamp, in microseconds
/// 32 user_headers_length  u32   bytes after the payload
/// 36 payload_length       u32   bytes after this header
/// 40 reserved             u64   0
/// 48 payload, user headers
/// ```
/// From `iggy_binary_protocol` 0.11.0, `batch.rs`; servers from 0.9.0-edge.5. A
/// server may cut a record to what was asked for: its first frame then has a delta
/// above 0, and the base offset is not that of any message (case D5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchHeader {
    /// The partition.
    pub partition_id: u64,
    /// To which every frame's offset is a difference.
    pub base_offset: u64,
    /// When the server appended the batch, in microseconds since 1970.
    pub base_timestamp: u64,
    /// To which every frame's time is a difference, in microseconds since 1970.
    pub origin_timestamp: u64,
    /// Length of header and frames, in bytes.
    pub batch_length: u64,
    /// Over header and frames.
    pub batch_checksum: u64,
    /// Frames that follow.
    pub message_count: u32,
}

impl BatchHeader {
    pub(super) fn of(raw: &[u8; BATCH_HEADER_SIZE]) -> Self {
        Self {
            partition_id: u64::from_le_bytes(at(raw, 0)),
            base_offset: u64::from_le_bytes(at(raw, 8)),
            base_timestamp: u64::from_le_bytes(at(raw, 16)),
            origin_timestamp: u64::from_le_bytes(at(raw, 24)),
            batch_length: u64::from_le_bytes(at(raw, 32)),
            batch_checksum: u64::from_le_bytes(at(raw, 40)),
            message_count: u32::from_le_bytes(at(raw, 48)),
        }
    }

    pub(super) fn is_reserved_empty(raw: &[u8; BATCH_HEADER_SIZE]) -> bool {
        raw[52..] == [0; BATCH_HEADER_SIZE - 52]
    }

    /// A frame's header with its differences added up.
    pub(super) fn resolve(&self, raw: &[u8; FRAME_HEADER_SIZE]) -> MessageHeader {
        let offset_delta = u32::from_le_bytes(at(raw, 24));
        let timestamp_delta = u32::from_le_bytes(at(raw, 28));
        MessageHeader {
            checksum: u64::from_le_bytes(at(raw, 0)),
            id: u128::from_le_bytes(at(raw, 8)),
            offset: self.base_offset.wrapping_add(offset_delta.into()),
            timestamp: self.base_timestamp,
            origin_timestamp: self.origin_timestamp.wrapping_add(timestamp_delta.into()),
            user_headers_length: u32::from_le_bytes(at(raw, 32)),
            payload_length: u32::from_le_bytes(at(raw, 36)),
            reserved: u64::from_le_bytes(at(raw, 40)),
        }
    }
}

impl Encode for BatchHeader {
    fn write(&self, writer: &mut impl Writer) {
        writer.u64("partition_id", self.partition_id);
        writer.u64("base_offset", self.base_offset);
        writer.u64("base_timestamp", self.base_timestamp);
        writer.u64("origin_timestamp", self.origin_timestamp);
        writer.u64("batch_length", self.batch_length);
        writer.u64("batch_checksum", self.batch_checksum);
        writer.u32("message_count", self.message_count);
        writer.bytes("reserved", &[0; BATCH_HEADER_SIZE - 52]);
    }
}

/// A batch record: its header, and how many of the messages are its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// The header.
    pub header: BatchHeader,
    /// Frames that could be read; as many as the header counts in a sound record.
    pub frames: usize,
}

impl Batch {
    /// The record that a producer makes of `messages`: everything that the server
    /// gives is 0, the checksums are computed and put into the messages.
    pub fn of_producer(messages: &mut [Message]) -> Self {
        let times = messages
            .iter()
            .map(|message| message.header.origin_timestamp);
        let origin_timestamp = times.min().unwrap_or_default();
        let mut header = BatchHeader {
            origin_timestamp,
            message_count: narrow(messages.len()),
            ..BatchHeader::default()
        };
        let mut length = BATCH_HEADER_SIZE;
        for (offset, message) in (0..).zip(messages.iter_mut()) {
            message.header.offset = offset;
            message.header.timestamp = 0;
            message.header.checksum = Frame {
                header: &header,
                message,
            }
            .checksum();
            length += frame_size(message);
        }
        header.batch_length = length as u64;
        let frames = messages.len();
        let mut batch = Self { header, frames };
        batch.header.batch_checksum = batch.checksum(messages);
        batch
    }

    /// The record that a server makes of `messages`, all or some of those that came
    /// together. `bases` says to what their offsets and times are differences;
    /// length, count and checksum are computed, the messages stay as they are.
    pub fn of_server(bases: BatchHeader, messages: &[Message]) -> Self {
        let sizes = messages.iter().map(frame_size);
        let header = BatchHeader {
            batch_length: (BATCH_HEADER_SIZE + sizes.sum::<usize>()) as u64,
            message_count: narrow(messages.len()),
            ..bases
        };
        let frames = messages.len();
        let mut batch = Self { header, frames };
        batch.header.batch_checksum = batch.checksum(messages);
        batch
    }

    /// Whether header and frames are what the record's checksum says. That the
    /// frames are what theirs say is looked at one by one.
    pub(super) fn verify(&self, messages: &[Message]) -> Checksum {
        Checksum::of(self.header.batch_checksum, || self.checksum(messages))
    }

    pub(super) fn verify_frame(&self, message: &Message) -> Checksum {
        let header = &self.header;
        let frame = Frame { header, message };
        Checksum::of(message.header.checksum, || frame.checksum())
    }

    fn checksum(&self, messages: &[Message]) -> u64 {
        let encoded = self.header.encode();
        let mut summed = BytesMut::with_capacity(44 + 8 * messages.len());
        summed.extend_from_slice(&encoded[..40]);
        summed.extend_from_slice(&encoded[48..52]);
        for message in messages {
            summed.extend_from_slice(&message.header.checksum.to_le_bytes());
        }
        xxh3(&summed)
    }

    pub(super) fn write(&self, messages: &[Message], writer: &mut impl Writer) {
        writer.group("batch", |w| {
            w.group("header", |w| self.header.write(w));
            w.list("frames", |w| {
                let header = &self.header;
                for message in messages {
                    Frame { header, message }.write(w);
                }
            });
        });
    }
}

/// Bytes that a message takes in a record.
fn frame_size(message: &Message) -> usize {
    FRAME_HEADER_SIZE + message.payload.len() + message.user_headers.len()
}

/// A message as it stands in a record.
struct Frame<'a> {
    header: &'a BatchHeader,
    message: &'a Message,
}

impl Frame<'_> {
    fn checksum(&self) -> u64 {
        xxh3(&self.encode()[8..])
    }

    /// The difference that was added up by [`BatchHeader::resolve`].
    fn delta(value: u64, base: u64) -> u32 {
        u32::try_from(value.wrapping_sub(base)).unwrap_or(u32::MAX)
    }
}

impl Encode for Frame<'_> {
    fn write(&self, writer: &mut impl Writer) {
        let header = &self.message.header;
        let offset_delta = Self::delta(header.offset, self.header.base_offset);
        let timestamp_delta = Self::delta(header.origin_timestamp, self.header.origin_timestamp);
        writer.group("message", |w| {
            w.group("header", |w| {
                w.u64("checksum", header.checksum);
                w.u128("id", header.id);
                w.u32("offset_delta", offset_delta);
                w.u32("timestamp_delta", timestamp_delta);
                w.u32("user_headers_length", header.user_headers_length);
                w.u32("payload_length", header.payload_length);
                w.u64("reserved", header.reserved);
            });
            self.message.write_content(w);
        });
    }
}
