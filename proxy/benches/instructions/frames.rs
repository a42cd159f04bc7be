//! Frames as an SDK client and a server send them.

use bytes::Bytes;
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::{
    ClientVersion, LoginRegister, LoginUser, PollMessages, PolledMessages, SendMessages,
};
use parallax_codec::messages::{Batch, BatchHeader, Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, Partitioning, PollingKind,
    PollingStrategy, Secret,
};
use parallax_codec::vsr::{ProtocolVersion, ReplyHeader, RequestHeader};
use parallax_codec::{Dialect, Encode as _, Request};

/// A request of this session as a frame.
pub(crate) fn request(dialect: Dialect, asked: &Request) -> Bytes {
    let body = asked.encode();
    match dialect {
        Dialect::Classic => encode_request(asked.code(), &body),
        Dialect::Vsr => header(asked.code(), &body).frame(&body),
    }
}

/// The reply to that of a request with this code.
pub(crate) fn reply(dialect: Dialect, code: u32, body: &[u8]) -> Bytes {
    match dialect {
        Dialect::Classic => encode_reply(0, body),
        Dialect::Vsr => ReplyHeader::to(&header(code, &[]), 0, body.len()).frame(body),
    }
}

fn header(code: u32, body: &[u8]) -> RequestHeader {
    RequestHeader {
        client: 0xC1E2,
        request: 1,
        session: 5,
        ..RequestHeader::new(code, body)
    }
}

/// Asks for what comes next.
pub(crate) fn poll(count: u32) -> Request {
    Request::PollMessages(PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Named("reader".to_owned()),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partition_id: Some(0),
        partition_layout: PartitionLayout::Flagged,
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count,
        auto_commit: true,
    })
}

/// The body of a poll's reply: messages of `payload` bytes from `first` on.
pub(crate) fn polled(dialect: Dialect, first: u64, count: u32, payload: usize) -> Bytes {
    let messages = messages(first, count, payload);
    let layout = match dialect {
        Dialect::Classic => MessageLayout::Headers64,
        Dialect::Vsr => {
            let bases = BatchHeader {
                base_offset: first,
                base_timestamp: messages[0].header.timestamp,
                origin_timestamp: messages[0].header.origin_timestamp,
                ..BatchHeader::default()
            };
            MessageLayout::Batches(vec![Batch::of_server(bases, &messages)])
        }
    };
    PolledMessages {
        partition_id: 0,
        current_offset: first + u64::from(count) - 1,
        count,
        layout,
        messages,
        left_over: Bytes::new(),
    }
    .encode()
}

/// Appends messages of 100 bytes.
pub(crate) fn send(dialect: Dialect, count: u32) -> Request {
    let mut messages = messages(0, count, 100);
    let layout = match dialect {
        Dialect::Classic => MessageLayout::Headers64,
        Dialect::Vsr => MessageLayout::Batches(vec![Batch::of_producer(&mut messages)]),
    };
    Request::SendMessages(SendMessages {
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partitioning: Partitioning::PartitionId(0),
        layout,
        messages,
    })
}

/// Logs in by name and password.
pub(crate) fn login(dialect: Dialect) -> Request {
    let (username, password) = ("iggy".to_owned(), Secret::new("secret"));
    match dialect {
        Dialect::Classic => Request::LoginUser(LoginUser {
            username,
            password,
            version: Some("0.10.0".to_owned()),
            context: Some(String::new()),
        }),
        Dialect::Vsr => Request::LoginRegister(LoginRegister {
            version: ClientVersion {
                protocol: ProtocolVersion(11 << 10),
                sdk_name: "rust-sdk".to_owned(),
                sdk_version: "0.11.0".to_owned(),
            },
            username,
            password,
            context: None,
        }),
    }
}

fn messages(first: u64, count: u32, payload: usize) -> Vec<Message> {
    let message = |offset: u64| Message {
        header: MessageHeader {
            checksum: 1,
            id: offset.into(),
            offset,
            timestamp: 1_700_000_000_000_000 + offset,
            origin_timestamp: 1_700_000_000_000_000 + offset,
            payload_length: u32::try_from(payload).unwrap(),
            ..MessageHeader::default()
        },
        payload: vec![7; payload].into(),
        user_headers: Bytes::new(),
    };
    (first..first + u64::from(count)).map(message).collect()
}
