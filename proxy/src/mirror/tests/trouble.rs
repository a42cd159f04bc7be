//! The instrument's own trouble.

use super::*;

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
        &["was not asked about"],
    );
    let status = bench.journal().mirrors().pop().unwrap();
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
        &["was not asked about"],
    );
    assert_eq!(seen.lock().unwrap().len(), 2);
    let status = bench.journal().mirrors().pop().unwrap();
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
