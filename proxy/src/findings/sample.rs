//! Exchanges that tests are written in.

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::poll::PollAnswer;
use parallax_captures::{BinaryContent, ConnectionId, Content, Dialect, Exchange, Times};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::{PollMessages, PolledMessages, StoreConsumerOffset};
use parallax_codec::messages::{Message, MessageHeader};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PollingKind, PollingStrategy,
};
use parallax_codec::{Encode as _, Reply, Request};

/// The request, answered with this status `second` seconds after the epoch.
pub(crate) fn exchange(n: u64, second: i64, request: Request, status: u32) -> Exchange {
    let time = Timestamp::from_second(second).unwrap();
    Exchange {
        n,
        conn: ConnectionId(1),
        dialect: Dialect::Classic,
        times: Times {
            request_first: time,
            request_last: time,
            reply: Some((time, time)),
        },
        content: Content::Binary(BinaryContent {
            code: request.code(),
            request_frame: encode_request(request.code(), &request.encode()),
            request: Some(request),
            status: Some(status),
            reply_frame: encode_reply(status, &[]),
            result: None,
            reply: None,
            eviction: None,
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

/// The exchange, answered with messages.
pub(crate) fn answered(mut exchange: Exchange, answer: &PollAnswer) -> Exchange {
    let message = |message: &parallax_captures::poll::PolledMessage| Message {
        header: MessageHeader {
            checksum: message.checksum,
            id: message.id,
            offset: message.offset,
            timestamp: message.timestamp,
            origin_timestamp: message.origin_timestamp,
            user_headers_length: 0,
            payload_length: u32::try_from(message.payload.len()).unwrap(),
            reserved: 0,
        },
        payload: message.payload.clone(),
        user_headers: Bytes::new(),
    };
    let reply = PolledMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        partition_id: answer.partition_id,
        current_offset: answer.current_offset,
        count: answer.count,
        messages: answer.messages.iter().map(message).collect(),
        left_over: Bytes::new(),
    };
    if let Content::Binary(content) = &mut exchange.content {
        content.status = Some(0);
        content.reply_frame = encode_reply(0, &reply.encode());
        content.reply = Some(Reply::PolledMessages(reply));
    }
    exchange
}

pub(crate) fn poll(
    kind: ConsumerKind,
    partition_id: Option<u32>,
    strategy: PollingKind,
) -> Request {
    Request::PollMessages(PollMessages {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: consumer(kind),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id,
        strategy: PollingStrategy {
            kind: strategy,
            value: 0,
        },
        count: 10,
        auto_commit: true,
    })
}

pub(crate) fn store(offset: u64) -> Request {
    Request::StoreConsumerOffset(StoreConsumerOffset {
        ack: None,
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: consumer(ConsumerKind::Group),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(2),
        offset,
    })
}

fn consumer(kind: ConsumerKind) -> Consumer {
    Consumer {
        kind,
        id: named("qw_sink_metrics"),
    }
}

fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}
