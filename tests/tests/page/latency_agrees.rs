//! What is told of latencies agrees with the exchanges that they are of.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jiff::Timestamp;
use parallax_tests::{all_recordings, python};
use serde_json::{Value, json};

use crate::support::Viewed;

/// Percentiles in JSON, each as the share of samples that are no longer: so many of so
/// many.
const PERCENTILES: [(&str, usize, usize); 4] = [
    ("p50_us", 50, 100),
    ("p90_us", 90, 100),
    ("p99_us", 99, 100),
    ("p99_9_us", 999, 1000),
];

async fn asked(viewed: &Viewed, path: &str) -> Value {
    let response = viewed.page.get(path).await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {response}");
    serde_json::from_str(body).unwrap()
}

/// Every exchange of the client's over TCP that was answered.
async fn answered(viewed: &Viewed) -> Vec<Value> {
    let mut all = Vec::new();
    let mut before = String::new();
    loop {
        let page = asked(viewed, &format!("/api/v1/exchanges?limit=1000{before}")).await;
        all.extend(page["exchanges"].as_array().unwrap().iter().cloned());
        match page["next"].as_u64() {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    all.retain(|one| one["dialect"] != "http" && !one["latency_us"].is_null());
    all
}

/// Where an exchange belongs by this dimension; null by command.
fn label(exchange: &Value, by: &str) -> Option<Value> {
    let label = match by {
        "command" => return Some(Value::Null),
        "strategy" => exchange["request"]["strategy"].clone(),
        "stream" => exchange["request"]["stream"].clone(),
        _ => exchange["conn"].clone(),
    };
    (!label.is_null()).then_some(label)
}

/// Latencies by label and command, shortest first.
fn by(exchanges: &[Value], by: &str, time: &Value) -> BTreeMap<(String, String), Vec<u64>> {
    let moment = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
    let mut series = BTreeMap::<_, Vec<u64>>::new();
    for exchange in exchanges {
        let at = moment(&exchange["time"]);
        if time.is_null() || at < moment(&time["from"]) || at >= moment(&time["to"]) {
            continue;
        }
        if let Some(label) = label(exchange, by) {
            let command = exchange["command"].as_str().unwrap().to_owned();
            let latency = exchange["latency_us"].as_u64().unwrap();
            series
                .entry((label.to_string(), command))
                .or_default()
                .push(latency);
        }
    }
    for all in series.values_mut() {
        all.sort_unstable();
    }
    series
}

/// The nearest rank.
fn percentile(sorted: &[u64], (of, all): (usize, usize)) -> u64 {
    sorted[(sorted.len() * of).div_ceil(all).max(1) - 1]
}

/// Within 1 %; what took no microsecond counts as one.
fn assert_near(told: &Value, exact: u64, what: &str) {
    let told = told.as_u64().unwrap();
    let exact = exact.max(1);
    assert!(
        told.abs_diff(exact) * 100 <= exact,
        "{what}: {told}, it is {exact}"
    );
}

fn assert_figures(told: &Value, sorted: &[u64], what: &str) {
    assert_eq!(told["count"], sorted.len(), "{what}");
    for (name, of, all) in PERCENTILES {
        let exact = percentile(sorted, (of, all));
        assert_near(&told[name], exact, &format!("{what}, {name}"));
    }
    assert_near(&told["max_us"], *sorted.last().unwrap(), what);
}

/// Compares the series of `told` with the exchanges; `figures` finds them in a series.
fn assert_series(
    told: &Value,
    mut exact: BTreeMap<(String, String), Vec<u64>>,
    figures: &dyn Fn(&Value) -> Value,
    what: &str,
) {
    for series in told.as_array().unwrap() {
        if series["side"] != "tcp" {
            continue;
        }
        let command = series["command"].as_str().unwrap().to_owned();
        let key = (series["label"].to_string(), command);
        let what = format!("{what}, {key:?}");
        let figures = figures(series);
        match exact.remove(&key) {
            Some(sorted) => assert_figures(&figures, &sorted, &what),
            None => assert_eq!(figures["count"], 0, "{what}"),
        }
    }
    assert_eq!(exact, BTreeMap::new(), "{what}: not told");
}

#[tokio::test(flavor = "multi_thread")]
async fn percentiles_of_all_time_and_of_two_times_are_those_of_the_exchanges() {
    let mut compared = 0;
    for file in all_recordings() {
        let viewed = Viewed::started(&["view", file.to_str().unwrap()]);
        let exchanges = answered(&viewed).await;
        for dimension in ["command", "strategy", "stream", "connection"] {
            let what = format!("{}, by {dimension}", file.display());
            let path = format!("/api/v1/latency?by={dimension}");
            let whole = asked(&viewed, &path).await;
            assert_eq!(
                (&whole["retried"], &whole["unrecorded"]),
                (&json!(0), &json!(0))
            );
            let time = &whole["time"];
            let exact = by(&exchanges, dimension, time);
            let all: usize = exact.values().map(Vec::len).sum();
            let belong = exchanges
                .iter()
                .filter(|one| label(one, dimension).is_some());
            assert_eq!(all, belong.count(), "{what}: {time} has all");
            assert_series(&whole["series"], exact, &Value::clone, &what);
            if time.is_null() {
                continue;
            }
            let moment = |name: &str| time[name].as_str().unwrap().parse::<Timestamp>().unwrap();
            let (from, to) = (moment("from"), moment("to"));
            let middle = from + to.duration_since(from) / 2;
            let two = asked(&viewed, &format!("{path}&to={middle}&from2={middle}")).await;
            for (which, time) in [("first", &two["time"]), ("second", &two["compared_with"])] {
                let exact = by(&exchanges, dimension, time);
                let what = format!("{what}, the {which} time");
                assert_series(&two["comparison"], exact, &|one| one[which].clone(), &what);
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_implementation_reads_the_same_from_the_log() {
    if !python::has("hdrh", "hdrhistogram") {
        return;
    }
    let viewed = Viewed::recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let response = viewed.page.get("/latency.hlog?by=strategy&side=tcp").await;
    let (_, log) = response.split_once("\r\n\r\n").unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-latency.hlog");
    fs::write(&file, log).unwrap();
    let read = "
import json, sys
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
sums = {}
reader = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3600000000, 2))
while True:
    one = reader.get_next_interval_histogram()
    if one is None:
        break
    sums.setdefault(one.get_tag(), HdrHistogram(1, 3600000000, 2)).add(one)
print(json.dumps({tag: {
    'count': one.get_total_count(),
    'p50_us': one.get_value_at_percentile(50),
    'p99_us': one.get_value_at_percentile(99),
    'max_us': one.get_max_value(),
} for tag, one in sums.items()}))
";
    let read: Value = serde_json::from_str(&python::run(read, &[file.to_str().unwrap()])).unwrap();
    let told = asked(&viewed, "/api/v1/latency?by=strategy&side=tcp").await;
    let told = told["series"].as_array().unwrap();
    assert_eq!(read.as_object().unwrap().len(), told.len());
    assert!(told.len() > 3);
    for series in told {
        let (command, label) = (&series["command"], &series["label"]);
        let tag = format!(
            "tcp.{}.{}",
            command.as_str().unwrap(),
            label.as_str().unwrap()
        );
        let names = ["count", "p50_us", "p99_us", "max_us"];
        let same = names.map(|name| series[name].clone());
        assert_eq!(names.map(|name| read[&tag][name].clone()), same, "{tag}");
    }
}
