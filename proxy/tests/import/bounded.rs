//! Captures that are larger than what is kept of them.

use std::ops::ControlFlow;
use std::time::Instant;

use parallax_captures::Exchange;
use parallax_proxy::offline::{ImportLimits, ImportOptions, Source, import};

use super::traffic::Traffic;
use super::wire::{pcap, read, recorded, told};

const MIB: u64 = 1024 * 1024;

/// A consumer, a group, polls of each kind, and HTTP polls.
const MIXED: [&str; 4] = [
    "server-0.8.0_sdk-0.10.0/segments.pcap",
    "server-0.8.0_sdk-0.10.0/consumer.pcap",
    "server-0.9-edge_sdk-0.11-edge/polls.pcap",
    "broken-segment_server-0.8.0/group-next-4100.pcap",
];

#[test]
fn a_capture_of_64_mib_is_read_in_the_memory_that_the_limits_give_it() {
    let limits = ImportLimits {
        window_exchanges: 100,
        window_bytes: 2 * 1024 * 1024,
        settling_exchanges: 100,
        settling_bytes: 2 * 1024 * 1024,
        journal_exchanges: 200,
        journal_bytes: 4 * 1024 * 1024,
    };
    let options = ImportOptions {
        limits,
        ..ImportOptions::default()
    };
    let source = Source::new(Traffic::of(&MIXED, 64 * MIB)).unwrap();
    let (mut count, mut largest) = (0, 0);
    let summary = import(source, options, &mut |exchange| {
        count += 1;
        assert_eq!(exchange.n, count, "in order, and none is left out");
        largest = largest.max(exchange.held_bytes());
        ControlFlow::Continue(())
    });
    let counts = summary.unwrap().counts;
    assert_eq!(counts.exchanges, count);
    assert!(count > 10_000, "{count}");
    assert!(counts.most_settling_bytes <= limits.settling_bytes.max(largest));
    assert!(counts.most_window_bytes <= limits.window_bytes + largest);
    // There was more than they hold, and it is said.
    assert!(counts.judged_early > 0);
    assert!(
        counts
            .remarks()
            .iter()
            .any(|one| one.contains("within a minute"))
    );
}

#[test]
fn what_has_no_room_in_the_window_goes_on_and_is_counted() {
    let packets = recorded("server-0.8.0_sdk-0.10.0/segments.pcap");
    let (expected, counts) = read(pcap(&packets));
    assert_eq!(counts.counts.ordered_early, 0);
    let limits = ImportLimits {
        window_exchanges: 1,
        ..ImportLimits::default()
    };
    let options = ImportOptions {
        limits,
        ..ImportOptions::default()
    };
    let mut exchanges = Vec::new();
    let source = Source::new(std::io::Cursor::new(pcap(&packets))).unwrap();
    let summary = import(source, options, &mut |exchange| {
        exchanges.push(exchange);
        ControlFlow::Continue(())
    });
    assert!(summary.unwrap().counts.ordered_early > 0);
    assert_eq!(exchanges.len(), expected.len());
}

#[test]
fn whoever_has_enough_is_told_no_more() {
    let source = Source::new(Traffic::of(&MIXED[..1], 4 * MIB)).unwrap();
    let mut count = 0;
    let summary = import(source, ImportOptions::default(), &mut |_| {
        count += 1;
        if count == 10 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(count, 10);
    assert_eq!(summary.unwrap().counts.exchanges, 10);
}

/// The findings name what came long before the end.
#[test]
fn the_exchanges_that_findings_name_are_there_at_the_end() {
    let limits = ImportLimits {
        settling_exchanges: 10,
        journal_exchanges: 20,
        ..ImportLimits::default()
    };
    let options = ImportOptions {
        limits,
        ..ImportOptions::default()
    };
    let packets = pcap(&recorded(MIXED[3]));
    let (exchanges, _) = read(packets.clone());
    let source = Source::new(std::io::Cursor::new(packets)).unwrap();
    let ignore = &mut |_| ControlFlow::Continue(());
    let summary = import(source, options, ignore).unwrap();
    let of_it = |finding: &parallax_captures::Finding| finding.exchanges.clone();
    let mut named: Vec<u64> = summary.findings.iter().flat_map(of_it).collect();
    named.sort_unstable();
    named.dedup();
    assert!(named.len() > 3);
    let kept: Vec<u64> = summary.named.iter().map(|exchange| exchange.n).collect();
    assert_eq!(kept, named);
    let request = |exchange: &Exchange| format!("{:?}", exchange.poll());
    for exchange in &summary.named {
        let index = usize::try_from(exchange.n - 1).unwrap();
        assert_eq!(request(exchange), request(&exchanges[index]));
    }
    assert_eq!(told(&exchanges).len(), exchanges.len());
}

/// Not in the default run: what a gibibyte costs. `PARALLAX_TEST_CAPTURE` names a file
/// to write the capture to instead.
#[test]
#[ignore = "takes a minute; with --release it tells how fast"]
fn a_gibibyte() {
    let mut traffic = Traffic::of(&MIXED, 1024 * MIB);
    if let Some(path) = std::env::var_os("PARALLAX_TEST_CAPTURE") {
        let mut file = std::fs::File::create(path).unwrap();
        std::io::copy(&mut traffic, &mut file).unwrap();
        return;
    }
    let started = Instant::now();
    let mut exchanges = 0;
    let source = Source::new(traffic).unwrap();
    let summary = import(source, ImportOptions::default(), &mut |_| {
        exchanges += 1;
        ControlFlow::Continue(())
    });
    let seconds = started.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!(
        "{exchanges} exchanges in {seconds:.1} s, {:.0} MiB/s, {}",
        1024.0 / seconds,
        peak.unwrap_or_default()
    );
    println!("{:?}", summary.unwrap().counts);
}
