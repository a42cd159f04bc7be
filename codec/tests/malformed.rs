//! Requests that clients are known to have sent wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use bytes::Bytes;
use parallax_codec::commands::{CreateUser, UpdatePermissions};
use parallax_codec::primitives::{
    Identifier, Permissions, Secret, StreamPermissions, TopicPermissions,
};
use parallax_codec::{DecodeError, Dialect, Encode as _, Fault, Request, code};

fn permissions() -> Permissions {
    let topic = |topic_id| TopicPermissions {
        topic_id,
        granted: [true; 4],
    };
    Permissions {
        global: [true; 10],
        streams: vec![StreamPermissions {
            stream_id: 1,
            granted: [true; 6],
            topics: vec![topic(1), topic(2)],
        }],
    }
}

/// The two requests that carry permissions, which end the body.
fn requests() -> [(u32, Bytes); 2] {
    let create = Request::CreateUser(CreateUser {
        username: "reader".to_owned(),
        password: Secret::new("secret"),
        status: 1,
        permissions: Some(permissions()),
        options: None,
    });
    let update = Request::UpdatePermissions(UpdatePermissions {
        user: Identifier::Numeric(2),
        permissions: Some(permissions()),
    });
    [
        (code::CREATE_USER, create.encode()),
        (code::UPDATE_PERMISSIONS, update.encode()),
    ]
}

fn refused(dialect: Dialect, code: u32, body: Vec<u8>) -> DecodeError {
    Request::decode(dialect, code, &body.into()).unwrap_err()
}

/// Case D9: a buffer one byte too long.
#[test]
fn a_byte_after_the_permissions_is_told_with_its_place() {
    for (code, sound) in requests() {
        Request::decode(Dialect::Classic, code, &sound).unwrap();
        let longer = [&sound[..], &[0]].concat();
        let error = refused(Dialect::Classic, code, longer.clone());
        assert_eq!((error.at, error.fault), (sound.len(), Fault::LeftOver(1)));
        // Among the VSR dialect's options a 0 is a key of no known kind.
        let error = refused(Dialect::Vsr, code, longer);
        assert!(error.at >= sound.len(), "{error}");
    }
}

/// Case D9: the byte counted in the permissions' length.
#[test]
fn permissions_longer_than_what_they_say_are_told() {
    for (code, sound) in requests() {
        let size = permissions().encode().len();
        let start = sound.len() - size;
        let counted = u32::try_from(size + 1).unwrap().to_le_bytes();
        let longer = [&sound[..start - 4], &counted, &sound[start..], &[0]].concat();
        for dialect in [Dialect::Classic, Dialect::Vsr] {
            let error = refused(dialect, code, longer.clone());
            let length = size as u64 + 1;
            assert_eq!(error.fault, Fault::WrongLength(length), "{error}");
            assert_eq!(error.at, start - 4, "at the length");
        }
    }
}

/// Case D9: no byte that says whether another topic or stream follows.
#[test]
fn permissions_without_a_continuation_flag_are_told() {
    for (code, sound) in requests() {
        let size = permissions().encode().len();
        let start = sound.len() - size;
        for missing in [1, 2] {
            let counted = u32::try_from(size - missing).unwrap().to_le_bytes();
            let kept = &sound[start..sound.len() - missing];
            let shorter = [&sound[..start - 4], &counted, kept].concat();
            for dialect in [Dialect::Classic, Dialect::Vsr] {
                let error = refused(dialect, code, shorter.clone());
                assert_eq!(error.what, "permissions follow");
                assert_eq!(error.at, shorter.len(), "{error}");
            }
        }
    }
}

/// Case E5: a byte less is never a whole request.
#[test]
fn a_request_cut_at_any_byte_is_told() {
    for (code, sound) in requests() {
        for kept in 1..sound.len() {
            for dialect in [Dialect::Classic, Dialect::Vsr] {
                let error = refused(dialect, code, sound[..kept].to_vec());
                assert!(error.at <= kept, "{kept}: {error}");
            }
        }
    }
}
