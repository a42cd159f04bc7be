use std::time::Duration;

use bytes::Bytes;
use parallax_codec::commands::{
    ConsumerOffset, CreateConsumerGroup, CreateStream, CreateTopic, CreateTopicWithOptions,
    FlushUnsavedBuffer, GetConsumerOffset, GroupRef, PollMessages, SendMessages,
    StoreConsumerOffset, TopicRef,
};
use parallax_codec::messages::{Batch, Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Ack, Consumer, ConsumerKind, Identifier, Options, PartitionLayout, Partitioning, PollingKind,
    PollingStrategy,
};
use parallax_codec::{Dialect, Reply, Request};

use super::{Scene, SceneError, Stay};
use crate::demo::client::{Client, ClientError};
use crate::demo::sink::as_the_sdk_prints;
use crate::demo::{BROKEN_PARTITION, GROUP, PARTITIONS, STREAM, TOPIC};

/// Messages that each partition has to begin with: offsets 0 to 24.
const MESSAGES: u32 = 25;

/// A client that has logged in and says what it is told.
pub(super) struct Session<'a> {
    client: Client,
    dialect: Dialect,
    pace: Duration,
    log: &'a mut (dyn FnMut(String) + Send),
}

impl<'a> Session<'a> {
    /// Connects and logs in.
    pub(super) async fn open(scene: &'a mut Scene<'_>) -> Result<Self, SceneError> {
        let client = Client::log_in(scene.server, scene.dialect).await;
        Ok(Self {
            client: client.map_err(at("log in"))?,
            dialect: scene.dialect,
            pace: scene.pace,
            log: &mut *scene.log,
        })
    }

    /// Connects, logs in, creates stream and topic and fills the partitions.
    pub(super) async fn prepare(scene: &'a mut Scene<'_>) -> Result<Self, SceneError> {
        let mut session = Self::open(scene).await?;
        session.create().await?;
        for partition in 0..PARTITIONS {
            let send = session.batch(partition, 0, MESSAGES);
            session.must("send messages", &send).await?;
        }
        Ok(session)
    }

    /// Creates stream and topic.
    pub(super) async fn create(&mut self) -> Result<(), SceneError> {
        let is_vsr = self.dialect == Dialect::Vsr;
        let stream = Request::CreateStream(CreateStream {
            name: STREAM.to_owned(),
            options: is_vsr.then(Options::default),
        });
        self.must("create the stream", &stream).await?;
        let topic = match self.dialect {
            Dialect::Classic => Request::CreateTopic(CreateTopic {
                stream: named(STREAM),
                partitions_count: PARTITIONS,
                compression_algorithm: 1,
                message_expiry: u64::MAX,
                max_topic_size: u64::MAX,
                replication_factor: 1,
                name: TOPIC.to_owned(),
            }),
            Dialect::Vsr => Request::CreateTopicWithOptions(CreateTopicWithOptions {
                stream: named(STREAM),
                partitions_count: PARTITIONS,
                name: TOPIC.to_owned(),
                options: Options::default(),
            }),
        };
        self.must("create the topic", &topic).await?;
        Ok(())
    }

    /// A send of some messages, numbered from `first` on.
    pub(super) fn batch(&self, partition: u32, first: u32, count: u32) -> Request {
        let numbers = first..first + count;
        let mut messages: Vec<_> = numbers.map(|n| message(partition, n)).collect();
        let layout = match self.dialect {
            Dialect::Classic => MessageLayout::Headers64,
            Dialect::Vsr => MessageLayout::Batches(vec![Batch::of_producer(&mut messages)]),
        };
        Request::SendMessages(SendMessages {
            stream: named(STREAM),
            topic: named(TOPIC),
            partitioning: Partitioning::PartitionId(partition),
            layout,
            messages,
        })
    }

    /// Polls the partition that the fault is in, and says what came of it.
    pub(super) async fn poll(
        &mut self,
        consumer: &Consumer,
        (kind, value): (PollingKind, u64),
        count: u32,
        auto_commit: bool,
    ) -> Result<(), SceneError> {
        let poll = Request::PollMessages(PollMessages {
            consumer: consumer.clone(),
            stream: named(STREAM),
            topic: named(TOPIC),
            partition_id: Some(BROKEN_PARTITION),
            partition_layout: PartitionLayout::Flagged,
            strategy: PollingStrategy { kind, value },
            count,
            auto_commit,
        });
        self.say("poll", &poll).await
    }

    /// Stores an offset, or is refused.
    pub(super) async fn store(
        &mut self,
        consumer: &Consumer,
        offset: u64,
    ) -> Result<(), SceneError> {
        let store = Request::StoreConsumerOffset(StoreConsumerOffset {
            consumer: consumer.clone(),
            stream: named(STREAM),
            topic: named(TOPIC),
            partition_id: Some(BROKEN_PARTITION),
            partition_layout: PartitionLayout::Flagged,
            offset,
            ack: (self.dialect == Dialect::Vsr).then_some(Ack::Quorum),
        });
        self.say("store an offset", &store).await
    }

    /// Asks for the stored offset.
    pub(super) async fn stored(&mut self, consumer: &Consumer) -> Result<(), SceneError> {
        let get = Request::GetConsumerOffset(GetConsumerOffset {
            consumer: consumer.clone(),
            stream: named(STREAM),
            topic: named(TOPIC),
            partition_id: Some(BROKEN_PARTITION),
            partition_layout: PartitionLayout::Flagged,
        });
        self.say("ask for the stored offset", &get).await
    }

    /// Creates the group.
    pub(super) async fn create_group(&mut self) -> Result<(), SceneError> {
        let create = Request::CreateConsumerGroup(CreateConsumerGroup {
            stream: named(STREAM),
            topic: named(TOPIC),
            name: GROUP.to_owned(),
        });
        self.must("create the group", &create).await?;
        Ok(())
    }

    /// Joins the group, and asks for its partitions where the dialect has it so.
    pub(super) async fn join(&mut self) -> Result<(), SceneError> {
        let join = Request::JoinConsumerGroup(the_group());
        self.must("join the group", &join).await?;
        self.sync().await
    }

    /// Asks for its partitions.
    pub(super) async fn sync(&mut self) -> Result<(), SceneError> {
        if self.dialect == Dialect::Vsr {
            let sync = Request::SyncConsumerGroup(the_group());
            self.must("ask for its partitions", &sync).await?;
        }
        Ok(())
    }

    /// Leaves the group.
    pub(super) async fn leave(&mut self) -> Result<(), SceneError> {
        let leave = Request::LeaveConsumerGroup(the_group());
        self.must("leave the group", &leave).await?;
        Ok(())
    }

    /// Has the partition written to disk, where the dialect has that: a classic
    /// server's purge leaves what is in memory alone.
    pub(super) async fn flush(&mut self) -> Result<(), SceneError> {
        if self.dialect == Dialect::Classic {
            let flush = Request::FlushUnsavedBuffer(FlushUnsavedBuffer {
                stream: named(STREAM),
                topic: named(TOPIC),
                partition_id: BROKEN_PARTITION,
                fsync: true,
            });
            self.must("flush the partition", &flush).await?;
        }
        Ok(())
    }

    /// Empties the topic.
    pub(super) async fn purge(&mut self) -> Result<(), SceneError> {
        let purge = Request::PurgeTopic(TopicRef {
            stream: named(STREAM),
            topic: named(TOPIC),
        });
        self.must("purge the topic", &purge).await?;
        Ok(())
    }

    /// Asks for what the scene cannot go on without.
    pub(super) async fn must(
        &mut self,
        step: &'static str,
        request: &Request,
    ) -> Result<Reply, SceneError> {
        self.client.ask(request).await.map_err(at(step))
    }

    /// Asks, and says what the answer is, which may be no.
    pub(super) async fn say(
        &mut self,
        step: &'static str,
        request: &Request,
    ) -> Result<(), SceneError> {
        let line = match self.client.ask(request).await {
            Ok(reply) => format!("{step}: {}", in_words(&reply)),
            Err(ClientError::Refused(code)) => {
                format!("{step} failed: {}", as_the_sdk_prints(code))
            }
            Err(ClientError::Evicted(reason)) => format!("{step} failed: {}", reason.name()),
            Err(ClientError::Reply(error)) => format!("{step} failed: unreadable, {error}"),
            Err(error) => return Err(at(step)(error)),
        };
        self.tell(line).await;
        Ok(())
    }

    /// The connection, open for as long as the value lives.
    pub(super) fn stay(self) -> Stay {
        Stay {
            _client: Some(self.client),
        }
    }

    /// Says something, and gives others time to look.
    pub(super) async fn tell(&mut self, line: String) {
        (self.log)(line);
        tokio::time::sleep(self.pace).await;
    }
}

/// A consumer that reads alone.
pub(super) fn reader() -> Consumer {
    Consumer {
        kind: ConsumerKind::Consumer,
        id: named("reader"),
    }
}

/// A member of the group.
pub(super) fn member() -> Consumer {
    Consumer {
        kind: ConsumerKind::Group,
        id: named(GROUP),
    }
}

pub(super) fn at(step: &'static str) -> impl FnOnce(ClientError) -> SceneError {
    move |source| SceneError { step, source }
}

fn the_group() -> GroupRef {
    GroupRef {
        stream: named(STREAM),
        topic: named(TOPIC),
        group: named(GROUP),
    }
}

fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

fn message(partition_id: u32, n: u32) -> Message {
    let payload = format!(r#"{{"partition":{partition_id},"seq":{n}}}"#);
    Message {
        header: MessageHeader {
            id: u128::from(partition_id) * 1000 + u128::from(n) + 1,
            payload_length: u32::try_from(payload.len()).unwrap_or_default(),
            ..MessageHeader::default()
        },
        payload: Bytes::from(payload),
        user_headers: Bytes::new(),
    }
}

fn in_words(reply: &Reply) -> String {
    match reply {
        Reply::Empty => "done".to_owned(),
        Reply::PolledMessages(polled) => {
            let offsets = polled.messages.iter().map(|message| message.header.offset);
            match (offsets.clone().next(), offsets.last()) {
                (Some(first), Some(last)) => format!("offsets {first} to {last}"),
                _ => "nothing".to_owned(),
            }
        }
        Reply::ConsumerOffset(ConsumerOffset {
            stored_offset,
            current_offset,
            ..
        }) => format!("{stored_offset} of {current_offset}"),
        _ => "an answer".to_owned(),
    }
}
