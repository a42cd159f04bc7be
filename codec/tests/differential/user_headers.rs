use iggy_binary_protocol::encode_user_headers;
use iggy_common::{HeaderKey, HeaderValue, IggyMessage};
use parallax_codec::messages::{
    HeaderField, HeaderKind, UserHeader, parse_user_headers, write_user_headers,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Every typed form, written by their constructors.
fn typed_values() -> Vec<(&'static str, HeaderValue)> {
    vec![
        ("raw", HeaderValue::try_from(&[0_u8, 255, 7][..]).unwrap()),
        ("string", HeaderValue::try_from("zażółć").unwrap()),
        ("bool", HeaderValue::from(true)),
        ("int8", HeaderValue::from(-8_i8)),
        ("int16", HeaderValue::from(-16_i16)),
        ("int32", HeaderValue::from(-32_i32)),
        ("int64", HeaderValue::from(-64_i64)),
        ("int128", HeaderValue::from(i128::MIN)),
        ("uint8", HeaderValue::from(8_u8)),
        ("uint16", HeaderValue::from(16_u16)),
        ("uint32", HeaderValue::from(32_u32)),
        ("uint64", HeaderValue::from(64_u64)),
        ("uint128", HeaderValue::from(u128::MAX)),
        ("float32", HeaderValue::from(3.25_f32)),
        ("float64", HeaderValue::from(-2.5e300_f64)),
    ]
}

#[test]
fn every_typed_header_reads_as_they_wrote_it() {
    for (kind, value) in typed_values() {
        let key = HeaderKey::try_from(kind).unwrap();
        let message = IggyMessage::builder()
            .payload("payload".into())
            .user_headers([(key, value.clone())].into())
            .build()
            .unwrap();
        let bytes = message.user_headers.unwrap();
        let headers = parse_user_headers(&bytes).unwrap();
        assert_eq!(write_user_headers(&headers), bytes);

        let [header] = &headers[..] else {
            panic!("one header was written")
        };
        assert_eq!(header.key.kind, HeaderKind::STRING);
        assert_eq!(header.key.bytes, kind.as_bytes());
        assert_eq!(header.value.kind.0, value.kind().as_code());
        assert_eq!(header.value.kind.name(), value.kind().to_string());
        assert_eq!(HeaderKind::from_name(kind), Some(header.value.kind));
        assert_eq!(header.value.bytes, value.as_bytes());
        if kind == "raw" {
            assert_eq!(header.value.to_string(), "0x00ff07");
        } else {
            assert_eq!(header.value.to_string(), value.to_string_value());
        }
    }
}

#[test]
fn a_value_that_does_not_fit_its_kind_is_shown_in_hex() {
    let value = |kind, bytes: &[u8]| {
        let bytes = bytes.to_vec();
        let kind = HeaderKind(kind);
        HeaderField { kind, bytes }.to_string()
    };
    assert_eq!(value(11, &[1, 2]), "0x0102", "a uint32 of two bytes");
    assert_eq!(value(3, &[2]), "0x02", "a bool that is neither");
    assert_eq!(value(2, &[0xff]), "0xff", "a string that is not UTF-8");
    assert_eq!(value(200, &[5]), "0x05", "a kind that is not known");
}

fn field() -> impl Strategy<Value = HeaderField> {
    (1_u8.., vec(any::<u8>(), 1..256)).prop_map(|(kind, bytes)| HeaderField {
        kind: HeaderKind(kind),
        bytes,
    })
}

proptest! {
    #[test]
    fn headers_are_theirs(fields in vec((field(), field()), 0..5)) {
        let entries: Vec<(u8, &[u8], u8, &[u8])> = fields
            .iter()
            .map(|(key, value)| (key.kind.0, &key.bytes[..], value.kind.0, &value.bytes[..]))
            .collect();
        let mut theirs = bytes::BytesMut::new();
        encode_user_headers(&entries, &mut theirs);
        let ours: Vec<UserHeader> = fields
            .iter()
            .map(|(key, value)| UserHeader { key: key.clone(), value: value.clone() })
            .collect();
        prop_assert_eq!(&write_user_headers(&ours)[..], &theirs[..]);
        prop_assert_eq!(parse_user_headers(&theirs).unwrap(), ours);
    }

    /// Encrypted headers look like this: neither side reads them, or both do.
    #[test]
    fn other_bytes_are_headers_to_us_if_they_are_to_them(bytes in vec(any::<u8>(), 0..40)) {
        let theirs = iggy_binary_protocol::validate_user_headers(&bytes).ok();
        let ours = parse_user_headers(&bytes).ok().map(|headers| headers.len());
        prop_assert_eq!(ours, theirs.map(|count| usize::try_from(count).unwrap()));
    }
}
