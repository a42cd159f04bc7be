//! Recording a million exchanges, opening them again, and filters over them.
//!
//! `cargo bench -p parallax-captures --bench recording`; `PARALLAX_BENCH_EXCHANGES`
//! says how many, `PARALLAX_BENCH_DIRECTORY` where (some gigabytes are written, and
//! removed).
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use parallax_captures::decoding::{AnyFrame, decode};
use parallax_captures::filter::Expression;
use parallax_captures::recording::{RecordOptions, open, view};
use parallax_captures::{Connection, ConnectionId, Content, Dialect, Exchange, Times};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::{Direction, Encode as _, code};

/// Exchanges that memory may hold ahead of the disk before the producer waits.
const AHEAD: u64 = 40_000;

/// How often each filter is asked.
const TIMES: usize = 20;

const FILTERS: [&str; 12] = [
    "n > 0",
    "command == ping",
    "command == poll_messages and status == 4100 and topic == \"topic_7\"",
    "status == 4100",
    "topic == \"nowhere\"",
    "topic == \"topic_7\" and consumer == \"reader_3\"",
    "latency_us > 30ms",
    "latency_us > 1h",
    "conn == 17",
    "status != 0 and not (topic == \"topic_7\")",
    "command == poll_messages and partition_id == 99",
    "status == 4100 and response.partition_id == 3",
];

fn main() {
    // Without this it is built, not run: by `cargo test --all-targets`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let count = std::env::var("PARALLAX_BENCH_EXCHANGES");
    let count = count.map_or(1_000_000, |text| text.parse().unwrap());
    let parent = std::env::var_os("PARALLAX_BENCH_DIRECTORY");
    let parent = parent.map_or_else(std::env::temp_dir, PathBuf::from);
    let directory = parent.join(format!("parallax-bench-{}", std::process::id()));
    write(&directory, count);
    timed("opening, with its index", || {
        drop(view(&directory).unwrap());
    });
    filters(&directory);
    std::fs::remove_file(directory.join("index.sqlite")).unwrap();
    timed("opening, from the files alone", || {
        drop(view(&directory).unwrap());
    });
    println!("{:50} {} MiB", "most memory", peak_memory() >> 10);
    std::fs::remove_dir_all(&directory).unwrap();
}

fn write(directory: &Path, count: u64) {
    let opened = open(RecordOptions {
        keep_bytes: u64::MAX,
        ..RecordOptions::into_directory(directory)
    })
    .unwrap();
    let journal = std::sync::Arc::clone(opened.journal());
    let recorder = opened.start().unwrap();
    for id in 1..=100 {
        let client = ([10, 0, 0, 7], 40_000 + u16::try_from(id).unwrap()).into();
        let server = "10.0.0.1:8090".parse().unwrap();
        journal.open_connection(Connection::opened(ConnectionId(id), client, server, at(0)));
    }
    let begun = Instant::now();
    let mut bytes = 0;
    for number in 0..count {
        let exchange = exchange(number);
        let content = exchange.binary().unwrap();
        bytes += content.request_frame.len() + content.reply_frame.len();
        journal.record(exchange);
        while number % 1_000 == 0 && number > journal.recording().unwrap().exchanges + AHEAD {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    recorder.finish();
    let took = begun.elapsed().as_secs_f64();
    let status = journal.recording().unwrap();
    assert_eq!((status.exchanges, status.not_kept), (count, 0));
    let index = std::fs::metadata(directory.join("index.sqlite"))
        .unwrap()
        .len();
    println!("{:50} {:.0} exchanges/s", "writing", count as f64 / took);
    println!(
        "{:50} {:.1} MiB/s",
        "writing, of clients' bytes",
        bytes as f64 / took / 1_048_576.0
    );
    println!(
        "{:50} {:.1} MiB/s",
        "writing, of segments",
        status.bytes as f64 / took / 1_048_576.0
    );
    println!(
        "{:50} {}",
        "bytes of segments, per exchange",
        status.bytes / count
    );
    println!(
        "{:50} {}",
        "bytes of the index, per exchange",
        index / count
    );
}

fn filters(directory: &Path) {
    let view = view(directory).unwrap();
    for text in FILTERS {
        let expression: Expression = text.parse().unwrap();
        let mut took = Vec::new();
        let mut found = 0;
        for _ in 0..TIMES {
            let begun = Instant::now();
            found = view.journal().list(None, 100, &expression).exchanges.len();
            took.push(begun.elapsed());
        }
        let first = took[0];
        took.sort();
        println!(
            "{text:70} {found:4} found, first {:7.1} ms, median {:7.1} ms",
            first.as_secs_f64() * 1e3,
            took[TIMES / 2].as_secs_f64() * 1e3
        );
    }
}

fn timed(what: &str, run: impl FnOnce()) {
    let begun = Instant::now();
    run();
    println!("{what:50} {:.2} s", begun.elapsed().as_secs_f64());
}

fn at(microsecond: u64) -> Timestamp {
    let begin = Timestamp::from_second(1_700_000_000).unwrap();
    begin + SignedDuration::from_micros(i64::try_from(microsecond).unwrap())
}

/// Like a busy server's: most are polls, one of a thousand is refused, few are slow.
fn exchange(number: u64) -> Exchange {
    // Spread as numbers of chance are, and the same each time.
    let chance = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let is_ping = chance.is_multiple_of(10);
    let status = if chance % 1_000 == 1 { 4100 } else { 0 };
    let latency = match chance % 5_000 {
        0 => 40_000 + chance % 10_000,
        _ => 100 + chance % 900,
    };
    let reply = if is_ping || status > 0 {
        Vec::new()
    } else {
        [
            &u32::try_from(chance % 4).unwrap().to_le_bytes()[..],
            &[0; 12],
        ]
        .concat()
    };
    let request = if is_ping {
        encode_request(code::PING, &[])
    } else {
        encode_request(code::POLL_MESSAGES, &poll(chance).encode())
    };
    let frame = |direction, bytes: &_| AnyFrame::kept(Dialect::Classic, direction, bytes).unwrap();
    let request = frame(Direction::ToServer, &request);
    let reply = frame(Direction::ToClient, &encode_reply(status, &reply));
    let begin = at(number * 50);
    let end = at(number * 50 + latency);
    Exchange {
        n: 0,
        conn: ConnectionId(1 + chance % 100),
        dialect: Dialect::Classic,
        times: Times {
            request_first: begin,
            request_last: begin,
            reply: Some((end, end)),
        },
        content: Content::Binary(decode(&request, Some(&reply), None).content),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

fn poll(chance: u64) -> PollMessages {
    PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Named(format!("reader_{}", chance % 199)),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named(format!("topic_{}", chance % 53)),
        partition_layout: PartitionLayout::Flagged,
        partition_id: Some(u32::try_from(chance % 4).unwrap()),
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count: 100,
        auto_commit: false,
    }
}

/// In KiB; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}
