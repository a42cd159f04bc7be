//! Exchanges as a script: who asked what, and what came back, a second apart.

use std::sync::Arc;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use parallax_codec::commands::{
    ConsumerOffset, DeleteConsumerOffset, PollMessages, PolledMessages, SendMessages,
    StoreConsumerOffset, Stream, TopicRef,
};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, Partitioning, PollingKind, PollingStrategy,
};
use parallax_codec::{Reply, Request, code};

use crate::annotation::Annotation;
use crate::connection::{ConnectionId, Dialect};
use crate::exchange::{BinaryContent, Content, Exchange, Times};
use crate::partition::{Life, Names, Partition};

pub(super) struct Script {
    pub(super) exchanges: Vec<Arc<Exchange>>,
    stream: Identifier,
    topic: Identifier,
    conn: u64,
}

pub(super) fn partition() -> Partition {
    Partition {
        stream: named("otel"),
        topic: named("metrics"),
        id: 2,
    }
}

pub(super) fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

pub(super) fn consumer(id: u32) -> Consumer {
    Consumer {
        kind: ConsumerKind::Consumer,
        id: Identifier::Numeric(id),
    }
}

pub(super) fn group() -> Consumer {
    Consumer {
        kind: ConsumerKind::Group,
        id: named("sink"),
    }
}

pub(super) fn time(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

impl Script {
    pub(super) fn new() -> Self {
        Self {
            exchanges: Vec::new(),
            stream: named("otel"),
            topic: named("metrics"),
            conn: 1,
        }
    }

    pub(super) fn on(&mut self, conn: u64) -> &mut Self {
        self.conn = conn;
        self
    }

    /// From now on the topic is called so.
    pub(super) fn calling(&mut self, stream: Identifier, topic: Identifier) -> &mut Self {
        (self.stream, self.topic) = (stream, topic);
        self
    }

    /// Next with `auto_commit`, answered with these offsets.
    pub(super) fn next(&mut self, who: &Consumer, offsets: &[u64], end: u64) -> &mut Self {
        self.poll((who, PollingKind::Next, 0, true), Ok((offsets, end)))
    }

    /// Next without.
    pub(super) fn peek(&mut self, who: &Consumer, offsets: &[u64], end: u64) -> &mut Self {
        self.poll((who, PollingKind::Next, 0, false), Ok((offsets, end)))
    }

    pub(super) fn at_offset(
        &mut self,
        who: &Consumer,
        value: u64,
        offsets: &[u64],
        end: u64,
    ) -> &mut Self {
        let asked = (who, PollingKind::Offset, value, false);
        self.poll(asked, Ok((offsets, end)))
    }

    pub(super) fn refused(&mut self, who: &Consumer, status: u32) -> &mut Self {
        self.poll((who, PollingKind::Next, 0, true), Err(status))
    }

    pub(super) fn poll(
        &mut self,
        (who, kind, value, auto_commit): (&Consumer, PollingKind, u64, bool),
        answer: Result<(&[u64], u64), u32>,
    ) -> &mut Self {
        self.poll_of((who, kind, value, auto_commit), Some(2), answer)
    }

    pub(super) fn poll_of(
        &mut self,
        (who, kind, value, auto_commit): (&Consumer, PollingKind, u64, bool),
        partition_id: Option<u32>,
        answer: Result<(&[u64], u64), u32>,
    ) -> &mut Self {
        let request = Request::PollMessages(PollMessages {
            consumer: who.clone(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id,
            partition_layout: PartitionLayout::Flagged,
            strategy: PollingStrategy { kind, value },
            count: 100,
            auto_commit,
        });
        let reply = answer.map(|(offsets, end)| {
            Reply::PolledMessages(PolledMessages {
                partition_id: 2,
                current_offset: end,
                count: u32::try_from(offsets.len()).unwrap(),
                layout: MessageLayout::Headers64,
                messages: offsets.iter().copied().map(message).collect(),
                left_over: Bytes::new(),
            })
        });
        self.did(code::POLL_MESSAGES, request, reply)
    }

    pub(super) fn stores(&mut self, who: &Consumer, offset: u64) -> &mut Self {
        let request = Request::StoreConsumerOffset(StoreConsumerOffset {
            consumer: who.clone(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(2),
            partition_layout: PartitionLayout::Flagged,
            offset,
            ack: None,
        });
        self.did(code::STORE_CONSUMER_OFFSET, request, Ok(Reply::Empty))
    }

    pub(super) fn asks(&mut self, who: &Consumer, stored: u64, end: u64) -> &mut Self {
        let request = Request::GetConsumerOffset(parallax_codec::commands::GetConsumerOffset {
            consumer: who.clone(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(2),
            partition_layout: PartitionLayout::Flagged,
        });
        let reply = Reply::ConsumerOffset(ConsumerOffset {
            partition_id: 2,
            current_offset: end,
            stored_offset: stored,
        });
        self.did(code::GET_CONSUMER_OFFSET, request, Ok(reply))
    }

    pub(super) fn forgets(&mut self, who: &Consumer) -> &mut Self {
        let request = Request::DeleteConsumerOffset(DeleteConsumerOffset {
            consumer: who.clone(),
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: Some(2),
            partition_layout: PartitionLayout::Flagged,
            ack: None,
        });
        self.did(code::DELETE_CONSUMER_OFFSET, request, Ok(Reply::Empty))
    }

    pub(super) fn sends(&mut self, messages: u64, partitioning: Partitioning) -> &mut Self {
        let request = Request::SendMessages(SendMessages {
            layout: MessageLayout::Headers64,
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partitioning,
            messages: (0..messages).map(message).collect(),
        });
        self.did(code::SEND_MESSAGES, request, Ok(Reply::Empty))
    }

    pub(super) fn purges(&mut self) -> &mut Self {
        let request = Request::PurgeTopic(TopicRef {
            stream: self.stream.clone(),
            topic: self.topic.clone(),
        });
        self.did(code::PURGE_TOPIC, request, Ok(Reply::Empty))
    }

    pub(super) fn deletes_segments(&mut self) -> &mut Self {
        let request = Request::DeleteSegments(parallax_codec::commands::DeleteSegments {
            stream: self.stream.clone(),
            topic: self.topic.clone(),
            partition_id: 2,
            segments_count: 1,
        });
        self.did(code::DELETE_SEGMENTS, request, Ok(Reply::Empty))
    }

    /// A stream of this name and number is described.
    pub(super) fn describes_stream(&mut self, name: &str, id: u32) -> &mut Self {
        let stream = Stream {
            id,
            created_at: 1,
            topics_count: 1,
            size_bytes: 0,
            messages_count: 0,
            name: name.to_owned(),
            options: None,
        };
        let reply = Reply::Streams(vec![stream]);
        self.did(code::GET_STREAMS, Request::GetStreams, Ok(reply))
    }

    pub(super) fn did(
        &mut self,
        code: u32,
        request: Request,
        reply: Result<Reply, u32>,
    ) -> &mut Self {
        let n = self.exchanges.len() as u64 + 1;
        let begin = time(i64::try_from(n).unwrap());
        let end = begin + SignedDuration::from_millis(1);
        self.exchanges.push(Arc::new(Exchange {
            route: None,
            annotation: Annotation::default(),
            altered: None,
            n,
            conn: ConnectionId(self.conn),
            dialect: Dialect::Classic,
            times: Times {
                request_first: begin,
                request_last: begin,
                reply: Some((end, end)),
            },
            content: Content::Binary(BinaryContent {
                code,
                request_frame: Bytes::new(),
                request: Some(request),
                status: Some(reply.as_ref().err().copied().unwrap_or(0)),
                reply_frame: Bytes::new(),
                result: None,
                reply: reply.ok(),
                eviction: None,
            }),
            undecoded: None,
            verdict: None,
            findings: Vec::new(),
            muted_findings: Vec::new(),
        }));
        self
    }

    /// The exchange that was last added, changed.
    pub(super) fn but(&mut self, change: impl FnOnce(&mut Exchange)) -> &mut Self {
        change(Arc::make_mut(self.exchanges.last_mut().unwrap()));
        self
    }

    pub(super) fn names(&self) -> Names {
        let mut names = Names::default();
        self.exchanges.iter().for_each(|one| names.learn(one));
        names
    }

    pub(super) fn life(&self) -> Life {
        Life::of(&partition(), &self.names(), self.exchanges.clone())
    }
}

fn message(offset: u64) -> Message {
    Message {
        header: MessageHeader {
            checksum: 1,
            id: offset.into(),
            offset,
            timestamp: 1,
            origin_timestamp: 1,
            user_headers_length: 0,
            payload_length: 1,
            reserved: 0,
        },
        payload: Bytes::from_static(b"x"),
        user_headers: Bytes::new(),
    }
}
