use bytes::Bytes;
use iggy_binary_protocol::WireOptions;
use iggy_binary_protocol::codec::WireEncode as _;
use iggy_binary_protocol::requests::system::DescribeOptionsRequest;
use iggy_binary_protocol::responses::system::{DescribeOptionsResponse, OptionDescriptor};
use parallax_codec::commands::{DescribeOptions, OptionCatalog, OptionDescriptor as OurDescriptor};
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader, write_user_headers};
use parallax_codec::primitives::Options;
use parallax_codec::{Reply, Request, code};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::support::{assert_same_reply, assert_same_request, name, wire_name};

/// Options whose keys differ, with values of known kinds and others.
pub(crate) fn options() -> impl Strategy<Value = Options> {
    let value = (1..=20_u8, vec(any::<u8>(), 1..20));
    btree_map(name(), value, 0..4).prop_map(|options| {
        let option = |(key, (kind, bytes)): (String, (u8, Vec<u8>))| UserHeader {
            key: HeaderField {
                kind: HeaderKind::STRING,
                bytes: key.into_bytes(),
            },
            value: HeaderField {
                kind: HeaderKind(kind),
                bytes,
            },
        };
        Options(options.into_iter().map(option).collect())
    })
}

pub(crate) fn wire_options(options: &Options) -> WireOptions {
    WireOptions::from_bytes(write_user_headers(&options.0)).unwrap()
}

#[test]
fn an_option_that_comes_twice_is_refused_by_both() {
    let option = UserHeader {
        key: HeaderField {
            kind: HeaderKind::STRING,
            bytes: b"key".to_vec(),
        },
        value: HeaderField {
            kind: HeaderKind::UINT32,
            bytes: vec![1, 0, 0, 0],
        },
    };
    let options = write_user_headers(&[option.clone(), option]);
    assert!(WireOptions::from_slice(&options).is_err());
    let body = Bytes::from([&b"\x01s"[..], &options].concat());
    let error = Request::decode(crate::DIALECT, code::CREATE_STREAM, &body).unwrap_err();
    assert!(error.to_string().contains("comes twice"), "{error}");
}

proptest! {
    #[test]
    fn a_question_for_the_options_is_theirs(scope in 1..=3_u8) {
        assert_same_request(
            code::DESCRIBE_OPTIONS,
            &DescribeOptionsRequest { scope },
            &Request::DescribeOptions(DescribeOptions { scope }),
        );
    }

    #[test]
    fn a_catalog_of_options_is_theirs(
        entries in vec((name(), any::<u8>(), vec(any::<u8>(), 0..20), ".{0,40}"), 0..4),
    ) {
        let theirs = DescribeOptionsResponse {
            entries: entries
                .iter()
                .map(|(key, kind, default, description)| OptionDescriptor {
                    key: wire_name(key),
                    kind: *kind,
                    default_value: default.clone().into(),
                    description: description.clone(),
                })
                .collect(),
        };
        prop_assert!(!theirs.to_bytes().is_empty());
        let ours = OptionCatalog {
            options: entries
                .into_iter()
                .map(|(key, kind, default, description)| OurDescriptor {
                    key,
                    kind: HeaderKind(kind),
                    default_value: default.into(),
                    description,
                })
                .collect(),
        };
        assert_same_reply(&[code::DESCRIBE_OPTIONS], &theirs, &Reply::Options(ours));
    }
}
