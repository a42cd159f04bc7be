//! `parallax view` shows a recording as it was shown live.

use std::time::Duration;

use parallax_captures::recording::RecordOptions;
use parallax_codec::Dialect;
use parallax_proxy::demo::{Scene, placed, play};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::standin::{Fault, Standin, StandinConfig};
use parallax_tests::{PageAddress, Running, free_page};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::Directory;

const PATIENCE: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_shown_as_it_was_live() {
    for (fault, dialect) in [
        (Fault::FalseFirstOffset, Dialect::Classic),
        (Fault::OffsetJump, Dialect::Classic),
        (Fault::Retries, Dialect::Vsr),
        (Fault::Eviction, Dialect::Vsr),
    ] {
        let directory = Directory::new(&format!("viewed-{}", fault.description().name));
        let live = live(fault, dialect, &directory).await;
        let record = directory.path().display().to_string();
        let mut program = Running::start(&["view", &record, "--ui", "127.0.0.1:0"]);
        let page = program.page();
        let viewed = shown(&page).await;
        assert_same(&live, &viewed, fault.description().name);
        let overview = page.get("/").await;
        assert!(overview.contains("not live: recorded in"));
        // The same without the index, from the files alone.
        assert!(program.interrupt().success());
        std::fs::remove_file(directory.path().join("index.sqlite")).unwrap();
        let mut program = Running::start(&["view", &record, "--ui", "127.0.0.1:0"]);
        let page = program.page();
        let viewed = shown(&page).await;
        assert_same(&live, &viewed, fault.description().name);
    }
}

/// What the page of a run showed at its end, which is recorded.
async fn live(fault: Fault, dialect: Dialect, directory: &Directory) -> Value {
    let standin = Standin::start(StandinConfig {
        dialect,
        fault: Some(placed(fault)),
        ..StandinConfig::default()
    })
    .await
    .unwrap();
    let proxy = Proxy::start(ProxyConfig {
        ui: Some(free_page()),
        record: Some(RecordOptions::into_directory(directory.path())),
        ..ProxyConfig::before(standin.tcp).asking(format!("http://{}", standin.http))
    })
    .await
    .unwrap();
    let mut said = |_| {};
    let mut scene = Scene {
        server: proxy.listen(),
        dialect,
        pace: Duration::ZERO,
        log: &mut said,
    };
    let stay = timeout(PATIENCE, play(fault, &mut scene)).await.unwrap();
    drop(stay.unwrap());
    let page = PageAddress::of(&proxy.page().unwrap());
    let live = timeout(PATIENCE, at_rest(&page)).await.unwrap();
    proxy.shutdown().signal();
    proxy.finished().await;
    live
}

/// What is shown once it does not change any more: verdicts and claims are in, and every
/// connection has ended.
async fn at_rest(page: &PageAddress) -> Value {
    let mut before = Value::Null;
    loop {
        let now = shown(page).await;
        let connections = now["/connections"]["connections"].as_array().unwrap();
        let ended = connections.iter().all(|one| !one["closed"].is_null());
        if ended && now == before {
            return now;
        }
        before = now;
        sleep(Duration::from_millis(1_500)).await;
    }
}

/// Everything that the API has.
async fn shown(page: &PageAddress) -> Value {
    let mut shown = json!({});
    for part in [
        "/findings",
        "/findings?muted=1",
        "/connections",
        "/figures",
        "/latency",
    ] {
        shown[part] = api(page, part).await;
    }
    let mut exchanges = Vec::new();
    let mut next = api(page, "/exchanges").await;
    loop {
        exchanges.extend(next["exchanges"].as_array().unwrap().clone());
        let Some(before) = next["next"].as_u64() else {
            break;
        };
        next = api(page, &format!("/exchanges?before={before}")).await;
    }
    assert!(!exchanges.is_empty());
    let whole = api(page, &format!("/exchanges/{}", exchanges[0]["n"])).await;
    shown["exchanges"] = exchanges.into();
    shown["exchange"] = whole;
    shown
}

async fn api(page: &PageAddress, path: &str) -> Value {
    let response = page.get(&format!("/api/v1{path}")).await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    serde_json::from_str(body).unwrap()
}

fn assert_same(live: &Value, viewed: &Value, of: &str) {
    for (part, live) in live.as_object().unwrap() {
        if let (Some(live), Some(viewed)) = (live.as_array(), viewed[part].as_array()) {
            for (live, viewed) in live.iter().zip(viewed) {
                assert_eq!(live, viewed, "{of}: {part}");
            }
        }
        assert_eq!(*live, viewed[part], "{of}: {part}");
    }
}
