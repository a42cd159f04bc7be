//! Which body layouts a connection shows, learned frame by frame.

use bytes::Bytes;
use parallax_captures::Layouts;
use parallax_codec::commands::{PollMessages, PolledMessages, Session};
use parallax_codec::messages::{HeaderLayout, Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::vsr::{
    ProtocolVersion, ReplyHeader, RequestHeader, ResultSection, StatusLayout,
};
use parallax_codec::{Direction, Encode as _, Request, classic, code};

use super::script::Script;
use crate::session::SessionEvent;

use Direction::{ToClient, ToServer};

/// What the session said last of the layouts, and how often it said something.
fn layouts(script: &Script) -> (Layouts, usize) {
    let told = script.events.iter().filter_map(|event| match event {
        SessionEvent::Layouts(layouts) => Some(layouts.clone()),
        _ => None,
    });
    let told: Vec<_> = told.collect();
    (told.last().cloned().unwrap_or_default(), told.len())
}

fn poll(partition_layout: PartitionLayout) -> Bytes {
    let request = Request::PollMessages(PollMessages {
        partition_layout,
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Numeric(7),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partition_id: Some(1),
        strategy: PollingStrategy {
            kind: PollingKind::First,
            value: 0,
        },
        count: 10,
        auto_commit: false,
    });
    classic::encode_request(request.code(), &request.encode())
}

fn polled(layout: MessageLayout, count: u64, left_over: &'static [u8]) -> Bytes {
    let message = |offset| Message {
        header: MessageHeader {
            checksum: 0,
            id: u128::from(offset) + 1,
            offset,
            timestamp: 1_800_000_000_000_000,
            origin_timestamp: 1_800_000_000_000_000,
            user_headers_length: 0,
            payload_length: 8,
            reserved: 0,
        },
        payload: Bytes::from_static(b"8 bytes."),
        user_headers: Bytes::new(),
    };
    let reply = PolledMessages {
        layout,
        partition_id: 1,
        current_offset: count,
        count: u32::try_from(count).unwrap(),
        messages: (0..count).map(message).collect(),
        left_over: Bytes::from_static(left_over),
    };
    classic::encode_reply(0, &reply.encode())
}

#[test]
fn a_poll_and_its_reply_tell_both_layouts_once() {
    let mut script = Script::new();
    for _ in 0..3 {
        script = script
            .sends(ToServer, poll(PartitionLayout::Flagged))
            .sends(ToClient, polled(MessageLayout::Headers64, 3, b""));
    }
    let (learned, times) = layouts(&script);
    assert_eq!(
        learned.messages_polled.only(),
        Some(HeaderLayout::Headers64)
    );
    assert_eq!(learned.partition.only(), Some(PartitionLayout::Flagged));
    assert_eq!(times, 1, "told when it is new");
}

#[test]
fn an_old_client_on_an_old_server_is_told_by_its_bytes() {
    let script = Script::new()
        .sends(ToServer, poll(PartitionLayout::Plain))
        .sends(ToClient, polled(MessageLayout::Headers56, 3, b""));
    let (learned, _) = layouts(&script);
    assert_eq!(
        learned.messages_polled.only(),
        Some(HeaderLayout::Headers56)
    );
    assert_eq!(learned.partition.only(), Some(PartitionLayout::Plain));
}

#[test]
fn an_empty_poll_and_one_that_does_not_tile_leave_the_layout_unknown() {
    for reply in [
        polled(MessageLayout::Headers64, 0, b""),
        polled(MessageLayout::Headers64, 3, b"and more"),
    ] {
        let script = Script::new()
            .sends(ToServer, poll(PartitionLayout::Flagged))
            .sends(ToClient, reply);
        let (learned, _) = layouts(&script);
        assert!(learned.messages_polled.all().is_empty());
    }
}

#[test]
fn replies_in_two_layouts_contradict_each_other_and_say_so() {
    let script = Script::new()
        .sends(ToServer, poll(PartitionLayout::Flagged))
        .sends(ToClient, polled(MessageLayout::Headers64, 3, b""))
        .sends(ToServer, poll(PartitionLayout::Flagged))
        .sends(ToClient, polled(MessageLayout::Headers56, 3, b""))
        .sends(ToServer, poll(PartitionLayout::Flagged))
        .sends(ToClient, polled(MessageLayout::Headers64, 3, b""));
    let (learned, times) = layouts(&script);
    assert_eq!(learned.messages_polled.only(), None);
    assert_eq!(
        learned.messages_polled.all(),
        [HeaderLayout::Headers64, HeaderLayout::Headers56]
    );
    assert!(learned.contradiction().is_some());
    assert_eq!(times, 2);
}

/// A login that tells the protocol of today, and a ping's header.
fn logged_in() -> (Script, RequestHeader) {
    let login = RequestHeader::new(code::LOGIN_REGISTER, &[]);
    let session = Session {
        user_id: 1,
        session: 5,
        server_protocol_version: ProtocolVersion(11 << 10),
        server_version: "0.9.0".to_owned(),
    };
    let body = [ResultSection::default().encode(), session.encode()].concat();
    let answer = ReplyHeader::to(&login, 0, body.len()).frame(&body);
    let request = parallax_codec::commands::LoginRegister {
        version: parallax_codec::commands::ClientVersion {
            protocol: ProtocolVersion(11 << 10),
            sdk_name: "rust-sdk".to_owned(),
            sdk_version: "0.11.0".to_owned(),
        },
        username: "iggy".to_owned(),
        password: parallax_codec::primitives::Secret::new("iggy"),
        context: None,
    };
    let body = Request::LoginRegister(request).encode();
    let asked = RequestHeader::new(code::LOGIN_REGISTER, &body).frame(&body);
    let script = Script::new().sends(ToServer, asked).sends(ToClient, answer);
    (script, RequestHeader::new(code::PING, &[]))
}

#[test]
fn a_login_tells_where_the_status_stands() {
    let (script, _) = logged_in();
    let (learned, _) = layouts(&script);
    assert_eq!(learned.status.only(), Some(StatusLayout::At216));
}

#[test]
fn a_status_in_two_places_is_a_contradiction_and_the_next_refusal_is_ambiguous() {
    let (script, ping) = logged_in();
    let mut elsewhere = ReplyHeader::to(&ping, 0, 0);
    elsewhere.tail[8..12].copy_from_slice(&40_u32.to_le_bytes());
    let script = script
        .sends(ToServer, ping.frame(&[]))
        .sends(ToClient, elsewhere.frame(&[]));
    let (learned, _) = layouts(&script);
    assert_eq!(
        learned.status.all(),
        [StatusLayout::At216, StatusLayout::At224]
    );
    let script = script
        .sends(ToServer, ping.frame(&[]))
        .sends(ToClient, ReplyHeader::to(&ping, 40, 0).frame(&[]));
    let last = script.exchanges().pop().unwrap();
    assert_eq!(last.status(), None);
    assert!(last.undecoded.as_ref().unwrap().why.contains("ambiguous"));
}
