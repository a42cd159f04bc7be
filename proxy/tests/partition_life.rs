//! Partitions' lives in recordings of real servers, against what the clients printed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parallax_captures::partition::{BreakKind, GapCause, Life, Partition, ReplayCause};
use parallax_captures::{Exchange, Journal};
use parallax_proxy::offline::read_capture;

const SERVERS: [&str; 2] = ["server-0.8.0_sdk-0.10.0", "server-0.9-edge_sdk-0.11-edge"];

fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded")
}

/// Every partition that a recording is about, and its life.
fn lives(name: &str) -> BTreeMap<Partition, Life> {
    let reading = read_capture(&recorded().join(name)).unwrap();
    let journal = Journal::new();
    for exchange in &reading.exchanges {
        journal.record(Exchange::clone(exchange));
    }
    let names = journal.names();
    let exchanges = journal.exchanges();
    let mut lives = BTreeMap::new();
    for ((stream, topic, id), _) in journal.partitions().each() {
        let Some(id) = id else { continue };
        let (stream, topic) = names.named(&stream, &topic);
        let partition = Partition { stream, topic, id };
        let life = Life::of(&partition, &names, exchanges.iter().map(Arc::clone));
        lives.insert(partition, life);
    }
    assert!(!lives.is_empty(), "{name}");
    lives
}

/// The offsets of each reply that the client printed, by partition: a line has
/// `partition=0 current=26 count=2 offsets=[0, 1]`.
fn printed(name: &str) -> BTreeMap<u32, Vec<Vec<u64>>> {
    let text = std::fs::read_to_string(recorded().join(name)).unwrap();
    let mut printed = BTreeMap::<u32, Vec<Vec<u64>>>::new();
    for line in text.lines() {
        let Some((_, rest)) = line.split_once("partition=") else {
            continue;
        };
        let (id, rest) = rest.split_once(' ').unwrap();
        let Some((_, offsets)) = rest.split_once("offsets=[") else {
            continue;
        };
        let offsets = offsets.trim_end_matches(']').split(", ");
        let offsets: Vec<u64> = offsets.filter_map(|one| one.parse().ok()).collect();
        if !offsets.is_empty() {
            printed
                .entry(id.parse().unwrap())
                .or_default()
                .push(offsets);
        }
    }
    printed
}

/// The offsets of each delivery, in their order.
fn delivered(life: &Life) -> Vec<Vec<u64>> {
    let deliveries = life.readers.iter().flat_map(|reader| &reader.deliveries);
    let mut deliveries: Vec<_> = deliveries.collect();
    deliveries.sort_by_key(|one| one.moment.n);
    deliveries
        .into_iter()
        .map(|one| (one.first..=one.last).collect())
        .collect()
}

#[test]
fn what_a_life_says_was_delivered_is_what_the_client_printed() {
    for server in SERVERS {
        for scenario in ["group", "purge", "segments"] {
            let printed = printed(&format!("{server}/{scenario}.out"));
            let lives = lives(&format!("{server}/{scenario}.pcap"));
            let told: BTreeMap<u32, Vec<Vec<u64>>> = lives
                .iter()
                .map(|(partition, life)| (partition.id, delivered(life)))
                .filter(|(_, offsets)| !offsets.is_empty())
                .collect();
            assert_eq!(told, printed, "{server}/{scenario}");
        }
    }
}

#[test]
fn the_real_servers_skipped_nothing_went_back_nowhere_and_stalled_nobody() {
    for server in SERVERS {
        for scenario in [
            "setup", "polls", "empty", "group", "consumer", "purge", "segments",
        ] {
            for (partition, life) in lives(&format!("{server}/{scenario}.pcap")) {
                let what = format!("{server}/{scenario}, {partition}");
                for reader in &life.readers {
                    let served = |cause| cause == GapCause::Served;
                    assert!(
                        !reader.gaps.iter().any(|gap| served(gap.cause)),
                        "{what}: {:?}",
                        reader.gaps
                    );
                    let served = |cause| cause == ReplayCause::Served;
                    assert!(
                        !reader.replays.iter().any(|one| served(one.cause)),
                        "{what}: {:?}",
                        reader.replays
                    );
                    assert!(reader.stalls.is_empty(), "{what}: {:?}", reader.stalls);
                }
                assert_eq!(life.left_out, 0);
            }
        }
    }
}

#[test]
fn deleted_segments_leave_a_gap_that_is_explained() {
    for (server, first) in SERVERS.into_iter().zip([104, 88]) {
        let lives = lives(&format!("{server}/segments.pcap"));
        let (partition, life) = lives.first_key_value().unwrap();
        assert_eq!(partition.topic.to_string(), "big");
        let gaps = &life.readers[0].gaps;
        let gaps: Vec<_> = gaps
            .iter()
            .map(|gap| (gap.from, gap.to, gap.cause))
            .collect();
        // First after Next of 0 and 1, and offset 0 that is asked for.
        let expected = [
            (2, first - 1, GapCause::Asked),
            (0, first - 1, GapCause::Gone),
        ];
        assert_eq!(gaps, expected, "{server}");
        assert_eq!(life.breaks[0].kind, BreakKind::SegmentsDeleted);
        let stored: Vec<_> = life.readers[0]
            .stored
            .iter()
            .map(|one| one.offset)
            .collect();
        assert!(stored.contains(&Some(150)), "{stored:?}");
    }
}

#[test]
fn a_purge_stands_between_two_histories() {
    for server in SERVERS {
        let lives = lives(&format!("{server}/purge.pcap"));
        let life = lives.values().next().unwrap();
        assert_eq!(life.breaks.len(), 1, "{server}");
        assert_eq!(life.breaks[0].kind, BreakKind::Purged);
        let refused = life.readers.iter().flat_map(|reader| &reader.failures);
        let refused: Vec<_> = refused
            .map(|one| (one.command, one.error.unwrap().0))
            .collect();
        assert_eq!(
            refused,
            [("store_consumer_offset", 4100)],
            "{server}: as printed"
        );
    }
}

#[test]
fn the_polls_that_failed_for_the_broken_partition_are_told_on_each_that_it_may_have_been() {
    let lives = lives("broken-segment_server-0.8.0/group-next-4100.pcap");
    assert_eq!(lives.len(), 3);
    for (partition, life) in &lives {
        let failed = life
            .unknown
            .iter()
            .filter(|one| one.error.is_some_and(|code| code.0 == 4100));
        assert!(failed.clone().count() >= 3, "{partition}");
        // HTTP polls in the same capture say which it was.
        for one in failed {
            assert_eq!(
                one.http_fails_too,
                partition.id == 2,
                "{partition}: {:?}",
                one.http
            );
        }
    }
}
