//! All that the mirror sends to HTTP in every scene of the demo, as the server gets it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use parallax_codec::Dialect;
use parallax_proxy::demo::{Scene, placed, play};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::mirror::MirrorAlso;
use parallax_proxy::standin::{Fault, Standin, StandinConfig};
use parallax_tests::{Passed, Tee};
use tokio::time::{sleep, timeout};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// Scenes that are played at a time.
const AT_ONCE: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_server_and_its_clients_do_the_mirror_only_looks() {
    let all = Fault::ALL.into_iter().flat_map(|fault| {
        let dialects = fault.description().dialects.iter();
        dialects.map(move |dialect| (fault, *dialect))
    });
    let mut kinds = BTreeSet::new();
    for some in all.collect::<Vec<_>>().chunks(AT_ONCE) {
        let played: Vec<_> = some
            .iter()
            .map(|(fault, dialect)| tokio::spawn(http_of(*fault, *dialect)))
            .collect();
        for (scene, passed) in some.iter().zip(played) {
            for connection in passed.await.unwrap() {
                for line in request_lines(&connection.to_server) {
                    kinds.insert(kind(&line).unwrap_or_else(|| panic!("{scene:?}: {line}")));
                }
            }
        }
    }
    // Whether a topic or an offset is asked for depends on who is first.
    assert!(
        kinds.is_superset(&BTreeSet::from(["login", "ping", "poll"])),
        "or this test tests nothing: {kinds:?}"
    );
}

/// What passed on the way to HTTP while a scene was played.
async fn http_of(fault: Fault, dialect: Dialect) -> Vec<Passed> {
    let standin = Standin::start(StandinConfig {
        dialect,
        fault: Some(placed(fault)),
        ..StandinConfig::default()
    })
    .await
    .unwrap();
    let tee = Tee::to(standin.http).await;
    let proxy = Proxy::start(ProxyConfig {
        mirror_also: vec![
            MirrorAlso::Offset,
            MirrorAlso::Last,
            MirrorAlso::Timestamp,
            MirrorAlso::GetOffset,
        ],
        ..ProxyConfig::before(standin.tcp).asking(format!("http://{}", tee.address))
    })
    .await
    .unwrap();
    let mut scene = Scene {
        server: proxy.listen(),
        dialect,
        pace: Duration::ZERO,
        log: &mut |_| {},
    };
    let stay = timeout(PATIENCE, play(fault, &mut scene)).await;
    drop(stay.unwrap().unwrap());
    let journal = Arc::clone(proxy.journal());
    // What is asked about the last polls is a part of it.
    let judged = async {
        let expected = fault.description().finding;
        while expected.is_some_and(|code| journal.findings().iter().all(|it| it.code != code)) {
            sleep(Duration::from_millis(20)).await;
        }
        while journal
            .exchanges()
            .iter()
            .any(|exchange| exchange.poll().is_some() && exchange.verdict.is_none())
        {
            sleep(Duration::from_millis(20)).await;
        }
    };
    // Some are not judged at all: those that were never answered.
    let _ = timeout(Duration::from_secs(3), judged).await;
    proxy.shutdown().signal();
    proxy.finished().await;
    let passed = tee.passed();
    standin.stop().await;
    passed
}

/// The first line of each request on a connection, bodies passed over.
fn request_lines(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            (name.eq_ignore_ascii_case("content-length")).then(|| value.parse::<usize>().unwrap())
        });
        lines.push(head.lines().next().unwrap().to_owned());
        bytes = bytes.get(end + 4 + length.unwrap_or(0)..).unwrap_or(&[]);
    }
    lines
}

/// What a request is for, if it is one of those that change nothing.
fn kind(line: &str) -> Option<&'static str> {
    let [method, target, "HTTP/1.1"] = line.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path: Vec<_> = path.split('/').skip(1).collect();
    let query: Vec<_> = query.split('&').collect();
    match (method, &path[..]) {
        ("POST", ["users" | "personal-access-tokens", "login"]) => Some("login"),
        ("GET", ["ping"]) => Some("ping"),
        ("GET", ["streams", _, "topics", _]) => Some("topic"),
        ("GET", ["streams", _, "topics", _, "consumer-offsets"]) => Some("offset"),
        // The server takes the last of two.
        ("GET", ["streams", _, "topics", _, "messages"])
            if query
                .iter()
                .filter(|it| it.starts_with("auto_commit"))
                .count()
                == 1
                && query.contains(&"auto_commit=false")
                && query.iter().any(|it| it.starts_with("partition_id=")) =>
        {
            Some("poll")
        }
        _ => None,
    }
}

#[test]
fn what_is_no_looking_is_noticed() {
    for line in [
        "GET /streams/a/topics/b/messages?partition_id=1&auto_commit=true HTTP/1.1",
        "GET /streams/a/topics/b/messages?partition_id=1&auto_commit=false&auto_commit=true HTTP/1.1",
        "GET /streams/a/topics/b/messages?auto_commit=false HTTP/1.1",
        "POST /streams/a/topics/b/messages HTTP/1.1",
        "PUT /streams/a/topics/b/consumer-offsets HTTP/1.1",
        "DELETE /streams/a/topics/b HTTP/1.1",
        "POST /users HTTP/1.1",
        "GET /users HTTP/1.1",
    ] {
        assert_eq!(kind(line), None, "{line}");
    }
}
