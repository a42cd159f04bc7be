//! A journal filled by hand: a consumer group whose partition 2 is broken, as in
//! the recording `broken-segment_server-0.8.0`, and around it one exchange of
//! each kind that a page has to show.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use parallax_captures::verdict::{
    AskedAgain, AskedBy, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, TcpAnswer,
    TcpOutcome,
};
use parallax_captures::{
    BinaryContent, Connection, ConnectionId, Content, Dialect, Exchange, Finding, HttpContent,
    Journal, PollAnswer, Times, Undecoded, Verdict, VerdictKind, catalog,
};
use parallax_codec::classic::{Direction, encode_reply, encode_request};
use parallax_codec::commands::{
    PollMessages, PolledMessages, SendMessages, StoreConsumerOffset, TopicRef,
};
use parallax_codec::messages::{
    HeaderField, HeaderKind, Message, MessageHeader, UserHeader, write_user_headers,
};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, Partitioning, PollingKind, PollingStrategy,
};
use parallax_codec::{Encode as _, ErrorCode, Reply, Request, code};
use parallax_web::{About, LiveRoute, Source};

/// What a hostile client may call a topic and send as a payload.
pub(crate) const HOSTILE: &str = "<script>alert('x')</script>";

/// The number of the first failing poll in [`broken_partition`].
pub(crate) const FAILING_POLL: u64 = 6;

pub(crate) fn about() -> About {
    About {
        version: "0.1.0".to_owned(),
        source: Source::Live(vec![LiveRoute {
            name: None,
            listen: "127.0.0.1:8190".parse().unwrap(),
            upstream: "127.0.0.1:8090".to_owned(),
            http: Some("http://127.0.0.1:3000".to_owned()),
        }]),
        faults: Vec::new(),
    }
}

/// The group's life until it gets stuck.
pub(crate) fn broken_partition() -> Arc<Journal> {
    let journal = Journal::new();
    open(&journal, 1, Some("iggy"));
    let mut second = 0;
    let mut at = || {
        second += 1;
        second * 1_000
    };
    login(&journal, at());
    send(&journal, at());
    poll_well(&journal, at(), 0);
    poll_well(&journal, at(), 1);
    store(&journal, at());
    for again in 0..4 {
        let when = at();
        let n = poll_broken(&journal, when);
        let found = |code, sentences: &[&str]| {
            let evidence = sentences.iter().map(ToString::to_string).collect();
            let place = "otel/metrics, group qw_sink_metrics";
            journal.add_finding(Finding::new(code, place, n, time(when), evidence));
        };
        found(
            catalog::NUMBER_LOST_ON_TCP,
            &[
                "TCP: 4100 invalid_offset, no number. HTTP, partition 2: \"Invalid offset: 24\". \
               Partitions 0 and 1 answer.",
            ],
        );
        found(
            catalog::ARGUMENT_NOT_ON_WIRE,
            &["The reply is 8 bytes: status 4100, length 0."],
        );
        if again == 3 {
            let evidence = vec!["4 times in 4 s, on connection 1.".to_owned()];
            let place = "otel/metrics, group qw_sink_metrics";
            let code = catalog::SAME_FAILURE_AGAIN;
            journal.add_finding(Finding::new(code, place, n, time(when), evidence));
        }
        poll_well(&journal, at(), again % 2);
    }
    Arc::new(journal)
}

/// One of everything else.
pub(crate) fn oddities(journal: &Journal) {
    open(journal, 2, None);
    let n = diverging(journal, 20_000);
    let evidence = vec!["TCP: 4100 invalid_offset. HTTP, partition 1: 200, offset 0.".to_owned()];
    let code = catalog::TCP_FAILS_HTTP_ANSWERS;
    let place = "otel/traces, partition 1, consumer 7";
    journal.add_finding(Finding::new(code, place, n, time(20_000), evidence));
    journal.record(poll(
        21_000,
        &question(HOSTILE, Some(0), PollingKind::First),
        Ok((0, 1)),
    ));
    differing_payload(journal, 22_000);
    http(journal, 23_000);
    let mut unanswered = binary(2, 24_000, 600, &Bytes::from_static(b"\x01\x04"), None);
    unanswered.undecoded = Some(tls());
    journal.record(unanswered);
    journal.update_connection(ConnectionId(2), |connection| {
        connection.undecoded = Some(tls());
        connection.waiting = Some((1, time(24_000)));
        connection.bytes_unobserved = 4096;
    });
}

pub(crate) fn open(journal: &Journal, id: u64, user: Option<&str>) {
    let port = 52_000 + u16::try_from(id).unwrap();
    let client = format!("127.0.0.1:{port}").parse().unwrap();
    let server = "127.0.0.1:8090".parse().unwrap();
    let mut connection = Connection::opened(ConnectionId(id), client, server, time(0));
    connection.dialect = Some(Dialect::Classic);
    connection.user = user.map(str::to_owned);
    connection.client_version = user.map(|_| "0.10.0".to_owned());
    journal.open_connection(connection);
}

/// A poll on connection 1, its answer (partition and first offset) or error.
pub(crate) fn poll(at: i64, question: &PollMessages, answer: Result<(u32, u64), u32>) -> Exchange {
    let reply = answer.map(|(partition, first)| answer_of(partition, first).encode());
    let (status, body) = match reply {
        Ok(body) => (0, body),
        Err(status) => (status, Bytes::new()),
    };
    binary(
        1,
        at,
        code::POLL_MESSAGES,
        &question.encode(),
        Some((status, body)),
    )
}

/// A poll on connection 1 that was answered with no message.
pub(crate) fn empty_poll(at: i64, question: &PollMessages) -> Exchange {
    let answer = PolledMessages {
        messages: Vec::new(),
        count: 0,
        ..answer_of(0, 0)
    };
    let reply = Some((0, answer.encode()));
    binary(1, at, code::POLL_MESSAGES, &question.encode(), reply)
}

/// A poll on connection 1 of a partition without a message.
pub(crate) fn poll_of_empty_partition(at: i64, question: &PollMessages) -> Exchange {
    let answer = PolledMessages {
        messages: Vec::new(),
        count: 0,
        current_offset: 0,
        ..answer_of(0, 0)
    };
    let reply = Some((0, answer.encode()));
    binary(1, at, code::POLL_MESSAGES, &question.encode(), reply)
}

/// A store of offset 0 of what is polled on connection 1, refused with 4100.
pub(crate) fn refused_store(at: i64, polled: &PollMessages) -> Exchange {
    let request = StoreConsumerOffset {
        ack: None,
        partition_layout: polled.partition_layout,
        consumer: polled.consumer.clone(),
        stream: polled.stream.clone(),
        topic: polled.topic.clone(),
        partition_id: polled.partition_id,
        offset: 0,
    };
    let reply = Some((4100, Bytes::new()));
    let code = code::STORE_CONSUMER_OFFSET;
    binary(1, at, code, &request.encode(), reply)
}

/// The topic is purged, on connection 1.
pub(crate) fn purge(at: i64, topic: &str) -> Exchange {
    let topic = TopicRef {
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named(topic.to_owned()),
    };
    let reply = Some((0, Bytes::new()));
    binary(1, at, code::PURGE_TOPIC, &topic.encode(), reply)
}

/// A poll on connection 1 that was not answered.
pub(crate) fn unanswered_poll(at: i64, question: &PollMessages) -> Exchange {
    binary(1, at, code::POLL_MESSAGES, &question.encode(), None)
}

pub(crate) fn question(topic: &str, partition_id: Option<u32>, kind: PollingKind) -> PollMessages {
    PollMessages {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: Consumer {
            kind: ConsumerKind::Group,
            id: Identifier::Named("qw_sink_metrics".to_owned()),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named(topic.to_owned()),
        partition_id,
        strategy: PollingStrategy { kind, value: 0 },
        count: 100,
        auto_commit: true,
    }
}

pub(crate) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(1_790_000_000_000 + millis).unwrap()
}

fn binary(conn: u64, at: i64, code: u32, body: &Bytes, reply: Option<(u32, Bytes)>) -> Exchange {
    let begin = time(at);
    let after = |micros| begin + SignedDuration::from_micros(micros);
    let took = 180 + (at * 7_919) % 900;
    let (status, reply_body) = reply.clone().unzip();
    let reply_body = reply_body.unwrap_or_default();
    Exchange {
        n: 0,
        conn: ConnectionId(conn),
        dialect: Dialect::Classic,
        times: Times {
            request_first: begin,
            request_last: after(12),
            reply: status.map(|_| (after(took), after(took + 9))),
        },
        content: Content::Binary(BinaryContent {
            code,
            request_frame: encode_request(code, body),
            request: Request::decode(parallax_codec::Dialect::Classic, code, body).ok(),
            status,
            reply_frame: reply
                .map_or_else(Bytes::new, |(status, body)| encode_reply(status, &body)),
            result: None,
            eviction: None,
            reply: (status == Some(0)).then(|| {
                Reply::decode(parallax_codec::Dialect::Classic, code, &reply_body)
                    .unwrap()
                    .0
            }),
        }),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

pub(crate) fn answer_of(partition_id: u32, first: u64) -> PolledMessages {
    let messages: Vec<_> = (first..first + 3).map(message).collect();
    PolledMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        partition_id,
        current_offset: first + 21,
        count: 3,
        messages,
        left_over: Bytes::new(),
    }
}

pub(crate) fn message(offset: u64) -> Message {
    let payload = match offset % 3 {
        0 => format!(r#"{{"metric":"cpu.load","value":0.{offset}1,"tags":["a","b"]}}"#),
        1 => format!("{HOSTILE} {offset}"),
        _ => "\u{0}\u{1}\u{2} bytes".to_owned(),
    };
    let field = |kind: HeaderKind, bytes: &[u8]| HeaderField {
        kind,
        bytes: bytes.to_vec(),
    };
    let user_headers = write_user_headers(&[UserHeader {
        key: field(HeaderKind::STRING, b"batch"),
        value: field(HeaderKind::UINT32, &7_u32.to_le_bytes()),
    }]);
    Message {
        header: MessageHeader {
            checksum: 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(offset + 1),
            id: 340_282_366_920_938_463_463_374_607_431_768_211_000 + u128::from(offset),
            offset,
            timestamp: 1_790_000_000_000_000 + offset,
            origin_timestamp: 1_789_999_999_000_000 + offset,
            user_headers_length: u32::try_from(user_headers.len()).unwrap(),
            payload_length: u32::try_from(payload.len()).unwrap(),
            reserved: 0,
        },
        payload: Bytes::from(payload),
        user_headers,
    }
}

fn login(journal: &Journal, at: i64) {
    // As captures keep it: the password masked.
    let body = Bytes::from_static(b"\x04iggy\x04****\x06\x00\x00\x000.10.0\x00\x00\x00\x00");
    let reply = Bytes::from_static(&[1, 0, 0, 0]);
    journal.record(binary(1, at, code::LOGIN_USER, &body, Some((0, reply))));
}

fn send(journal: &Journal, at: i64) {
    let request = SendMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partitioning: Partitioning::Balanced,
        messages: (0..3).map(message).collect(),
    };
    let body = request.encode();
    journal.record(binary(
        1,
        at,
        code::SEND_MESSAGES,
        &body,
        Some((0, Bytes::new())),
    ));
}

fn store(journal: &Journal, at: i64) {
    let PollMessages {
        consumer,
        stream,
        topic,
        ..
    } = question("metrics", None, PollingKind::Next);
    let request = StoreConsumerOffset {
        ack: None,
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer,
        stream,
        topic,
        partition_id: Some(1),
        offset: 2,
    };
    let body = request.encode();
    let code = code::STORE_CONSUMER_OFFSET;
    journal.record(binary(1, at, code, &body, Some((0, Bytes::new()))));
}

fn poll_well(journal: &Journal, at: i64, partition: u32) {
    let question = question("metrics", None, PollingKind::Next);
    let n = journal.record(poll(at, &question, Ok((partition, 0))));
    journal.set_verdict(
        n,
        Verdict {
            kind: VerdictKind::Agree,
            reason: "HTTP holds the same 3 messages at the offsets that TCP returned.".to_owned(),
            basis: "Asked by offset from the first that TCP returned, for the partition that the \
                    TCP reply names."
                .to_owned(),
            differences: Vec::new(),
            answers: vec![answered(partition, 0)],
            asked_again: None,
            known: Vec::new(),
            muted: None,
        },
    );
}

fn poll_broken(journal: &Journal, at: i64) -> u64 {
    let question = question("metrics", None, PollingKind::Next);
    let n = journal.record(poll(at, &question, Err(4100)));
    journal.set_verdict(
        n,
        Verdict {
            kind: VerdictKind::Agree,
            reason: "Both refuse with 4100 invalid_offset: TCP without a number, HTTP for \
                     partition 2 with \"Invalid offset: 24\". Partitions 0 and 1 answer."
                .to_owned(),
            basis: "The reply is an error and the request names no partition, so every partition \
                    of otel/metrics was asked, each by its number."
                .to_owned(),
            differences: Vec::new(),
            answers: vec![answered(0, 0), answered(1, 0), refused(2)],
            asked_again: None,
            known: Vec::new(),
            muted: None,
        },
    );
    n
}

fn diverging(journal: &Journal, at: i64) -> u64 {
    let mut question = question("traces", Some(1), PollingKind::First);
    question.consumer.kind = ConsumerKind::Consumer;
    let mut exchange = poll(at, &question, Err(4100));
    exchange.verdict = Some(Verdict {
        kind: VerdictKind::Diverge,
        reason: "TCP refuses the poll, and HTTP answers it for the same partition.".to_owned(),
        basis: "The request names partition 1.".to_owned(),
        differences: vec![difference("status", "4100 invalid_offset", "200")],
        answers: vec![answered(1, 0)],
        asked_again: Some(Box::new(AskedAgain {
            kind: VerdictKind::Diverge,
            reason: "TCP refuses it once more.".to_owned(),
            differences: vec![difference("status", "4100 invalid_offset", "200")],
            tcp_before: vec![refused_again()],
            answers: vec![answered(1, 0)],
            tcp_after: vec![refused_again()],
        })),
        known: Vec::new(),
        muted: None,
    });
    journal.record(exchange)
}

fn refused_again() -> TcpAnswer {
    TcpAnswer {
        partition_id: 1,
        strategy: PollingKind::First,
        value: 0,
        latency: Duration::from_micros(700),
        times: None,
        outcome: TcpOutcome::Refused(ErrorCode(4100)),
    }
}

fn differing_payload(journal: &Journal, at: i64) {
    let question = question("traces", Some(0), PollingKind::First);
    let mut exchange = poll(at, &question, Ok((0, 0)));
    let mut http = PollAnswer::from(&answer_of(0, 0));
    http.current_offset += 2;
    http.messages[1].payload = Bytes::from_static(b"something else");
    http.messages.pop();
    http.count -= 1;
    exchange.verdict = Some(Verdict {
        kind: VerdictKind::Diverge,
        reason: "The message at offset 1 is not the same.".to_owned(),
        basis: "The request names partition 0 and begins at the first message.".to_owned(),
        differences: vec![
            difference("current_offset", "21", "23"),
            difference("messages[1].payload", "29 bytes", "14 bytes"),
        ],
        answers: vec![mirror_answer(0, MirrorOutcome::Answered(http))],
        asked_again: None,
        known: Vec::new(),
        muted: None,
    });
    journal.record(exchange);
}

fn http(journal: &Journal, at: i64) {
    let refusal = HttpRefusal {
        http_status: 400,
        code: Some(ErrorCode(4100)),
        reason: "Invalid offset: 24".to_owned(),
    };
    let body = r#"{"id":4100,"code":"invalid_offset","reason":"Invalid offset: 24","field":null}"#;
    let mut exchange = binary(2, at, code::PING, &Bytes::new(), Some((0, Bytes::new())));
    exchange.dialect = Dialect::Http;
    exchange.content = Content::Http(HttpContent {
        method: "GET".to_owned(),
        target: "/streams/otel/topics/metrics/messages?partition_id=2&kind=first".to_owned(),
        http_status: Some(400),
        request_body: Bytes::new(),
        response_body: Bytes::from(body),
        poll: None,
        answer: Some(Err(refusal)),
    });
    journal.record(exchange);
}

pub(crate) fn answered(partition: u32, first: u64) -> MirrorAnswer {
    let answer = PollAnswer::from(&answer_of(partition, first));
    mirror_answer(partition, MirrorOutcome::Answered(answer))
}

pub(crate) fn refused(partition: u32) -> MirrorAnswer {
    let refusal = HttpRefusal {
        http_status: 400,
        code: Some(ErrorCode(4100)),
        reason: "Invalid offset: 24".to_owned(),
    };
    mirror_answer(partition, MirrorOutcome::Refused(refusal))
}

pub(crate) fn mirror_answer(partition: u32, outcome: MirrorOutcome) -> MirrorAnswer {
    MirrorAnswer {
        asked_by: AskedBy::Mirror,
        partition_id: Some(partition),
        target: format!(
            "/streams/otel/topics/metrics/messages?partition_id={partition}&kind=offset&value=0&count=100"
        ),
        latency: Some(Duration::from_micros(1_900 + 310 * u64::from(partition))),
        times: None,
        outcome,
    }
}

pub(crate) fn difference(field: &str, tcp: &str, http: &str) -> Difference {
    Difference {
        field: field.to_owned(),
        tcp: tcp.to_owned(),
        http: http.to_owned(),
    }
}

fn tls() -> Undecoded {
    Undecoded {
        why: "These bytes are a TLS ClientHello: the client speaks TLS to a plain port".to_owned(),
        at: 0,
        direction: Direction::ToServer,
    }
}
