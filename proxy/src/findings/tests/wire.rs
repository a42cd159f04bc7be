//! `PX4xx`, from the bytes on: what each side sends, and the findings of it.

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::{ConnectionId, Finding, Journal};
use parallax_codec::commands::{ClientVersion, LoginRegister, PolledMessages};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::ConsumerKind::Group;
use parallax_codec::primitives::PollingKind::Next;
use parallax_codec::primitives::Secret;
use parallax_codec::vsr::{
    EvictionHeader, EvictionReason, ProtocolVersion, ReplyHeader, RequestHeader,
};
use parallax_codec::{Direction, Encode as _, Request, classic, code};

use super::{NONE, codes, told};
use crate::analyst::Analyst;
use crate::findings::sample::poll;
use crate::session::{Session, SessionEvent};

use Direction::{ToClient, ToServer};

/// The findings of a connection on which these bytes pass, one send after the
/// other.
fn findings_of<const N: usize>(sends: [(Direction, Bytes); N]) -> Vec<Finding> {
    let id = ConnectionId(1);
    let mut session = Session::new(id, false);
    let mut events = Vec::new();
    for (direction, bytes) in sends {
        session.bytes(direction, Timestamp::UNIX_EPOCH, bytes, &mut events);
    }
    session.closed(&mut events);
    let analyst = Analyst::new(Arc::new(Journal::new()));
    for event in events {
        match event {
            SessionEvent::Exchange(exchange) => {
                analyst.record(exchange);
            }
            SessionEvent::Skewed(skew) => analyst.skewed(id, &skew),
            _ => {}
        }
    }
    analyst.journal().findings()
}

/// A VSR login by SDK 0.11, and its header.
fn login() -> (RequestHeader, Bytes) {
    let body = Request::LoginRegister(LoginRegister {
        version: ClientVersion {
            protocol: ProtocolVersion(11 << 10),
            sdk_name: "rust-sdk".to_owned(),
            sdk_version: "0.11.0".to_owned(),
        },
        username: "iggy".to_owned(),
        password: Secret::new("iggy"),
        context: None,
    })
    .encode();
    let header = RequestHeader {
        client: 7,
        ..RequestHeader::new(code::LOGIN_REGISTER, &body)
    };
    (header, header.frame(&body))
}

/// A login by SDK 0.10.
fn classic_login() -> Bytes {
    let body = b"\x04iggy\x04iggy\x06\0\0\x000.10.0\0\0\0\0";
    classic::encode_request(code::LOGIN_USER, body)
}

fn eviction(reason: EvictionReason) -> Bytes {
    EvictionHeader::new(7, reason).encode()
}

/// An eviction that tells the window of protocol versions.
fn version_refused() -> Bytes {
    EvictionHeader {
        server_protocol_version: ProtocolVersion(13 << 10),
        server_protocol_version_min: ProtocolVersion(12 << 10),
        ..EvictionHeader::new(7, EvictionReason::INCOMPATIBLE_PROTOCOL)
    }
    .encode()
}

#[test]
fn px401_a_vsr_client_waits_for_a_classic_server_for_ever() {
    let refusals: Bytes = classic::encode_reply(3, &[]).repeat(20).into();
    let findings = findings_of([(ToServer, login().1), (ToClient, refusals)]);
    assert_eq!(codes(&findings), [401]);
    let text = told(&findings, 401);
    assert!(text.contains("rust-sdk 0.11.0, protocol 0.11.0"), "{text}");
    assert!(text.contains("status 3"), "{text}");
}

#[test]
fn px401_a_classic_client_is_evicted_by_a_vsr_server() {
    let evicted = eviction(EvictionReason::MALFORMED_LOGIN);
    let findings = findings_of([(ToServer, classic_login()), (ToClient, evicted)]);
    assert_eq!(codes(&findings), [401]);
    let text = told(&findings, 401);
    assert!(text.contains("0.10.0") && text.contains("malformed_login"));
}

#[test]
fn px401_needs_two_dialects() {
    // Refused and cut short, each in one dialect.
    let refused = classic::encode_reply(42, &[]);
    let cut_short = classic::encode_reply(0, &[]).slice(..5);
    for answer in [refused, cut_short] {
        let findings = findings_of([(ToServer, classic_login()), (ToClient, answer)]);
        assert_eq!(codes(&findings), NONE);
    }
    let evicted = eviction(EvictionReason::INVALID_CREDENTIALS);
    let findings = findings_of([(ToServer, login().1), (ToClient, evicted)]);
    assert_eq!(codes(&findings), NONE);
    // A silent server has shown no dialect.
    assert_eq!(codes(&findings_of([(ToServer, login().1)])), NONE);
    // Empty replies begin like a VSR frame, with zeros.
    let ping = classic::encode_request(code::PING, &[]);
    let pings: Bytes = ping.repeat(4).into();
    let done: Bytes = classic::encode_reply(0, &[]).repeat(4).into();
    assert_eq!(
        codes(&findings_of([(ToServer, pings), (ToClient, done)])),
        NONE
    );
}

#[test]
fn px402_tells_what_the_client_speaks_and_what_the_server_accepts() {
    let findings = findings_of([(ToServer, login().1), (ToClient, version_refused())]);
    assert_eq!(codes(&findings), [402]);
    let text = told(&findings, 402);
    assert!(
        text.contains("rust-sdk 0.11.0 and speaks protocol 0.11.0"),
        "{text}"
    );
    assert!(text.contains("accepts protocol 0.12.0 to 0.13.0"), "{text}");
}

#[test]
fn px402_as_a_status_says_that_the_window_is_not_known() {
    let (header, ask) = login();
    let mut answer = ReplyHeader::to(&header, 14003, 0);
    // A namespace tells the layout in which the status stands behind it.
    answer.tail = [0; 40];
    answer.tail[8..12].copy_from_slice(&14003_u32.to_le_bytes());
    let findings = findings_of([(ToServer, ask), (ToClient, answer.frame(&[]))]);
    assert_eq!(codes(&findings), [103, 402]);
    let text = told(&findings, 402);
    assert!(text.contains("does not say what it accepts"), "{text}");
}

#[test]
fn px402_needs_a_refused_version() {
    for reason in [
        EvictionReason::INVALID_CREDENTIALS,
        EvictionReason::MALFORMED_LOGIN,
    ] {
        let findings = findings_of([(ToServer, login().1), (ToClient, eviction(reason))]);
        assert_eq!(codes(&findings), NONE, "{}", reason.name());
    }
}

fn polled(count: u32, messages: Vec<Message>, left_over: &'static [u8]) -> Bytes {
    let reply = PolledMessages {
        layout: MessageLayout::Headers64,
        partition_id: 2,
        current_offset: 26,
        count,
        messages,
        left_over: Bytes::from_static(left_over),
    };
    classic::encode_reply(0, &reply.encode())
}

/// Messages from offset 0 on, with these bytes for user headers.
fn messages(count: u64, user_headers: &'static [u8]) -> Vec<Message> {
    let payload = Bytes::from_static(b"sixteen bytes...");
    let message = |offset| Message {
        header: MessageHeader {
            checksum: 0,
            id: u128::from(offset) + 1,
            offset,
            timestamp: 1_800_000_000_000_000,
            origin_timestamp: 1_800_000_000_000_000,
            user_headers_length: u32::try_from(user_headers.len()).unwrap(),
            payload_length: 16,
            reserved: 0,
        },
        payload: payload.clone(),
        user_headers: Bytes::from_static(user_headers),
    };
    (0..count).map(message).collect()
}

/// The findings of a poll that is answered so.
fn findings_of_poll(reply: Bytes) -> Vec<Finding> {
    let request = poll(Group, None, Next);
    let request = classic::encode_request(request.code(), &request.encode());
    findings_of([(ToServer, request), (ToClient, reply)])
}

#[test]
fn px403_tells_what_was_announced_what_was_read_and_where_it_stops() {
    for (count, left_over) in [(5, &[][..]), (3, b"no message")] {
        let findings = findings_of_poll(polled(count, messages(3, b""), left_over));
        assert_eq!(codes(&findings), [403], "{count}");
        let text = told(&findings, 403);
        let announced = format!("announces {count} messages; 3 could be read");
        assert!(text.contains(&announced), "{text}");
        // Header and prefix, then three messages of 64 and 16 bytes.
        assert!(text.contains("byte 264 from the server"), "{text}");
    }
}

#[test]
fn px403_needs_messages_that_do_not_fill_their_body() {
    // Headers that a client has encrypted are bytes like any others.
    for headers in [&b""[..], b"\xff\xfe no headers at all"] {
        let findings = findings_of_poll(polled(3, messages(3, headers), b""));
        assert_eq!(codes(&findings), NONE);
    }
    assert_eq!(codes(&findings_of_poll(polled(0, Vec::new(), b""))), NONE);
    // An error with a body is odd, but has no messages that could not fill it.
    let odd = classic::encode_reply(40, b"why");
    assert_eq!(codes(&findings_of_poll(odd)), [408]);
    // And here it is the request that cannot be read.
    let request = classic::encode_request(code::POLL_MESSAGES, b"\x01\x02");
    let reply = polled(3, messages(3, b""), b"");
    assert_eq!(
        codes(&findings_of([(ToServer, request), (ToClient, reply)])),
        [407]
    );
}

#[test]
fn px404_an_eviction_that_answers_nothing() {
    let ping = RequestHeader::new(code::PING, &[]);
    let findings = findings_of([
        (ToServer, ping.frame(&[])),
        (ToClient, ReplyHeader::to(&ping, 0, 0).frame(&[])),
        (ToClient, eviction(EvictionReason::STALE_CLIENT)),
    ]);
    assert_eq!(codes(&findings), [404]);
    let text = told(&findings, 404);
    assert!(
        text.contains("reason 13") && text.contains("stale_client"),
        "{text}"
    );
}

#[test]
fn px404_needs_an_eviction_that_nobody_asked_for() {
    let evicted = eviction(EvictionReason::INVALID_CREDENTIALS);
    let findings = findings_of([(ToServer, login().1), (ToClient, evicted)]);
    assert_eq!(codes(&findings), NONE);
    // A reply that fits no open request ends no session.
    let (header, ask) = login();
    let other = RequestHeader {
        request: 9,
        ..RequestHeader::new(code::CREATE_STREAM, &[])
    };
    let findings = findings_of([
        (ToServer, ask),
        (ToClient, ReplyHeader::to(&other, 0, 0).frame(&[])),
        (ToClient, ReplyHeader::to(&header, 0, 0).frame(&[])),
    ]);
    assert_eq!(codes(&findings), [406]);
}
