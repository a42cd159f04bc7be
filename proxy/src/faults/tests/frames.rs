//! What a client gets, in both dialects. What the real SDKs make of it is tested in
//! `tests/tests/faults`.

use bytes::Bytes;
use parallax_captures::Dialect as Noun;
use parallax_captures::decoding::{AnyFrame, decode};
use parallax_codec::commands::{PollMessages, PolledMessages};
use parallax_codec::messages::MessageLayout;
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::vsr::{EvictionHeader, EvictionReason, RequestHeader};
use parallax_codec::{Decode as _, Dialect, Direction, Encode as _, Reply, Request, classic, code};

use crate::faults::{Fault, Injector};
use crate::relay::in_path::{Decision, Interceptor, Interest, ReplyFrame, RequestFrame, ToServer};

const BOTH: [Dialect; 2] = [Dialect::Classic, Dialect::Vsr];

fn injector(faults: &[&str]) -> Injector {
    Injector::new(
        None,
        faults.iter().map(|text| text.parse::<Fault>().unwrap()),
    )
}

fn request(dialect: Dialect, code: u32, body: &[u8]) -> RequestFrame {
    let whole = match dialect {
        Dialect::Classic => classic::encode_request(code, body),
        Dialect::Vsr => RequestHeader {
            client: 77,
            request: 3,
            ..RequestHeader::new(code, body)
        }
        .frame(body),
    };
    RequestFrame {
        dialect,
        header: whole.slice(..dialect.header_size()),
        body_length: body.len() as u64,
        body: Some(Bytes::copy_from_slice(body)),
    }
}

fn poll(kind: PollingKind, auto_commit: bool) -> PollMessages {
    PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Numeric(1),
        },
        stream: Identifier::Named("demo".to_owned()),
        topic: Identifier::Numeric(7),
        partition_id: Some(2),
        partition_layout: PartitionLayout::Flagged,
        strategy: PollingStrategy { kind, value: 0 },
        count: 10,
        auto_commit,
    }
}

/// What the client reads in `answer` to `request`: the status or the refusal in the body.
fn read(request: &RequestFrame, answer: &Bytes) -> (Option<u32>, Option<Reply>) {
    let dialect = match request.dialect {
        Dialect::Classic => Noun::Classic,
        Dialect::Vsr => Noun::Vsr,
    };
    let asked = [&request.header[..], request.body.as_ref().unwrap()].concat();
    let asked = AnyFrame::kept(dialect, Direction::ToServer, &asked.into()).unwrap();
    let answer = AnyFrame::kept(dialect, Direction::ToClient, answer).unwrap();
    let layout = Some(parallax_codec::vsr::StatusLayout::At216);
    let content = decode(&asked, Some(&answer), layout).content;
    (content.status, content.reply)
}

fn answered(decision: Decision) -> Bytes {
    match decision.to_server {
        ToServer::Answer(frame) => frame,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_error_is_answered_as_the_dialect_has_it() {
    for dialect in BOTH {
        for command in [
            "poll_messages",
            "create_stream",
            "send_messages",
            "store_consumer_offset",
        ] {
            let code = parallax_codec::COMMANDS
                .iter()
                .find(|known| known.name == command)
                .unwrap()
                .code;
            let injector = injector(&[&format!("{command} error=3007")]);
            let request = request(dialect, code, b"");
            assert_eq!(injector.interest(&request), Interest::Header);
            let frame = answered(injector.decide(&request));
            assert_eq!(
                read(&request, &frame).0,
                Some(3007),
                "{dialect:?} {command}"
            );
        }
    }
}

#[test]
fn of_two_errors_and_an_empty_poll_the_later_error_alone_is_injected_and_counted() {
    let injector = injector(&[
        "poll_messages error=3007",
        "poll_messages empty",
        "poll_messages error=4100",
        "poll_messages delay=5ms",
    ]);
    let request = request(Dialect::Classic, code::POLL_MESSAGES, b"");
    let decision = injector.decide(&request);
    let marks: Vec<_> = decision.marks.iter().map(|mark| &*mark.what).collect();
    assert_eq!(marks.len(), 2, "{marks:?}");
    assert!(
        marks[0].contains("invalid_offset") && marks[1].contains("5ms"),
        "{marks:?}"
    );
    assert_eq!(read(&request, &answered(decision)).0, Some(4100));
    let counts: Vec<_> = injector.in_force().map(|one| one.injected()).collect();
    assert_eq!(counts, [0, 0, 1, 1]);
}

#[test]
fn a_vsr_login_is_refused_by_an_eviction_where_there_is_one() {
    let injector = injector(&["login_register error=invalid_credentials"]);
    let mut login = request(Dialect::Vsr, code::LOGIN_REGISTER, b"");
    login.body = None;
    assert_eq!(
        injector.interest(&login),
        Interest::Whole,
        "only the body tells which login"
    );
    let frame = super::super::refusal::refusal(&login, parallax_codec::ErrorCode(42));
    let (_, eviction) = EvictionHeader::parse(&frame).unwrap();
    assert_eq!(eviction.reason, EvictionReason::INVALID_CREDENTIALS);
    assert_eq!(eviction.client, 77);
    let frame = super::super::refusal::refusal(&login, parallax_codec::ErrorCode(57));
    assert_eq!(
        read(&request(Dialect::Vsr, code::LOGIN_REGISTER, b""), &frame).0,
        Some(57)
    );
}

#[test]
fn the_place_of_a_fault_is_that_of_the_request() {
    for dialect in BOTH {
        let asked = request(
            dialect,
            code::POLL_MESSAGES,
            &poll(PollingKind::First, false).encode(),
        );
        for (selectors, hits) in [
            ("stream=demo topic=7 partition=2 strategy=first", true),
            ("stream=other", false),
            ("topic=8", false),
            ("partition=1", false),
            ("strategy=next", false),
        ] {
            let injector = injector(&[&format!("poll_messages drop {selectors}")]);
            assert_eq!(injector.interest(&asked), Interest::Whole);
            let decision = injector.decide(&asked);
            assert_eq!(!decision.marks.is_empty(), hits, "{dialect:?} {selectors}");
            // A body too long to be gathered has a place that is not known.
            let unseen = RequestFrame {
                body: None,
                ..asked.clone()
            };
            assert!(injector.decide(&unseen).marks.is_empty());
        }
    }
}

#[test]
fn a_fault_of_another_command_is_not_even_looked_at() {
    let injector = injector(&["poll_messages drop"]);
    for dialect in BOTH {
        let ping = request(dialect, code::PING, b"");
        assert_eq!(injector.interest(&ping), Interest::Nothing);
    }
    let primary = request(Dialect::Vsr, code::POLL_MESSAGES_ON_PRIMARY, b"");
    assert_eq!(injector.interest(&primary), Interest::Header);
}

/// What the client gets of a poll's reply with two messages' worth of bytes.
fn emptied(dialect: Dialect, status: u32, count: u32) -> Option<(RequestFrame, Bytes)> {
    let asked = request(
        dialect,
        code::POLL_MESSAGES,
        &poll(PollingKind::First, true).encode(),
    );
    let mut decision = injector(&["poll_messages empty strategy=first"]).decide(&asked);
    let ToServer::Replace(other) = &decision.to_server else {
        panic!("{decision:?}");
    };
    let sent = other.slice(dialect.header_size()..);
    assert_eq!(other[..dialect.header_size()], asked.header);
    let sent = Request::decode(dialect, code::POLL_MESSAGES, &sent).unwrap();
    assert_eq!(sent, Request::PollMessages(poll(PollingKind::First, false)));
    let body = PolledMessages {
        layout: MessageLayout::Headers64,
        partition_id: 2,
        current_offset: 24,
        count,
        messages: Vec::new(),
        left_over: Bytes::new(),
    };
    let mut body = if status == 0 {
        body.encode().to_vec()
    } else {
        Vec::new()
    };
    body.extend(vec![9; count as usize * 100]);
    let whole = match dialect {
        Dialect::Classic => classic::encode_reply(status, &body),
        Dialect::Vsr => {
            let header = RequestHeader::of(asked.header.first_chunk().unwrap());
            parallax_codec::vsr::ReplyHeader::to(&header, status, body.len()).frame(&body)
        }
    };
    let whole = ReplyFrame::of(dialect, whole).unwrap();
    let rewrite = decision.rewrites.remove(0);
    assert_eq!(rewrite.needs, 16);
    let seen = ReplyFrame {
        body: whole.body.slice(..whole.body.len().min(16)),
        ..whole
    };
    (rewrite.with)(&seen).map(|rewritten| (asked, rewritten.frame))
}

#[test]
fn an_emptied_poll_keeps_partition_and_current_offset_and_commits_nothing() {
    for dialect in BOTH {
        let (asked, frame) = emptied(dialect, 0, 2).unwrap();
        let (status, reply) = read(&asked, &frame);
        assert_eq!(status, Some(0));
        let Some(Reply::PolledMessages(polled)) = reply else {
            panic!("{reply:?}");
        };
        assert_eq!(
            (polled.partition_id, polled.current_offset, polled.count),
            (2, 24, 0)
        );
        assert!(polled.messages.is_empty() && polled.left_over.is_empty());
    }
}

#[test]
fn a_poll_that_is_empty_or_refused_is_left_as_it_is() {
    for dialect in BOTH {
        assert!(emptied(dialect, 0, 0).is_none());
        assert!(emptied(dialect, 3007, 0).is_none());
    }
}
