use std::ops::Range;

use bytes::Bytes;
use parallax_codec::shape::{
    EVICTION_HEADER, NAMESPACE, OTHER_HEADER, Parts, REPLY_HEADER, REQUEST_HEADER,
    REQUEST_HEADER_WITH_NAMESPACE, RESULT_SECTION, STATUS, STATUS_BEHIND_NAMESPACE,
    STATUS_OR_NAMESPACE,
};
use parallax_codec::vsr::{EvictionHeader, HEADER_SIZE, ReplyHeader, RequestHeader, ResultSection};
use parallax_codec::{Decode as _, Dialect, Field, fields_of};
use proptest::prelude::*;

use super::read::read;

/// Where the last part of a reply's header begins.
const TAIL: usize = 216;

fn by_shape(shape: Parts, bytes: &[u8], range: Range<usize>) -> Option<Vec<Field>> {
    let start = range.start;
    let fields = read(Dialect::Vsr, None, shape, &bytes[range])?;
    let moved = fields.into_iter().map(|field| Field {
        range: field.range.start + start..field.range.end + start,
        ..field
    });
    Some(moved.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn headers_have_the_fields_that_their_shapes_say(
        mut bytes in prop::collection::vec(0..3_u8, HEADER_SIZE),
        cleared in 180..HEADER_SIZE,
        cleared_to in 180..HEADER_SIZE,
    ) {
        if cleared < cleared_to {
            bytes[cleared..cleared_to].fill(0);
        }
        let header: &[u8; HEADER_SIZE] = bytes.first_chunk().unwrap();
        let whole = 0..HEADER_SIZE;
        let request = RequestHeader::of(header);
        let shape = match request.namespace {
            Some(_) => REQUEST_HEADER_WITH_NAMESPACE,
            None => REQUEST_HEADER,
        };
        prop_assert_eq!(by_shape(shape, &bytes, whole.clone()).unwrap(), fields_of(&request, 0));

        let eviction = fields_of(&EvictionHeader::of(header), 0);
        prop_assert_eq!(by_shape(EVICTION_HEADER, &bytes, whole.clone()).unwrap(), eviction);

        let reply = fields_of(&ReplyHeader::of(header), 0);
        let beginning = by_shape(REPLY_HEADER, &bytes, 0..TAIL).unwrap();
        let tails = [STATUS, STATUS_BEHIND_NAMESPACE, NAMESPACE, STATUS_OR_NAMESPACE];
        let fits = tails.into_iter().any(|tail| {
            let tail = by_shape(tail, &bytes, TAIL..HEADER_SIZE).unwrap();
            [beginning.clone(), tail].concat() == reply
        });
        prop_assert!(fits, "{:?}", reply);
        prop_assert!(by_shape(OTHER_HEADER, &bytes, whole).is_some());
    }

    #[test]
    fn a_result_section_has_the_fields_that_its_shape_says(
        bytes in prop::collection::vec(0..3_u8, 0..24),
    ) {
        let ours = by_shape(RESULT_SECTION, &bytes, 0..bytes.len());
        let theirs = ResultSection::decode_all(&Bytes::from(bytes)).ok();
        prop_assert_eq!(ours, theirs.map(|section| fields_of(&section, 0)));
    }
}
