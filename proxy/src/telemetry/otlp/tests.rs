//! A collector that does as it is told, and what becomes of what it is sent.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use jiff::Timestamp;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use parallax_captures::catalog::FRAMING_MISMATCH;
use parallax_captures::{Exchange, Finding, Journal};
use parallax_codec::Request;
use prost::Message as _;
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::{Exporter, OtlpConfig, OtlpCounters, Reason, Signal};
use crate::findings::sample::exchange;
use crate::limits::OTLP_SPANS;
use crate::telemetry::Figures;

const PATIENCE: Duration = Duration::from_secs(30);

/// What came, and what is answered next; `200` where nothing is said.
#[derive(Debug, Default)]
struct Collector {
    came: Mutex<Vec<(String, HeaderMap, Bytes)>>,
    answers: Mutex<VecDeque<(u16, Vec<u8>)>>,
}

impl Collector {
    async fn start(self: &Arc<Self>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new()
            .route("/v1/{signal}", post(take))
            .with_state(Arc::clone(self));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        format!("http://{address}")
    }

    fn spans(&self) -> usize {
        let came = self.came.lock().unwrap();
        let traces = came.iter().filter(|(signal, ..)| signal == "traces");
        let spans = traces.map(|(.., body)| {
            let request = ExportTraceServiceRequest::decode(body.clone()).unwrap();
            request.resource_spans[0].scope_spans[0].spans.len()
        });
        spans.sum()
    }
}

async fn take(
    State(collector): State<Arc<Collector>>,
    Path(signal): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, Vec<u8>) {
    let answer = collector.answers.lock().unwrap().pop_front();
    let (status, answer) = answer.unwrap_or((200, Vec::new()));
    let came = (signal, headers, body);
    collector.came.lock().unwrap().push(came);
    (StatusCode::from_u16(status).unwrap(), answer)
}

struct Sending {
    journal: Arc<Journal>,
    counters: Arc<OtlpCounters>,
    exporter: Exporter,
}

fn start(config: &OtlpConfig, journal: Journal) -> Sending {
    let journal = Arc::new(journal);
    let counters = Arc::new(OtlpCounters::default());
    let figures = Arc::new(Figures::of(Arc::clone(&journal)));
    let exporter = Exporter::start(config, Arc::clone(&journal), figures, Arc::clone(&counters));
    Sending {
        journal,
        counters,
        exporter: exporter.unwrap(),
    }
}

fn ping() -> Exchange {
    exchange(0, 1_700_000_000, Request::Ping, 0)
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let waited = timeout(PATIENCE, async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    assert!(waited.await.is_ok(), "{what}");
}

#[tokio::test]
async fn a_finding_is_sent_with_the_trace_of_its_exchange_and_the_headers_that_were_given() {
    let collector = Arc::new(Collector::default());
    let config = OtlpConfig::new(&collector.start().await, 1.0).unwrap();
    let config = config.with_headers("authorization=Bearer%20key").unwrap();
    let config = config.with_attributes("site=here").unwrap();
    let sending = start(&config, Journal::new());
    let n = sending.journal.record(ping());
    let now = Timestamp::now();
    let finding = Finding::new(FRAMING_MISMATCH, "there", n, now, vec!["Seen.".to_owned()]);
    sending.journal.add_finding(finding);
    let counters = &sending.counters;
    until("both are sent", || {
        counters.sent(Signal::Logs) == 1 && counters.sent(Signal::Traces) == 1
    })
    .await;

    let came = collector.came.lock().unwrap().clone();
    for (_, headers, _) in &came {
        assert_eq!(headers["content-type"], "application/x-protobuf");
        assert_eq!(headers["authorization"], "Bearer key");
    }
    let body = |signal: &str| came.iter().find(|one| one.0 == signal).unwrap().2.clone();
    let logs = ExportLogsServiceRequest::decode(body("logs")).unwrap();
    let record = &logs.resource_logs[0].scope_logs[0].log_records[0];
    let traces = ExportTraceServiceRequest::decode(body("traces")).unwrap();
    let resource = traces.resource_spans[0].resource.clone().unwrap();
    let keys: Vec<_> = resource
        .attributes
        .iter()
        .map(|one| one.key.as_str())
        .collect();
    let expected = [
        "service.name",
        "service.version",
        "service.instance.id",
        "site",
    ];
    assert_eq!(keys, expected);
    let span = &traces.resource_spans[0].scope_spans[0].spans[0];
    assert_eq!(span.name, "ping");
    assert_eq!(record.trace_id, span.trace_id);
    assert_eq!(record.span_id, span.span_id);
    assert_eq!((record.trace_id.len(), record.span_id.len()), (16, 8));
}

#[tokio::test]
async fn what_a_collector_cannot_take_now_is_sent_again() {
    let collector = Arc::new(Collector::default());
    collector
        .answers
        .lock()
        .unwrap()
        .push_back((503, Vec::new()));
    let config = OtlpConfig::new(&collector.start().await, 1.0).unwrap();
    let sending = start(&config, Journal::new());
    sending.journal.record(ping());
    let counters = &sending.counters;
    until("it is sent", || counters.sent(Signal::Traces) == 1).await;
    assert_eq!(counters.failures(), 1);
    assert_eq!(collector.spans(), 2, "the same came twice");
    assert_eq!(counters.dropped(Signal::Traces, Reason::Refused), 0);
}

#[tokio::test]
async fn what_a_collector_refuses_is_counted_and_not_sent_again() {
    let collector = Arc::new(Collector::default());
    let partly = ExportTraceServiceResponse {
        partial_success: Some(ExportTracePartialSuccess {
            rejected_spans: 1,
            error_message: "too old".to_owned(),
        }),
    };
    let answers = [(400, Vec::new()), (200, partly.encode_to_vec())];
    collector.answers.lock().unwrap().extend(answers);
    let config = OtlpConfig::new(&collector.start().await, 1.0).unwrap();
    let sending = start(&config, Journal::new());
    let counters = &sending.counters;
    for refused in 1..=2 {
        sending.journal.record(ping());
        until("it is refused", || {
            counters.dropped(Signal::Traces, Reason::Refused) == refused
        })
        .await;
    }
    sending.journal.record(ping());
    until("it is sent", || counters.sent(Signal::Traces) == 1).await;
    assert_eq!(collector.spans(), 3);
}

#[tokio::test]
async fn nobody_waits_for_a_collector_that_is_not_there_and_nothing_is_lost_uncounted() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let config = OtlpConfig::new(&format!("http://{address}"), 1.0).unwrap();
    let sending = start(&config, Journal::new());
    let counters = &sending.counters;
    let more = 3 * OTLP_SPANS as u64;
    for _ in 0..more {
        sending.journal.record(ping());
    }
    until("it is tried again", || counters.failures() > 1).await;
    assert!(counters.queued(Signal::Traces) <= OTLP_SPANS as u64);
    let ended = timeout(PATIENCE, sending.exporter.finish()).await;
    assert!(ended.is_ok(), "the end waits for no collector");
    assert_eq!(counters.dropped(Signal::Traces, Reason::Ended), more);
    assert_eq!(counters.queued(Signal::Traces), 0);
}

#[tokio::test]
async fn more_than_the_queue_has_room_for_is_sent_as_well() {
    let collector = Arc::new(Collector::default());
    let config = OtlpConfig::new(&collector.start().await, 1.0).unwrap();
    let sending = start(&config, Journal::new());
    let more = 3 * OTLP_SPANS as u64;
    for _ in 0..more {
        sending.journal.record(ping());
    }
    let counters = &sending.counters;
    until("all are sent", || counters.sent(Signal::Traces) == more).await;
    let dropped = Reason::ALL.map(|reason| counters.dropped(Signal::Traces, reason));
    assert_eq!(dropped, [0; 4]);
}

#[tokio::test]
async fn what_memory_dropped_before_it_was_read_is_counted() {
    let collector = Arc::new(Collector::default());
    let config = OtlpConfig::new(&collector.start().await, 1.0).unwrap();
    let sending = start(&config, Journal::with_limits(10, usize::MAX));
    for _ in 0..100 {
        sending.journal.record(ping());
    }
    let counters = &sending.counters;
    until("the rest is sent", || counters.sent(Signal::Traces) >= 10).await;
    let missed = counters.dropped(Signal::Traces, Reason::Missed);
    assert_eq!(missed + counters.sent(Signal::Traces), 100);
}

#[tokio::test]
async fn the_end_sends_what_is_left_and_the_last_figures() {
    let collector = Arc::new(Collector::default());
    let config = OtlpConfig::new(&collector.start().await, 1.0).unwrap();
    let sending = start(&config, Journal::new());
    let mut late = ping();
    late.times.reply = Some((Timestamp::now(), Timestamp::now()));
    sending.journal.record(late);
    sending.exporter.finish().await;
    assert_eq!(collector.spans(), 1);
    assert!(sending.counters.sent(Signal::Metrics) > 0);
    assert_eq!(sending.counters.dropped(Signal::Traces, Reason::Ended), 0);
}
