//! The mirror against a small HTTP server that behaves as it is told.

mod again;
mod also;

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

#[tokio::test]
async fn a_poll_is_asked_again_over_http_as_the_same_user() {
    let (address, seen) = server(|request, _| {
        if request.is_login() {
            login("t1")
        } else {
            messages(2)
        }
    })
    .await;
    let bench = Bench::logged_in(&address);
    let verdict = bench.verdict(first()).await;
    expect(&verdict, VerdictKind::Agree, &["All 2 messages"]);
    assert!(verdict.answers[0].latency.is_some());
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0].line, "POST /users/login");
    assert!(seen[0].body.contains("\"username\":\"iggy\"") && seen[0].body.contains(CANARY));
    assert_eq!(seen[1].bearer, "Bearer t1");
    assert!(
        seen[1].line.contains("partition_id=2&kind=first"),
        "{seen:?}"
    );
    assert!(seen[1].line.contains("auto_commit=false"));
    assert_eq!(seen.len(), 2);
    let status = bench.journal().mirror().unwrap();
    assert_eq!((status.server, status.state), (address, MirrorState::Ok));
    assert_eq!((status.requests, status.failures), (3, 0));
}

#[tokio::test]
async fn a_personal_access_token_logs_in_its_own_way() {
    let (address, seen) = server(|request, _| {
        if request.is_login() {
            login("t1")
        } else {
            messages(2)
        }
    })
    .await;
    let bench = Bench::new(&address, |config| {
        config.credentials = Some(Credentials::Token(CANARY.to_owned()));
    });
    // Given credentials are used whoever is logged in on the connection.
    bench.mirror.login(ConnectionId(1), password());
    expect(&bench.verdict(first()).await, VerdictKind::Agree, &[]);
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0].line, "POST /personal-access-tokens/login");
    assert_eq!(seen[0].body, json!({ "token": CANARY }).to_string());
}

#[tokio::test]
async fn an_expired_token_is_renewed_once() {
    let (address, seen) = server(|request, before| match request.line.as_str() {
        "POST /users/login" => login(&format!("t{before}")),
        // The first token, t0, is good for one request.
        _ if request.bearer == "Bearer t0" && before > 1 => status(401),
        _ => messages(2),
    })
    .await;
    let bench = Bench::logged_in(&address);
    for _ in 0..3 {
        expect(&bench.verdict(first()).await, VerdictKind::Agree, &[]);
    }
    let logins = seen
        .lock()
        .unwrap()
        .iter()
        .filter(|seen| seen.is_login())
        .count();
    assert_eq!(logins, 2);
    assert!(bench.journal().findings().is_empty(), "renewed in silence");
}

#[tokio::test]
async fn a_token_that_is_refused_for_ever_is_the_mirrors_failure_and_backs_off() {
    let (address, seen) = server(|request, _| {
        if request.is_login() {
            login("t")
        } else {
            status(401)
        }
    })
    .await;
    let bench = Bench::logged_in(&address);
    let verdict = bench.verdict(first()).await;
    expect(
        &verdict,
        VerdictKind::MirrorFailed,
        &["401", "password of iggy"],
    );
    let verdict = bench.verdict(first()).await;
    expect(&verdict, VerdictKind::MirrorFailed, &["asks again in"]);
    assert_eq!(
        seen.lock().unwrap().len(),
        2,
        "a login and a poll, then a pause"
    );
    let status = bench.journal().mirror().unwrap();
    assert!(
        matches!(status.state, MirrorState::Unauthenticated { .. }),
        "{status:?}"
    );
    let findings = bench.journal().findings();
    let [found] = findings.as_slice() else {
        panic!("one for the user: {findings:?}");
    };
    assert_eq!((found.code.0, found.exchanges.len()), (901, 2));
    assert!(found.place.contains("password of iggy"), "{}", found.place);
}

#[tokio::test]
async fn a_refused_login_says_what_to_do() {
    let (address, seen) = server(|_, _| {
        let body =
            r#"{"id":42,"code":"invalid_credentials","reason":"Invalid credentials","field":null}"#;
        (StatusCode::BAD_REQUEST, body).into_response()
    })
    .await;
    let bench = Bench::logged_in(&address);
    let words = ["HTTP 400", "invalid_credentials", "--http-user"];
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &words,
    );
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["asks again in"],
    );
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_down_is_asked_once_in_a_while() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let bench = Bench::logged_in(&address);
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["no connection to"],
    );
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["asks again in"],
    );
    let status = bench.journal().mirror().unwrap();
    assert_eq!(status.requests, 1);
    assert!(
        matches!(status.state, MirrorState::BackingOff { .. }),
        "{status:?}"
    );
}

#[tokio::test]
async fn a_server_that_wants_peace_gets_it() {
    let (address, seen) = server(|request, _| {
        if request.is_login() {
            login("t")
        } else {
            (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "9")]).into_response()
        }
    })
    .await;
    let bench = Bench::logged_in(&address);
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["429", "rate"],
    );
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["asks again in"],
    );
    assert_eq!(seen.lock().unwrap().len(), 2);
    let status = bench.journal().mirror().unwrap();
    assert!(
        matches!(status.state, MirrorState::BackingOff { .. }),
        "{status:?}"
    );
}

#[tokio::test]
async fn a_slow_answer_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let bench = Bench::new(&address, |config| {
        config.timeout = Duration::from_millis(50);
        config.credentials = Some(password());
    });
    // Accepted by the kernel, answered by nobody.
    let verdict = bench.verdict(first()).await;
    expect(
        &verdict,
        VerdictKind::MirrorFailed,
        &["did not answer within"],
    );
    drop(listener);
}

#[tokio::test]
async fn a_redirect_is_reported_and_not_followed() {
    let (address, seen) = server(|request, _| {
        if request.is_login() {
            login("t")
        } else {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/elsewhere")]).into_response()
        }
    })
    .await;
    let verdict = Bench::logged_in(&address).verdict(first()).await;
    expect(
        &verdict,
        VerdictKind::MirrorFailed,
        &["307", "does not follow"],
    );
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_huge_answer_is_not_read_to_its_end() {
    let (address, _) = server(|request, _| {
        if request.is_login() {
            login("t")
        } else {
            Body::from(Bytes::from(vec![b' '; MIRROR_BODY_BYTES + 1])).into_response()
        }
    })
    .await;
    let verdict = Bench::logged_in(&address).verdict(first()).await;
    expect(&verdict, VerdictKind::MirrorFailed, &["longer than"]);
}

#[tokio::test]
async fn an_answer_that_is_no_answer_is_the_mirrors_failure() {
    let (address, _) = server(|request, before| match (request.is_login(), before) {
        (true, _) => login("t"),
        (_, 1) => "<html>".into_response(),
        _ => Json(json!({ "partition_id": 2, "messages": 7 })).into_response(),
    })
    .await;
    let bench = Bench::logged_in(&address);
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["<html>"],
    );
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["no answer to a poll"],
    );
}

#[tokio::test]
async fn after_a_failed_poll_of_a_group_every_partition_is_asked() {
    let (address, seen) = server(|request, _| {
        let invalid =
            r#"{"id":4100,"code":"invalid_offset","reason":"Invalid offset: 24","field":"offset"}"#;
        match request.line.as_str() {
            "POST /users/login" => login("t"),
            "GET /streams/otel/topics/metrics" => {
                Json(json!({ "id": 0, "partitions_count": 3 })).into_response()
            }
            line if line.contains("partition_id=2") => {
                (StatusCode::BAD_REQUEST, invalid).into_response()
            }
            line => messages(u32::from(line.contains("partition_id=1"))),
        }
    })
    .await;
    let bench = Bench::logged_in(&address);
    for _ in 0..2 {
        let verdict = bench.verdict(failed_next()).await;
        let words = [
            "partition 2",
            "Invalid offset: 24",
            "partitions 0 and 1 answer",
        ];
        expect(&verdict, VerdictKind::NotComparable, &words);
    }
    let looked = |line: &str| {
        seen.lock()
            .unwrap()
            .iter()
            .filter(|seen| seen.line == line)
            .count()
    };
    assert_eq!(
        looked("GET /streams/otel/topics/metrics"),
        2,
        "the count may have changed since"
    );
    assert_eq!(seen.lock().unwrap().len(), 1 + 2 * (1 + 3));
    let codes: Vec<u16> = bench
        .journal()
        .findings()
        .iter()
        .map(|found| found.code.0)
        .collect();
    assert!(codes.contains(&102) && codes.contains(&104), "{codes:?}");
}

#[tokio::test]
async fn a_connection_without_a_login_is_told_what_to_do_and_nothing_is_asked() {
    let (address, seen) = server(|_, _| status(500)).await;
    let bench = Bench::logged_in(&address);
    bench.mirror.closed(ConnectionId(1));
    expect(
        &bench.verdict(first()).await,
        VerdictKind::MirrorFailed,
        &["--http-user"],
    );
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_cannot_be_compared_is_not_asked() {
    let (address, seen) = server(|_, _| status(500)).await;
    let bench = Bench::logged_in(&address);
    let empty = answered(
        exchange(0, 0, poll(Group, None, Next), 0),
        &answer(0, 26, 0..0),
    );
    expect(
        &bench.verdict(empty).await,
        VerdictKind::NotComparable,
        &["HTTP has no groups"],
    );
    let unanswered = Exchange {
        times: parallax_captures::Times {
            reply: None,
            ..first().times
        },
        ..first()
    };
    expect(
        &bench.verdict(unanswered).await,
        VerdictKind::NotComparable,
        &["not answered"],
    );
    for request in [poll(Consumer, Some(2), Last), Request::Ping] {
        let n = bench.analyst.record(exchange(0, 0, request, 0)).n;
        bench
            .mirror
            .poll(&bench.journal().exchange(n).unwrap(), None);
    }
    assert_eq!(
        bench.mirror.jobs.capacity(),
        MIRROR_QUEUE,
        "not even queued"
    );
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_busy_mirror_counts_what_it_does_not_mirror() {
    let (address, _) = server(|_, _| status(500)).await;
    let bench = Bench::logged_in(&address);
    let n = bench.analyst.record(first()).n;
    let exchange = bench.journal().exchange(n).unwrap();
    // Nothing is taken from the queue meanwhile: this task does not wait.
    for _ in 0..MIRROR_QUEUE + 7 {
        bench.mirror.poll(&exchange, None);
    }
    assert_eq!(bench.journal().totals().polls_not_mirrored, 7);
}

#[tokio::test]
async fn a_poll_that_the_journal_dropped_while_it_waited_is_counted_not_kept() {
    let (address, seen) = server(|_, _| status(500)).await;
    let config = MirrorConfig::new(&address, Some(password())).unwrap();
    let bench = Bench::with_journal(config, Journal::with_limits(1, usize::MAX));
    let n = bench.analyst.record(first()).n;
    let queued = bench.journal().exchange(n).unwrap();
    bench.mirror.poll(&queued, None);
    let dropped = Arc::downgrade(&queued);
    drop(queued);
    bench.analyst.record(exchange(0, 0, Request::Ping, 0));
    assert!(dropped.upgrade().is_none(), "the queue keeps it");
    let counted = async {
        while bench.journal().totals().polls_not_mirrored == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, counted).await.expect("counted");
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn nothing_but_an_iggy_server_is_told_a_password() {
    let (address, seen) = server_that_answers_pings("<html>", |_, _| login("t")).await;
    let bench = Bench::logged_in(&address);
    let words = ["is no Iggy server", "HTTP 200", "<html>", "--http"];
    let verdict = bench.verdict(first()).await;
    expect(&verdict, VerdictKind::MirrorFailed, &words);
    let verdict = bench.verdict(first()).await;
    expect(&verdict, VerdictKind::MirrorFailed, &["asks again in"]);
    assert!(seen.lock().unwrap().is_empty(), "only pings");
    let status = bench.journal().mirror().unwrap();
    assert_eq!((status.requests, status.failures), (1, 1));
    assert!(matches!(status.state, MirrorState::BackingOff { .. }));
}

#[tokio::test]
async fn secrets_are_in_no_verdict_no_status_and_no_debug_output() {
    for answer in [401, 400, 422, 500, 200] {
        let (address, _) = server(move |request, _| match (request.is_login(), answer) {
            (true, 200 | 401) => login(CANARY),
            (true, 422) => {
                let reason = format!("cannot parse {}", request.body);
                let body = json!({ "id": 2, "code": "error", "reason": reason });
                (StatusCode::UNPROCESSABLE_ENTITY, body.to_string()).into_response()
            }
            (true, _) => {
                (StatusCode::from_u16(answer).unwrap(), request.body.clone()).into_response()
            }
            (false, 401) => status(401),
            (false, _) => messages(2),
        })
        .await;
        let bench = Bench::logged_in(&address);
        let verdict = bench.verdict(first()).await;
        let status = bench.journal().mirror();
        let config = MirrorConfig::new(&address, Some(Credentials::Token(CANARY.to_owned())));
        let shown = format!("{verdict:?} {status:?} {:?} {config:?}", bench.mirror);
        assert!(!shown.contains(CANARY), "{shown}");
    }
    let error = MirrorConfig::new(&format!("http://iggy:{CANARY}@host:3000"), None).unwrap_err();
    assert!(!format!("{error} {error:?}").contains(CANARY));
}

#[tokio::test]
async fn an_address_that_is_of_no_http_server_is_refused() {
    for address in [
        "",
        "127.0.0.1:3000",
        "ftp://host",
        "http://",
        "http://host/?a=b",
        "unix:/x",
    ] {
        let error = MirrorConfig::new(address, None).unwrap_err();
        assert!(
            matches!(error, MirrorError::Address { .. }),
            "{address}: {error}"
        );
        assert!(error.to_string().contains("http://127.0.0.1:3000"));
    }
    for address in [
        "http://127.0.0.1:3000",
        "https://[::1]:3000/",
        "http://host/iggy",
    ] {
        MirrorConfig::new(address, None).unwrap();
    }
}
