use bytes::Bytes;

use super::framer::{HEADER_SIZE, SIZE_AT, encode_frame, size_of_frame};
use crate::checksum::xxh3;
use crate::writer::narrow;

/// Where a header has the sum of itself, and that of the body.
const OF_HEADER: std::ops::Range<usize> = 0..16;
const OF_BODY: std::ops::Range<usize> = 16..32;

/// A frame with another body. Its size is that of the new body; where it carried sums that
/// were right, they are right for what it is now. A sum that is 0, as between client and
/// server, stays 0, and one that was wrong stays as it was: the server's mistake is not
/// mended here. No other byte of the header changes. `None` where the bytes are not
/// exactly one whole frame.
pub fn with_body(frame: &[u8], body: &[u8]) -> Option<Bytes> {
    let (old, old_body) = frame.split_first_chunk::<HEADER_SIZE>()?;
    if u64::from(size_of_frame(old)) != frame.len() as u64 {
        return None;
    }
    let mut header = *old;
    let size = narrow(HEADER_SIZE + body.len());
    header[SIZE_AT..SIZE_AT + 4].copy_from_slice(&size.to_le_bytes());
    let sum = |bytes: &[u8]| u128::from(xxh3(bytes)).to_le_bytes();
    if old[OF_BODY] == sum(old_body) {
        header[OF_BODY].copy_from_slice(&sum(body));
    }
    if old[OF_HEADER] == sum(&old[OF_HEADER.end..]) {
        let sealed = sum(&header[OF_HEADER.end..]);
        header[OF_HEADER].copy_from_slice(&sealed);
    }
    Some(encode_frame(&header, body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Checksum;
    use crate::vsr::{Command, Prelude};

    fn frame(seal: impl Fn(&mut [u8; HEADER_SIZE], &[u8])) -> Bytes {
        let body = b"a body";
        let mut header = [7; HEADER_SIZE];
        header[..32].fill(0);
        header[SIZE_AT..SIZE_AT + 4].copy_from_slice(&(256_u32 + 6).to_le_bytes());
        header[60] = Command::REPLY.0;
        seal(&mut header, body);
        encode_frame(&header, body)
    }

    #[test]
    fn a_frame_without_sums_changes_in_size_and_body_alone() {
        let old = frame(|_, _| {});
        let new = with_body(&old, b"another one").unwrap();
        assert_eq!(new[HEADER_SIZE..], *b"another one");
        let differ: Vec<_> = (0..HEADER_SIZE).filter(|at| old[*at] != new[*at]).collect();
        assert_eq!(differ, [SIZE_AT]);
        assert_eq!(usize::from(new[SIZE_AT]), 11);
    }

    #[test]
    fn sums_that_were_right_are_right_again() {
        let sealed = frame(|header, body| {
            header[OF_BODY].copy_from_slice(&u128::from(xxh3(body)).to_le_bytes());
            let sum = u128::from(xxh3(&header[16..]));
            header[OF_HEADER].copy_from_slice(&sum.to_le_bytes());
        });
        let new = with_body(&sealed, b"another one").unwrap();
        let header = new.first_chunk().unwrap();
        assert_eq!(Prelude::checksum_of(header), Checksum::Right);
        let prelude = Prelude::of(header);
        assert_eq!(prelude.checksum_body, xxh3(b"another one").into());
    }

    #[test]
    fn sums_that_were_wrong_stay_as_they_were() {
        let wrong = frame(|header, _| header[..32].fill(9));
        assert_eq!(with_body(&wrong, b"").unwrap()[..32], [9; 32]);
    }

    #[test]
    fn what_is_not_exactly_one_frame_is_left_alone() {
        let whole = frame(|_, _| {});
        assert!(with_body(&whole[..whole.len() - 1], b"").is_none());
        assert!(with_body(&[&whole[..], b"more"].concat(), b"").is_none());
        assert!(with_body(b"short", b"").is_none());
    }
}
