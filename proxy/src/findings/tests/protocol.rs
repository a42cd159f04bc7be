//! `PX4xx`, from bytes: what a session makes of them, and what is found in it.

use std::sync::Arc;

use bytes::{BufMut as _, Bytes, BytesMut};
use jiff::Timestamp;
use parallax_captures::poll::PollAnswer;
use parallax_captures::{ConnectionId, Dialect, Exchange, Finding};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::{
    ClientVersion, CreateStream, LoginRegister, PolledMessages, SendMessages,
};
use parallax_codec::messages::{Batch, BatchHeader, Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::ConsumerKind::Consumer;
use parallax_codec::primitives::PollingKind::{Next, Offset, Timestamp as AtTime};
use parallax_codec::primitives::{Partitioning, PollingKind, Secret};
use parallax_codec::vsr::{
    Command, EvictionHeader, EvictionReason, Prelude, ProtocolVersion, ReplyHeader, RequestHeader,
};
use parallax_codec::{Direction, Encode as _, Reply, Request, code};

use super::{NONE, codes, told};
use crate::comparison::sample::{answer, named};
use crate::findings::Findings;
use crate::findings::sample::{answered, exchange, poll};
use crate::session::{Session, SessionEvent};

use Direction::{ToClient, ToServer};

/// What is found in what the two ends send, one send a second, until they close.
fn found(sends: &[(Direction, Bytes)]) -> Vec<Finding> {
    let mut conversation = Conversation::new();
    for (direction, bytes) in sends {
        conversation.sends(*direction, bytes);
    }
    conversation.closes()
}

struct Conversation {
    session: Session,
    findings: Findings,
    events: Vec<SessionEvent>,
    second: i64,
    n: u64,
    drawn: Vec<Finding>,
}

impl Conversation {
    fn new() -> Self {
        Self {
            session: Session::new(ConnectionId(1), false),
            findings: Findings::new(),
            events: Vec::new(),
            second: 0,
            n: 0,
            drawn: Vec::new(),
        }
    }

    fn sends(&mut self, direction: Direction, bytes: &Bytes) {
        self.second += 1;
        let time = Timestamp::from_second(self.second).unwrap();
        let session = &mut self.session;
        session.bytes(direction, time, bytes.clone(), &mut self.events);
        self.look();
    }

    fn loses(&mut self, direction: Direction, count: u64) {
        self.session.lost(direction, count, &mut self.events);
        self.look();
    }

    fn closes(mut self) -> Vec<Finding> {
        self.session.closed(&mut self.events);
        self.look();
        self.drawn.extend(self.findings.finish());
        self.drawn
    }

    fn look(&mut self) {
        for event in std::mem::take(&mut self.events) {
            if let SessionEvent::Exchange(mut exchange) = event {
                self.n += 1;
                Arc::make_mut(&mut exchange).n = self.n;
                self.drawn.extend(self.findings.on_exchange(&exchange));
            }
        }
    }
}

fn ask(code: u32, body: &[u8]) -> (Direction, Bytes) {
    (ToServer, encode_request(code, body))
}

fn reply(status: u32, body: &[u8]) -> (Direction, Bytes) {
    (ToClient, encode_reply(status, body))
}

/// A poll that commits nothing by itself.
fn looks(partition_id: Option<u32>, strategy: PollingKind) -> Request {
    let mut request = poll(Consumer, partition_id, strategy);
    if let Request::PollMessages(request) = &mut request {
        request.auto_commit = false;
    }
    request
}

/// A VSR write with this number in its session.
fn write(number: u64) -> (RequestHeader, (Direction, Bytes)) {
    let body = Request::CreateStream(CreateStream {
        name: format!("stream-{number}"),
        options: None,
    })
    .encode();
    let header = RequestHeader {
        client: 7,
        request: number,
        session: 5,
        ..RequestHeader::new(code::CREATE_STREAM, &body)
    };
    (header, (ToServer, header.frame(&body)))
}

fn done(to: &RequestHeader) -> (Direction, Bytes) {
    // A result section without an entry.
    (ToClient, ReplyHeader::to(to, 0, 4).frame(&[0; 4]))
}

fn eviction() -> (Direction, Bytes) {
    let eviction = EvictionHeader::new(7, EvictionReason::STALE_CLIENT);
    (ToClient, eviction.encode())
}

#[test]
fn px405_a_status_that_is_an_error_in_one_version_and_success_in_another() {
    let (header, asked) = write(6);
    let denied = |tail: &[(usize, u32)]| {
        let mut reply = ReplyHeader::to(&header, 0, 0);
        for (at, word) in tail {
            reply.tail[at - 216..at - 212].copy_from_slice(&word.to_le_bytes());
        }
        (ToClient, reply.frame(&[]))
    };
    let drawn = found(&[asked.clone(), denied(&[(216, 4100)])]);
    assert_eq!(codes(&drawn), [405]);
    let text = told(&drawn, 405);
    assert!(text.contains("4100 invalid_offset"), "{text}");
    assert!(text.contains("(byte 224) it is 0"), "{text}");
    // Success in every version; and a denial of the version between, which alone
    // has something at byte 224.
    assert_eq!(codes(&found(&[asked.clone(), denied(&[])])), NONE);
    let between = denied(&[(216, 3), (224, 40)]);
    assert_eq!(codes(&found(&[asked.clone(), between])), NONE);
    // Where there is no reply nothing is ambiguous.
    assert_eq!(codes(&found(&[asked])), NONE);
}

#[test]
fn px406_a_reply_to_a_request_that_is_not_open() {
    let ((six, ask_six), (seven, ask_seven)) = (write(6), write(7));
    let drawn = found(&[ask_six.clone(), done(&six), ask_seven.clone(), done(&six)]);
    assert_eq!(codes(&drawn), [406]);
    let text = told(&drawn, 406);
    assert!(
        text.contains("request 6, operation 128 (create_stream)"),
        "{text}"
    );
    // Case E1: the eviction is unasked, the replies are not.
    let drawn = found(&[
        ask_six.clone(),
        eviction(),
        done(&six),
        ask_seven.clone(),
        done(&seven),
    ]);
    assert_eq!(codes(&drawn), [404]);
    let drawn = found(&[ask_six, ask_seven, done(&seven), done(&six)]);
    assert_eq!(codes(&drawn), NONE, "out of order");
}

#[test]
fn px406_says_nothing_where_bytes_were_missed() {
    let ((six, ask_six), (_, ask_seven)) = (write(6), write(7));
    let mut conversation = Conversation::new();
    conversation.sends(ask_six.0, &ask_six.1);
    conversation.loses(ToClient, 100);
    conversation.sends(ask_seven.0, &ask_seven.1);
    let late = done(&six);
    conversation.sends(late.0, &late.1);
    assert_eq!(codes(&conversation.closes()), NONE);
}

#[test]
fn px407_a_request_that_is_not_what_its_command_takes() {
    let body = looks(Some(1), Next).encode();
    let mut longer = BytesMut::from(&body[..]);
    longer.put_u8(0);
    let drawn = found(&[ask(code::POLL_MESSAGES, &longer), reply(3, &[])]);
    assert_eq!(codes(&drawn), [407]);
    let text = told(&drawn, 407);
    assert!(text.contains("1 bytes left over"), "{text}");
    assert!(text.contains("refuses it: 3 invalid_command"), "{text}");
    let short = &body[..body.len() - 1];
    let drawn = found(&[ask(code::POLL_MESSAGES, short), reply(0, &[])]);
    assert_eq!(codes(&drawn), [407]);
    assert!(told(&drawn, 407).contains("accepts it"));
    // The SDK writes one byte too few (case D9), and the answer does not come.
    let drawn = found(&[ask(code::GET_USER, &[1, 4, 1, 0, 0])]);
    assert_eq!(codes(&drawn), [407]);
    // Like the others, whole.
    let drawn = found(&[ask(code::POLL_MESSAGES, &body), reply(0, &[])]);
    assert_eq!(codes(&drawn), NONE);
}

#[test]
fn px407_keeps_silent_of_messages_that_fit_two_layouts_and_of_replies() {
    // Case D3: 8 zeros of payload are as well the reserved bytes of the other
    // header, and the payload's length is 0 in neither.
    let send = sends(MessageLayout::Headers56, b"\0\0\0\0\0\0\0\0");
    let drawn = found(&[ask(code::SEND_MESSAGES, &send.encode()), reply(0, &[])]);
    assert_eq!(codes(&drawn), NONE);
    let body = looks(Some(1), Next).encode();
    let drawn = found(&[ask(code::POLL_MESSAGES, &body), reply(0, &[1, 2, 3])]);
    assert!(!codes(&drawn).contains(&407), "{drawn:?}");
}

#[test]
fn px408_bytes_that_the_sdk_leaves_on_the_connection() {
    let ping = || ask(code::PING, &[]);
    assert_eq!(codes(&found(&[ping(), reply(0, &[9])])), [408]);
    let drawn = found(&[ping(), reply(4100, b"why")]);
    assert_eq!(codes(&drawn), [408]);
    assert!(told(&drawn, 408).contains("3 bytes of body"));
    for healthy in [reply(0, &[]), reply(40, &[]), reply(0, &[1, 2])] {
        let drawn = found(&[ping(), healthy]);
        assert!(!codes(&drawn).contains(&408), "{drawn:?}");
    }
}

#[test]
fn px410_numbers_that_no_version_has() {
    let ping = || ask(code::PING, &[]);
    let drawn = found(&[ping(), reply(0, &[]), ask(9_123, &[1]), reply(0, &[])]);
    assert_eq!(codes(&drawn), [410]);
    assert_eq!(
        drawn[0].place,
        "command 9123 (0x23a3) of the classic dialect"
    );
    let drawn = found(&[ping(), reply(3_099, &[])]);
    assert_eq!(codes(&drawn), [410]);
    assert_eq!(drawn[0].place, "error 3099 (0xc1b)");
    // An operation that is none, of VSR.
    let header = RequestHeader {
        operation: parallax_codec::vsr::Operation(250),
        ..RequestHeader::new(code::CREATE_STREAM, &[])
    };
    let drawn = found(&[write(1).1, (ToServer, header.frame(&[]))]);
    assert_eq!(codes(&drawn), [410]);
    assert!(drawn[0].place.contains("operation 250"), "{drawn:?}");
}

#[test]
fn px410_keeps_silent_of_known_numbers() {
    // Case E4: 3024 is no error of every version, but of some.
    for status in [0, 40, 3_024, 14_003] {
        let drawn = found(&[ask(code::PING, &[]), reply(status, &[])]);
        assert!(!codes(&drawn).contains(&410), "{drawn:?}");
    }
    let ping = RequestHeader {
        prelude: Prelude::new(Command::PING_CLIENT, 0),
        ..RequestHeader::new(code::PING, &[])
    };
    let drawn = found(&[write(1).1, (ToServer, ping.frame(&[]))]);
    assert_eq!(codes(&drawn), NONE);
}

/// A poll of Timestamp 1000, answered with these timestamps: of the append, of the
/// producer.
fn polled_by_time(times: &[(u64, u64)]) -> Exchange {
    let mut request = looks(Some(2), AtTime);
    if let Request::PollMessages(request) = &mut request {
        request.strategy.value = 1_000;
    }
    let mut polled: PollAnswer = answer(2, 9, 0..times.len() as u64);
    for (message, (timestamp, origin)) in polled.messages.iter_mut().zip(times) {
        message.timestamp = *timestamp;
        message.origin_timestamp = *origin;
    }
    answered(exchange(1, 1, request, 0), &polled)
}

#[test]
fn px411_messages_from_before_the_time_that_was_asked_for() {
    let mut findings = Findings::new();
    // Case A7: the filter follows the producer's clock.
    let drawn = findings.on_exchange(&polled_by_time(&[(990, 1_000), (1_010, 1_005)]));
    assert_eq!(codes(&drawn), [411]);
    let text = told(&drawn, 411);
    assert!(text.contains("1 of 2 messages"), "{text}");
    assert!(text.contains("follows the producer's clock"), "{text}");
    let drawn = findings.on_exchange(&polled_by_time(&[(400, 300), (500, 450)]));
    assert!(told(&drawn, 411).contains("do not explain it"));
    // Server 0.8.0 gives the one before the first now and then.
    let one = polled_by_time(&[(400, 300), (1_010, 1_005)]);
    assert_eq!(codes(&findings.on_exchange(&one)), NONE);
}

#[test]
fn px411_keeps_silent_of_messages_from_then_on_and_of_other_polls() {
    let mut findings = Findings::new();
    let drawn = findings.on_exchange(&polled_by_time(&[(1_000, 1), (1_001, 2)]));
    assert_eq!(codes(&drawn), NONE);
    assert_eq!(codes(&findings.on_exchange(&polled_by_time(&[]))), NONE);
    let mut request = looks(Some(2), Offset);
    if let Request::PollMessages(request) = &mut request {
        request.strategy.value = u64::MAX;
    }
    let other = answered(exchange(2, 2, request, 0), &answer(2, 9, 0..2));
    assert!(!codes(&findings.on_exchange(&other)).contains(&411));
}

fn sends(layout: MessageLayout, payload: &'static [u8]) -> Request {
    Request::SendMessages(SendMessages {
        stream: named("otel"),
        topic: named("metrics"),
        partitioning: Partitioning::Balanced,
        layout,
        messages: vec![message(0, payload)],
    })
}

fn message(offset: u64, payload: &'static [u8]) -> Message {
    Message {
        header: MessageHeader {
            id: 9,
            offset,
            origin_timestamp: 5,
            payload_length: u32::try_from(payload.len()).unwrap(),
            ..MessageHeader::default()
        },
        payload: Bytes::from_static(payload),
        user_headers: Bytes::new(),
    }
}

fn polled_in(layout: MessageLayout) -> Exchange {
    let mut exchange = answered(exchange(2, 2, looks(Some(2), Next), 0), &answer(2, 9, 0..1));
    let parallax_captures::Content::Binary(content) = &mut exchange.content else {
        panic!("it is binary");
    };
    content.reply = Some(Reply::PolledMessages(PolledMessages {
        layout,
        partition_id: 2,
        current_offset: 9,
        count: 1,
        messages: vec![message(0, b"payload")],
        left_over: Bytes::new(),
    }));
    exchange
}

fn batches() -> MessageLayout {
    MessageLayout::Batches(vec![Batch {
        header: BatchHeader::default(),
        frames: 1,
    }])
}

fn login(protocol: ProtocolVersion) -> Exchange {
    let request = Request::LoginRegister(LoginRegister {
        version: ClientVersion {
            protocol,
            sdk_name: "node-sdk".to_owned(),
            sdk_version: "0.10.0-edge.2".to_owned(),
        },
        username: "iggy".to_owned(),
        password: Secret::new("***"),
        context: None,
    });
    Exchange {
        dialect: Dialect::Vsr,
        ..exchange(1, 1, request, 0)
    }
}

/// The findings of a poll in one layout, after something that tells of the client.
fn after(before: &Exchange, layout: MessageLayout) -> Vec<Finding> {
    let mut findings = Findings::new();
    assert_eq!(codes(&findings.on_exchange(before)), NONE);
    findings.on_exchange(&polled_in(layout))
}

#[test]
fn px412_a_layout_that_the_client_does_not_read() {
    // Case D5: protocol 0.10 has no batch records.
    let drawn = after(&login(ProtocolVersion(10 << 10)), batches());
    assert_eq!(codes(&drawn), [412]);
    let text = told(&drawn, 412);
    assert!(text.contains("speaks protocol 0.10.0"), "{text}");
    // Case D3: it writes the one header and is given the other.
    let sent = exchange(1, 1, sends(MessageLayout::Headers56, b"payload"), 0);
    let drawn = after(&sent, MessageLayout::Headers64);
    assert_eq!(codes(&drawn), [412]);
    assert!(told(&drawn, 412).contains("headers of 56 bytes"));
}

#[test]
fn px412_keeps_silent_where_client_and_layout_agree_or_one_is_not_known() {
    for (before, layout) in [
        (login(ProtocolVersion(11 << 10)), batches()),
        (login(ProtocolVersion(10 << 10)), MessageLayout::Headers64),
        (
            login(ProtocolVersion(10 << 10)),
            MessageLayout::Undetermined,
        ),
        (
            exchange(1, 1, sends(MessageLayout::Headers64, b"payload"), 0),
            MessageLayout::Headers64,
        ),
        (
            exchange(1, 1, sends(MessageLayout::Undetermined, b"payload"), 0),
            MessageLayout::Headers56,
        ),
        // Servers before 0.9.0-edge.5 take records and give messages.
        (
            exchange(1, 1, sends(batches(), b"payload"), 0),
            MessageLayout::Headers64,
        ),
        (exchange(1, 1, Request::Ping, 0), batches()),
    ] {
        let drawn = after(&before, layout);
        assert_eq!(codes(&drawn), NONE, "{drawn:?}");
    }
}
