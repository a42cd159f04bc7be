//! Bodies that cannot be read may still hold a password.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use bytes::Bytes;
use parallax_codec::{
    COMMANDS, Dialect, Reply, Request, code, reply_may_carry_secrets, request_may_carry_secrets,
    secret_ranges,
};

/// Codes of commands whose request or reply has a field for a secret, by their
/// layouts; see the differential tests, which hold those fields masked.
const REQUESTS: [u32; 6] = [
    code::CREATE_USER,
    code::CHANGE_PASSWORD,
    code::LOGIN_USER,
    code::LOGIN_REGISTER,
    code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
    code::LOGIN_REGISTER_WITH_PAT,
];
const REPLIES: [u32; 2] = [code::GET_SNAPSHOT_FILE, code::CREATE_PERSONAL_ACCESS_TOKEN];

#[test]
fn known_commands_carry_secrets_where_their_layout_has_them() {
    let codes = || COMMANDS.iter().map(|command| command.code);
    let requests: Vec<u32> = codes().filter(|c| request_may_carry_secrets(*c)).collect();
    assert_eq!(requests, REQUESTS);
    let replies: Vec<u32> = codes().filter(|c| reply_may_carry_secrets(*c)).collect();
    assert_eq!(replies, REPLIES);
}

#[test]
fn the_body_of_a_command_that_nobody_knows_is_masked_as_a_whole() {
    let body = Bytes::from_static(b"hunter2");
    for code in [4711, code::LOGIN_REGISTER] {
        let request = Request::decode(Dialect::Classic, code, &body).unwrap();
        let masked = secret_ranges(&request.fields(8));
        assert_eq!(masked.first(), Some(&(8..15)), "code {code}");
    }
    let (reply, _) = Reply::decode(Dialect::Classic, 4711, &body).unwrap();
    assert_eq!(secret_ranges(&reply.fields(8)).first(), Some(&(8..15)));
}

#[test]
fn the_body_of_a_known_command_of_the_other_dialect_is_shown() {
    let body = Bytes::from_static(b"\x01\x02");
    let request = Request::decode(Dialect::Classic, code::GET_POLL_ROUTING, &body).unwrap();
    assert_eq!(secret_ranges(&request.fields(8)), []);
    assert_eq!(request.fields(8)[0].range, 8..10);
}

#[test]
fn an_opaque_body_is_not_printed() {
    let body = Bytes::from_static(b"hunter2");
    let request = Request::decode(Dialect::Classic, 4711, &body).unwrap();
    let (reply, _) = Reply::decode(Dialect::Classic, 4711, &body).unwrap();
    let snapshot = Reply::decode(Dialect::Classic, code::GET_SNAPSHOT_FILE, &body).unwrap();
    let shown = format!("{request:?}{reply:?}{snapshot:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
}
