// The clients, written once for both SDKs: included by the module of each, which
// imports its prelude and has `PARTITIONS`, `FLUSHES` and `create_topic`.

use std::net::SocketAddr;
use std::str::FromStr as _;
use std::time::{Duration, Instant};

use tokio::sync::RwLock;

const BATCH: u32 = 20;

/// What they do it to.
struct Scene<'a> {
    address: SocketAddr,
    stream: Identifier,
    topic: Identifier,
    until: Instant,
    /// Held while messages are sent or offsets stored, and against
    /// that while the topic is purged: what is sent during a purge
    /// may come before it or after.
    purging: &'a RwLock<()>,
}

async fn client(address: SocketAddr) -> IggyClient {
    let address = format!("iggy://iggy:iggy@{address}");
    let client = IggyClient::from_connection_string(&address).unwrap();
    client.connect().await.unwrap();
    client
}

pub(crate) async fn run(address: SocketAddr, stream: &str, until: Instant, purging: &RwLock<()>) {
    let scene = Scene {
        address,
        stream: Identifier::named(stream).unwrap(),
        topic: Identifier::named("metrics").unwrap(),
        until,
        purging,
    };
    let setup = client(address).await;
    setup.create_stream(stream).await.unwrap();
    create_topic(&setup, &scene.stream).await;
    setup
        .create_consumer_group(&scene.stream, &scene.topic, "sink")
        .await
        .unwrap();
    tokio::join!(
        scene.produce(),
        scene.member(0),
        scene.member(1),
        scene.member(2),
        scene.commit_by_hand(),
        scene.purge(&setup),
    );
    setup.delete_stream(&scene.stream).await.unwrap();
    setup.shutdown().await.unwrap();
}

impl Scene<'_> {
    fn goes_on(&self) -> bool {
        Instant::now() < self.until
    }

    async fn produce(&self) {
        let client = client(self.address).await;
        let mut n = 0_u32;
        while self.goes_on() {
            let mut messages: Vec<IggyMessage> = (0..=n % BATCH)
                .map(|i| IggyMessage::from_str(&format!("message {n}/{i}")).unwrap())
                .collect();
            let partitioning = Partitioning::partition_id(n % PARTITIONS);
            let held = self.purging.read().await;
            client
                .send_messages(&self.stream, &self.topic, &partitioning, &mut messages)
                .await
                .unwrap();
            drop(held);
            n += 1;
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        client.shutdown().await.unwrap();
    }

    /// Joins, polls a while, leaves or just goes, and comes back.
    async fn member(&self, number: usize) {
        let group = Identifier::named("sink").unwrap();
        let consumer = Consumer::group(group.clone());
        let mut round = number;
        while self.goes_on() {
            let client = client(self.address).await;
            client
                .join_consumer_group(&self.stream, &self.topic, &group)
                .await
                .unwrap();
            for _ in 0..50 + 40 * (round % 5) {
                if !self.goes_on() {
                    break;
                }
                let polled = client
                    .poll_messages(
                        &self.stream,
                        &self.topic,
                        None,
                        &consumer,
                        &PollingStrategy::next(),
                        BATCH,
                        true,
                    )
                    .await
                    .unwrap();
                if polled.messages.is_empty() {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                }
            }
            if round.is_multiple_of(2) {
                client
                    .leave_consumer_group(&self.stream, &self.topic, &group)
                    .await
                    .unwrap();
            }
            client.shutdown().await.unwrap();
            round += 1;
        }
    }

    /// A single consumer: Next, and a store after each batch; now and
    /// then First, an offset, Last, and its stored offset.
    async fn commit_by_hand(&self) {
        let client = client(self.address).await;
        let consumer = Consumer::new(Identifier::named("lone").unwrap());
        let mut n = 0_u32;
        while self.goes_on() {
            let held = self.purging.read().await;
            let partition = Some(n % PARTITIONS);
            let strategy = match n % 11 {
                3 => PollingStrategy::first(),
                5 => PollingStrategy::last(),
                7 => PollingStrategy::offset(u64::from(n % 17)),
                _ => PollingStrategy::next(),
            };
            let polled = client
                .poll_messages(
                    &self.stream,
                    &self.topic,
                    partition,
                    &consumer,
                    &strategy,
                    BATCH,
                    false,
                )
                .await
                .unwrap();
            let is_next = strategy == PollingStrategy::next();
            if let Some(last) = polled.messages.last().filter(|_| is_next) {
                client
                    .store_consumer_offset(
                        &consumer,
                        &self.stream,
                        &self.topic,
                        partition,
                        last.header.offset,
                    )
                    .await
                    .unwrap();
            }
            if n.is_multiple_of(13) {
                client
                    .get_consumer_offset(&consumer, &self.stream, &self.topic, partition)
                    .await
                    .unwrap();
            }
            drop(held);
            n += 1;
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        client.shutdown().await.unwrap();
    }

    async fn purge(&self, client: &IggyClient) {
        while self.goes_on() {
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            let _held = self.purging.write().await;
            if FLUSHES {
                // Server 0.8.0 keeps what is not on disk (recording
                // `purge`).
                for partition in 0..PARTITIONS {
                    client
                        .flush_unsaved_buffer(&self.stream, &self.topic, partition, true)
                        .await
                        .unwrap();
                }
            }
            client.purge_topic(&self.stream, &self.topic).await.unwrap();
        }
    }
}
