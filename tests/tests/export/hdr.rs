use std::collections::BTreeMap;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use parallax_tests::{python, recording};

use super::{export, inspected, path, values};

const CAPTURE: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

/// How many exchanges over TCP each command had.
fn expected() -> BTreeMap<String, u64> {
    let mut expected = BTreeMap::new();
    for exchange in values(&inspected(&recording(CAPTURE), &[])) {
        let is_tcp = exchange["dialect"] != "http" && !exchange["latency_us"].is_null();
        if is_tcp {
            let command = exchange["command"].as_str().unwrap();
            *expected.entry(format!("tcp.{command}")).or_default() += 1;
        }
    }
    expected
}

#[test]
fn the_log_counts_every_latency_by_side_and_command() {
    let file = export(&recording(CAPTURE), "latency.hlog", &["--format", "hdr"]);
    let log = fs::read(file).unwrap();
    let mut found = BTreeMap::new();
    let mut before = std::time::Duration::ZERO;
    for entry in IntervalLogIterator::new(&log) {
        let LogEntry::Interval(interval) = entry.unwrap() else {
            continue;
        };
        assert!(interval.start_timestamp() >= before, "in the order of time");
        before = interval.start_timestamp();
        let bytes = STANDARD.decode(interval.encoded_histogram()).unwrap();
        let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut &bytes[..]).unwrap();
        let tag = interval.tag().unwrap().as_str().to_owned();
        *found.entry(tag).or_default() += histogram.len();
    }
    found.retain(|tag, _| tag.starts_with("tcp."));
    assert_eq!(found, expected());
}

#[test]
fn another_implementation_reads_the_same_counts() {
    if !python::has("hdrh", "hdrhistogram") {
        return;
    }
    let file = export(
        &recording(CAPTURE),
        "latency-python.hlog",
        &["--format", "hdr"],
    );
    let read = "
import json, sys
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
counts = {}
reader = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3600000000, 2))
while True:
    one = reader.get_next_interval_histogram()
    if one is None:
        break
    tag = one.get_tag()
    counts[tag] = counts.get(tag, 0) + one.get_total_count()
print(json.dumps({tag: count for tag, count in counts.items() if tag.startswith('tcp.')}))
";
    let counts: BTreeMap<String, u64> =
        serde_json::from_str(&python::run(read, &[path(&file)])).unwrap();
    assert_eq!(counts, expected());
}
