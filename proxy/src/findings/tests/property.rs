//! Whatever clients do at the same time to a server that works, nothing is found
//! wrong, and what the ledger knows is what the server holds; and what a server
//! does wrong is found. The server is the stand-in's model, driven without sockets.

use std::net::{Ipv4Addr, SocketAddr};

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::catalog::{
    COMMITS_FAILING, FENCED, PARTITION_START_SKIPPED, SAME_FAILURE_AGAIN,
};
use parallax_captures::{ConnectionId, Content, Exchange, Finding, Times};
use parallax_codec::commands::{
    CreateConsumerGroup, CreateStream, CreateTopic, DeleteConsumerOffset, FlushUnsavedBuffer,
    GetConsumerOffset, GroupRef, LoginUser, PollMessages, SendMessages, StoreConsumerOffset,
    TopicRef,
};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, Partitioning, PollingKind,
    PollingStrategy, Secret,
};
use parallax_codec::{Dialect, Reply, Request};
use proptest::prelude::*;

use crate::comparison::sample::named;
use crate::findings::Findings;
use crate::findings::sample::exchange;
use crate::ledger::Fact;
use crate::standin::{Model, StandinConfig};

const CONNECTIONS: usize = 3;
const PARTITIONS: u32 = 2;

/// What a client does, and how long the ways take, in milliseconds.
#[derive(Debug, Clone)]
struct Step {
    connection: usize,
    action: Action,
    /// Before it asks, to the server, back, and until the answer is looked at.
    times: [u16; 4],
}

#[derive(Debug, Clone)]
enum Action {
    Poll {
        kind: ConsumerKind,
        partition: u32,
        strategy: PollingKind,
        value: u64,
        auto_commit: bool,
    },
    Store {
        kind: ConsumerKind,
        partition: u32,
        offset: u64,
    },
    AskOffset {
        kind: ConsumerKind,
        partition: u32,
    },
    DeleteOffset {
        kind: ConsumerKind,
        partition: u32,
    },
    Send {
        partition: u32,
        messages: u8,
    },
    Purge,
    Rejoin,
}

/// A request at the time when the server deals with it.
struct Sent {
    connection: usize,
    request: Request,
    from: i64,
    at_server: i64,
    to: i64,
    /// When it is seen: of one connection in order, of several not.
    seen: i64,
}

/// A server, and what was seen of it.
struct World {
    model: Model,
    clients: Vec<u32>,
    findings: Findings,
    drawn: Vec<Finding>,
    n: u64,
    now: i64,
}

impl World {
    /// A topic, a group that every connection has joined.
    fn new(dialect: Dialect) -> Self {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        let config = StandinConfig {
            dialect,
            ..StandinConfig::default()
        };
        let mut model = Model::new(&config, (address, address), 0);
        let clients: Vec<u32> = (0..CONNECTIONS).map(|_| model.connect(address)).collect();
        let mut world = Self {
            model,
            clients,
            findings: Findings::new(),
            drawn: Vec::new(),
            n: 0,
            now: 0,
        };
        for connection in 0..CONNECTIONS {
            let login = LoginUser {
                username: "iggy".to_owned(),
                password: Secret::new("iggy"),
                version: None,
                context: None,
            };
            world.ask(connection, Request::LoginUser(login)).unwrap();
        }
        let stream = CreateStream {
            name: "otel".to_owned(),
            options: None,
        };
        world.ask(0, Request::CreateStream(stream)).unwrap();
        let topic = CreateTopic {
            stream: named("otel"),
            partitions_count: PARTITIONS,
            compression_algorithm: 1,
            message_expiry: 0,
            max_topic_size: 0,
            replication_factor: 1,
            name: "metrics".to_owned(),
        };
        world.ask(0, Request::CreateTopic(topic)).unwrap();
        let group = CreateConsumerGroup {
            stream: named("otel"),
            topic: named("metrics"),
            name: "sink".to_owned(),
        };
        world.ask(0, Request::CreateConsumerGroup(group)).unwrap();
        for connection in 0..CONNECTIONS {
            let join = Request::JoinConsumerGroup(group_ref());
            world.ask(connection, join).unwrap();
        }
        world
    }

    /// Asked and answered while nothing else happens.
    fn ask(&mut self, connection: usize, request: Request) -> Result<Reply, u32> {
        let mut sent = later(self, request);
        sent.connection = connection;
        let answer = self.answer(&sent);
        self.see(&sent, answer.clone());
        answer
    }

    fn answer(&mut self, sent: &Sent) -> Result<Reply, u32> {
        let now = u64::try_from(sent.at_server).unwrap() * 1_000;
        let client = self.clients[sent.connection];
        let classic = self.model.dialect() == Dialect::Classic;
        if classic && matches!(sent.request, Request::PurgeTopic(_)) {
            // Server 0.8.0 keeps what is not on disk (recording `purge`).
            for partition in 0..PARTITIONS {
                self.model.answer(client, flush(partition), now).unwrap();
            }
        }
        let answer = self.model.answer(client, sent.request.clone(), now);
        answer.map_err(|refusal| refusal.code.0)
    }

    fn see(&mut self, sent: &Sent, answer: Result<Reply, u32>) {
        let seen = self.exchange(sent, answer);
        self.drawn.extend(self.findings.on_exchange(&seen));
    }

    fn exchange(&mut self, sent: &Sent, answer: Result<Reply, u32>) -> Exchange {
        let (status, reply) = match answer {
            Ok(reply) => (0, Some(reply)),
            Err(status) => (status, None),
        };
        let mut seen = exchange(self.n, 0, sent.request.clone(), status);
        let at = |time| Timestamp::from_millisecond(time).unwrap();
        seen.dialect = match self.model.dialect() {
            Dialect::Classic => parallax_captures::Dialect::Classic,
            Dialect::Vsr => parallax_captures::Dialect::Vsr,
        };
        seen.conn = ConnectionId(u64::try_from(sent.connection).unwrap());
        seen.times = Times {
            request_first: at(sent.from),
            request_last: at(sent.from),
            reply: Some((at(sent.to), at(sent.to))),
        };
        if let Content::Binary(content) = &mut seen.content {
            content.reply = reply;
        }
        seen
    }

    /// What is wrong, by what was seen until now.
    fn wrong(&mut self) -> Vec<&Finding> {
        self.drawn.extend(self.findings.finish());
        for probe in self.findings.take_probes() {
            self.drawn.extend(self.findings.on_probe(probe, None));
        }
        // These clients do repeat what is refused, store what is not there, and never
        // ask for their assignment.
        let is_so = [
            SAME_FAILURE_AGAIN,
            COMMITS_FAILING,
            FENCED,
            PARTITION_START_SKIPPED,
        ];
        let is_wrong = |finding: &&Finding| !is_so.contains(&finding.code) && finding.is_wrong();
        self.drawn.iter().filter(is_wrong).collect()
    }
}

proptest! {
    #[test]
    fn a_server_that_works_raises_nothing_and_holds_what_the_ledger_knows(
        dialect in dialect(),
        steps in proptest::collection::vec(step(), 1..120),
    ) {
        let mut world = World::new(dialect);
        run(&mut world, steps);
        let wrong = world.wrong();
        prop_assert!(wrong.is_empty(), "{wrong:#?}");
        for kind in [ConsumerKind::Consumer, ConsumerKind::Group] {
            for partition in 0..PARTITIONS {
                let known = known(&world, kind, partition).cloned();
                let asked = world.ask(0, ask_offset(kind, partition));
                let held = match asked {
                    Ok(Reply::ConsumerOffset(reply)) => Some(reply.stored_offset),
                    Ok(_) => None,
                    Err(status) => panic!("refused with {status}"),
                };
                if let Some(known) = known {
                    prop_assert_eq!(known.value, held, "{:?} on partition {}", kind, partition);
                }
            }
        }
    }

    #[test]
    fn a_server_that_skips_is_found_out(
        dialect in dialect(),
        steps in proptest::collection::vec(step(), 1..60),
        kind in kind(),
        skipped in 1_usize..10,
    ) {
        let mut world = World::new(dialect);
        run(&mut world, steps);
        let sent = owed(&mut world, kind);
        let answer = altered(world.answer(&sent), |messages| {
            messages.drain(..skipped);
        });
        world.see(&sent, Ok(answer));
        prop_assert_eq!(codes(&world.wrong()), [202]);
    }

    #[test]
    fn a_server_that_gives_an_offset_twice_is_found_out(
        dialect in dialect(),
        steps in proptest::collection::vec(step(), 1..60),
        kind in kind(),
    ) {
        let mut world = World::new(dialect);
        run(&mut world, steps);
        let sent = owed(&mut world, kind);
        let answer = world.answer(&sent);
        world.see(&sent, answer.clone());
        let Ok(Reply::PolledMessages(served)) = answer else {
            panic!("nothing was served");
        };
        let offset = served.messages[0].header.offset;
        let connection = sent.connection;
        let mut sent = later(&mut world, poll(kind, 0, PollingKind::Offset, offset, false));
        sent.connection = connection;
        let answer = altered(world.answer(&sent), |messages| messages[0].header.id ^= 1);
        world.see(&sent, Ok(answer));
        prop_assert_eq!(codes(&world.wrong()), [205]);
    }

    #[test]
    fn a_server_that_loses_a_commit_is_found_out(
        dialect in dialect(),
        steps in proptest::collection::vec(step(), 1..60),
        kind in kind(),
        asks in any::<bool>(),
    ) {
        let mut world = World::new(dialect);
        run(&mut world, steps);
        let mut sent = owed(&mut world, kind);
        let connection = sent.connection;
        sent.request = poll(kind, 0, PollingKind::Next, 0, false);
        let answer = world.answer(&sent);
        world.see(&sent, answer);
        // It is acknowledged, and nothing of it is kept.
        let mut lost = later(&mut world, store(kind, 0, 10));
        lost.connection = connection;
        world.see(&lost, Ok(Reply::Empty));
        let (request, code) = if asks {
            (ask_offset(kind, 0), 207)
        } else {
            (poll(kind, 0, PollingKind::Next, 0, false), 301)
        };
        world.ask(connection, request).unwrap();
        prop_assert_eq!(codes(&world.wrong()), [code]);
    }
}

/// A poll of Next, ten messages behind what the server holds as consumed, when
/// nothing else is under way.
fn owed(world: &mut World, kind: ConsumerKind) -> Sent {
    world.ask(0, send(0, 40)).unwrap();
    // Of a group only the member whose partition it is may store.
    let stores = |connection: &usize| world.ask(*connection, store(kind, 0, 0)).is_ok();
    let connection = (0..CONNECTIONS).find(stores).unwrap();
    let mut sent = later(world, poll(kind, 0, PollingKind::Next, 0, true));
    sent.connection = connection;
    sent
}

/// With other messages than the server gave.
fn altered(answer: Result<Reply, u32>, alter: impl FnOnce(&mut Vec<Message>)) -> Reply {
    let Ok(Reply::PolledMessages(mut reply)) = answer else {
        panic!("no messages to alter: {answer:?}");
    };
    alter(&mut reply.messages);
    reply.count = u32::try_from(reply.messages.len()).unwrap();
    Reply::PolledMessages(reply)
}

/// Asked once everything else has long been answered.
fn later(world: &mut World, request: Request) -> Sent {
    world.now += 10_000;
    world.n += 1;
    Sent {
        connection: 0,
        request,
        from: world.now,
        at_server: world.now + 1,
        to: world.now + 2,
        seen: world.now + 2,
    }
}

/// Each connection takes its steps in order and waits for each answer; the server
/// deals with requests as they arrive, and answers are seen a little later.
fn run(world: &mut World, steps: Vec<Step>) {
    let mut free = [world.now + 1_000; CONNECTIONS];
    let mut shown = free;
    let mut sent: Vec<Sent> = Vec::new();
    for step in steps {
        let [think, there, back, late] = step.times.map(i64::from);
        for request in step.action.requests() {
            let from = free[step.connection] + think;
            let at_server = from + there;
            let to = at_server + back;
            free[step.connection] = to + 1;
            shown[step.connection] = shown[step.connection].max(to + late);
            sent.push(Sent {
                connection: step.connection,
                request,
                from,
                at_server,
                to,
                seen: shown[step.connection],
            });
        }
    }
    sent.sort_by_key(|sent| sent.at_server);
    let mut answered: Vec<(Sent, Result<Reply, u32>)> = Vec::new();
    for sent in sent {
        let answer = world.answer(&sent);
        answered.push((sent, answer));
    }
    answered.sort_by_key(|(sent, _)| sent.seen);
    for (sent, answer) in answered {
        world.n += 1;
        world.see(&sent, answer);
    }
    world.now = free.into_iter().max().unwrap();
}

/// What the ledger knows to be stored.
fn known(world: &World, kind: ConsumerKind, partition: u32) -> Option<&Fact<Option<u64>>> {
    let ledger = world.findings.ledger();
    ledger.held(
        &named("otel"),
        &named("metrics"),
        &consumer(kind),
        partition,
    )
}

fn codes(findings: &[&Finding]) -> Vec<u16> {
    findings.iter().map(|finding| finding.code.0).collect()
}

impl Action {
    fn requests(&self) -> Vec<Request> {
        match *self {
            Self::Poll {
                kind,
                partition,
                strategy,
                value,
                auto_commit,
            } => vec![poll(kind, partition, strategy, value, auto_commit)],
            Self::Store {
                kind,
                partition,
                offset,
            } => vec![store(kind, partition, offset)],
            Self::AskOffset { kind, partition } => vec![ask_offset(kind, partition)],
            Self::DeleteOffset { kind, partition } => {
                vec![Request::DeleteConsumerOffset(DeleteConsumerOffset {
                    consumer: consumer(kind),
                    stream: named("otel"),
                    topic: named("metrics"),
                    partition_id: Some(partition),
                    partition_layout: PartitionLayout::Flagged,
                    ack: None,
                })]
            }
            Self::Send {
                partition,
                messages,
            } => vec![send(partition, messages)],
            Self::Purge => vec![Request::PurgeTopic(TopicRef {
                stream: named("otel"),
                topic: named("metrics"),
            })],
            Self::Rejoin => vec![
                Request::LeaveConsumerGroup(group_ref()),
                Request::JoinConsumerGroup(group_ref()),
            ],
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let times = proptest::array::uniform4(0_u16..30);
    (0..CONNECTIONS, action(), times).prop_map(|(connection, action, times)| Step {
        connection,
        action,
        times,
    })
}

fn action() -> impl Strategy<Value = Action> {
    let partition = || 0..PARTITIONS;
    prop_oneof![
        8 => (kind(), partition(), strategy(), 0_u64..40, any::<bool>()).prop_map(
            |(kind, partition, strategy, value, auto_commit)| Action::Poll {
                kind, partition, strategy, value, auto_commit,
            }
        ),
        3 => (kind(), partition(), 0_u64..60)
            .prop_map(|(kind, partition, offset)| Action::Store { kind, partition, offset }),
        1 => (kind(), partition())
            .prop_map(|(kind, partition)| Action::AskOffset { kind, partition }),
        1 => (kind(), partition())
            .prop_map(|(kind, partition)| Action::DeleteOffset { kind, partition }),
        5 => (partition(), 1_u8..20)
            .prop_map(|(partition, messages)| Action::Send { partition, messages }),
        1 => Just(Action::Purge),
        1 => Just(Action::Rejoin),
    ]
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Classic), Just(Dialect::Vsr)]
}

fn kind() -> impl Strategy<Value = ConsumerKind> {
    prop_oneof![Just(ConsumerKind::Consumer), Just(ConsumerKind::Group)]
}

fn strategy() -> impl Strategy<Value = PollingKind> {
    prop_oneof![
        6 => Just(PollingKind::Next),
        1 => Just(PollingKind::First),
        1 => Just(PollingKind::Last),
        1 => Just(PollingKind::Offset),
    ]
}

fn poll(
    kind: ConsumerKind,
    partition: u32,
    strategy: PollingKind,
    value: u64,
    auto_commit: bool,
) -> Request {
    Request::PollMessages(PollMessages {
        partition_layout: PartitionLayout::Flagged,
        consumer: consumer(kind),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(partition),
        strategy: PollingStrategy {
            kind: strategy,
            value,
        },
        count: 10,
        auto_commit,
    })
}

fn store(kind: ConsumerKind, partition: u32, offset: u64) -> Request {
    Request::StoreConsumerOffset(StoreConsumerOffset {
        consumer: consumer(kind),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(partition),
        partition_layout: PartitionLayout::Flagged,
        offset,
        ack: None,
    })
}

fn ask_offset(kind: ConsumerKind, partition: u32) -> Request {
    Request::GetConsumerOffset(GetConsumerOffset {
        consumer: consumer(kind),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(partition),
        partition_layout: PartitionLayout::Flagged,
    })
}

fn flush(partition_id: u32) -> Request {
    Request::FlushUnsavedBuffer(FlushUnsavedBuffer {
        stream: named("otel"),
        topic: named("metrics"),
        partition_id,
        fsync: true,
    })
}

fn send(partition: u32, messages: u8) -> Request {
    let message = || Message {
        header: MessageHeader {
            checksum: 0,
            id: 0,
            offset: 0,
            timestamp: 0,
            origin_timestamp: 0,
            user_headers_length: 0,
            payload_length: 1,
            reserved: 0,
        },
        payload: Bytes::from_static(b"m"),
        user_headers: Bytes::new(),
    };
    Request::SendMessages(SendMessages {
        stream: named("otel"),
        topic: named("metrics"),
        partitioning: Partitioning::PartitionId(partition),
        layout: MessageLayout::Headers64,
        messages: (0..messages).map(|_| message()).collect(),
    })
}

fn group_ref() -> GroupRef {
    GroupRef {
        stream: named("otel"),
        topic: named("metrics"),
        group: named("sink"),
    }
}

fn consumer(kind: ConsumerKind) -> Consumer {
    Consumer {
        kind,
        id: match kind {
            ConsumerKind::Group => named("sink"),
            ConsumerKind::Consumer => Identifier::Numeric(7),
        },
    }
}
