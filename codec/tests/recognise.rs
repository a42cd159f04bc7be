//! First bytes of clients, and what they speak.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use parallax_codec::classic::encode_request;
use parallax_codec::limits::RECOGNISE_WITHIN;
use parallax_codec::recognise::{Protocol, recognise};
use parallax_codec::{COMMANDS, Dialect, code};
use proptest::collection::vec;
use proptest::prelude::*;

/// A `ClientHello` whose handshake is as long as said; its body does not matter.
fn client_hello(minor: u8, handshake: u16) -> Vec<u8> {
    let record = (handshake + 4).to_be_bytes();
    let handshake = handshake.to_be_bytes();
    let mut hello = vec![0x16, 3, minor, record[0], record[1]];
    hello.extend([1, 0, handshake[0], handshake[1], 3, 3]);
    hello.resize(200, 0xab);
    hello
}

/// The header of a VSR request as an SDK 0.11 sends it: no checksum, the size,
/// the command.
fn vsr_request(size: u32) -> Vec<u8> {
    let mut header = vec![0; 256];
    header[48..52].copy_from_slice(&size.to_le_bytes());
    header[60] = 5;
    header
}

/// The answer, which is the same however the bytes come.
fn settled(first: &[u8]) -> Option<Protocol> {
    let whole = recognise(first);
    for length in 0..first.len() {
        let part = recognise(&first[..length]);
        assert!(
            part.is_none() || part == whole,
            "changed after {length} bytes"
        );
    }
    whole
}

#[test]
fn a_login_is_classic() {
    let login = encode_request(code::LOGIN_USER, b"\x04iggy\x04iggy\0\0\0\0\0\0\0\0");
    assert_eq!(settled(&login), Some(Protocol::Classic));
}

#[test]
fn every_classic_command_may_be_the_first() {
    for command in COMMANDS
        .iter()
        .filter(|command| command.is_in(Dialect::Classic))
    {
        let request = encode_request(command.code, &[1, 4, 7, 0, 0, 0]);
        assert_eq!(
            settled(&request),
            Some(Protocol::Classic),
            "{}",
            command.name
        );
    }
}

#[test]
fn a_vsr_request_is_recognised_by_its_size_and_command() {
    assert_eq!(settled(&vsr_request(297)), Some(Protocol::Vsr));
    assert_eq!(settled(&vsr_request(255)), Some(Protocol::Unknown));
}

/// Read as a big-endian length, this `ClientHello` announces a frame of
/// 369296129 bytes.
#[test]
fn a_frame_of_369296129_bytes_is_a_tls_client_hello() {
    let hello = client_hello(3, 0x013c);
    assert_eq!(hello[..4], 369_296_129_u32.to_be_bytes()[..]);
    assert_eq!(settled(&hello), Some(Protocol::Tls));
}

#[test]
fn a_client_hello_of_any_length_is_tls_even_where_it_reads_as_a_command() {
    for minor in 0..=4 {
        for handshake in 38..2000 {
            let hello = client_hello(minor, handshake);
            assert_eq!(
                settled(&hello[..70]),
                Some(Protocol::Tls),
                "{minor} {handshake}"
            );
        }
    }
}

#[test]
fn a_classic_request_whose_length_begins_like_tls_is_classic() {
    for command in COMMANDS
        .iter()
        .filter(|command| command.is_in(Dialect::Classic))
    {
        for length in [0x0316, 0x0001_0316, 0x0003_0316, 0x0101_0316, 0x0203_0316] {
            let mut first = u32::to_le_bytes(length).to_vec();
            first.extend(command.code.to_le_bytes());
            first.extend([1, 4, 7, 0, 0, 0]);
            assert_eq!(settled(&first), Some(Protocol::Classic), "{}", command.name);
        }
    }
}

#[test]
fn http_is_recognised_by_its_method() {
    let lines = [
        "GET /streams HTTP/1.1\r\n",
        "HEAD / HTTP/1.1\r\n",
        "POST /users/login HTTP/1.1\r\n",
        "PUT / HTTP/1.1\r\n",
        "DELETE / HTTP/1.1\r\n",
        "OPTIONS * HTTP/1.1\r\n",
        "CONNECT a:1 HTTP/1.1\r\n",
        "TRACE / HTTP/1.1\r\n",
        "PATCH / HTTP/1.1\r\n",
        "PRI * HTTP/2.0\r\n",
    ];
    for line in lines {
        assert_eq!(settled(line.as_bytes()), Some(Protocol::Http), "{line}");
    }
}

#[test]
fn both_versions_of_the_proxy_protocol_are_recognised() {
    let v1 = b"PROXY TCP4 192.0.2.1 192.0.2.2 4711 8090\r\n";
    assert_eq!(settled(v1), Some(Protocol::ProxyV1));
    let v2 = b"\x0d\x0a\x0d\x0a\x00\x0d\x0a\x51\x55\x49\x54\x0a\x21\x11\x00\x0c";
    assert_eq!(settled(v2), Some(Protocol::ProxyV2));
}

#[test]
fn something_else_is_unknown() {
    let line = b"EHLO mail.example.org, and more of it until there is no doubt left";
    assert_eq!(settled(line), Some(Protocol::Unknown));
    assert_eq!(settled(&[0xff; RECOGNISE_WITHIN]), Some(Protocol::Unknown));
    assert_eq!(recognise(&[0xff; RECOGNISE_WITHIN - 1]), None);
    assert_eq!(recognise(&[]), None);
}

proptest! {
    #[test]
    fn the_limit_always_brings_an_answer_and_it_never_changes(
        first in vec(any::<u8>(), RECOGNISE_WITHIN..100),
    ) {
        prop_assert!(settled(&first).is_some());
        prop_assert_eq!(recognise(&first[..RECOGNISE_WITHIN]), recognise(&first));
    }
}
