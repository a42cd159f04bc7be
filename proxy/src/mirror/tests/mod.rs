//! The mirror against a small HTTP server that behaves as it is told.

mod again;
mod also;
mod login;
mod queue;
mod trouble;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request as HttpRequest;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, LOCATION, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use parallax_captures::{ConnectionId, Exchange, Journal, MirrorState, Verdict, VerdictKind};
use parallax_codec::Request;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Last, Next};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::{Mirror, MirrorConfig, MirrorError, MirrorHandle};
use crate::analyst::Analyst;
use crate::comparison::ExpectedStart;
use crate::comparison::sample::answer;
use crate::credentials::Credentials;
use crate::findings::sample::{answered, exchange, poll};
use crate::limits::{MIRROR_BODY_BYTES, MIRROR_QUEUE};

const PATIENCE: Duration = Duration::from_secs(20);
const CANARY: &str = "canary-7f3a";

/// A request that the stand-in was sent.
#[derive(Debug, Clone)]
struct Seen {
    /// `GET /streams/otel/topics/metrics`.
    line: String,
    bearer: String,
    body: String,
}

impl Seen {
    fn is_login(&self) -> bool {
        self.line.ends_with("/login")
    }
}

type Behaviour = dyn Fn(&Seen, usize) -> Response + Send + Sync;

/// A server that answers pings as Iggy does and a request as `behaviour` says,
/// which is told how many came before. Gives its address and what it was sent,
/// pings left out.
async fn server(
    behaviour: impl Fn(&Seen, usize) -> Response + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<Seen>>>) {
    server_that_answers_pings("pong", behaviour).await
}

async fn server_that_answers_pings(
    ping: &'static str,
    behaviour: impl Fn(&Seen, usize) -> Response + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<Seen>>>) {
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let log = Arc::clone(&seen);
    let behaviour: Arc<Behaviour> = Arc::new(behaviour);
    let app = Router::new().fallback(move |request: HttpRequest| {
        let (log, behaviour) = (Arc::clone(&log), Arc::clone(&behaviour));
        async move {
            let line = format!("{} {}", request.method(), request.uri());
            let bearer = request.headers().get(AUTHORIZATION);
            let bearer = bearer.map(|value| value.to_str().unwrap().to_owned());
            let body = axum::body::to_bytes(request.into_body(), 4096)
                .await
                .unwrap();
            let request = Seen {
                line,
                bearer: bearer.unwrap_or_default(),
                body: String::from_utf8(body.to_vec()).unwrap(),
            };
            if request.line == "GET /ping" {
                assert!(request.bearer.is_empty() && request.body.is_empty());
                return ping.into_response();
            }
            let mut log = log.lock().unwrap();
            log.push(request.clone());
            behaviour(&request, log.len() - 1)
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, seen)
}

struct Bench {
    analyst: Arc<Analyst>,
    mirror: MirrorHandle,
}

impl Bench {
    fn new(address: &str, change: impl FnOnce(&mut MirrorConfig)) -> Self {
        let mut config = MirrorConfig::new(address, None).unwrap();
        // Longer than any test takes.
        config.backoff = (10 * PATIENCE, 10 * PATIENCE);
        change(&mut config);
        Self::with_journal(config, Journal::new())
    }

    fn with_journal(config: MirrorConfig, journal: Journal) -> Self {
        let analyst = Arc::new(Analyst::new(Arc::new(journal)));
        let mirror = Mirror::spawn(config, Arc::clone(&analyst));
        Self { analyst, mirror }
    }

    fn logged_in(address: &str) -> Self {
        let bench = Self::new(address, |_| {});
        bench.mirror.login(ConnectionId(1), password());
        bench
    }

    fn journal(&self) -> &Journal {
        self.analyst.journal()
    }

    /// The verdict on this exchange, once there is one.
    async fn verdict(&self, exchange: Exchange) -> Verdict {
        self.verdict_of(exchange, None).await
    }

    /// The same of a Next that was to begin there.
    async fn verdict_of(&self, exchange: Exchange, expected: Option<ExpectedStart>) -> Verdict {
        let mut changes = self.journal().changes();
        let n = self.analyst.record(exchange).n;
        self.mirror
            .poll(&self.journal().exchange(n).unwrap(), expected);
        let given = async {
            loop {
                if let Some(verdict) = self.journal().exchange(n).unwrap().verdict.clone() {
                    return verdict;
                }
                changes.recv().await.unwrap();
            }
        };
        timeout(PATIENCE, given).await.expect("a verdict")
    }
}

fn password() -> Credentials {
    Credentials::Password {
        username: "iggy".to_owned(),
        password: CANARY.to_owned(),
    }
}

/// Partition 2 of `otel/metrics`: First, answered with messages 0 and 1.
fn first() -> Exchange {
    answered(
        exchange(0, 0, poll(Consumer, Some(2), First), 0),
        &answer(2, 1, 0..2),
    )
}

fn failed_next() -> Exchange {
    exchange(0, 0, poll(Group, None, Next), 4100)
}

fn login(token: &str) -> Response {
    Json(json!({ "user_id": 0, "access_token": { "token": token, "expiry": 1 } })).into_response()
}

fn messages(partition_id: u32) -> Response {
    use base64::Engine as _;
    let messages: Vec<Value> = answer(partition_id, 1, 0..2)
        .messages
        .iter()
        .map(|message| {
            let payload = base64::engine::general_purpose::STANDARD.encode(&message.payload);
            json!({
                "header": {
                    "checksum": message.checksum,
                    "id": message.id.to_string(),
                    "offset": message.offset,
                    "timestamp": message.timestamp,
                    "origin_timestamp": message.origin_timestamp,
                },
                "payload": payload,
                "user_headers": [],
            })
        })
        .collect();
    Json(json!({
        "partition_id": partition_id, "current_offset": 1, "count": 2, "messages": messages,
    }))
    .into_response()
}

fn status(code: u16) -> Response {
    StatusCode::from_u16(code).unwrap().into_response()
}

fn expect(verdict: &Verdict, kind: VerdictKind, words: &[&str]) {
    assert_eq!(verdict.kind, kind, "{verdict:?}");
    for word in words {
        assert!(
            verdict.reason.contains(word),
            "{word:?} in {:?}",
            verdict.reason
        );
    }
}
