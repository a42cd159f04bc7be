//! Short ways to say what a client asks.

use bytes::Bytes;
use parallax_codec::commands::{
    CreateStream, CreateTopic, LoginUser, PollMessages, SendMessages, TopicRef,
};
use parallax_codec::messages::{Message, MessageHeader};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, Partitioning, PollingKind, PollingStrategy, Secret,
};
use parallax_codec::{Reply, Request};
use parallax_proxy::standin::{Model, Refusal, StandinConfig};

const NOW: u64 = 1_800_000_000_000_000;

/// A model, and a client that has logged in.
pub(crate) struct Client {
    pub(crate) model: Model,
    pub(crate) number: u32,
}

impl Client {
    pub(crate) fn new() -> Self {
        let config = StandinConfig::default();
        let mut model = Model::new(&config, (config.tcp, config.http), NOW);
        let number = model.connect(config.tcp);
        let mut client = Self { model, number };
        client.ask(login("iggy", "iggy")).unwrap();
        client
    }

    pub(crate) fn ask(&mut self, request: Request) -> Result<Reply, Refusal> {
        self.model.answer(self.number, request, NOW)
    }
}

pub(crate) fn login(username: &str, password: &str) -> Request {
    Request::LoginUser(LoginUser {
        username: username.to_owned(),
        password: Secret::new(password),
        version: None,
        context: None,
    })
}

pub(crate) fn create_stream(name: impl Into<String>) -> Request {
    Request::CreateStream(CreateStream {
        options: None,
        name: name.into(),
    })
}

pub(crate) fn create_topic(name: impl Into<String>, partitions_count: u32) -> Request {
    Request::CreateTopic(CreateTopic {
        stream: named("s"),
        partitions_count,
        compression_algorithm: 1,
        message_expiry: 0,
        max_topic_size: 0,
        replication_factor: 0,
        name: name.into(),
    })
}

pub(crate) fn topic() -> TopicRef {
    TopicRef {
        stream: named("s"),
        topic: named("t"),
    }
}

pub(crate) fn send(partition: u32, count: usize) -> Request {
    let message = Message {
        header: MessageHeader {
            payload_length: 1,
            ..MessageHeader::default()
        },
        payload: Bytes::from_static(b"x"),
        user_headers: Bytes::new(),
    };
    Request::SendMessages(SendMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        stream: named("s"),
        topic: named("t"),
        partitioning: Partitioning::PartitionId(partition),
        messages: vec![message; count],
    })
}

pub(crate) fn poll(consumer: Consumer, kind: PollingKind, auto_commit: bool) -> PollMessages {
    PollMessages {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer,
        stream: named("s"),
        topic: named("t"),
        partition_id: None,
        strategy: PollingStrategy { kind, value: 0 },
        count: 1,
        auto_commit,
    }
}

pub(crate) fn consumer(number: u32) -> Consumer {
    Consumer {
        kind: ConsumerKind::Consumer,
        id: Identifier::Numeric(number),
    }
}

pub(crate) fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}
