//! The VSR dialect, and clients and servers that differ.

use bytes::Bytes;
use parallax_captures::Dialect;
use parallax_codec::commands::{ClientVersion, CreateStream, LoginRegister, Session};
use parallax_codec::primitives::Secret;
use parallax_codec::vsr::{
    EvictionHeader, EvictionReason, HEADER_SIZE, ProtocolVersion, ReplyHeader, RequestHeader,
    ResultEntry, ResultSection,
};
use parallax_codec::{Direction, Encode as _, Request, classic, code};

use super::script::Script;
use crate::credentials::Credentials;
use crate::session::SessionEvent;

use Direction::{ToClient, ToServer};

const CLIENT: u128 = 0xC1E2;

/// A write with this number in its session.
fn write(number: u64) -> (RequestHeader, Bytes) {
    let body = create_stream(number);
    let header = RequestHeader {
        client: CLIENT,
        request: number,
        session: 5,
        ..RequestHeader::new(code::CREATE_STREAM, &body)
    };
    (header, header.frame(&body))
}

fn create_stream(number: u64) -> Bytes {
    Request::CreateStream(CreateStream {
        name: format!("stream-{number}"),
        options: None,
    })
    .encode()
}

/// The reply to a write: refused with `error`, or done.
fn reply(to: &RequestHeader, error: Option<u32>) -> Bytes {
    let entries = error.map(|result| ResultEntry { index: 0, result });
    let body = ResultSection {
        entries: entries.into_iter().collect(),
    }
    .encode();
    ReplyHeader::to(to, 0, body.len()).frame(&body)
}

fn ping() -> (RequestHeader, Bytes) {
    let header = RequestHeader {
        client: CLIENT,
        request: 5,
        ..RequestHeader::new(code::PING, &[])
    };
    (header, header.frame(&[]))
}

fn login(password: &str) -> (RequestHeader, Bytes) {
    let body = Request::LoginRegister(LoginRegister {
        version: ClientVersion {
            protocol: ProtocolVersion(11 << 10),
            sdk_name: "rust-sdk".to_owned(),
            sdk_version: "0.11.0".to_owned(),
        },
        username: "iggy".to_owned(),
        password: Secret::new(password),
        context: None,
    })
    .encode();
    let header = RequestHeader {
        client: CLIENT,
        ..RequestHeader::new(code::LOGIN_REGISTER, &body)
    };
    (header, header.frame(&body))
}

fn eviction(client: u128, reason: EvictionReason) -> Bytes {
    EvictionHeader::new(client, reason).encode()
}

fn pair(command: &str, status: u32) -> (String, Option<u32>) {
    (command.to_owned(), Some(status))
}

#[test]
fn an_eviction_between_request_and_reply_shifts_nothing() {
    let ((six, ask_six), (seven, ask_seven)) = (write(6), write(7));
    let script = Script::new()
        .sends(ToServer, ask_six)
        .sends(ToClient, eviction(CLIENT, EvictionReason::STALE_CLIENT))
        .sends(ToClient, reply(&six, None))
        .sends(ToServer, ask_seven)
        .sends(ToClient, reply(&seven, Some(1012)));
    assert_eq!(
        script.summary(),
        [
            ("eviction".to_owned(), None),
            pair("create_stream", 0),
            pair("create_stream", 1012)
        ]
    );
    let evicted = script.exchanges()[0].eviction().unwrap();
    assert_eq!(evicted.reason, EvictionReason::STALE_CLIENT);
    assert!(script.undecoded().is_none());
}

#[test]
fn replies_out_of_order_find_their_requests_by_number() {
    let ((six, ask_six), (seven, ask_seven)) = (write(6), write(7));
    let script = Script::new()
        .sends(ToServer, ask_six)
        .sends(ToServer, ask_seven)
        .sends(ToClient, reply(&seven, Some(1012)))
        .sends(ToClient, reply(&six, None));
    let asked = |index: usize| {
        let content = script.exchanges()[index].binary().unwrap().clone();
        match content.request {
            Some(Request::CreateStream(request)) => (request.name, content.status),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(asked(0), ("stream-7".to_owned(), Some(1012)));
    assert_eq!(asked(1), ("stream-6".to_owned(), Some(0)));
}

#[test]
fn a_reply_to_no_open_request_is_told_and_shifts_nothing() {
    let ((six, ask_six), (nine, _)) = (write(6), write(9));
    let script = Script::new()
        .sends(ToServer, ask_six)
        .sends(ToClient, reply(&nine, None))
        .sends(ToClient, reply(&six, None));
    assert_eq!(
        script.summary(),
        [
            ("unmatched_reply".to_owned(), None),
            pair("create_stream", 0)
        ]
    );
}

#[test]
fn an_eviction_refuses_the_login_that_is_open() {
    let (_, ask) = login("canary-secret");
    let script = Script::new().sends(ToServer, ask).sends(
        ToClient,
        eviction(CLIENT, EvictionReason::INVALID_CREDENTIALS),
    );
    assert_eq!(script.summary(), [("login_register".to_owned(), None)]);
    let exchange = script.exchanges()[0];
    assert!(exchange.is_refused());
    let evicted = exchange.eviction().unwrap();
    assert_eq!(evicted.reason, EvictionReason::INVALID_CREDENTIALS);
    assert!(!format!("{:?}", script.events).contains("canary"));
}

#[test]
fn a_login_tells_both_sides_versions_and_the_credentials_and_keeps_no_password() {
    let (header, ask) = login("canary-secret");
    let session = Session {
        user_id: 1,
        session: 5,
        server_protocol_version: ProtocolVersion(11 << 10),
        server_version: "0.9.0".to_owned(),
    };
    let mut body = ResultSection::default().encode().to_vec();
    body.extend_from_slice(&session.encode());
    let answer = ReplyHeader::to(&header, 0, body.len()).frame(&body);
    let script = Script::new().sends(ToServer, ask).sends(ToClient, answer);
    let told = script.events.iter().find_map(|event| match event {
        SessionEvent::LoggedIn {
            version,
            server_version,
            credentials,
            ..
        } => Some((version.clone(), server_version.clone(), credentials.clone())),
        _ => None,
    });
    let (client, server, credentials) = told.unwrap();
    assert_eq!(client.unwrap(), "rust-sdk 0.11.0, protocol 0.11.0");
    assert_eq!(server.unwrap(), "0.9.0, protocol 0.11.0");
    let password = "canary-secret".to_owned();
    let username = "iggy".to_owned();
    assert_eq!(credentials, Credentials::Password { username, password });
    assert!(!format!("{:?}", script.events).contains("canary"));
    let frame = &script.exchanges()[0].binary().unwrap().request_frame;
    assert!(!frame.windows(6).any(|window| window == b"canary"));
}

#[test]
fn fields_of_a_vsr_exchange_tile_its_frames() {
    let (six, ask) = write(6);
    let script = Script::new()
        .sends(ToServer, ask)
        .sends(ToClient, reply(&six, Some(1012)));
    let exchange = script.exchanges()[0];
    let content = exchange.binary().unwrap();
    for (fields, frame) in [
        (exchange.request_fields(), &content.request_frame),
        (exchange.reply_fields(), &content.reply_frame),
    ] {
        let mut end = 0;
        for field in &fields {
            assert_eq!(field.range.start, end, "before {}", field.name);
            end = field.range.end;
        }
        assert_eq!(end, frame.len());
    }
}

#[test]
fn a_capture_begun_mid_stream_recognises_the_dialect_by_the_next_header() {
    let (header, ask) = ping();
    let script = Script::mid_stream()
        .sends(ToServer, vec![0x55; 300])
        .sends(ToClient, vec![0x66; 300])
        .sends(ToServer, ask)
        .sends(ToClient, ReplyHeader::to(&header, 0, 0).frame(&[]));
    assert_eq!(script.summary(), [pair("ping", 0)]);
    assert_eq!(script.exchanges()[0].dialect, Dialect::Vsr);
}

#[test]
fn any_split_of_the_bytes_gives_the_same_exchanges() {
    let ((six, ask_six), (seven, ask_seven)) = (write(6), write(7));
    let to_server = [ask_six, ask_seven].concat();
    let to_client = [reply(&six, None), reply(&seven, Some(1012))].concat();
    let whole = Script::new()
        .sends(ToServer, to_server.clone())
        .sends(ToClient, to_client.clone())
        .summary();
    for size in [1, 7, 61, 255, 256, 257] {
        let mut script = Script::new();
        for piece in to_server.chunks(size) {
            script = script.sends(ToServer, piece.to_vec());
        }
        for piece in to_client.chunks(size) {
            script = script.sends(ToClient, piece.to_vec());
        }
        assert_eq!(script.summary(), whole, "in pieces of {size}");
    }
}

#[test]
fn a_classic_server_reads_a_vsr_login_as_empty_requests() {
    let (_, ask) = login("canary-secret");
    let refusals = classic::encode_reply(3, &[]).repeat(20);
    let script = Script::new().sends(ToServer, ask).sends(ToClient, refusals);
    let skew = script.events.iter().find_map(|event| match event {
        SessionEvent::Skewed(skew) => Some(skew.clone()),
        _ => None,
    });
    let skew = skew.unwrap();
    assert_eq!(skew.client, parallax_codec::Dialect::Vsr);
    assert_eq!(skew.server, parallax_codec::Dialect::Classic);
    let version = skew.client_version.unwrap();
    assert_eq!(version, "rust-sdk 0.11.0, protocol 0.11.0");
    assert!(skew.answer.contains("status 3"), "{}", skew.answer);
    assert_eq!(script.summary(), [("login_register".to_owned(), None)]);
}

#[test]
fn a_vsr_server_evicts_a_classic_client() {
    let ask = classic::encode_request(
        code::LOGIN_USER,
        b"\x04iggy\x04iggy\x06\0\0\x000.10.0\0\0\0\0",
    );
    let script = Script::new()
        .sends(ToServer, ask)
        .sends(ToClient, eviction(0, EvictionReason::MALFORMED_LOGIN));
    let skew = script.events.iter().find_map(|event| match event {
        SessionEvent::Skewed(skew) => Some(skew.clone()),
        _ => None,
    });
    let skew = skew.unwrap();
    assert_eq!(skew.client, parallax_codec::Dialect::Classic);
    assert_eq!(skew.client_version.as_deref(), Some("0.10.0"));
    assert!(skew.answer.contains("malformed_login"), "{}", skew.answer);
}

#[test]
fn an_eviction_in_pieces_is_no_row_of_empty_replies() {
    let ask = classic::encode_request(
        code::LOGIN_USER,
        b"\x04iggy\x04iggy\x06\0\0\x000.10.0\0\0\0\0",
    );
    let answer = eviction(0, EvictionReason::MALFORMED_LOGIN);
    for sizes in [[8, 92, 156], [1, 31, 224], [100, 100, 56]] {
        let mut script = Script::new().sends(ToServer, ask.clone());
        let mut rest = answer.clone();
        for size in sizes {
            script = script.sends(ToClient, rest.split_to(size));
        }
        let skewed = |event: &SessionEvent| matches!(event, SessionEvent::Skewed(_));
        assert!(script.events.iter().any(skewed), "{sizes:?}");
        let logged_in = |event: &SessionEvent| matches!(event, SessionEvent::LoggedIn { .. });
        assert!(!script.events.iter().any(logged_in), "{sizes:?}");
    }
}

#[test]
fn a_header_that_never_becomes_whole_is_told_at_the_end() {
    let (_, ask) = ping();
    let script = Script::new()
        .sends(ToServer, ask.slice(..HEADER_SIZE - 10))
        .closes();
    let why = script.undecoded().unwrap();
    assert!(why.contains("246"), "{why}");
}
