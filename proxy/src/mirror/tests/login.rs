//! Whom the mirror asks as, and whom it tells a password.

use parallax_captures::Finding;
use parallax_captures::catalog::MIRROR_UNAUTHENTICATED;

use super::*;

/// Findings that HTTP does not let a user in.
fn refused_users(bench: &Bench) -> Vec<Finding> {
    let mut findings = bench.journal().findings();
    findings.retain(|finding| finding.code == MIRROR_UNAUTHENTICATED);
    findings
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
    let status = bench.journal().mirrors().pop().unwrap();
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
    assert!(refused_users(&bench).is_empty(), "renewed in silence");
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
    expect(
        &verdict,
        VerdictKind::MirrorFailed,
        &["was not asked about"],
    );
    assert_eq!(
        seen.lock().unwrap().len(),
        2,
        "a login and a poll, then a pause"
    );
    let status = bench.journal().mirrors().pop().unwrap();
    assert!(
        matches!(status.state, MirrorState::Unauthenticated { .. }),
        "{status:?}"
    );
    let findings = refused_users(&bench);
    let [found] = findings.as_slice() else {
        panic!("one for the user: {findings:?}");
    };
    assert_eq!(found.exchanges.len(), 2);
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
        &["was not asked about"],
    );
    assert_eq!(seen.lock().unwrap().len(), 1);
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
async fn nothing_but_an_iggy_server_is_told_a_password() {
    let (address, seen) = server_that_answers_pings("<html>", |_, _| login("t")).await;
    let bench = Bench::logged_in(&address);
    let words = ["is no Iggy server", "HTTP 200", "<html>", "--http"];
    let verdict = bench.verdict(first()).await;
    expect(&verdict, VerdictKind::MirrorFailed, &words);
    let verdict = bench.verdict(first()).await;
    expect(
        &verdict,
        VerdictKind::MirrorFailed,
        &["was not asked about"],
    );
    assert!(seen.lock().unwrap().is_empty(), "only pings");
    let status = bench.journal().mirrors().pop().unwrap();
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
        let status = bench.journal().mirrors().pop();
        let config = MirrorConfig::new(&address, Some(Credentials::Token(CANARY.to_owned())));
        let shown = format!("{verdict:?} {status:?} {:?} {config:?}", bench.mirror);
        assert!(!shown.contains(CANARY), "{shown}");
    }
    let error = MirrorConfig::new(&format!("http://iggy:{CANARY}@host:3000"), None).unwrap_err();
    assert!(!format!("{error} {error:?}").contains(CANARY));
}
