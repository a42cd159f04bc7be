//! The real SDK against the stand-in, or against the real server that
//! `PARALLAX_TEST_TCP` and `PARALLAX_TEST_HTTP` name: log in, create, send, consume
//! as a group to the end, with the low-level client and with the high-level consumer.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::str::FromStr as _;
use std::time::Duration;

use iggy::prelude::*;
use parallax_tests::Server;
use tokio_stream::StreamExt as _;

const MESSAGES: u32 = 1_000;
const PARTITIONS: u32 = 3;
const BATCH: usize = 50;
const PATIENCE: Duration = Duration::from_mins(1);

async fn client_of(server: &Server) -> IggyClient {
    let client = IggyClient::builder()
        .with_tcp()
        .with_server_address(server.tcp.to_string())
        .build()
        .unwrap();
    client.connect().await.unwrap();
    client
}

async fn logged_in(server: &Server) -> IggyClient {
    let client = client_of(server).await;
    client.login_user("iggy", "iggy").await.unwrap();
    client
}

/// A stream of its own for each test, so that a real server may be shared.
struct Place {
    stream_name: String,
    stream: Identifier,
    topic: Identifier,
}

impl Place {
    async fn create(client: &IggyClient, stream_name: &str) -> Self {
        let stream = Identifier::named(stream_name).unwrap();
        // A run before may have left it on a real server.
        let _ = client.delete_stream(&stream).await;
        client.create_stream(stream_name).await.unwrap();
        let created = client
            .create_topic(
                &stream,
                "metrics",
                PARTITIONS,
                CompressionAlgorithm::None,
                None,
                IggyExpiry::NeverExpire,
                MaxTopicSize::ServerDefault,
            )
            .await
            .unwrap();
        assert_eq!(created.partitions_count, PARTITIONS);
        Self {
            stream_name: stream_name.to_owned(),
            stream,
            topic: Identifier::named("metrics").unwrap(),
        }
    }

    /// Sends the messages in turns over the partitions, every third with headers.
    async fn fill(&self, client: &IggyClient) {
        let numbers: Vec<u32> = (0..MESSAGES).collect();
        for batch in numbers.chunks(BATCH) {
            let mut messages: Vec<IggyMessage> = batch.iter().map(|n| message(*n)).collect();
            client
                .send_messages(
                    &self.stream,
                    &self.topic,
                    &Partitioning::balanced(),
                    &mut messages,
                )
                .await
                .unwrap();
        }
    }
}

fn message(number: u32) -> IggyMessage {
    let payload = format!("message {number}");
    if !number.is_multiple_of(3) {
        return IggyMessage::builder()
            .payload(payload.into())
            .build()
            .unwrap();
    }
    let headers = BTreeMap::from([(key(), HeaderValue::from(number))]);
    IggyMessage::builder()
        .payload(payload.into())
        .user_headers(headers)
        .build()
        .unwrap()
}

fn key() -> HeaderKey {
    HeaderKey::try_from("number").unwrap()
}

fn number_of(message: &IggyMessage) -> u32 {
    let text = std::str::from_utf8(&message.payload).unwrap();
    let number: u32 = text.strip_prefix("message ").unwrap().parse().unwrap();
    let headers = message.user_headers_map().unwrap();
    let header = headers.map(|headers| headers[&key()].as_uint32().unwrap());
    assert_eq!(header, number.is_multiple_of(3).then_some(number));
    number
}

#[tokio::test]
async fn a_group_of_the_low_level_client_consumes_all_to_the_end() {
    let server = Server::start().await;
    let client = logged_in(&server).await;
    client.ping().await.unwrap();
    let place = Place::create(&client, "sdk-low-level").await;
    place.fill(&client).await;
    let group = client
        .create_consumer_group(&place.stream, &place.topic, "sinks")
        .await
        .unwrap();
    let consumer = Consumer::group(Identifier::named("sinks").unwrap());
    client
        .join_consumer_group(&place.stream, &place.topic, &consumer.id)
        .await
        .unwrap();
    let mut numbers = Vec::new();
    let mut empty_in_a_row = 0;
    while empty_in_a_row < PARTITIONS {
        let polled = client
            .poll_messages(
                &place.stream,
                &place.topic,
                None,
                &consumer,
                &PollingStrategy::next(),
                25,
                true,
            )
            .await
            .unwrap();
        empty_in_a_row = match polled.messages.len() {
            0 => empty_in_a_row + 1,
            _ => 0,
        };
        numbers.extend(polled.messages.iter().map(number_of));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (0..MESSAGES).collect::<Vec<_>>());

    let me = client.get_me().await.unwrap();
    assert_eq!(me.consumer_groups.len(), 1);
    assert_eq!(me.consumer_groups[0].group_id, group.id);
    let offset = client
        .get_consumer_offset(&consumer, &place.stream, &place.topic, Some(1))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(offset.stored_offset, offset.current_offset);
    let stats = client.get_stats().await.unwrap();
    assert!(stats.messages_count >= u64::from(MESSAGES));
    client.delete_stream(&place.stream).await.unwrap();
}

#[tokio::test]
async fn a_high_level_consumer_that_logs_in_by_token_consumes_all_to_the_end() {
    let server = Server::start().await;
    let producer = logged_in(&server).await;
    let place = Place::create(&producer, "sdk-high-level").await;
    place.fill(&producer).await;
    let _ = producer.delete_personal_access_token("reader").await;
    let token = producer
        .create_personal_access_token("reader", PersonalAccessTokenExpiry::NeverExpire)
        .await
        .unwrap();

    let client = client_of(&server).await;
    client
        .login_with_personal_access_token(&token.token)
        .await
        .unwrap();
    let mut consumer = client
        .consumer_group("readers", &place.stream_name, "metrics")
        .unwrap()
        .auto_commit(AutoCommit::When(AutoCommitWhen::ConsumingEachMessage))
        .create_consumer_group_if_not_exists()
        .auto_join_consumer_group()
        .polling_strategy(PollingStrategy::next())
        .poll_interval(IggyDuration::from_str("1ms").unwrap())
        .batch_length(64)
        .build();
    consumer.init().await.unwrap();
    let consume = async {
        let mut numbers = Vec::new();
        while numbers.len() < MESSAGES as usize {
            let received = consumer.next().await.unwrap().unwrap();
            numbers.push(number_of(&received.message));
        }
        numbers
    };
    let mut numbers = tokio::time::timeout(PATIENCE, consume).await.unwrap();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..MESSAGES).collect::<Vec<_>>());
    producer.delete_stream(&place.stream).await.unwrap();
}

#[tokio::test]
async fn refusals_reach_the_client_as_their_codes() {
    let server = Server::start().await;
    let client = client_of(&server).await;
    let wrong = client.login_user("iggy", "wrong").await.unwrap_err();
    assert_eq!(wrong, IggyError::InvalidCredentials);
    client.login_user("iggy", "iggy").await.unwrap();
    let place = Place::create(&client, "sdk-refused").await;
    let again = client.create_stream("sdk-refused").await.unwrap_err();
    assert_eq!(again.as_code(), 1012);
    let consumer = Consumer::new(Identifier::numeric(7).unwrap());
    let store = client.store_consumer_offset(&consumer, &place.stream, &place.topic, Some(0), 7);
    // The SDK fills in what the wire does not carry: 7 was asked for, 0 is told.
    assert_eq!(store.await.unwrap_err(), IggyError::InvalidOffset(0));
    client.delete_stream(&place.stream).await.unwrap();
}
