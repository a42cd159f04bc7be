//! Frames as they are kept: header and body.

use bytes::Bytes;
use parallax_captures::{Dialect, Exchange};
use parallax_codec::{classic, vsr};

/// The dialect, as the codec has it; none for HTTP.
pub(super) const fn dialect(exchange: &Exchange) -> Option<parallax_codec::Dialect> {
    match exchange.dialect {
        Dialect::Classic => Some(parallax_codec::Dialect::Classic),
        Dialect::Vsr => Some(parallax_codec::Dialect::Vsr),
        Dialect::Http => None,
    }
}

/// The body of the request.
pub(in crate::findings) fn request_body(exchange: &Exchange) -> Option<Bytes> {
    let frame = &exchange.binary()?.request_frame;
    let header = match exchange.dialect {
        Dialect::Vsr => vsr::HEADER_SIZE,
        Dialect::Classic | Dialect::Http => classic::FRAME_HEADER_SIZE,
    };
    (frame.len() >= header).then(|| frame.slice(header..))
}

/// Bytes that a request's frame has by its header, that included.
pub(super) fn length_announced(dialect: Dialect, frame: &[u8]) -> Option<usize> {
    let (at, uncounted) = match dialect {
        Dialect::Classic => (0, 4),
        Dialect::Vsr => (48, 0),
        Dialect::Http => return None,
    };
    let length = frame.get(at..)?.first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    length.checked_add(uncounted)
}
