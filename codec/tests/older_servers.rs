//! Bodies as servers before the published crates lay them out, built by hand from the
//! source at the tags that each test names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use bytes::Bytes;
use parallax_codec::commands::{CreateStreamWithId, CreateTopicWithId, Resources};
use parallax_codec::primitives::{Ack, Identifier};
use parallax_codec::vsr::{HEADER_SIZE, Operation, RequestHeader};
use parallax_codec::{Dialect, Encode as _, Fault, Reply, Request, code};
use proptest::prelude::*;

/// Little-endian fields, one after the other.
#[derive(Default, Clone)]
struct Body(Vec<u8>);

impl Body {
    fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// With its length in a byte before it.
    fn name(mut self, name: &str) -> Self {
        self.0.push(u8::try_from(name.len()).unwrap());
        self.0.extend(name.as_bytes());
        self
    }

    /// With its length in 4 bytes before it.
    fn text(self, text: &str) -> Self {
        let mut body = self.u32(u32::try_from(text.len()).unwrap());
        body.0.extend(text.as_bytes());
        body
    }

    fn then(mut self, other: &Self) -> Self {
        self.0.extend(&other.0);
        self
    }

    fn bytes(&self) -> Bytes {
        self.0.clone().into()
    }
}

fn body() -> Body {
    Body::default()
}

const CREATED: u64 = 1_700_000_000_000_000;

/// `[1 u8][length 4][id]`: a number.
fn numeric(id: u32) -> Body {
    body().u8(1).u8(4).u32(id)
}

/// A stream without options: tags server-0.8.2-edge.1 and server-0.9.0-edge.3,
/// `responses/streams/stream_response.rs`.
fn stream(id: u32, topics: u32, name: &str) -> Body {
    body()
        .u32(id)
        .u64(CREATED)
        .u32(topics)
        .u64(5_000)
        .u64(50)
        .name(name)
}

/// A topic with its replication factor and without options: the same tags,
/// `responses/streams/get_stream.rs`.
fn topic(id: u32, partitions: u32, name: &str) -> Body {
    let before = body()
        .u32(id)
        .u64(CREATED)
        .u32(partitions)
        .u64(u64::MAX)
        .u8(1);
    before.u64(u64::MAX).u8(3).u64(5_000).u64(50).name(name)
}

/// `responses/topics/get_topic.rs`.
fn partition(id: u32) -> Body {
    body()
        .u32(id)
        .u64(CREATED)
        .u32(1)
        .u64(49)
        .u64(5_000)
        .u64(50)
}

/// A user without options: the same tags, `responses/users/user_response.rs`.
fn user(id: u32, name: &str) -> Body {
    body().u32(id).u64(CREATED).u8(1).name(name)
}

/// Reads a reply of a VSR server; what was read, written anew, is the same.
fn vsr_reply(code: u32, body: &Body) -> Reply {
    let bytes = body.bytes();
    let (reply, fault) = Reply::decode(Dialect::Vsr, code, &bytes).unwrap();
    assert_eq!(fault, None);
    assert_eq!(reply.encode(), bytes);
    reply
}

#[test]
fn streams_of_a_vsr_server_before_options_are_read() {
    let list = stream(0, 1, "orders").then(&stream(1, 0, "x"));
    let Reply::Streams(streams) = vsr_reply(code::GET_STREAMS, &list) else {
        panic!("no streams")
    };
    let names: Vec<_> = streams.iter().map(|stream| &stream.name[..]).collect();
    assert_eq!(names, ["orders", "x"]);
    assert!(streams.iter().all(|stream| stream.options.is_none()));
    let created = vsr_reply(code::CREATE_STREAM, &stream(7, 0, "orders"));
    assert!(matches!(created, Reply::CreatedStream(stream) if stream.id == 7));
    let one = stream(0, 2, "orders")
        .then(&topic(0, 3, "a"))
        .then(&topic(1, 1, "b"));
    let Reply::Stream(details) = vsr_reply(code::GET_STREAM, &one) else {
        panic!("no stream")
    };
    assert_eq!(details.topics[1].replication_factor, Some(3));
}

/// `responses/topics/get_topics.rs`: no count before them.
#[test]
fn topics_of_a_vsr_server_before_options_are_read() {
    let list = topic(0, 3, "a").then(&topic(1, 1, "b"));
    let Reply::Topics(topics) = vsr_reply(code::GET_TOPICS, &list) else {
        panic!("no topics")
    };
    assert_eq!((topics[1].partitions_count, &topics[1].options), (1, &None));
    let one = topic(0, 2, "a").then(&partition(0)).then(&partition(1));
    for code in [code::GET_TOPIC, code::CREATE_TOPIC] {
        let Reply::Topic(details) = vsr_reply(code, &one) else {
            panic!("no topic")
        };
        assert_eq!(details.partitions[1].current_offset, 49);
    }
}

#[test]
fn users_of_a_vsr_server_before_options_are_read() {
    let list = user(0, "iggy").then(&user(1, "reader"));
    let Reply::Users(users) = vsr_reply(code::GET_USERS, &list) else {
        panic!("no users")
    };
    assert_eq!(users[1].username, "reader");
    // Ten permissions that hold everywhere, and no stream's.
    let permissions = (0..11).fold(body().u8(1).u32(11), |body, _| body.u8(0));
    for one in [user(1, "a").then(&permissions), user(1, "a").u32(0)] {
        for code in [code::GET_USER, code::CREATE_USER] {
            let Reply::User(details) = vsr_reply(code, &one) else {
                panic!("no user")
            };
            assert_eq!(details.user.options, None);
        }
    }
}

/// The settings of a topic as they stand in requests: tag server-0.9.0-edge.3,
/// `requests/topics/`.
fn settings(name: &str) -> Body {
    body().u8(1).u64(0).u64(u64::MAX).u8(1).name(name)
}

#[test]
fn topics_are_created_and_changed_on_a_vsr_server_before_options() {
    let create = numeric(1).u32(3).then(&settings("orders")).bytes();
    let request = Request::decode(Dialect::Vsr, code::CREATE_TOPIC, &create).unwrap();
    assert_eq!(request.encode(), create);
    let Request::CreateTopic(topic) = request else {
        panic!("another layout")
    };
    assert_eq!((topic.partitions_count, &topic.name[..]), (3, "orders"));
    let update = numeric(1)
        .then(&numeric(2))
        .then(&settings("orders"))
        .bytes();
    let request = Request::decode(Dialect::Vsr, code::UPDATE_TOPIC, &update).unwrap();
    assert_eq!(request.encode(), update);
    assert!(matches!(request, Request::UpdateTopic(topic) if topic.name == "orders"));
}

/// Tags server-0.8.2-edge.1 to server-0.9.0-edge.4, `requests/consumer_offsets/` and
/// `consensus/operation.rs`.
#[test]
fn offsets_are_stored_with_and_without_an_ack() {
    let consumer = body().u8(1).then(&numeric(1));
    let key = consumer.then(&numeric(2)).then(&numeric(3)).u8(1).u32(0);
    let store = key.clone().u64(41);
    for (body, ack) in [(store.clone(), None), (store.u8(1), Some(Ack::Quorum))] {
        let bytes = body.bytes();
        let request = Request::decode(Dialect::Vsr, code::STORE_CONSUMER_OFFSET, &bytes).unwrap();
        assert_eq!(request.encode(), bytes);
        let Request::StoreConsumerOffset(stored) = request else {
            panic!("nothing stored")
        };
        assert_eq!((stored.offset, stored.ack), (41, ack));
    }
    for (body, ack) in [(key.clone(), None), (key.u8(0), Some(Ack::None))] {
        let bytes = body.bytes();
        let request = Request::decode(Dialect::Vsr, code::DELETE_CONSUMER_OFFSET, &bytes).unwrap();
        assert_eq!(request.encode(), bytes);
        assert!(matches!(request, Request::DeleteConsumerOffset(deleted) if deleted.ack == ack));
    }
    let with_ack = [164, 165].map(Operation);
    let codes = [code::STORE_CONSUMER_OFFSET, code::DELETE_CONSUMER_OFFSET];
    for (operation, code) in with_ack.into_iter().zip(codes) {
        assert_eq!(operation.code(), Some(code));
        assert!(operation.is_result_framed());
        assert_ne!(Operation::of_code(code), operation, "{operation:?}");
    }
}

/// Tag server-0.8.2-edge.1, `consensus/header.rs` and `vsr.rs`.
#[test]
fn a_header_with_a_namespace_keeps_its_session_and_its_code() {
    let header = RequestHeader {
        namespace: Some((1 << 32) | 2),
        session: 77,
        ..RequestHeader::new(code::GET_STREAMS, &[])
    };
    let bytes: [u8; HEADER_SIZE] = header.encode().as_ref().try_into().unwrap();
    assert_eq!(bytes[184..192], ((1_u64 << 32) | 2).to_le_bytes());
    assert_eq!(bytes[192..200], 77_u64.to_le_bytes());
    assert_eq!(bytes[204..208], code::GET_STREAMS.to_le_bytes());
    assert_eq!(RequestHeader::of(&bytes), header);
    assert_eq!(header.command_code(&[]), Some(code::GET_STREAMS));
    let newer = RequestHeader {
        namespace: None,
        ..header
    };
    let bytes: [u8; HEADER_SIZE] = newer.encode().as_ref().try_into().unwrap();
    assert_eq!(RequestHeader::of(&bytes), newer);
}

/// Tag server-0.5.0, `core/common/src/commands/`: the client may choose the number.
#[test]
fn what_a_client_creates_before_0_6_has_a_number() {
    let read = |code, body: &Body| {
        let bytes = body.bytes();
        let request = Request::decode(Dialect::Classic, code, &bytes).unwrap();
        assert_eq!(request.encode(), bytes);
        request
    };
    for id in [0, 1, 70_000] {
        let name = "orders".to_owned();
        let stream = CreateStreamWithId { id, name };
        assert_eq!(
            read(code::CREATE_STREAM, &body().u32(id).name("orders")),
            Request::CreateStreamWithId(stream)
        );
        let asked = numeric(1).u32(id).u32(3).then(&settings("orders"));
        let Request::CreateTopicWithId(CreateTopicWithId { id: read_id, topic }) =
            read(code::CREATE_TOPIC, &asked)
        else {
            panic!("another layout")
        };
        assert_eq!((read_id, topic.partitions_count), (id, 3));
        assert_eq!(topic.stream, Identifier::Numeric(1));
        let asked = numeric(1).then(&numeric(2)).u32(id).name("readers");
        let group = read(code::CREATE_CONSUMER_GROUP, &asked);
        assert!(
            matches!(group, Request::CreateConsumerGroupWithId(group) if group.id == id),
            "{id}"
        );
    }
}

/// A body that is a whole request in both layouts.
#[test]
fn a_stream_created_with_or_without_a_number_is_not_guessed() {
    let mut name = "\u{1}\0\0\u{1}x".to_owned();
    let both = body().name(&name).bytes();
    let fault = Request::decode(Dialect::Classic, code::CREATE_STREAM, &both);
    assert_eq!(fault.unwrap_err().fault, Fault::Undetermined);
    // The same with letters: nobody has numbers so high.
    name = format!("abc{}{}", '!', "x".repeat(33));
    let request = Request::decode(
        Dialect::Classic,
        code::CREATE_STREAM,
        &body().name(&name).bytes(),
    );
    assert!(matches!(request.unwrap(), Request::CreateStream(stream) if stream.name == name));
}

/// Statistics up to the cache's: tag server-0.5.0, `core/server/src/binary/mapper.rs`.
fn stats(version: &str, number: u32) -> Body {
    let memory = body().u32(1).u32(0).u32(0).u64(1).u64(2).u64(3);
    let times = memory.u64(60_000_000).u64(CREATED).u64(4).u64(5).u64(6);
    let counts = times.u32(1).u32(2).u32(3).u32(4).u64(50).u32(1).u32(0);
    let texts = counts.text("host").text("Linux").text("6.1").text("6.1.0");
    let cache = texts.text(version).u32(number).u32(1);
    cache.u32(1).u32(1).u32(0).u64(10).u64(0).u32(0)
}

#[test]
fn statistics_without_threads_and_disk_are_those_of_an_older_server() {
    let read = |body: &Body| Reply::decode(Dialect::Classic, code::GET_STATS, &body.bytes());
    for (version, number) in [("0.5.0", 5000), ("0.6.0", 6000), ("0.7.0", 7000)] {
        let body = stats(version, number);
        let (reply, _) = read(&body).unwrap();
        assert_eq!(reply.encode(), body.bytes());
        let Reply::Stats(stats) = reply else {
            panic!("no statistics")
        };
        assert_eq!((stats.resources, stats.cache_metrics.len()), (None, 1));
    }
    let cut = read(&stats("0.8.0", 8000)).unwrap_err();
    assert_eq!(cut.what, "threads count");
    let whole = stats("0.8.0", 8000).u32(4).u64(10).u64(20);
    let Reply::Stats(stats) = read(&whole).unwrap().0 else {
        panic!("no statistics")
    };
    assert_eq!(
        stats.resources.unwrap_or_default(),
        Resources {
            threads_count: 4,
            free_disk_space: 10,
            total_disk_space: 20,
        }
    );
}

/// Tag server-0.4.95 ends before the server's version: it is said where.
#[test]
fn a_body_that_cannot_be_read_is_told_with_its_place() {
    let whole = stats("", 0);
    let older = whole.0.len() - (4 + 4 + 4 + 32);
    let error = Reply::decode(
        Dialect::Classic,
        code::GET_STATS,
        &whole.bytes().slice(..older),
    )
    .unwrap_err();
    assert_eq!((error.what, error.at), ("iggy server version", older));
}

/// The classic replies about streams, topics, users, groups and clients are the same
/// from tag server-0.4.95 to server-0.8.0, `mapper.rs`.
#[test]
fn classic_replies_of_older_servers_are_read() {
    let group = body().u32(1).u32(3).u32(1).name("readers");
    let member = body().u32(9).u32(2).u32(1).u32(2);
    let client = body()
        .u32(5)
        .u32(u32::MAX)
        .u8(1)
        .text("127.0.0.1:5000")
        .u32(1);
    let joined = body().u32(1).u32(2).u32(3);
    let replies = [
        (
            code::GET_STREAMS,
            stream(1, 0, "a").then(&stream(2, 0, "b")),
        ),
        (code::GET_STREAM, stream(1, 1, "a").then(&topic(1, 1, "b"))),
        (code::GET_TOPICS, topic(1, 1, "a").then(&topic(2, 1, "b"))),
        (code::GET_TOPIC, topic(1, 1, "a").then(&partition(1))),
        (code::GET_USERS, user(1, "iggy").then(&user(2, "b"))),
        (code::GET_USER, user(1, "iggy").u32(0)),
        (code::GET_CONSUMER_GROUPS, group.clone().then(&group)),
        (code::GET_CONSUMER_GROUP, group.then(&member)),
        (code::GET_CLIENTS, client.clone().then(&client)),
        (code::GET_ME, client.then(&joined)),
        (code::GET_PERSONAL_ACCESS_TOKENS, body().name("ci").u64(0)),
        (code::GET_CONSUMER_OFFSET, body().u32(1).u64(9).u64(7)),
    ];
    for (code, body) in replies {
        let bytes = body.bytes();
        let (reply, fault) = Reply::decode(Dialect::Classic, code, &bytes).unwrap();
        assert_eq!((reply.encode(), fault), (bytes, None), "code {code}");
    }
}

proptest! {
    /// Whatever the names and numbers, a body of one layout is never read as the other.
    #[test]
    fn a_vsr_reply_without_options_is_never_read_with_them(
        ids in proptest::collection::vec(0_u32..1000, 1..4),
        name in "[a-z0-9-]{1,40}",
        partitions in 0_u32..3,
    ) {
        let with = |one: &dyn Fn(u32) -> Body| {
            ids.iter().fold(body(), |all, id| all.then(&one(*id)))
        };
        for (code, older) in [
            (code::GET_STREAMS, with(&|id| stream(id, 0, &name))),
            (code::GET_TOPICS, with(&|id| topic(id, partitions, &name))),
            (code::GET_USERS, with(&|id| user(id, &name))),
        ] {
            let (reply, _) = Reply::decode(Dialect::Vsr, code, &older.bytes()).unwrap();
            let plain = Reply::decode(Dialect::Classic, code, &older.bytes()).unwrap().0;
            prop_assert_eq!(reply, plain);
        }
    }
}
