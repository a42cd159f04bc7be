use bytes::Bytes;
use iggy_binary_protocol::codec::{WireDecode as _, WireEncode as _};
use iggy_binary_protocol::requests::users::{LoginRegisterRequest, LoginRegisterWithPatRequest};
use iggy_binary_protocol::responses::users::LoginRegisterResponse;
use iggy_binary_protocol::version::{ClientVersionInfo, ProtocolVersion as TheirVersion};
use parallax_codec::commands::{ClientVersion, LoginRegister, LoginRegisterWithPat, Session};
use parallax_codec::primitives::Secret;
use parallax_codec::vsr::{LoginForm, ProtocolVersion};
use parallax_codec::{Encode as _, Reply, Request, code};
use proptest::option;
use proptest::prelude::*;
use secrecy::{ExposeSecret as _, SecretString};

use crate::support::{assert_hidden, assert_same_reply, assert_tiles, name, secret, wire_name};

fn version() -> impl Strategy<Value = ClientVersion> {
    (any::<u32>(), name(), name()).prop_map(|(protocol, sdk_name, sdk_version)| ClientVersion {
        protocol: ProtocolVersion(protocol),
        sdk_name,
        sdk_version,
    })
}

fn wire_version(version: &ClientVersion) -> ClientVersionInfo {
    ClientVersionInfo {
        protocol_version: version.protocol.0,
        sdk_name: wire_name(&version.sdk_name),
        sdk_version: wire_name(&version.sdk_version),
    }
}

fn assert_ours(code: u32, bytes: &Bytes, ours: &Request, password: &str) {
    assert_eq!(&ours.encode(), bytes);
    assert_eq!(ours.code(), code);
    assert_eq!(&Request::decode(crate::DIALECT, code, bytes).unwrap(), ours);
    assert_tiles(&ours.fields(256), 256..256 + bytes.len());
    assert_hidden(&[password], bytes, &ours.fields(0), &format!("{ours:?}"));
}

proptest! {
    #[test]
    fn a_login_by_password_is_theirs(
        version in version(),
        username in name(),
        password in secret(),
        context in option::of("[a-z]{1,300}"),
    ) {
        let theirs = LoginRegisterRequest {
            version_info: wire_version(&version),
            username: wire_name(&username),
            password: SecretString::from(password.clone()),
            client_context: context.clone(),
        };
        let bytes = theirs.to_bytes();
        let ours = Request::LoginRegister(LoginRegister {
            version: version.clone(),
            username,
            password: Secret::new(password.clone()),
            context,
        });
        assert_ours(code::LOGIN_REGISTER, &bytes, &ours, &password);
        let (theirs, read) = LoginRegisterRequest::decode(&ours.encode()).unwrap();
        prop_assert_eq!(read, bytes.len());
        prop_assert_eq!(theirs.version_info, wire_version(&version));
        prop_assert_eq!(theirs.password.expose_secret(), password);
        prop_assert_eq!(LoginForm::of(&bytes), LoginForm::Password);
    }

    #[test]
    fn a_login_by_token_is_theirs(
        version in version(),
        token in secret(),
        context in option::of("[a-z]{1,300}"),
    ) {
        let theirs = LoginRegisterWithPatRequest {
            version_info: wire_version(&version),
            token: SecretString::from(token.clone()),
            client_context: context.clone(),
        };
        let bytes = theirs.to_bytes();
        let ours = Request::LoginRegisterWithPat(LoginRegisterWithPat {
            version,
            token: Secret::new(token.clone()),
            context,
        });
        assert_ours(code::LOGIN_REGISTER_WITH_PAT, &bytes, &ours, &token);
        let (_, read) = LoginRegisterWithPatRequest::decode(&ours.encode()).unwrap();
        prop_assert_eq!(read, bytes.len());
        prop_assert_ne!(LoginForm::of(&bytes), LoginForm::Password);
    }

    #[test]
    fn an_open_session_is_theirs(
        user_id: u32,
        session: u64,
        server_protocol_version: u32,
        server_version in name(),
    ) {
        let theirs = LoginRegisterResponse {
            user_id,
            session,
            server_protocol_version,
            server_version: wire_name(&server_version),
        };
        let ours = Reply::Session(Session {
            user_id,
            session,
            server_protocol_version: ProtocolVersion(server_protocol_version),
            server_version,
        });
        assert_same_reply(&[code::LOGIN_REGISTER, code::LOGIN_REGISTER_WITH_PAT], &theirs, &ours);
    }

    #[test]
    fn a_version_reads_as_theirs(version: u32) {
        let theirs = TheirVersion(version).to_string();
        prop_assert_eq!(ProtocolVersion(version).to_string(), theirs);
    }
}
