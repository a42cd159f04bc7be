use bytes::{Bytes, BytesMut};
use parallax_codec::vsr::HEADER_SIZE;

use super::{Behaviour, Delivery};

/// Where the status stands in a reply's header, and where it stood on servers
/// before 0.9.0-edge.2.
const NOW: usize = 216;
const BEFORE: usize = 224;

/// The status of a refusal stands where older servers had it: a client of today
/// takes each refusal for success (case E2).
pub(super) struct StatusMoved;

impl Behaviour for StatusMoved {
    fn deliver(&mut self, _code: u32, reply: Bytes) -> Delivery {
        let mut moved = BytesMut::from(&reply[..]);
        if let Some(header) = moved.first_chunk_mut::<HEADER_SIZE>() {
            header.copy_within(NOW..NOW + 4, BEFORE);
            header[NOW..NOW + 4].fill(0);
        }
        Delivery::of(moved.freeze())
    }
}
