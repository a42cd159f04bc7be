//! Exchanges of each kind, made by hand.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use parallax_codec::commands::{
    ConsumerOffset, CreateStream, PollMessages, PolledMessages, SendMessages, StoreConsumerOffset,
};
use parallax_codec::messages::{
    HeaderField, HeaderKind, Message, MessageHeader, MessageLayout, UserHeader, write_user_headers,
};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, Partitioning, PollingKind, PollingStrategy,
};
use parallax_codec::vsr::{EvictionHeader, EvictionReason};
use parallax_codec::{ErrorCode, Reply, Request, code};

use crate::verdict::{
    AskedBy, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind,
};
use crate::{
    BinaryContent, ConnectionId, Content, Dialect, Exchange, HttpContent, Poll, PollAnswer, Times,
    UnsolicitedContent,
};

pub(super) fn time() -> Timestamp {
    "2026-11-30T07:05:05.684652Z".parse().unwrap()
}

pub(super) fn exchange(dialect: Dialect, content: Content) -> Exchange {
    Exchange {
        n: 7,
        conn: ConnectionId(3),
        dialect,
        times: Times {
            request_first: time(),
            request_last: time(),
            reply: Some((time(), time() + SignedDuration::from_micros(5_250))),
        },
        content,
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: crate::Annotation::default(),
        altered: None,
    }
}

pub(super) fn binary(
    code: u32,
    request: Option<Request>,
    status: Option<u32>,
    reply: Option<Reply>,
) -> Exchange {
    let content = BinaryContent {
        code,
        request_frame: Bytes::new(),
        request,
        status,
        reply_frame: Bytes::new(),
        result: None,
        reply,
        eviction: None,
    };
    exchange(Dialect::Classic, Content::Binary(content))
}

pub(super) fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

fn consumer(id: Identifier) -> Consumer {
    Consumer {
        kind: ConsumerKind::Group,
        id,
    }
}

pub(super) fn question(topic: Identifier, partition_id: Option<u32>) -> PollMessages {
    PollMessages {
        consumer: consumer(named("qw_sink_metrics")),
        stream: named("otel"),
        topic,
        partition_id,
        partition_layout: PartitionLayout::Flagged,
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count: 100,
        auto_commit: true,
    }
}

pub(super) fn message(offset: u64) -> Message {
    let header = |key: &[u8], value: &[u8]| UserHeader {
        key: HeaderField {
            kind: HeaderKind::STRING,
            bytes: key.to_vec(),
        },
        value: HeaderField {
            kind: HeaderKind::STRING,
            bytes: value.to_vec(),
        },
    };
    Message {
        header: MessageHeader {
            checksum: u64::MAX - offset,
            id: u128::MAX - u128::from(offset),
            offset,
            timestamp: 1_796_022_304_152_946 + offset,
            origin_timestamp: 1_796_022_304_152_275,
            user_headers_length: 0,
            payload_length: 30,
            reserved: 0,
        },
        payload: Bytes::from(vec![0; 30]),
        user_headers: write_user_headers(&[header(b"trace-id", b"t-0")]),
    }
}

pub(super) fn answer(partition_id: u32, offsets: std::ops::Range<u64>) -> PolledMessages {
    let messages: Vec<_> = offsets.map(message).collect();
    PolledMessages {
        partition_id,
        current_offset: 26,
        count: u32::try_from(messages.len()).unwrap(),
        layout: MessageLayout::Headers64,
        messages,
        left_over: Bytes::new(),
    }
}

/// A group's poll of `otel/metrics` that brought offsets 0 to 2 of partition 1.
pub(super) fn poll() -> Exchange {
    let request = Request::PollMessages(question(named("metrics"), None));
    let reply = Reply::PolledMessages(answer(1, 0..3));
    binary(code::POLL_MESSAGES, Some(request), Some(0), Some(reply))
}

/// The same, refused.
pub(super) fn refused() -> Exchange {
    let request = Request::PollMessages(question(named("metrics"), None));
    binary(code::POLL_MESSAGES, Some(request), Some(4100), None)
}

pub(super) fn verdict() -> Verdict {
    let refusal = HttpRefusal {
        http_status: 400,
        code: Some(ErrorCode(4100)),
        reason: "Invalid offset: 24".to_owned(),
    };
    Verdict {
        kind: VerdictKind::Diverge,
        reason: "TCP answers and HTTP refuses.".to_owned(),
        basis: "The request names partition 2.".to_owned(),
        differences: vec![Difference {
            field: "status".to_owned(),
            tcp: "0".to_owned(),
            http: "4100".to_owned(),
        }],
        answers: vec![MirrorAnswer {
            asked_by: AskedBy::Mirror,
            partition_id: Some(2),
            target: "/streams/otel/topics/metrics/messages".to_owned(),
            latency: None,
            times: None,
            outcome: MirrorOutcome::Refused(refusal),
        }],
        asked_again: None,
        known: Vec::new(),
        muted: None,
    }
}

pub(super) fn http_poll(answered: Result<PollAnswer, HttpRefusal>) -> Exchange {
    let content = HttpContent {
        method: "GET".to_owned(),
        target: "/streams/otel/topics/metrics/messages?partition_id=2".to_owned(),
        http_status: Some(if answered.is_ok() { 200 } else { 400 }),
        request_body: Bytes::new(),
        response_body: Bytes::new(),
        poll: Some(Poll::from(&question(named("metrics"), Some(2)))),
        answer: Some(answered),
    };
    exchange(Dialect::Http, Content::Http(content))
}

/// One of each kind of content, each with what differs in how it is read.
pub(crate) fn all() -> Vec<Exchange> {
    let store = StoreConsumerOffset {
        consumer: consumer(Identifier::Numeric(7)),
        stream: Identifier::Numeric(1),
        topic: named("7"),
        partition_id: Some(2),
        partition_layout: PartitionLayout::Flagged,
        offset: u64::MAX,
        ack: None,
    };
    let send = SendMessages {
        stream: named("otel"),
        topic: named("metrics"),
        partitioning: Partitioning::PartitionId(2),
        layout: MessageLayout::Headers64,
        messages: vec![message(0), message(1)],
    };
    let create = CreateStream {
        name: "otel".to_owned(),
        options: None,
    };
    let stored = ConsumerOffset {
        partition_id: 2,
        current_offset: 26,
        stored_offset: 24,
    };
    let mut judged = poll();
    judged.verdict = Some(verdict());
    judged.findings = vec![crate::FindingCode(101), crate::FindingCode(104)];
    let unassigned = Reply::PolledMessages(answer(u32::MAX, 0..0));
    let refusal = HttpRefusal {
        http_status: 400,
        code: None,
        reason: "Invalid offset: 24".to_owned(),
    };
    let eviction = EvictionHeader::new(1, EvictionReason(9));
    let mut evicted = binary(code::LOGIN_REGISTER, None, None, None);
    if let Content::Binary(content) = &mut evicted.content {
        content.eviction = Some(Box::new(eviction));
    }
    let unsolicited = UnsolicitedContent {
        name: "eviction",
        frame: Bytes::from_static(&[0; 256]),
        eviction: Some(Box::new(eviction)),
    };
    let mut unanswered = binary(9_999, None, None, None);
    unanswered.times.reply = None;
    vec![
        poll(),
        refused(),
        judged,
        binary(
            code::POLL_MESSAGES,
            Some(Request::PollMessages(question(
                Identifier::Numeric(7),
                Some(2),
            ))),
            Some(0),
            Some(unassigned),
        ),
        binary(
            code::STORE_CONSUMER_OFFSET,
            Some(Request::StoreConsumerOffset(store)),
            Some(70_000),
            Some(Reply::Empty),
        ),
        binary(
            code::SEND_MESSAGES,
            Some(Request::SendMessages(send)),
            Some(0),
            Some(Reply::Empty),
        ),
        binary(
            code::CREATE_STREAM,
            Some(Request::CreateStream(create)),
            Some(0),
            Some(Reply::Empty),
        ),
        binary(
            code::GET_CONSUMER_OFFSET,
            None,
            Some(0),
            Some(Reply::ConsumerOffset(stored)),
        ),
        http_poll(Ok(PollAnswer::from(&answer(2, 1..3)))),
        http_poll(Err(refusal)),
        evicted,
        exchange(Dialect::Vsr, Content::Unsolicited(unsolicited)),
        unanswered,
    ]
}
