use bytes::{BufMut as _, Bytes, BytesMut};

use super::framer::HEADER_SIZE;
use super::prelude::{Prelude, at, parse_header};
use super::status::{Status, StatusLayout};
use super::{Command, Operation, RequestHeader};
use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// The header of a reply.
///
/// ```text
///   0 prelude           128
/// 128 request_checksum  u128  that of the request
/// 144 context           u128
/// 160 client            u128  that of the request, but not from a partition
/// 176 op                u64   place in the log
/// 184 commit            u64   place up to which the log is committed
/// 192 timestamp         u64   microseconds since 1970; 0 for a read
/// 200 request           u64   that of the request
/// 208 operation         u8    [`Operation`]; not always that of the request
/// 209 operation_padding 7     0
/// 216 tail              40    status: see [`StatusLayout`]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `consensus/header.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyHeader {
    /// What every header begins with.
    pub prelude: Prelude,
    /// That of the request.
    pub request_checksum: u128,
    /// 0 in every recording.
    pub context: u128,
    /// The client that asked; a number of the server's own in replies that come
    /// from a partition.
    pub client: u128,
    /// The request's place in the servers' log; 0 for a read.
    pub op: u64,
    /// Up to where the log is committed.
    pub commit: u64,
    /// When it was carried out, in microseconds since 1970; 0 for a read.
    pub timestamp: u64,
    /// The number of the request.
    pub request: u64,
    /// What was carried out.
    pub operation: Operation,
    /// 0 in every known version.
    pub operation_padding: [u8; 7],
    /// The status, in one of three layouts.
    pub tail: [u8; 40],
}

impl ReplyHeader {
    /// The reply of a server of today, status at byte 216, to a request.
    pub fn to(request: &RequestHeader, status: u32, body_length: usize) -> Self {
        let mut tail = [0; 40];
        tail[..4].copy_from_slice(&status.to_le_bytes());
        Self {
            prelude: Prelude::new(Command::REPLY, body_length),
            request_checksum: request.request_checksum,
            context: 0,
            client: request.client,
            op: 0,
            commit: 0,
            timestamp: 0,
            request: request.request,
            operation: request.operation,
            operation_padding: [0; 7],
            tail,
        }
    }

    /// Reads a header.
    pub fn of(header: &[u8; HEADER_SIZE]) -> Self {
        Self {
            prelude: Prelude::of(header),
            request_checksum: u128::from_le_bytes(at(header, 128)),
            context: u128::from_le_bytes(at(header, 144)),
            client: u128::from_le_bytes(at(header, 160)),
            op: u64::from_le_bytes(at(header, 176)),
            commit: u64::from_le_bytes(at(header, 184)),
            timestamp: u64::from_le_bytes(at(header, 192)),
            request: u64::from_le_bytes(at(header, 200)),
            operation: Operation(header[208]),
            operation_padding: at(header, 209),
            tail: at(header, 216),
        }
    }

    /// Whether this may answer `request`: its number is that of the request, and
    /// what was carried out is what was asked. Reads repeat the number of the
    /// last write, so that of several open ones the first is meant. The client is
    /// not compared: in replies that come from a partition (send, store and
    /// delete offset) it is a number of the server's own (recordings of server
    /// 0.9.0-edge.5).
    pub fn answers(&self, request: &RequestHeader) -> bool {
        let same = match (self.operation, request.operation) {
            (done, asked) if done == asked => true,
            (done, asked) => done.code().is_some() && done.code() == asked.code(),
        };
        same && self.request == request.request
    }

    /// The status, in this header of a reply with `body_length` bytes of body.
    pub fn status(&self, body_length: u64, known: Option<StatusLayout>) -> Status {
        let mut header = [0; HEADER_SIZE];
        header[216..].copy_from_slice(&self.tail);
        Status::of(&header, body_length, known)
    }

    /// The frame that this header and `body` make.
    pub fn frame(&self, body: &[u8]) -> Bytes {
        let mut frame = BytesMut::with_capacity(HEADER_SIZE + body.len());
        self.encode_to(&mut frame);
        frame.put_slice(body);
        frame.freeze()
    }
}

impl Decode for ReplyHeader {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, header) = parse_header(input)?;
        Ok((rest, Self::of(header)))
    }
}

impl Encode for ReplyHeader {
    fn write(&self, writer: &mut impl Writer) {
        self.prelude.write(writer);
        writer.u128("request_checksum", self.request_checksum);
        writer.u128("context", self.context);
        writer.u128("client", self.client);
        writer.u64("op", self.op);
        writer.u64("commit", self.commit);
        writer.u64("timestamp", self.timestamp);
        writer.u64("request", self.request);
        writer.kind("operation", self.operation.0, self.operation.name());
        writer.bytes("operation_padding", &self.operation_padding);
        write_tail(&self.tail, self.prelude.size, writer);
    }
}

/// The tail by the layout that its bytes show; bytes where they do not.
fn write_tail(tail: &[u8; 40], size: u32, writer: &mut impl Writer) {
    let mut header = [0; HEADER_SIZE];
    header[216..].copy_from_slice(tail);
    let body_length = reader::widen(size).saturating_sub(HEADER_SIZE) as u64;
    let word = |start: usize| u32::from_le_bytes(at(&header, 216 + start));
    let namespace = u64::from_le_bytes(at(&header, 216));
    match Status::of(&header, body_length, None) {
        Status::Told {
            layout: Some(StatusLayout::At224),
            ..
        } => {
            writer.u64("namespace", namespace);
            writer.u32("status", word(8));
            writer.bytes("reserved", &tail[12..]);
        }
        Status::Told { code: 0, .. } if namespace != 0 => {
            writer.u64("namespace", namespace);
            writer.bytes("reserved", &tail[8..]);
        }
        Status::Told { .. } => {
            writer.u32("status", word(0));
            writer.bytes("reserved", &tail[4..]);
        }
        Status::Ambiguous { .. } => {
            writer.u32("status_or_namespace", word(0));
            writer.bytes("reserved", &tail[4..]);
        }
    }
}
