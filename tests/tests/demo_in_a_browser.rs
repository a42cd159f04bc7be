//! `parallax demo` as a new user sees it: the terminal says where the page is,
//! and the page says what is wrong and why.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use fantoccini::Locator;
use parallax_tests::{Browser, Running};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

async fn text_of(browser: &Browser, selector: &str) -> String {
    let client = &browser.client;
    let found = client
        .wait()
        .at_most(PATIENCE)
        .for_element(Locator::Css(selector))
        .await
        .unwrap();
    found.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_failing_poll_is_explained_down_to_partition_and_offset() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut demo = Running::start(&["demo", "--ui", "127.0.0.1:0"]);
    let page = demo.page();
    demo.line_with("PX501");

    browser.client.goto(&page.at("")).await.unwrap();
    let overview = text_of(&browser, "main").await;
    for expected in ["PX102", "PX103", "PX104", "PX501"] {
        assert!(
            overview.contains(expected),
            "{expected} is not in:\n{overview}"
        );
    }
    browser.keep_screenshot("demo-overview").await;

    browser.client.goto(&page.at("exchanges")).await.unwrap();
    // The row of the poll that TCP and HTTP seem to answer differently.
    let row = Locator::XPath("//tr[contains(., '4100') and contains(., 'PX104')]//a[1]");
    let link = browser
        .client
        .wait()
        .at_most(PATIENCE)
        .for_element(row)
        .await
        .unwrap();
    link.click().await.unwrap();
    let detail = text_of(&browser, "main").await;
    for expected in [
        "4100 invalid_offset",
        "Invalid offset: 24",
        "partition 2",
        "InvalidOffset(0)",
        "never on the wire",
        "only seem to differ",
    ] {
        assert!(detail.contains(expected), "{expected} is not in:\n{detail}");
    }
    browser.keep_screenshot("demo-failing-poll").await;

    let failed = Locator::XPath("//tr[contains(., 'HTTP') and contains(., '24')]");
    let partition_2 = browser.client.find(failed).await.unwrap().text().await;
    assert!(partition_2.unwrap().contains('2'));
    assert_eq!(demo.interrupt().code(), Some(1), "there are findings");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_appear_while_the_page_is_open() {
    let Some(browser) = Browser::start(420, 900).await else {
        return;
    };
    let mut demo = Running::start(&["demo", "--ui", "127.0.0.1:0"]);
    let page = demo.page();
    browser.client.goto(&page.at("exchanges")).await.unwrap();
    let row = Locator::Css("tbody#rows tr");
    let client = &browser.client;
    let newest = client
        .wait()
        .at_most(PATIENCE)
        .for_element(row)
        .await
        .unwrap();
    let newest: u64 = newest
        .attr("data-n")
        .await
        .unwrap()
        .unwrap()
        .parse()
        .unwrap();
    // Nobody reloads the page: the row comes by itself. It is one of the polls, which
    // begin after the topic and the group are made.
    let later = format!("tr#x{}", newest + 10);
    let later = text_of(&browser, &later).await;
    assert!(later.contains("poll_messages"), "{later}");
    browser.keep_screenshot("demo-narrow").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn latency_is_drawn_with_tcp_and_http_over_each_other() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut demo = Running::start(&["demo", "--ui", "127.0.0.1:0"]);
    let page = demo.page();
    demo.line_with("PX501");
    browser.client.goto(&page.at("latency")).await.unwrap();
    let latency = text_of(&browser, "main").await;
    for expected in ["poll_messages", "p99.9", "TCP", "HTTP"] {
        assert!(
            latency.contains(expected),
            "{expected} is not in:\n{latency}"
        );
    }
    text_of(&browser, "svg").await;
    browser.keep_screenshot("demo-latency").await;
    browser.close().await;
}
