use bytes::{Bytes, BytesMut};

use super::layout::HeaderLayout;
use super::parse_user_headers;
use super::view::MessageView;
use crate::checksum::{Checksum, xxh3};
use crate::writer::{Encode, Writer};

/// Length of a message's header in the 64-byte layout.
pub const MESSAGE_HEADER_SIZE: usize = 64;

/// What is told of every message before its payload.
///
/// ```text
///  0 checksum             u64   XXH3-64 of everything after it
///  8 id                   u128  given by the producer, or by the server when 0
/// 24 offset               u64   given by the server
/// 32 timestamp            u64   microseconds since 1970, of the append
/// 40 origin_timestamp     u64   microseconds since 1970, of the producer
/// 48 user_headers_length  u32   bytes after the payload
/// 52 payload_length       u32   bytes after this header
/// 56 reserved             u64   0; not there in the 56-byte layout
/// ```
/// From `iggy_binary_protocol` 0.10.0, `message_layout.rs`; servers 0.7 and 0.8.
/// Servers 0.5 and 0.6 leave out the last 8 bytes (case D3). In a [batch
/// record](super::Batch) the numbers stand as differences; here they are what
/// they amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageHeader {
    /// Over the rest of the message, as the server or, in a batch record, the
    /// producer computed it; 0 in a classic request.
    pub checksum: u64,
    /// The message's id.
    pub id: u128,
    /// Its place in the partition; 0 in a classic request.
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
    fn write(&self, has_reserved: bool, writer: &mut impl Writer) {
        writer.group("header", |w| {
            w.u64("checksum", self.checksum);
            w.u128("id", self.id);
            w.u64("offset", self.offset);
            w.u64("timestamp", self.timestamp);
            w.u64("origin_timestamp", self.origin_timestamp);
            w.u32("user_headers_length", self.user_headers_length);
            w.u32("payload_length", self.payload_length);
            if has_reserved {
                w.u64("reserved", self.reserved);
            }
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
    /// The message that `view` shows in `body`, as slices of it.
    pub(super) fn of(view: &MessageView<'_>, body: &Bytes) -> Self {
        Self {
            header: view.header,
            payload: share(body, view.payload),
            user_headers: share(body, view.user_headers),
        }
    }

    /// Bytes that the message takes on the wire in the 64-byte layout.
    pub fn encoded_length(&self) -> usize {
        self.length_in(HeaderLayout::Headers64)
    }

    /// Bytes that the message takes on the wire.
    pub(crate) fn length_in(&self, layout: HeaderLayout) -> usize {
        layout.header_size() + self.payload.len() + self.user_headers.len()
    }

    /// Whether a message with a header of its own is what its checksum says.
    pub(super) fn verify(&self, has_reserved: bool) -> Checksum {
        Checksum::of(self.header.checksum, || {
            let mut bytes = BytesMut::new();
            Whole(self, has_reserved).encode_to(&mut bytes);
            xxh3(&bytes[8..])
        })
    }

    pub(super) fn write(&self, has_reserved: bool, writer: &mut impl Writer) {
        writer.group("message", |w| {
            self.header.write(has_reserved, w);
            self.write_content(w);
        });
    }

    /// What follows the header: the payload, and the user headers field by field
    /// where they can be read.
    pub(super) fn write_content(&self, writer: &mut impl Writer) {
        writer.bytes("payload", &self.payload);
        let headers = if writer.describes() && !self.user_headers.is_empty() {
            parse_user_headers(&self.user_headers).ok()
        } else {
            None
        };
        match headers {
            Some(headers) => writer.list("user_headers", |w| {
                for header in &headers {
                    header.write(w);
                }
            }),
            None => writer.bytes("user_headers", &self.user_headers),
        }
    }
}

/// A message as it stands on the wire.
struct Whole<'a>(&'a Message, bool);

impl Encode for Whole<'_> {
    fn write(&self, writer: &mut impl Writer) {
        self.0.write(self.1, writer);
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
