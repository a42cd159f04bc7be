use bytes::Bytes;

use crate::error::Failure;
use crate::reader::{self, Parsed};
use crate::writer::Writer;

/// Length of a message's header in the 64-byte layout.
pub const MESSAGE_HEADER_SIZE: usize = 64;

/// What precedes every payload.
///
/// ```text
///  0 checksum             u64   of everything after it
///  8 id                   u128  given by the producer, or by the server when 0
/// 24 offset               u64   given by the server
/// 32 timestamp            u64   microseconds since 1970, of the append
/// 40 origin_timestamp     u64   microseconds since 1970, of the producer
/// 48 user_headers_length  u32   bytes after the payload
/// 52 payload_length       u32   bytes after this header
/// 56 reserved             u64   0
/// ```
/// From `iggy_binary_protocol` 0.10.0, `message_layout.rs`; servers 0.7 and 0.8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageHeader {
    /// Over the rest of the message, as the server computed it; 0 in a request.
    pub checksum: u64,
    /// The message's id.
    pub id: u128,
    /// Its place in the partition; 0 in a request.
    pub offset: u64,
    /// When the server appended it, in microseconds since 1970; 0 in a request.
    pub timestamp: u64,
    /// When the producer made it, in microseconds since 1970.
    pub origin_timestamp: u64,
    /// Length of the user headers, in bytes.
    pub user_headers_length: u32,
    /// Length of the payload, in bytes.
    pub payload_length: u32,
    /// Not used by any known version; kept so that nothing is hidden.
    pub reserved: u64,
}

impl MessageHeader {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, checksum) = reader::u64("message checksum", input)?;
        let (rest, id) = reader::u128("message id", rest)?;
        let (rest, offset) = reader::u64("message offset", rest)?;
        let (rest, timestamp) = reader::u64("message timestamp", rest)?;
        let (rest, origin_timestamp) = reader::u64("message origin timestamp", rest)?;
        let (rest, user_headers_length) = reader::u32("user headers length", rest)?;
        let (rest, payload_length) = reader::u32("payload length", rest)?;
        let (rest, reserved) = reader::u64("message reserved", rest)?;
        let header = Self {
            checksum,
            id,
            offset,
            timestamp,
            origin_timestamp,
            user_headers_length,
            payload_length,
            reserved,
        };
        Ok((rest, header))
    }

    fn write(&self, writer: &mut impl Writer) {
        writer.group("header", |w| {
            w.u64("checksum", self.checksum);
            w.u128("id", self.id);
            w.u64("offset", self.offset);
            w.u64("timestamp", self.timestamp);
            w.u64("origin_timestamp", self.origin_timestamp);
            w.u32("user_headers_length", self.user_headers_length);
            w.u32("payload_length", self.payload_length);
            w.u64("reserved", self.reserved);
        });
    }
}

/// A message: header, payload, user headers, in that order on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The fixed part.
    pub header: MessageHeader,
    /// The payload, a slice of the frame it came in.
    pub payload: Bytes,
    /// The user headers as they are on the wire; read them with
    /// [`parse_user_headers`](super::parse_user_headers). A client may have
    /// encrypted them, so bytes that are no headers are not damage.
    pub user_headers: Bytes,
}

impl Message {
    fn parse<'a>(body: &Bytes, input: &'a [u8]) -> Parsed<'a, Self> {
        let (rest, header) = MessageHeader::parse(input)?;
        let length = reader::widen(header.payload_length);
        let (rest, payload) = reader::bytes("payload", length, rest)?;
        let length = reader::widen(header.user_headers_length);
        let (rest, user_headers) = reader::bytes("user headers", length, rest)?;
        let message = Self {
            header,
            payload: share(body, payload),
            user_headers: share(body, user_headers),
        };
        Ok((rest, message))
    }

    /// Bytes that the message takes on the wire.
    pub fn encoded_length(&self) -> usize {
        MESSAGE_HEADER_SIZE + self.payload.len() + self.user_headers.len()
    }

    fn write(&self, writer: &mut impl Writer) {
        writer.group("message", |w| {
            self.header.write(w);
            w.bytes("payload", &self.payload);
            w.bytes("user_headers", &self.user_headers);
        });
    }
}

/// `slice_ref` of an empty slice, which may point anywhere, is the empty slice.
fn share(body: &Bytes, part: &[u8]) -> Bytes {
    if part.is_empty() {
        Bytes::new()
    } else {
        body.slice_ref(part)
    }
}

/// Messages until the input ends or one cannot be read. The ones before it are
/// returned with the reason, for a body that is cut short (case E5) still shows
/// what the client got.
pub(crate) fn parse_messages(body: &Bytes, mut input: &[u8]) -> (Vec<Message>, Option<Failure>) {
    let mut messages = Vec::new();
    while !input.is_empty() {
        match Message::parse(body, input) {
            Ok((rest, message)) => {
                messages.push(message);
                input = rest;
            }
            Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => {
                return (messages, Some(failure));
            }
            Err(nom::Err::Incomplete(_)) => break,
        }
    }
    (messages, None)
}

pub(crate) fn write_messages(messages: &[Message], writer: &mut impl Writer) {
    writer.list("messages", |w| {
        for message in messages {
            message.write(w);
        }
    });
}
