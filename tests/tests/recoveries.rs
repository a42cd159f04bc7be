//! What each recovery that was proposed for `InvalidOffset(0)` does to a group over
//! three partitions of which one is broken: run with the real SDK through parallax,
//! counted from what parallax saw. `docs/recoveries.md` shows this test's figures,
//! and has to show them exactly.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr as _;
use std::sync::Arc;

use iggy::prelude::*;
use parallax_captures::catalog::{ARGUMENT_NOT_ON_WIRE, AUTO_COMMIT_ON_POLL};
use parallax_captures::{Exchange, Journal, Poll};
use parallax_codec::primitives::PollingKind;
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::standin::{Fault, PlacedFault, Standin, StandinConfig};

const PARTITIONS: u32 = 3;
const BROKEN: u32 = 2;
/// Messages of each partition.
const MESSAGES: u64 = 60;
/// Messages that a poll brings at most.
const BATCH: u32 = 10;
/// Polls of Next that the sink makes before it is looked at.
const POLLS: u32 = 60;

/// What the sink does when a poll is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recovery {
    Retry,
    First,
    Last,
    FirstOfEach,
    ResetToEarliest,
    ResetToLatest,
    StepOver,
}

const RECOVERIES: [(Recovery, &str); 7] = [
    (Recovery::Retry, "ask Next again"),
    (Recovery::First, "ask First, no partition named"),
    (Recovery::Last, "ask Last, no partition named"),
    (Recovery::FirstOfEach, "ask First of each partition"),
    (
        Recovery::ResetToEarliest,
        "reset to earliest: delete the stored offsets",
    ),
    (
        Recovery::ResetToLatest,
        "reset to latest: store each partition's end",
    ),
    (Recovery::StepOver, "store offset 0 on partition 2 alone"),
];

struct Sink {
    client: IggyClient,
    stream: Identifier,
    topic: Identifier,
    group: Identifier,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_about_recoveries_shows_what_they_do() {
    let mut rows = String::new();
    for (recovery, name) in RECOVERIES {
        let journal = run(recovery).await;
        writeln!(rows, "| {name} | {} |", counted(&journal)).unwrap();
    }
    println!("{rows}");
    let page = include_str!("../../docs/recoveries.md");
    for row in rows.lines() {
        assert!(
            page.contains(row),
            "docs/recoveries.md does not have the row\n{row}"
        );
    }
}

/// What a group came to, one row of the table: polls refused, then of each
/// partition the messages that were never delivered and those that were delivered
/// more than once, and what was found
/// besides what every sink here shows (PX103, PX307).
fn counted(journal: &Journal) -> String {
    let mut refused = 0;
    let mut delivered: BTreeMap<(u32, u64), u32> = BTreeMap::new();
    for exchange in journal.exchanges().iter().filter(|one| is_poll(one)) {
        refused += u32::from(exchange.error().is_some());
        let Some(answer) = exchange.poll_answer() else {
            continue;
        };
        for message in answer.messages {
            let key = (answer.partition_id, message.offset);
            *delivered.entry(key).or_default() += 1;
        }
    }
    let of = |partition: u32, wanted: fn(u32) -> bool| {
        (0..MESSAGES)
            .map(|offset| delivered.get(&(partition, offset)).copied().unwrap_or(0))
            .filter(|times| wanted(*times))
            .count()
    };
    let row = |wanted: fn(u32) -> bool| {
        let each: Vec<String> = (0..PARTITIONS)
            .map(|id| of(id, wanted).to_string())
            .collect();
        each.join(" / ")
    };
    let mut codes: Vec<String> = journal
        .findings()
        .iter()
        .filter(|finding| ![ARGUMENT_NOT_ON_WIRE, AUTO_COMMIT_ON_POLL].contains(&finding.code))
        .map(|finding| finding.code.to_string())
        .collect();
    codes.sort();
    codes.dedup();
    format!(
        "{refused} | {} | {} | {}",
        row(|times| times == 0),
        row(|times| times > 1),
        codes.join(", ")
    )
}

fn is_poll(exchange: &Arc<Exchange>) -> bool {
    exchange.command() == "poll_messages"
}

async fn run(recovery: Recovery) -> Arc<Journal> {
    let standin = Standin::start(StandinConfig {
        fault: Some(PlacedFault {
            fault: Fault::FalseFirstOffset,
            stream: "otel".to_owned(),
            topic: "metrics".to_owned(),
            partition_id: BROKEN,
        }),
        ..StandinConfig::default()
    })
    .await
    .unwrap();
    let proxy =
        Proxy::start(ProxyConfig::before(standin.tcp).asking(format!("http://{}", standin.http)))
            .await
            .unwrap();
    let sink = Sink::new(proxy.listen()).await;
    for _ in 0..POLLS {
        if sink.poll(None, PollingStrategy::next()).await.is_err() {
            sink.recover(recovery).await;
        }
    }
    let journal = Arc::clone(proxy.journal());
    all_compared(&journal).await;
    sink.client.shutdown().await.unwrap();
    proxy.shutdown().signal();
    proxy.finished().await;
    standin.stop().await;
    journal
}

/// Waits until each poll of First and Next has its verdict.
async fn all_compared(journal: &Journal) {
    let waits = |exchange: &Arc<Exchange>| {
        let is_compared =
            |poll: Poll| matches!(poll.strategy, PollingKind::First | PollingKind::Next);
        exchange.poll().is_some_and(is_compared) && exchange.verdict.is_none()
    };
    let waiting = async {
        while journal.exchanges().iter().any(waits) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let patience = std::time::Duration::from_mins(1);
    tokio::time::timeout(patience, waiting)
        .await
        .expect("every poll is compared");
}

impl Sink {
    /// Sixty messages in each partition, and a group with one member.
    async fn new(address: std::net::SocketAddr) -> Self {
        let address = format!("iggy://iggy:iggy@{address}");
        let client = IggyClient::from_connection_string(&address).unwrap();
        client.connect().await.unwrap();
        let sink = Self {
            client,
            stream: Identifier::named("otel").unwrap(),
            topic: Identifier::named("metrics").unwrap(),
            group: Identifier::named("sink").unwrap(),
        };
        sink.client.create_stream("otel").await.unwrap();
        sink.client
            .create_topic(
                &sink.stream,
                "metrics",
                PARTITIONS,
                CompressionAlgorithm::None,
                None,
                IggyExpiry::NeverExpire,
                MaxTopicSize::ServerDefault,
            )
            .await
            .unwrap();
        for partition in 0..PARTITIONS {
            let mut messages: Vec<IggyMessage> = (0..MESSAGES)
                .map(|n| IggyMessage::from_str(&format!("message {n}")).unwrap())
                .collect();
            let partitioning = Partitioning::partition_id(partition);
            sink.client
                .send_messages(&sink.stream, &sink.topic, &partitioning, &mut messages)
                .await
                .unwrap();
        }
        sink.client
            .create_consumer_group(&sink.stream, &sink.topic, "sink")
            .await
            .unwrap();
        sink.client
            .join_consumer_group(&sink.stream, &sink.topic, &sink.group)
            .await
            .unwrap();
        sink
    }

    /// As the group, with `auto_commit`.
    async fn poll(
        &self,
        partition: Option<u32>,
        strategy: PollingStrategy,
    ) -> Result<PolledMessages, IggyError> {
        let consumer = Consumer::group(self.group.clone());
        self.client
            .poll_messages(
                &self.stream,
                &self.topic,
                partition,
                &consumer,
                &strategy,
                BATCH,
                true,
            )
            .await
    }

    async fn recover(&self, recovery: Recovery) {
        let consumer = Consumer::group(self.group.clone());
        match recovery {
            Recovery::Retry => {}
            // Whether these are refused too is what is counted.
            Recovery::First => drop(self.poll(None, PollingStrategy::first()).await),
            Recovery::Last => drop(self.poll(None, PollingStrategy::last()).await),
            Recovery::FirstOfEach => {
                for partition in 0..PARTITIONS {
                    drop(self.poll(Some(partition), PollingStrategy::first()).await);
                }
            }
            Recovery::ResetToEarliest => {
                for partition in 0..PARTITIONS {
                    // Where none is stored there is none to delete.
                    drop(
                        self.client
                            .delete_consumer_offset(
                                &consumer,
                                &self.stream,
                                &self.topic,
                                Some(partition),
                            )
                            .await,
                    );
                }
            }
            Recovery::ResetToLatest => {
                for partition in 0..PARTITIONS {
                    self.store(&consumer, partition, MESSAGES - 1).await;
                }
            }
            Recovery::StepOver => self.store(&consumer, BROKEN, 0).await,
        }
    }

    async fn store(&self, consumer: &Consumer, partition: u32, offset: u64) {
        self.client
            .store_consumer_offset(consumer, &self.stream, &self.topic, Some(partition), offset)
            .await
            .unwrap();
    }
}
