//! What a stand-in answers, byte for byte.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use bytes::Bytes;
use parallax_codec::commands::{CreateStream, CreateTopic, LoginUser, PollMessages, SendMessages};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, Partitioning, PollingKind,
    PollingStrategy, Secret,
};
use parallax_codec::{Encode as _, Request, classic};
use parallax_proxy::standin::{Standin, StandinConfig};
use tokio::runtime::{Builder, Runtime};

/// Two exchanges: the request's and the reply's frame of each.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The root user's login.
    pub login: (Bytes, Bytes),
    /// A poll of First.
    pub poll: (Bytes, Bytes),
}

/// What a topic is filled with.
#[derive(Debug, Clone, Copy)]
pub struct Filled {
    /// Messages; a poll takes all of them.
    pub messages: u32,
    /// Payload of each, in bytes.
    pub payload: usize,
}

impl Filled {
    /// A poll's reply of about 1 KiB.
    pub const SMALL: Self = Self {
        messages: 10,
        payload: 40,
    };

    /// A poll's reply of 1 MiB.
    pub const BULK: Self = Self {
        messages: 1024,
        payload: 1024 - 64,
    };

    /// The messages of a poll's reply, in bytes: each has a header of 64.
    pub const fn reply_bytes(self) -> usize {
        self.messages as usize * (64 + self.payload)
    }
}

/// A stand-in of the classic dialect, and the runtime that it needs.
pub fn standin() -> (Runtime, Standin) {
    let mut builder = Builder::new_multi_thread();
    let runtime = builder.worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let standin = runtime.block_on(Standin::start(StandinConfig::default()));
    (runtime, standin.expect("ports are free"))
}

/// Creates a topic in a stand-in of the classic dialect, fills it, and asks for it.
pub fn fill(standin: SocketAddr, topic: &str, filled: Filled) -> Answers {
    let mut socket = TcpStream::connect(standin).expect("the stand-in listens");
    let login = ask(&mut socket, &login());
    let stream = named(topic);
    let (stream, name) = (stream.clone(), topic.to_owned());
    let created = [
        Request::CreateStream(CreateStream {
            name: name.clone(),
            options: None,
        }),
        Request::CreateTopic(CreateTopic {
            stream: stream.clone(),
            partitions_count: 1,
            compression_algorithm: 1,
            message_expiry: u64::MAX,
            max_topic_size: u64::MAX,
            replication_factor: 1,
            name,
        }),
        Request::SendMessages(SendMessages {
            stream: stream.clone(),
            topic: stream.clone(),
            partitioning: Partitioning::PartitionId(0),
            layout: MessageLayout::Headers64,
            messages: messages(filled),
        }),
    ];
    for request in &created {
        ask(&mut socket, request);
    }
    let poll = ask(
        &mut socket,
        &Request::PollMessages(PollMessages {
            consumer: Consumer {
                kind: ConsumerKind::Consumer,
                id: Identifier::Numeric(1),
            },
            stream: stream.clone(),
            topic: stream,
            partition_id: Some(0),
            partition_layout: PartitionLayout::Flagged,
            strategy: PollingStrategy {
                kind: PollingKind::First,
                value: 0,
            },
            count: filled.messages,
            auto_commit: false,
        }),
    );
    Answers { login, poll }
}

fn login() -> Request {
    Request::LoginUser(LoginUser {
        username: "iggy".to_owned(),
        password: Secret::new("iggy"),
        version: Some("0.10.0".to_owned()),
        context: Some("load".to_owned()),
    })
}

fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

fn messages(filled: Filled) -> Vec<Message> {
    let payload = Bytes::from(vec![b'x'; filled.payload]);
    let message = |n: u32| Message {
        header: MessageHeader {
            id: u128::from(n) + 1,
            payload_length: u32::try_from(filled.payload).expect("a small payload"),
            ..MessageHeader::default()
        },
        payload: payload.clone(),
        user_headers: Bytes::new(),
    };
    (0..filled.messages).map(message).collect()
}

/// The frames of a request and of its reply, which has to be no error.
fn ask(socket: &mut TcpStream, request: &Request) -> (Bytes, Bytes) {
    let frame = classic::encode_request(request.code(), &request.encode());
    socket.write_all(&frame).expect("the stand-in reads");
    let mut header = [0; 8];
    socket
        .read_exact(&mut header)
        .expect("the stand-in answers");
    let [s0, s1, s2, s3, l0, l1, l2, l3] = header;
    let status = u32::from_le_bytes([s0, s1, s2, s3]);
    assert_eq!(status, 0, "the stand-in refuses {request:?}");
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    let mut reply = header.to_vec();
    reply.resize(header.len() + length, 0);
    let body = &mut reply[header.len()..];
    socket.read_exact(body).expect("the stand-in answers");
    (frame, reply.into())
}
