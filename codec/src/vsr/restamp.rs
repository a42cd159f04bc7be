use bytes::{Bytes, BytesMut};

use super::{HEADER_SIZE, RequestHeader};
use crate::checksum::xxh3;

/// Where a request has the sum of its body, and where its reply repeats it.
const IN_REQUEST: std::ops::Range<usize> = 144..160;
const IN_REPLY: std::ops::Range<usize> = 128..144;

/// A request whose body was changed, and its reply, with the sum of the body as it is
/// now. A request that was not stamped, and whatever is no frame, stay as they are.
pub fn restamped(request: &Bytes, reply: &Bytes) -> (Bytes, Bytes) {
    let as_they_are = || (request.clone(), reply.clone());
    let Some((header, body)) = request.split_first_chunk::<HEADER_SIZE>() else {
        return as_they_are();
    };
    let was = RequestHeader::of(header).request_checksum;
    let is = u128::from(xxh3(body));
    if was == 0 || was == is {
        return as_they_are();
    }
    let mut request = BytesMut::from(&request[..]);
    request[IN_REQUEST].copy_from_slice(&is.to_le_bytes());
    let mut reply = BytesMut::from(&reply[..]);
    if let Some(place) = reply.get_mut(IN_REPLY)
        && *place == was.to_le_bytes()
    {
        place.copy_from_slice(&is.to_le_bytes());
    }
    (request.freeze(), reply.freeze())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Checksum;
    use crate::command::code;

    #[test]
    fn a_changed_body_is_summed_anew_and_the_reply_repeats_it() {
        let mut header = RequestHeader::new(code::CREATE_USER, b"secret");
        header.client = 7;
        let sum = header.request_checksum;
        let mut changed = BytesMut::from(&header.frame(b"secret")[..]);
        changed[HEADER_SIZE..].copy_from_slice(b"******");
        let mut reply = vec![0; HEADER_SIZE];
        reply[IN_REPLY].copy_from_slice(&sum.to_le_bytes());
        let (request, reply) = restamped(&changed.freeze(), &reply.into());
        let (header, body) = request.split_first_chunk::<HEADER_SIZE>().unwrap();
        let header = RequestHeader::of(header);
        assert_eq!(header.client, 7);
        assert_eq!(header.verify(body), Checksum::Right);
        assert_eq!(reply[IN_REPLY], request[IN_REQUEST]);
    }

    #[test]
    fn what_was_not_stamped_is_not() {
        let request = RequestHeader::new(code::PING, b"").frame(b"x");
        assert_eq!(restamped(&request, &Bytes::new()).0, request);
    }
}
