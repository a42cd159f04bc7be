//! Frames as interceptors see them.

use bytes::{BufMut as _, Bytes, BytesMut};
use parallax_codec::vsr::{self, Command, HEADER_SIZE, RequestHeader, Status};
use parallax_codec::{Dialect, code};

/// A request, or its header.
#[derive(Clone)]
pub struct RequestFrame {
    /// How the connection frames.
    pub dialect: Dialect,
    /// The header's bytes: 8, or 256.
    pub header: Bytes,
    /// Bytes of body that the header announces.
    pub body_length: u64,
    /// The body. `None` where it was not asked for, or is longer than is gathered.
    pub body: Option<Bytes>,
}

impl RequestFrame {
    /// The command's code. `None` where nothing tells it: of a login of the VSR dialect
    /// the body does.
    pub fn code(&self) -> Option<u32> {
        match self.dialect {
            Dialect::Classic => word(&self.header, 4),
            Dialect::Vsr => {
                let header = self.header.first_chunk::<HEADER_SIZE>()?;
                let header = RequestHeader::of(header);
                if header.prelude.command == Command::PING_CLIENT {
                    return Some(code::PING);
                }
                let body = self.body.as_deref().unwrap_or_default();
                header.command_code(body)
            }
        }
    }

    /// The header in the VSR dialect.
    pub fn vsr_header(&self) -> Option<RequestHeader> {
        let header = self.header.first_chunk::<HEADER_SIZE>()?;
        (self.dialect == Dialect::Vsr).then(|| RequestHeader::of(header))
    }
}

impl std::fmt::Debug for RequestFrame {
    /// Without the body: a password may be in it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RequestFrame")
            .field("dialect", &self.dialect)
            .field("body_length", &self.body_length)
            .finish_non_exhaustive()
    }
}

/// A reply, or an eviction in the place of one: its header and the first bytes of its
/// body, as many as were asked for.
#[derive(Clone)]
pub struct ReplyFrame {
    /// How the connection frames.
    pub dialect: Dialect,
    /// The header's bytes: 8, or 256.
    pub header: Bytes,
    /// Bytes of body that the header announces.
    pub body_length: u64,
    /// The first bytes of the body.
    pub body: Bytes,
}

impl ReplyFrame {
    /// A whole frame; `None` where it is shorter than a header.
    pub fn of(dialect: Dialect, mut frame: Bytes) -> Option<Self> {
        let size = dialect.header_size();
        let header = (frame.len() >= size).then(|| frame.split_to(size))?;
        Some(Self {
            dialect,
            header,
            body_length: frame.len() as u64,
            body: frame,
        })
    }

    /// The status in the header: 0 for success. `None` for an eviction, which has none. In
    /// the VSR dialect some commands tell of their refusal in the body.
    pub fn status(&self) -> Option<u32> {
        match self.dialect {
            Dialect::Classic => word(&self.header, 0),
            Dialect::Vsr => {
                let header = self.header.first_chunk::<HEADER_SIZE>()?;
                match vsr::Prelude::of(header).command {
                    Command::REPLY => match Status::of(header, self.body_length, None) {
                        Status::Told { code, .. } => Some(code),
                        Status::Ambiguous { at_216, .. } => Some(at_216),
                    },
                    Command::PONG_CLIENT => Some(0),
                    _ => None,
                }
            }
        }
    }

    /// Whether the body is here as far as its end.
    pub fn is_whole(&self) -> bool {
        self.body.len() as u64 == self.body_length
    }

    /// The frame, as far as it is here.
    pub(super) fn into_bytes(self) -> Bytes {
        [self.header, self.body].concat().into()
    }

    /// The frame with another body, the length in its header right.
    pub fn with_body(&self, body: &[u8]) -> Bytes {
        let mut frame = BytesMut::with_capacity(self.header.len() + body.len());
        frame.put_slice(&self.header);
        let (at, counted) = match self.dialect {
            Dialect::Classic => (4, body.len()),
            Dialect::Vsr => (SIZE_AT, HEADER_SIZE + body.len()),
        };
        if let Some(place) = frame.get_mut(at..at + 4) {
            let length = u32::try_from(counted).unwrap_or(u32::MAX);
            place.copy_from_slice(&length.to_le_bytes());
        }
        frame.put_slice(body);
        frame.freeze()
    }
}

impl std::fmt::Debug for ReplyFrame {
    /// Without the body: a token may be in it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplyFrame")
            .field("dialect", &self.dialect)
            .field("status", &self.status())
            .field("body_length", &self.body_length)
            .finish_non_exhaustive()
    }
}

/// Where a VSR header has the length of the whole frame (`iggy_binary_protocol` 0.11.0,
/// `consensus/header.rs`). Between client and server the header is not summed.
const SIZE_AT: usize = 48;

fn word(header: &[u8], at: usize) -> Option<u32> {
    let word = header.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*word))
}
