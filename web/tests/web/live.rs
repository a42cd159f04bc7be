//! Live updates, slow browsers, and the end.

use std::sync::Arc;

use crate::http::{Page, read_until};
use crate::sample;
use parallax_captures::limits::JOURNAL_CHANGES;
use parallax_codec::primitives::PollingKind;
use parallax_web::limits::{EVENT_STREAMS, HEADER_READ_TIMEOUT};
use tokio::io::AsyncReadExt as _;

fn events(page: &Page) -> String {
    format!("GET /events HTTP/1.1\r\n{}\r\n\r\n", page.known())
}

#[tokio::test]
async fn a_recorded_exchange_is_announced_and_its_row_can_be_fetched() {
    let journal = sample::broken_partition();
    let page = Page::over(Arc::clone(&journal)).await;
    let mut stream = page.connect(&events(&page)).await;
    let hello = read_until(&mut stream, "event: hello").await;
    assert!(hello.contains("text/event-stream"), "{hello}");
    let question = sample::question("metrics", None, PollingKind::Next);
    let n = journal.record(sample::poll(50_000, &question, Err(4100)));
    read_until(&mut stream, &format!("data: {{\"from\":{n}}}")).await;
    let rows = page.text(&format!("/rows?after={}", n - 1)).await;
    assert!(
        rows.starts_with("<tr") && rows.contains(&format!("id=\"x{n}\"")),
        "{rows}"
    );
    assert!(page.text("/panels").await.contains("What is wrong"));
}

#[tokio::test]
async fn a_page_that_fell_behind_is_told_to_read_anew() {
    let journal = sample::broken_partition();
    let page = Page::over(Arc::clone(&journal)).await;
    let mut stream = page.connect(&events(&page)).await;
    read_until(&mut stream, "event: hello").await;
    let question = sample::question("metrics", None, PollingKind::Next);
    for at in 0..=2 * i64::try_from(JOURNAL_CHANGES).unwrap() {
        journal.record(sample::poll(50_000 + at, &question, Err(4100)));
    }
    read_until(&mut stream, "event: stale").await;
}

#[tokio::test]
async fn one_live_page_too_many_is_told_so() {
    let page = Page::over(sample::broken_partition()).await;
    let mut open = Vec::new();
    for _ in 0..EVENT_STREAMS {
        let mut stream = page.connect(&events(&page)).await;
        read_until(&mut stream, "event: hello").await;
        open.push(stream);
    }
    let refused = page.get("/events").await;
    assert_eq!(refused.status, 503);
    assert!(refused.body.contains("Too many live pages"));
    assert_eq!(page.get("/").await.status, 200, "still readable");
}

#[tokio::test]
async fn a_browser_that_never_finishes_its_request_is_let_go() {
    let page = Page::over(sample::broken_partition()).await;
    let mut stream = page.connect("GET / HTTP/1.1\r\nHost: ").await;
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(2 * HEADER_READ_TIMEOUT, stream.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "held beyond the limit");
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
}

#[tokio::test]
async fn the_page_ends_though_a_browser_is_watching() {
    let page = Page::over(sample::broken_partition()).await;
    let mut stream = page.connect(&events(&page)).await;
    read_until(&mut stream, "event: hello").await;
    page.stop().await;
}
