//! Secrets: always, and at once when a frame is decoded.

use std::ops::Range;

use bytes::{Bytes, BytesMut};

/// What stands for each byte of a secret.
const MASK: u8 = b'*';

/// `frame` with the bytes in `ranges` masked: same length, so that everything
/// else stays where it was. Ranges beyond the frame are cut. The result is a
/// copy of its own, which pins no larger buffer.
pub fn masked(frame: &[u8], ranges: &[Range<usize>]) -> Bytes {
    let mut copy = BytesMut::from(frame);
    for range in ranges {
        let end = range.end.min(copy.len());
        let start = range.start.min(end);
        copy[start..end].fill(MASK);
    }
    copy.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_bytes_are_masked_and_the_length_stays() {
        let frame = masked(b"user:iggy pass:iggy", &[0..0, 15..19]);
        assert_eq!(&frame[..], b"user:iggy pass:****");
    }

    #[test]
    fn a_range_beyond_the_frame_masks_what_there_is() {
        assert_eq!(&masked(b"abc", &[1..9, 7..8])[..], b"a**");
    }
}
