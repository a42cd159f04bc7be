//! A producer that fills the topic, and a sink that reads it as a group and,
//! like the one in production, retries for ever.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use parallax_codec::commands::{
    CreateConsumerGroup, CreateStream, CreateTopic, GroupRef, PollMessages, SendMessages,
};
use parallax_codec::messages::{Message, MessageHeader};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, Partitioning, PollingKind, PollingStrategy,
};
use parallax_codec::{Dialect, ErrorCode, Reply, Request};

use super::client::{Client, ClientError};
use super::{GROUP, PARTITIONS, STREAM, TOPIC};

/// Messages that each partition gets, as in the recording of the real server.
const MESSAGES: [u32; PARTITIONS as usize] = [27, 24, 27];
/// Messages that the sink asks for at a time.
const BATCH: u32 = 4;
/// From one poll of the sink to the next.
const PACE: Duration = Duration::from_millis(250);

/// The scenario could not be played to its end.
#[derive(Debug, thiserror::Error)]
#[error("the demo's client: {step}: {source}")]
pub(crate) struct SinkError {
    step: &'static str,
    source: ClientError,
}

/// Creates stream and topic and fills the partitions.
pub(crate) async fn prepare_topic(server: SocketAddr) -> Result<(), SinkError> {
    let mut client = logged_in(server).await?;
    let create_stream = Request::CreateStream(CreateStream {
        options: None,
        name: STREAM.to_owned(),
    });
    client
        .ask(&create_stream)
        .await
        .map_err(at("create the stream"))?;
    let create_topic = Request::CreateTopic(CreateTopic {
        stream: named(STREAM),
        partitions_count: PARTITIONS,
        compression_algorithm: 1,
        message_expiry: u64::MAX,
        max_topic_size: u64::MAX,
        replication_factor: 1,
        name: TOPIC.to_owned(),
    });
    client
        .ask(&create_topic)
        .await
        .map_err(at("create the topic"))?;
    for (partition_id, count) in (0..).zip(MESSAGES) {
        let send = Request::SendMessages(SendMessages {
            layout: parallax_codec::messages::MessageLayout::Headers64,
            stream: named(STREAM),
            topic: named(TOPIC),
            partitioning: Partitioning::PartitionId(partition_id),
            messages: (0..count).map(|n| message(partition_id, n)).collect(),
        });
        client.ask(&send).await.map_err(at("send messages"))?;
    }
    Ok(())
}

/// Joins the group and polls Next, tells `log` what a client would print, and
/// goes on whatever happens. Returns only when the connection is lost.
pub(crate) async fn run_sink(
    server: SocketAddr,
    mut log: impl FnMut(String),
) -> Result<(), SinkError> {
    let mut client = logged_in(server).await?;
    let create = Request::CreateConsumerGroup(CreateConsumerGroup {
        stream: named(STREAM),
        topic: named(TOPIC),
        name: GROUP.to_owned(),
    });
    client.ask(&create).await.map_err(at("create the group"))?;
    let join = Request::JoinConsumerGroup(GroupRef {
        stream: named(STREAM),
        topic: named(TOPIC),
        group: named(GROUP),
    });
    client.ask(&join).await.map_err(at("join the group"))?;
    let poll = Request::PollMessages(PollMessages {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: Consumer {
            kind: ConsumerKind::Group,
            id: named(GROUP),
        },
        stream: named(STREAM),
        topic: named(TOPIC),
        partition_id: None,
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count: BATCH,
        auto_commit: true,
    });
    loop {
        match client.ask(&poll).await {
            Ok(Reply::PolledMessages(reply)) if reply.count > 0 => {
                log(format!("consumed {} messages", reply.count));
            }
            Ok(_) => {}
            Err(ClientError::Refused(code)) => {
                log(format!(
                    "poll failed: {}, retrying",
                    as_the_sdk_prints(code)
                ));
            }
            Err(error) => return Err(at("poll")(error)),
        }
        tokio::time::sleep(PACE).await;
    }
}

/// An error as a log line of the Rust SDK shows it: the variant's name, and for
/// its argument the default value, since no argument is on the wire.
pub(super) fn as_the_sdk_prints(code: ErrorCode) -> String {
    let name = code
        .variant_name()
        .unwrap_or_else(|| format!("error {}", code.0));
    if code.has_argument() {
        format!("{name}(0)")
    } else {
        name
    }
}

async fn logged_in(server: SocketAddr) -> Result<Client, SinkError> {
    let client = Client::log_in(server, Dialect::Classic).await;
    client.map_err(at("log in"))
}

fn at(step: &'static str) -> impl FnOnce(ClientError) -> SinkError {
    move |source| SinkError { step, source }
}

fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

fn message(partition_id: u32, n: u32) -> Message {
    let payload = format!(
        r#"{{"partition":{partition_id},"seq":{n},"cpu":0.{}}}"#,
        n % 10
    );
    let payload_length = u32::try_from(payload.len()).unwrap_or_default();
    Message {
        header: MessageHeader {
            id: u128::from(partition_id) * 1000 + u128::from(n) + 1,
            payload_length,
            ..MessageHeader::default()
        },
        payload: Bytes::from(payload),
        user_headers: Bytes::new(),
    }
}
