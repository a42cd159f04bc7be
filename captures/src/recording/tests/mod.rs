mod bounds;
mod disk;
mod latency;
mod lists;
mod reopening;

use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::{Direction, Encode as _, code};
use serde_json::{Value, json};

use super::recorder::Store;
use super::temporary::Temporary;
use super::{RecordOptions, open};
use crate::catalog::SAME_FAILURE_AGAIN;
use crate::connection::{Connection, ConnectionId, Dialect};
use crate::decoding::{AnyFrame, decode};
use crate::exchange::{Content, Exchange, Times};
use crate::finding::Finding;
use crate::journal::{Condition, Journal, Wanted};
use crate::latency::Dimension;
use crate::partition::{OfPartition, Partition};
use crate::verdict::{AskedBy, HttpRefusal, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind};

/// A time long ago, so that everything has settled.
fn at(millisecond: u64) -> Timestamp {
    let begin = Timestamp::from_second(1_700_000_000).unwrap();
    begin + SignedDuration::from_millis(i64::try_from(millisecond).unwrap())
}

fn connect(journal: &Journal, id: u64) {
    let client = ([10, 0, 0, 7], 40_000 + u16::try_from(id).unwrap()).into();
    let server = "10.0.0.1:8090".parse().unwrap();
    journal.open_connection(Connection::opened(ConnectionId(id), client, server, at(id)));
}

fn close(journal: &Journal, id: u64) {
    journal.update_connection(ConnectionId(id), |connection| {
        connection.closed = Some((at(9_000), "the client closed the connection".to_owned()));
        connection.bytes_to_server = 1_234;
    });
}

/// A poll of one of three topics; each fifth is refused.
fn poll(number: u64) -> Exchange {
    poll_of(number, Some(u32::try_from(number % 4).unwrap()))
}

fn poll_of(number: u64, partition_id: Option<u32>) -> Exchange {
    let asked = PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Named(format!("reader_{}", number % 2)),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named(format!("topic_{}", number % 3)),
        partition_layout: PartitionLayout::Flagged,
        partition_id,
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count: 10,
        auto_commit: false,
    };
    let status = if number.is_multiple_of(5) { 4100 } else { 0 };
    let empty = [&[1, 0, 0, 0][..], &[0; 12]].concat();
    let body = if status == 0 { &empty[..] } else { &[] };
    let request = encode_request(code::POLL_MESSAGES, &asked.encode());
    let reply = encode_reply(status, body);
    let frame = |direction, bytes| AnyFrame::kept(Dialect::Classic, direction, bytes).unwrap();
    let request = frame(Direction::ToServer, &request);
    let reply = frame(Direction::ToClient, &reply);
    Exchange {
        n: 0,
        conn: ConnectionId(1 + number % 2),
        dialect: Dialect::Classic,
        times: Times {
            request_first: at(10 * number),
            request_last: at(10 * number),
            reply: Some((at(10 * number + 1), at(10 * number + 1 + number % 7))),
        },
        content: Content::Binary(decode(&request, Some(&reply), None).content),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: crate::Annotation::default(),
        altered: None,
    }
}

fn verdict(kind: VerdictKind) -> Verdict {
    let refusal = HttpRefusal {
        http_status: 400,
        code: None,
        reason: "Invalid offset: 24".to_owned(),
    };
    Verdict {
        kind,
        reason: "because".to_owned(),
        basis: "as asked".to_owned(),
        differences: Vec::new(),
        answers: vec![MirrorAnswer {
            asked_by: AskedBy::Mirror,
            partition_id: Some(1),
            target: "/streams/otel".to_owned(),
            latency: Some(std::time::Duration::from_micros(777)),
            times: None,
            outcome: MirrorOutcome::Refused(refusal),
        }],
        asked_again: None,
        known: Vec::new(),
        muted: None,
    }
}

fn find(journal: &Journal, place: &str, n: u64) {
    let evidence = vec![format!("seen in {n}")];
    journal.add_finding(Finding::new(SAME_FAILURE_AGAIN, place, n, at(n), evidence));
}

/// Some of everything: polls, verdicts, findings, a connection that ends.
fn traffic(journal: &Journal, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let n = journal.record(poll(number));
        match number % 5 {
            0 => {
                journal.set_verdict(n, verdict(VerdictKind::Diverge));
                find(journal, &format!("topic_{}", number % 3), n);
            }
            1 => journal.set_verdict(n, verdict(VerdictKind::Agree)),
            2 => journal.set_verdict(n, verdict(VerdictKind::NotComparable)),
            _ => {}
        }
    }
}

fn small(directory: &Path) -> RecordOptions {
    RecordOptions {
        segment_bytes: 64 * 1024,
        keep_bytes: 64 * 1024 * 1024,
        ..RecordOptions::into_directory(directory)
    }
}

/// A recorder whose rounds the test calls.
fn recorder(directory: &Path) -> Store {
    open(small(directory)).unwrap().into_store()
}

fn record_all(store: &mut Store) {
    while store.round(true) {}
}

/// Everything of the list, page by page.
fn all(journal: &Journal, wanted: &dyn Wanted) -> Vec<Arc<Exchange>> {
    let mut found = Vec::new();
    let mut before = None;
    loop {
        let page = journal.list(before, 50, wanted);
        found.extend(page.exchanges);
        before = page.more;
        if before.is_none() {
            return found;
        }
    }
}

fn occurrences(finding: &Finding) -> Value {
    assert_eq!(finding.occurrences.total(), finding.count);
    crate::json::occurrences(&finding.occurrences)
}

/// What a page shows of a journal, but for the state of its recording.
fn shown(journal: &Journal) -> Value {
    let every = |_: &Exchange| true;
    let exchanges = all(journal, &every);
    let counts = journal.counts();
    let latencies = journal.latencies();
    let latencies: Vec<_> = latencies
        .recorded()
        .map(|(side, command, micros, count)| json!([side.name(), command, micros, count]))
        .collect();
    json!({
        "exchanges": exchanges.iter().map(|one| crate::json::exchange(one)).collect::<Vec<_>>(),
        "findings": journal.findings().iter().map(crate::json::finding).collect::<Vec<_>>(),
        "connections": journal.connections().iter().map(crate::json::connection).collect::<Vec<_>>(),
        "latencies": latencies,
        "activity": crate::json::activity(&journal.activity()),
        "occurrences": journal.findings().iter().map(occurrences).collect::<Vec<_>>(),
        "latencies over time": Dimension::ALL.map(|by| format!("{:?}", journal.latencies_by(by))),
        "counts": format!("{counts:?}"),
        "totals": format!("{:?}", journal.totals()),
        "partitions": partitions(journal),
    })
}

/// The figures of each partition, in order.
fn partitions(journal: &Journal) -> Vec<String> {
    let partitions = journal.partitions();
    let mut each: Vec<_> = partitions.each().map(|one| format!("{one:?}")).collect();
    each.sort();
    each
}

/// That two journals show the same; else names the first thing that differs.
fn assert_same(left: &Value, right: &Value) {
    for (name, left) in left.as_object().unwrap() {
        let right = &right[name];
        if let (Some(left), Some(right)) = (left.as_array(), right.as_array()) {
            for (left, right) in left.iter().zip(right) {
                assert_eq!(left, right, "{name}");
            }
            assert_eq!(left.len(), right.len(), "{name}");
        }
        assert_eq!(left, right, "{name}");
    }
}

/// Whether the figures are as many as the rows behind them.
fn assert_figures_fit(journal: &Journal) {
    let counts = journal.counts();
    let rows = |wanted: &dyn Fn(&Exchange) -> bool| {
        let wanted = |one: &Exchange| wanted(one);
        all(journal, &wanted).len() as u64
    };
    assert_eq!(counts.exchanges, rows(&|_| true));
    assert_eq!(counts.failed, rows(&Exchange::failed));
    let passed = journal.activity().total();
    for kind in VerdictKind::ALL {
        let is_it = |one: &Exchange| one.verdict.as_ref().is_some_and(|v| v.kind == kind);
        assert_eq!(counts.with_verdict(kind), rows(&is_it));
        assert!(passed.with_verdict(kind) >= counts.with_verdict(kind));
    }
    let named = |one: &Exchange| one.findings.contains(&SAME_FAILURE_AGAIN);
    assert_eq!(counts.showing(SAME_FAILURE_AGAIN), rows(&named));
    for connection in journal.connections() {
        let of_it = |one: &Exchange| one.conn == connection.id;
        assert_eq!(counts.on_connection(connection.id), rows(&of_it));
    }
    let names = journal.names();
    for ((stream, topic, id), figures) in journal.partitions().each() {
        let id = id.unwrap();
        let partition = Partition { stream, topic, id };
        let found = all(journal, &OfPartition::new(&partition, &names));
        assert_eq!(figures.exchanges, found.len() as u64, "{partition}");
        let failed = found.iter().filter(|one| one.failed()).count();
        assert_eq!(figures.errors, failed as u64, "{partition}");
        assert_eq!(figures.last, found[0].n, "{partition}");
    }
    let totals = journal.totals();
    assert!(passed.exchanges >= counts.exchanges && passed.failed >= counts.failed);
    assert_eq!(
        totals.exchanges - totals.exchanges_dropped,
        counts.exchanges
    );
}

struct Every;

impl Wanted for Every {
    fn accepts(&self, _: &Exchange) -> bool {
        true
    }

    fn condition(&self) -> Condition {
        Condition::All(Vec::new())
    }
}

fn directory() -> Temporary {
    Temporary::new().unwrap()
}
